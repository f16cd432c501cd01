package prose

import (
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// difference is one of a metric in ns of which less is better, with 95 % of one question.
func difference(v infer.Verdict, low, value, high float64, changes ...func(*Difference)) *Difference {
	d := &Difference{First: "agent", Second: "none", Unit: "ns", Better: results.Lower, Answer: &infer.Answer{
		Question: infer.Question{Alpha: 0.05, Family: 1}, Verdict: v,
		Difference: &infer.Estimate{N: 8, Value: value, Interval: &infer.Interval{Low: low, High: high, Level: 0.95}},
	}}
	for _, change := range changes {
		change(d)
	}
	return d
}

func within(margin, low, high float64, relative bool) func(*Difference) {
	return func(d *Difference) { d.Equivalence = equivalence(margin, low, high, relative) }
}

func equivalence(margin, low, high float64, relative bool) *infer.Equivalence {
	e := &infer.Equivalence{Margin: margin, Relative: relative}
	e.Interval, e.P = infer.Interval{Low: low, High: high, Level: 0.9}, 0.0104
	e.Within = !relative && -margin < low && high < margin || relative && 1/(1+margin) < low && high < 1+margin
	return e
}

func toBe(b results.Better, unit string) func(*Difference) {
	return func(d *Difference) { d.Better, d.Unit = b, unit }
}

func asked(kind results.Comparison, alternative stats.Alternative) func(*Difference) {
	return func(d *Difference) { d.Kind, d.Alternative = kind, alternative }
}

func ratio(value float64) func(*Difference) {
	return func(d *Difference) { d.Ratio = &infer.Estimate{Value: value} }
}

func quantile(d *Difference) { d.Quantile = "p99" }

// TestDifferences: what a shown difference says, by its sign and by which way is better.
func TestDifferences(t *testing.T) {
	const higher, lower = infer.Higher, infer.Lower
	for _, c := range []struct {
		d    *Difference
		want string
	}{
		{difference(higher, 90, 100, 110), "agent adds 100.0 ns over none (95 % CI 90.0 … 110.0 ns)"},
		{difference(higher, 90, 100, 110, ratio(1.05)), "agent adds 100.0 ns over none (95 % CI 90.0 … 110.0 ns), +5.0 %"},
		{difference(lower, -110, -100, -90, ratio(0.95)), "agent costs 100.0 ns less than none (95 % CI 90.0 … 110.0 ns), −5.0 %"},
		{
			difference(higher, 900, 1000, 1100, toBe(results.Higher, "calls/s")),
			"agent yields 1000 calls/s more than none (95 % CI 900 … 1100 calls/s)",
		},
		{
			difference(lower, -1100, -1000, -900, toBe(results.Higher, "calls/s"), ratio(0.5)),
			"agent yields 1000 calls/s less than none (95 % CI 900 … 1100 calls/s), 0.50 times as much",
		},
		{difference(higher, 2, 3, 4, toBe("", "1"), ratio(2)), "agent is 3.000 above none (95 % CI 2.000 … 4.000), 2.0 times as much"},
		{difference(lower, -4, -3, -2, toBe("", "1")), "agent is 3.000 below none (95 % CI 2.000 … 4.000)"},
		{difference(higher, 90, 100, 110, quantile), "the mean p99 of agent adds 100.0 ns over none (95 % CI 90.0 … 110.0 ns)"},
		{
			difference(higher, 90, 100, 110, quantile, asked(results.TestSignedRank, "")),
			"the p99 of agent adds 100.0 ns over none (95 % CI 90.0 … 110.0 ns)",
		},
		{
			difference(higher, 90, 100, 110, func(d *Difference) { d.Family = 3 }),
			"agent adds 100.0 ns over none (simultaneous 95 % CI 90.0 … 110.0 ns)",
		},
		{
			difference(higher, 90, 100, 110, asked("", stats.Greater)),
			"yes: agent adds 100.0 ns over none (90 % CI 90.0 … 110.0 ns)",
		},
		{
			difference(infer.Negligible, 9, 10, 11, within(25, 9.2, 10.8, false)),
			"agent adds 10.00 ns over none (95 % CI 9.00 … 11.00 ns); that is within the margin of 25.00 ns",
		},
		{
			difference(infer.Negligible, 9, 10, 11, asked(results.TestTOST, ""), within(0.05, 1.01, 1.02, true)),
			"yes: agent adds 10.00 ns over none (95 % CI 9.00 … 11.00 ns); that is within the margin of 5 %",
		},
		{
			difference(higher, 90, 100, 110, asked(results.TestTOST, ""), within(25, 92, 108, false)),
			"no: agent adds 100.0 ns over none (95 % CI 90.0 … 110.0 ns)",
		},
		{
			difference(higher, 20, 30, 40, asked(results.TestTOST, ""), within(25, 22, 38, false)),
			"undecided: agent adds 30.00 ns over none (95 % CI 20.00 … 40.00 ns)",
		},
	} {
		if got := c.d.Sentence().String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func detectable(d *Difference) { d.Difference.Detectable = new(60.0) }

// TestNoDifferences: what is said where no difference is shown.
func TestNoDifferences(t *testing.T) {
	for _, c := range []struct {
		d    *Difference
		want string
	}{
		{difference(infer.Undecided, -10, 50, 110), "undecided: the difference of agent from none lies within −10.0 … 110.0 ns (95 % CI)"},
		{
			difference(infer.Undecided, -10, 50, 110, detectable),
			"undecided: the difference of agent from none lies within −10.0 … 110.0 ns (95 % CI); could have detected 60.00 ns with 80 % power",
		},
		{
			difference(infer.Undecided, -10, 50, 110, detectable, func(d *Difference) { d.Baseline = 600 }),
			"undecided: the difference of agent from none lies within −10.0 … 110.0 ns (95 % CI); could have detected 60.00 ns (10 %) with 80 % power",
		},
		{difference(infer.No, -9, -5, -1, asked("", stats.Greater)), "no: agent does not cost more than none (95 % bound)"},
		{difference(infer.No, 1, 5, 9, asked("", stats.Less)), "no: agent does not cost less than none (95 % bound)"},
		{
			difference(infer.No, 1, 5, 9, asked("", stats.Less), toBe(results.Higher, "calls/s")),
			"no: agent does not yield less than none (95 % bound)",
		},
		{difference(infer.No, -9, -5, -1, asked("", stats.Greater), toBe("", "1")), "no: agent is not above none (95 % bound)"},
		{
			difference(infer.Equivalent, -6, 1, 9, within(20, -5, 8, false)),
			"equivalent within 20.00 ns: the difference of agent from none lies within −5.000 … 8.000 ns (90 % CI)",
		},
		{
			difference(infer.Equivalent, -6, 1, 9, asked(results.TestTOST, ""), within(0.05, 0.99, 1.02, true)),
			"yes: equivalent within 5 %: the difference of agent from none lies within −1.0 % … +2.0 % (90 % CI)",
		},
		{difference(infer.Equivalent, 0, 0, 0), "equivalent within every margin: the values of agent and none are the same"},
		{
			difference(infer.NoAnswer, 0, 100, 0, func(d *Difference) { d.Difference.Interval, d.Difference.NoInterval = nil, infer.OnePair }),
			"no answer: agent against none is +100.0 ns, but only one complete pair: an interval needs two",
		},
		{
			difference(infer.NoAnswer, 0, 0, 0, func(d *Difference) { d.Answer.Difference, d.NoDifference = nil, "too few invocations" }),
			"no answer: too few invocations",
		},
		{ // so few alike values have no interval
			difference(infer.Equivalent, 0, 0, 0, within(20, 0, 0, false), func(d *Difference) { d.Difference.Interval = nil }),
			"equivalent within 20.00 ns: the difference of agent from none lies within 0 … 0 ns (90 % CI)",
		},
	} {
		if got := c.d.Sentence().String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestAtStandardSpeed: the number at standard speed comes first where it has an answer of its own.
func TestAtStandardSpeed(t *testing.T) {
	at := func(low, value, high, slower float64, ratio *infer.Estimate) func(*Difference) {
		return func(d *Difference) {
			d.Standard = &Standard{Slower: slower, Ratio: ratio, Difference: &infer.Estimate{
				Value: value, Interval: &infer.Interval{Low: low, High: high, Level: 0.95},
			}}
		}
	}
	const asItRan = "agent adds 100.0 ns over none (95 % CI 90.0 … 110.0 ns)"
	for _, c := range []struct {
		d    *Difference
		want string
	}{
		{
			difference(infer.Higher, 90, 100, 110, ratio(1.05), at(70, 80, 90, 0.25, &infer.Estimate{Value: 1.04})),
			"agent adds 80.00 ns over none at standard speed (95 % CI 70.00 … 90.00 ns), +4.0 %; here the CPU was 25 % slower: 100.0 ns",
		},
		{
			difference(infer.Lower, -110, -100, -90, at(-90, -80, -70, -0.2, nil)),
			"agent costs 80.00 ns less than none at standard speed (95 % CI 70.00 … 90.00 ns); here the CPU was 25 % faster: 100.0 ns",
		},
		{difference(infer.Higher, 90, 100, 110, at(0, 80, 160, 0.25, nil)), asItRan},
		{difference(infer.Higher, 90, 100, 110, at(-90, -80, -70, 0.25, nil)), asItRan},
		{difference(infer.Lower, -110, -100, -90, at(-160, -80, 0, 0.25, nil)), "agent costs 100.0 ns less than none (95 % CI 90.0 … 110.0 ns)"},
		{difference(infer.Higher, 90, 100, 110, func(d *Difference) { d.Standard = &Standard{} }), asItRan},
		{difference(infer.Higher, 90, 100, 110, func(d *Difference) { d.Standard = &Standard{Difference: &infer.Estimate{Value: 80}} }), asItRan},
	} {
		if got := c.d.Sentence().String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestWhatIsSaidBehind: the room for the reference, and the machines.
func TestWhatIsSaidBehind(t *testing.T) {
	const first = "undecided: the difference of agent from none lies within "
	doubt := func(decided, measured bool) func(*Difference) {
		return func(d *Difference) {
			d.Doubt = &infer.Doubt{
				Share: 0.013, Amount: 6, Decided: decided, Measured: measured, Interval: &infer.Interval{Low: -16, High: 116, Level: 0.95},
			}
		}
	}
	hosts := func(h infer.Hosts) func(*Difference) {
		h.Each = make([]infer.HostEstimate, 3)
		return func(d *Difference) { d.Hosts = &h }
	}
	like := &infer.Estimate{Value: 50, Interval: &infer.Interval{Low: -30, High: 130}}
	const plain, wide = first + "−10.0 … 110.0 ns (95 % CI)", first + "−16.0 … 116.0 ns (95 % CI)"
	const room = "; the speed of the CPU beside agent is known to 1.3 % (6.000 ns of the call), "
	for _, c := range []struct {
		change func(*Difference)
		want   string
	}{
		{doubt(false, false), plain},
		{doubt(true, false), wide + room + "and the verdict allows for that"},
		{doubt(true, true), wide + room + "so the verdict is that of the times as they were measured"},
		{hosts(infer.Hosts{OfThese: false}), plain + "; so it is on machines like these 3, most of which have one block"},
		{hosts(infer.Hosts{OfThese: true, LikeVerdict: infer.NoAnswer}), plain + "; so it is on these 3 machines, and of others like them so few say nothing"},
		{
			hosts(infer.Hosts{OfThese: true, Like: like, LikeVerdict: infer.Undecided}),
			plain + "; so it is on these 3 machines, and on machines like these −30.0 … 130.0 ns: undecided",
		},
		{hosts(infer.Hosts{OfThese: true, LikeVerdict: infer.Undecided}), plain + "; so it is on these 3 machines"},
		{hosts(infer.Hosts{OfThese: true, Like: &infer.Estimate{Value: 50}, LikeVerdict: infer.Undecided}), plain + "; so it is on these 3 machines"},
		{hosts(infer.Hosts{OfThese: true, Complete: true}), plain},
	} {
		if got := difference(infer.Undecided, -10, 50, 110, c.change).Sentence().String(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	none := difference(infer.NoAnswer, 0, 0, 0, hosts(infer.Hosts{OfThese: true}), func(d *Difference) { d.Answer.Difference, d.NoDifference = nil, "why" })
	if got := none.Sentence().String(); got != "no answer: why" {
		t.Errorf("got %s", got)
	}
}

// TestDetail: the test that decided, with its numbers.
func TestDetail(t *testing.T) {
	tested := func(d *Difference) { d.Difference.Test = &infer.Test{T: -12.3456, DF: 7, P: 0.00312} }
	unordered := func(d *Difference) { d.Unordered = true }
	for _, c := range []struct {
		d    *Difference
		want string
	}{
		{difference(infer.Higher, 90, 100, 110, tested), "paired t = −12.35, df 7, p = 0.003, n = 8 pairs of invocations"},
		{
			difference(infer.Higher, 90, 100, 110, tested, detectable, asked("", stats.Greater)),
			"paired t = −12.35, df 7, p = 0.003 (greater), n = 8 pairs of invocations, detectable with 80 % power 60.00 ns",
		},
		{difference(infer.Undecided, -10, 50, 110, tested, detectable), "paired t = −12.35, df 7, p = 0.003, n = 8 pairs of invocations"},
		{
			difference(infer.Higher, 90, 100, 110, tested, unordered, within(20, 92, 108, false)),
			"Welch's t = −12.35, df 7, p = 0.003, n = at least 8 invocations of each, margin 20.00 ns, TOST p = 0.010",
		},
		{
			difference(infer.Higher, 90, 100, 110, asked(results.TestSignedRank, ""), unordered, func(d *Difference) { d.Difference.Test = &infer.Test{T: 36, P: 0.0078} }),
			"signed rank V = 36, p = 0.008, n = at least 8 invocations of each",
		},
		{
			difference(infer.Higher, 90, 100, 110, tested, asked(results.TestStudent, "")),
			"Student's t = −12.35, df 7, p = 0.003, n = at least 8 invocations of each",
		},
		{
			difference(infer.Higher, 90, 100, 110, tested, unordered, asked(results.TestStudent, "")),
			"Student's t = −12.35, df 7, p = 0.003, n = at least 8 invocations of each",
		},
		{difference(infer.Equivalent, 0, 0, 0), "the values do not vary, n = 8 pairs of invocations"},
		{difference(infer.NoAnswer, 0, 0, 0, func(d *Difference) { d.Difference.Interval = nil }), ""},
		{difference(infer.NoAnswer, 0, 0, 0, func(d *Difference) { d.Answer.Difference = nil }), ""},
	} {
		if got := c.d.Detail(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
