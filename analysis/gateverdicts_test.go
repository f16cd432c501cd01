package analysis

import (
	"math"
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/results"
)

// TestVerdictWithRoom: the verdict leaves room for the doubt, unless what was measured decides it more exactly.
func TestVerdictWithRoom(t *testing.T) {
	const opposite, asMeasured = "which says the opposite", "; as measured, not at one speed of the CPU, it is between "
	const room = "the verdict allows for that"
	for _, c := range []struct {
		name      string
		low, high float64
		doubt     float64 // 0: none
		ran       *Interval
		want      infer.Judgement
		says      string
	}{
		{"no doubt", 1.2, 1.3, 0, &Interval{Low: 1, High: 1.05}, infer.Regression, ""},
		{"nothing as measured", 1.2, 1.3, 0.01, nil, infer.Regression, ""},
		{"both say it", 1.2, 1.3, 0.01, &Interval{Low: 1.2, High: 1.3}, infer.Regression, ""},
		{"both pass it", 1.01, 1.02, 0.01, &Interval{Low: 1.01, High: 1.02}, infer.Passed, ""},
		{"opposites", 1.2, 1.3, 0.01, &Interval{Low: 1, High: 1.05}, infer.UndecidedYet, opposite},
		{"opposites, reversed", 1, 1.05, 0.01, &Interval{Low: 1.2, High: 1.3}, infer.UndecidedYet, opposite},
		{"only as carried", 1.2, 1.3, 0.01, &Interval{Low: 1.05, High: 1.3}, infer.Regression, asMeasured + "5.0 %"},
		{"neither", 1.05, 1.2, 0.01, &Interval{Low: 1.05, High: 1.2}, infer.UndecidedYet, ""},
		{"neither, with room", 1.05, 1.2, 0.01, &Interval{Low: 1.2, High: 1.3}, infer.UndecidedYet, ""},
		{"narrower as measured", 1.105, 1.205, 0.01, &Interval{Low: 1.15, High: 1.16}, infer.Regression, asMeasured},
		{"wider as measured", 1.105, 1.205, 0.01, &Interval{Low: 1.15, High: 1.5}, infer.UndecidedYet, room},
		{"undecided as measured", 1.105, 1.205, 0.01, &Interval{Low: 1.09, High: 1.12}, infer.UndecidedYet, room},
		{"passed without room", 1, 1.095, 0.01, &Interval{Low: 1.04, High: 1.05}, infer.Passed, asMeasured},
	} {
		g := &GateCell{Low: c.low, High: c.high}
		if c.doubt > 0 {
			g.Doubt = &infer.Doubt{Share: c.doubt}
		}
		text := g.verdict(0.1, c.ran)
		if g.Verdict != c.want || !strings.Contains(text, c.says) || (text == "") != (c.says == "") {
			t.Errorf("%s: %s, %q; want %s", c.name, g.Verdict, text, c.want)
		}
	}
}

// TestConclude: a gate says the worst of its cells; an alarm counts only as a regression.
func TestConclude(t *testing.T) {
	cell := func(label string, v infer.Judgement, alarm bool) GateCell {
		return GateCell{
			Label: label, Verdict: v, Why: "why", High: 1.04, Needed: 7, Ratio: &Estimate{Value: 1.2},
			Limit: &results.GateLimit{Metric: "m", WorseBy: 0.05, Alarm: alarm},
		}
	}
	const worse, open, none, passed = infer.Regression, infer.UndecidedYet, infer.NotJudged, infer.Passed
	for _, c := range []struct {
		name  string
		cells []GateCell
		want  infer.Judgement
		one   string // of one metric
		all   string // of several
	}{
		{
			"all passed",
			[]GateCell{cell("a", passed, false), cell("b", passed, false)},
			passed,
			"passed: none of 2 cells is worse than ref by more than 5 %",
			"passed: not worse than ref by more than is allowed: a in m (at most 4.0 % worse, allowed 5 %), " +
				"b in m (at most 4.0 % worse, allowed 5 %)",
		},
		{
			"one is open",
			[]GateCell{cell("a", passed, false), cell("b", open, false)},
			open,
			"1 of 2 cells may or may not be worse than ref by more than 5 %: b",
			"b in m (at most 4.0 % worse, allowed 5 %; a new campaign of 7 blocks",
		},
		{
			"one has no answer",
			[]GateCell{cell("a", open, false), cell("b", none, false)},
			none,
			"no answer about 1 of 2 cells: b", "no answer about b in m (why)",
		},
		{
			"one is worse",
			[]GateCell{cell("a", none, false), cell("b", worse, false), cell("c", worse, false)},
			worse,
			"worse: 2 of 3 cells shown to be worse than ref by more than 5 %: b, c",
			"worse: shown to be worse than ref by more than is allowed: b in m (20 % worse, allowed 5 %), c in m (20 %",
		},
		{
			"an alarm that is open",
			[]GateCell{cell("a", passed, false), cell("b", open, true)},
			passed,
			"none of 2 cells", "not worse than ref by more than is allowed: a in m (at most 4.0 % worse, allowed 5 %)",
		},
		{
			"an alarm",
			[]GateCell{cell("a", passed, false), cell("b", worse, true)},
			worse,
			"1 of 2 cells shown", "b in m (20 % worse, allowed 5 %)",
		},
	} {
		for _, several := range []bool{false, true} {
			g := &GateAnswer{Gate: results.Gate{Reference: "ref", WorseBy: 0.05}, Cells: c.cells}
			says := c.one
			if several {
				g.PassLevel, says = 0.95, c.all
			}
			g.conclude("", "")
			if g.Verdict != c.want || !strings.Contains(g.Sentence.String(), says) {
				t.Errorf("%s, of several %t: %s, %q", c.name, several, g.Verdict, g.Sentence.String())
			}
			if g.Worse() != (c.want == worse) || g.Open() != (c.want == open || c.want == none) {
				t.Errorf("%s: worse %t, open %t", c.name, g.Worse(), g.Open())
			}
		}
	}
	barred := &GateAnswer{Cells: []GateCell{cell("a", worse, false)}}
	barred.conclude(none, "it is barred")
	if barred.Verdict != none || barred.Sentence.Rest != "it is barred" || barred.Worse() || !barred.Open() {
		t.Errorf("%s: %s", barred.Verdict, barred.Sentence)
	}
	if g := (*GateAnswer)(nil); g.Worse() || g.Open() {
		t.Error("without a gate something is worse or open")
	}
	without := GateCell{Verdict: passed}
	if !without.counts() {
		t.Error("a cell without a limit does not count")
	}
}

// TestInvalidGates: a gate has an alpha below a half, a direction, and an allowance above 0.
func TestInvalidGates(t *testing.T) {
	for _, c := range []struct {
		alpha, worseBy float64
		better         results.Better
		valid          bool
	}{
		{0.05, 0.03, results.Lower, true},
		{0.05, 0.03, results.Higher, true},
		{0.05, 0.03, results.Neither, false},
		{0, 0.03, results.Lower, false},
		{0.5, 0.03, results.Lower, false},
		{0.49, 0.03, results.Lower, true},
		{math.NaN(), 0.03, results.Lower, false},
		{0.05, 0, results.Lower, false},
		{0.05, -1, results.Lower, false},
		{0.05, math.Inf(1), results.Lower, false},
		{0.05, math.NaN(), results.Lower, false},
	} {
		k := &gateJudge{gate: &results.Gate{Alpha: c.alpha}, limits: []gateLimit{{
			results.GateLimit{WorseBy: c.worseBy}, results.Metric{Better: c.better},
		}}}
		if got := k.invalid(); (got == nil) != c.valid {
			t.Errorf("%+v: %+v", c, got)
		}
		s := k.worse(infer.Scale{Value: 2}, k.limits[0])
		if want := map[bool]float64{true: -2, false: 2}[c.better == results.Higher]; s.Value != want {
			t.Errorf("%+v: a scale of %v", c, s.Value)
		}
	}
}
