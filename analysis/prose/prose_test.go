package prose

import (
	"strings"
	"testing"

	"moobench/analysis/infer"
)

func interval(value, low, high float64) *infer.Estimate {
	return &infer.Estimate{Value: value, Interval: &infer.Interval{Low: low, High: high, Level: 0.95}}
}

// TestPhrases: what the sentences of all reports are made of.
func TestPhrases(t *testing.T) {
	letters := []string{"a", "b", "c"}
	unseen := []infer.Caveat{
		{Kind: infer.CaveatFew, N: 3}, {Kind: infer.CaveatUnseen, N: 8, Value: 0.31}, {Kind: infer.CaveatUnseen, N: 6, Value: 0.39},
	}
	for _, c := range []struct{ got, want string }{
		{Say("yes", "it is").String(), "yes: it is"},
		{Say("", "it is").String(), "it is"},
		{NoAnswer("why").String(), "no answer: why"},
		{First(letters, 2, ", ", " and %s more"), "a, b and 1 more"},
		{First(letters, 3, ", ", " and %s more"), "a, b, c"},
		{First(make([]string, 2501), 1, ", ", "%s"), "2,500"},
		{Caveats(letters), "; caveats: a, b, c"},
		{Caveats(nil), ""},
		{Number(-1234.56), "−1235"},
		{Number(0.0123456), "0.01235"},
		{Spaced("cpu_per_request"), "cpu per request"},
		{Seen(infer.Arm{Events: 11, Exposure: 1_320_029.6}), "11 of 1,320,030"},
		{Seen(infer.Arm{Events: 2, Exposure: 0.5}), "2 of 0.5000"},
		{Seen(infer.Arm{Events: 1, Exposure: 1}), "1 of 1"},
		{Seen(infer.Arm{Events: 2, Exposure: 1e15}), "2 of 1.000e+15"},
		{Signed(100, "ns"), "+100.0 ns"},
		{Signed(-2072, "ns"), "−2.072 µs"},
		{Worsening(1.051), "5.1 % worse"},
		{Worsening(0.949), "5.1 % better"},
		{Worsening(1), "0 % worse"},
		{
			Needed(1, 0.05),
			"a new campaign of 1 block makes ± 5 %, " +
				"and adding blocks to this one until it decides would say worse too often",
		},
		{WithoutFigures("12,345 of 1.5 in b2"), "0 of 0 in b0"},
		{strings.Join(Unique([]string{"b", "a", "b", "a"}), " "), "b a"},
		{strings.Join(NonEmpty("", "b", "", "a"), " "), "b a"},
		{Factor(0.5), "0.50 times"},
		{Factor(2), "2.0 times"},
		{WithInterval(interval(2016, 1981, 2052), "ns"), "+2.016 µs (1.981 … 2.052)"},
		{WithInterval(&infer.Estimate{Value: 2016}, "ns"), "not known"},
		{WithInterval(nil, "ns"), "not known"},
		{Unseen(unseen), "6 JVMs: a mode that fewer than one in 3 falls into may have gone unseen"},
		{Unseen(unseen[:1]), ""},
		{Over(interval(1.049, 1.043, 0.994)), "+4.9 % (+4.3 % … −0.6 %)"},
		{Over(&infer.Estimate{Value: 0.5}), "−50 %"},
		{timesAsMuch(0.501), "−50 %"},
		{timesAsMuch(1), "+0 %"},
		{timesAsMuch(1.999), "+100 %"},
		{timesAsMuch(0.25), "0.25 times as much"},
		{timesAsMuch(36.94), "37 times as much"},
		{LanesAtOnce(infer.Same), "they leave each other alone"},
		{LanesAtOnce(infer.Changed), "they disturb each other"},
		{LanesAtOnce(infer.NotJudged), "it is not shown that they leave each other alone"},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
}

// TestSpeeds: what is said of the standard speed, and of CPUs that were faster or slower.
func TestSpeeds(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Slower(0.25), "25 % slower"},
		{Slower(0), "0 % slower"},
		{Slower(-0.2), "25 % faster"},
		{StandardSpeed(2000, 0.25), "at standard speed the reference takes 2.000 µs; here the CPU was 25 % slower, and what does not say at standard speed is as it ran"},
		{NearStandard(2000, -0.005), "at standard speed costs are the same within 1 % (the reference takes 2.000 µs there; here the CPU was 0.5 % faster)"},
		{TooFar(1.5), "as it ran only: the CPU was 150 % slower than at standard speed, and no program was measured so far from it"},
		{Way([]string{"a", "b"}), "most of the interval of a, b is the way from this campaign's speed to the standard; no number of blocks helps"},
	} {
		if c.got != c.want {
			t.Errorf("got  %s\nwant %s", c.got, c.want)
		}
	}
}

// Too few invocations are said with their number, and no invocation is not mentioned.
func TestFewInWords(t *testing.T) {
	for n, want := range map[int]string{
		-1: "", 0: "", 1: "; from 1 invocation only, so it assumes normal values", infer.FewInvocations: "",
		infer.FewInvocations - 1: "; from 5 invocations only, so it assumes normal values",
	} {
		if got := Few(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
