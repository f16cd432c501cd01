package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter/fleet"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// TestVerdictWithRoom: the verdict leaves room for the doubt, unless what was measured decides it more exactly.
func TestVerdictWithRoom(t *testing.T) {
	const opposite, asMeasured = "which says the opposite", "; as measured, not at one speed of the CPU, it is between "
	const room = "for which the verdict leaves room"
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

// TestLength: an invocation lasts until the next one of its session starts, and the last one to its end.
func TestLength(t *testing.T) {
	inv := func(session string, from, to int, status results.Status) *results.Invocation {
		at := func(s int) time.Time { return time.Date(2026, 11, 1, 0, 0, s, 0, time.UTC) }
		return &results.Invocation{Session: session, Start: at(from), End: at(to), Status: status}
	}
	const ok, failed = results.StatusOK, results.StatusFailed
	for _, c := range []struct {
		name string
		all  []*results.Invocation
		want time.Duration
	}{
		{"none", nil, 0},
		{"one", []*results.Invocation{inv("1", 0, 10, ok)}, 10 * time.Second},
		{"two of a session", []*results.Invocation{inv("1", 20, 30, ok), inv("1", 0, 10, ok)}, 15 * time.Second},
		{"two sessions", []*results.Invocation{inv("1", 0, 10, ok), inv("2", 20, 32, ok)}, 11 * time.Second},
		{"one failed", []*results.Invocation{inv("1", 0, 10, ok), inv("1", 14, 30, failed)}, 14 * time.Second},
		{"all failed", []*results.Invocation{inv("1", 0, 10, failed)}, 0},
		{"a pilot does not count", []*results.Invocation{inv("1", 0, 10, ok), inv("9", 10, 99, ok)}, 10 * time.Second},
	} {
		got := Length(c.all, func(inv *results.Invocation) bool { return inv.Session != "9" })
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestSpreads: by hand. Four blocks with sd 4 of a mean of 100 have t(3) × 4/√4 as a share of it.
func TestSpreads(t *testing.T) {
	s := spread{blocks: 10, mean: 100, sd: 4, alike: 4}
	for _, c := range []struct {
		d    Design
		want float64
	}{
		{Design{Blocks: 1, Family: 1}, 0},
		{Design{Blocks: 2, Family: 1}, 12.7062 * 4 / math.Sqrt2 / 100},
		{Design{Blocks: 4, Family: 1}, 3.182446 * 4 / 2 / 100},
		{Design{Blocks: 4, Family: 2}, 4.176535 * 4 / 2 / 100},
		{Design{Blocks: 4, Family: 1, Pilot: 3}, 4.302653 * 4 / 2 / 100},
		{Design{Blocks: 4, Family: 1, Pilot: 16}, 3.182446 * 4 / 2 / 100},
		{Design{Blocks: 4, Family: 1, Pilot: 1}, 12.7062 * 4 / 2 / 100},
		{Design{Blocks: 100, Family: 1}, 1.98422 * 2 * 4 / 10 / 100}, // alike neighbours double it
	} {
		if got := s.half(c.d); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%+v: %v, want %v", c.d, got, c.want)
		}
	}
	other := spread{blocks: 10, mean: 100, sd: 12, alike: 1}
	first, second := &Reach{OneBlock: 0.2, ran: []spread{s}}, &Reach{OneBlock: 0.3, ran: []spread{other}}
	second.standard = []spread{s}
	r := first.Plus(second)
	d := Design{Blocks: 16, Family: 1}
	low, high := r.Range(d)
	if r.OneBlock != 0.3 || len(r.ran) != 2 || len(r.standard) != 1 || low != s.half(d) || high != other.half(d) {
		t.Errorf("%+v: from %v to %v", r, low, high)
	}
	if got := r.HalfWidths(d); math.Abs(got.Ran-1.25*s.half(d)) > 1e-12 || got.Standard != s.half(d) {
		t.Errorf("%+v", got)
	}
	if got := (&Reach{ran: []spread{s}}).HalfWidths(d); got.Standard != 0 {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		xs   []float64
		want float64
	}{{[]float64{1, 3}, 0.5}, {[]float64{0, 0, 3}, 2.0 / 3}, {[]float64{-3, 0, 0, 3}, 0.5}} {
		if got := oneBlock(c.xs); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %v, want %v", c.xs, got, c.want)
		}
	}
}

// TestNeeds: the least number of blocks that is narrow enough, none below the pilot's, and none beyond the most.
func TestNeeds(t *testing.T) {
	one := Design{Family: 1}
	at := func(blocks int, s spread) float64 { return s.half(Design{Blocks: blocks, Family: 1}) }
	s := spread{blocks: 10, mean: 100, sd: 4, alike: 1}
	for _, c := range []struct {
		name  string
		all   []spread
		share float64
		d     Design
		want  int
	}{
		{"nothing seen", nil, 1, one, 0},
		{"two are enough", []spread{s}, at(2, s), one, 2},
		{"hardly not", []spread{s}, at(2, s) - 1e-9, one, 3},
		{"eight", []spread{s}, at(8, s), one, 8},
		{"as many as neighbours", []spread{s}, at(stats.NeighbourBlocks, s), one, stats.NeighbourBlocks},
		{"more than that", []spread{s}, at(200, s), one, 200},
		{"hardly more", []spread{s}, at(200, s) - 1e-9, one, 201},
		{"the most", []spread{s}, at(mostBlocks, s), one, mostBlocks},
		{"more than the most", []spread{s}, at(mostBlocks, s) - 1e-9, one, 0},
		{"a pilot", []spread{s}, 1, Design{Family: 1, Pilot: 6}, 6},
		{"a long pilot", []spread{s}, 1, Design{Family: 1, Pilot: 90}, 90},
	} {
		if got := needs(c.all, c.share, c.d); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	ran, standard := (&Reach{ran: []spread{s}}).Needs(at(8, s), one)
	if ran != 8 || standard != 0 {
		t.Errorf("%d and %d", ran, standard)
	}
	ran, standard = (&Reach{standard: []spread{s}}).Needs(at(8, s), one)
	if ran != 0 || standard != 8 {
		t.Errorf("%d and %d", ran, standard)
	}
}

// TestDiffers: a difference at standard speed is another one if it differs by a hundredth of the larger end.
func TestDiffers(t *testing.T) {
	between := func(value, low, high float64) *Estimate {
		return &Estimate{Value: value, Interval: &Interval{Low: low, High: high}}
	}
	for _, c := range []struct {
		ran   *Estimate
		value float64
		want  bool
	}{
		{nil, 9, false},
		{&Estimate{Value: 100}, 100.5, false},
		{&Estimate{Value: 100}, 101, true},
		{&Estimate{Value: 100}, 99, true},
		{&Estimate{Value: -100}, -99.5, false},
		{between(100, 50, 300), 102, false},
		{between(100, 50, 300), 103, true},
		{between(100, -400, 300), 103, false},
		{between(100, -400, 300), 96, true},
		{&Estimate{}, 0, true},
	} {
		if got := (&AtStandard{Difference: &Estimate{Value: c.value}}).differs(c.ran); got != c.want {
			t.Errorf("%v beside %+v: %t", c.value, c.ran, got)
		}
	}
	if (*AtStandard)(nil).differs(&Estimate{}) || (&AtStandard{}).differs(&Estimate{}) {
		t.Error("without a difference it is another one")
	}
	for share, want := range map[float64]bool{0: false, 0.5: false, 0.51: true} {
		if (&AtStandard{WayShare: share}).way() != want {
			t.Errorf("of a share of %v the way is most: %t", share, !want)
		}
	}
	if got := (&AtStandard{AtNS: 2200, StandardNS: 2000}).Slower(); math.Abs(got-0.1) > 1e-12 {
		t.Errorf("slower by %v", got)
	}
	for _, c := range []struct{ se, carry, want float64 }{{0, 1, 0}, {2, 1, 0.25}, {2, 0, 0}, {math.NaN(), 1, 0}} {
		if got := wayShare(infer.Scale{SE: c.se, Carry: c.carry}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestOwnSpeed: several threads, and what makes the speed of a CPU, give a cell its own.
func TestOwnSpeed(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"threads", "1", false},
		{"threads", "2", true},
		{"depth", "10", false},
		{results.FactorFrequency, "2000", true},
		{results.FactorCPUs, "1", true},
		{results.FactorGC, "g1", true},
		{results.FactorJVM, "openj9", true},
		{results.FactorJDK, "17", false},
	} {
		cell := &results.Cell{
			Factors:    []results.Value{{Name: c.name, Value: c.value}},
			Parameters: []results.Value{{Name: c.name, Value: c.value}},
		}
		if got := hasOwnSpeed(cell); got != c.want {
			t.Errorf("%s=%s: %t", c.name, c.value, got)
		}
	}
}

// TestFirstOfModel: machines of one model have the speed of its first one, if shards of a plan were merged.
func TestFirstOfModel(t *testing.T) {
	src := &gatedFlat{hosts: []*results.Machine{{ID: "m1", CPU: "A"}, {ID: "m2", CPU: "B"}, {ID: "m3", CPU: "A"}}}
	if got := firstOfModel(&results.Campaign{}, src); got != nil {
		t.Errorf("not merged: %v", got)
	}
	got := firstOfModel(&results.Campaign{Merged: &results.Merged{}}, src)
	if d := cmp.Diff(map[string]string{"m1": "m1", "m2": "m2", "m3": "m1"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestPooledScale: each rate times the scale, with Student's t of both.
func TestPooledScale(t *testing.T) {
	got, ok := pooledScale([]float64{0.1, 0.2, 0.3}, 10, []float64{0.2, 0.3, 0.4}, 100)
	if !ok || math.Abs(got.MeanA-2) > 1e-12 || math.Abs(got.SDA-1) > 1e-12 || math.Abs(got.MeanB-30) > 1e-12 ||
		math.Abs(got.SDB-10) > 1e-12 || got.Test == nil || got.Test.DF != 4 || math.Abs(got.Bound+2.13185) > 1e-5 {
		t.Errorf("%+v, %t", got, ok)
	}
	if want := -28 / math.Sqrt(101.0/3); got.Test == nil || math.Abs(got.Test.T-want) > 1e-9 {
		t.Errorf("t %+v, want %v", got.Test, want)
	}
	if got.Test.Kind != string(results.TestStudent) || !strings.HasPrefix(got.words(), "L^ = 2") ||
		!strings.Contains(got.words(), "(sd), pooled t = −4.8") || !strings.HasSuffix(got.words(), "df 4") {
		t.Errorf("%s", got.words())
	}
	still, ok := pooledScale([]float64{0.1, 0.1}, 10, []float64{0.1, 0.1}, 10)
	if !ok || still.Test != nil || !strings.HasSuffix(still.words(), ", without spread and so without t") {
		t.Errorf("%s, %t", still.words(), ok)
	}
	for _, c := range [][2][]float64{
		{nil, {1, 2}},
		{{1}, {1, 2}},
		{{1, 2}, {1}},
		{{1, math.Inf(1)}, {1, 2}},
		{{1, 2}, {1, math.NaN()}},
	} {
		if got, ok := pooledScale(c[0], 1, c[1], 1); ok {
			t.Errorf("%v and %v: %+v", c[0], c[1], got)
		}
	}
}

// TestDecide: what an A/A says, by its pairs, its p and what it compared.
func TestDecide(t *testing.T) {
	p := func(v float64) *float64 { return &v }
	for _, c := range []struct {
		name  string
		a     AA
		state AAState
		says  string
	}{
		{"no pair", AA{}, AATooFew, "too few blocks to say: 0 pairs of baselines"},
		{"one pair", AA{Pairs: 1}, AATooFew, "too few blocks to say: 1 pair of baselines"},
		{"no p", AA{Pairs: 2, Text: Sentence{Rest: "why"}}, AATooFew, "cannot say: why"},
		{"four pairs", AA{Pairs: 4, P: p(0)}, AATooFew, "too few blocks to say: 4 pairs of baselines, and five are"},
		{"five pairs", AA{Pairs: 5, P: p(0.01)}, AAResolves, "agrees within 1.5 % (95 % sure, 5 pairs)"},
		{"below the level", AA{Pairs: 5, P: p(0.0099)}, AAFailed, "failed: two equal baselines differ by 2.0 % (p"},
		{
			"a count",
			AA{Pairs: 5, P: p(0.01), Metric: "lost", Text: Sentence{Rest: "1 and 2"}},
			AAResolves,
			"no difference is shown: 1 and 2 (p = 0.010, 5 pairs of baselines)",
		},
		{
			"a count that differs",
			AA{Pairs: 5, P: p(0.001), Metric: "lost", Text: Sentence{Rest: "1 and 9"}},
			AAFailed,
			"failed: two equal baselines differ: 1 and 9 (p = 0.001, 5 pairs of baselines); no difference below",
		},
	} {
		c.a.Ratio, c.a.Resolves = &Estimate{Value: 0.98}, p(0.015)
		c.a.decide()
		if c.a.State != c.state || !strings.HasPrefix(c.a.Text.String(), c.says) {
			t.Errorf("%s: %s, %q", c.name, c.a.State, c.a.Text.String())
		}
		resolves := c.state == AAResolves || c.a.P == nil || c.a.Metric != ""
		if (c.a.Resolves != nil) != resolves {
			t.Errorf("%s: resolves %v", c.name, c.a.Resolves)
		}
	}
	if got := (AA{Metric: "lost_requests"}).Name() + ", " + (AA{}).Name(); got != "A/A lost requests, A/A" {
		t.Errorf("%s", got)
	}
}

// TestTwoBaselines: the margin holds both ends of the interval; without spread the sign test gives p.
func TestTwoBaselines(t *testing.T) {
	ratio := func(value, low, high float64, test *Test) infer.Answer {
		return infer.Answer{Ratio: &Estimate{Value: value, Interval: &Interval{Low: low, High: high}, Test: test}}
	}
	cell := &results.Cell{ID: "c01", Factors: []results.Value{{Name: "depth", Value: "1"}}}
	for _, c := range []struct {
		name        string
		answer      infer.Answer
		p, resolves float64 // NaN: none
		says        string
	}{
		{"nothing", infer.Answer{NoRatio: "why"}, math.NaN(), math.NaN(), "why"},
		{"no interval", infer.Answer{Ratio: &Estimate{NoInterval: "few"}, NoRatio: "x"}, math.NaN(), math.NaN(), "few"},
		{"further above", ratio(1.01, 0.99, 1.05, &Test{P: 0.2}), 0.2, 0.05, ""},
		{"further below", ratio(0.9, 0.8, 1.05, &Test{P: 0.3}), 0.3, 0.25, ""},
		{"equal, without spread", ratio(1, 1, 1, nil), 1, 0, ""},
		{"different, without spread", ratio(1.1, 1.1, 1.1, nil), infer.AlikeP(6), 0.1, ""},
		{"not a quantity", ratio(1, 0, 1, nil), math.NaN(), math.NaN(), infer.Reason(stats.ErrNotFinite)},
	} {
		a := twoBaselines(cell, c.answer, 6)
		if a.Pairs != 6 || a.Cell != "c01" || a.Level != "depth=1" || a.State != AATooFew || a.Text.Rest != c.says {
			t.Errorf("%s: %+v", c.name, a)
		}
		near := func(got *float64, want float64) bool {
			return got == nil && math.IsNaN(want) || got != nil && math.Abs(*got-want) < 1e-9
		}
		if !near(a.P, c.p) || !near(a.Resolves, c.resolves) || (a.Ratio == nil) != math.IsNaN(c.p) {
			t.Errorf("%s: p %v, resolves %v, ratio %v", c.name, a.P, a.Resolves, a.Ratio)
		}
	}
	hosts := infer.Answer{Hosts: &infer.Hosts{Each: []infer.HostEstimate{{Host: 3}}}}
	if a := twoBaselines(cell, hosts, 1); len(a.Hosts) != 1 || a.Hosts[0].Host != 3 {
		t.Errorf("hosts %+v", a.Hosts)
	}
}

// TestFarthest: of three values on, one that lies a tenth off the median is mentioned.
func TestFarthest(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want string
	}{
		{[]float64{100}, ""},
		{[]float64{100, 200}, ""},
		{[]float64{100, 100, 109}, ""},
		{[]float64{100, 100, 111}, "; the furthest lies 11 % off their median"},
		{[]float64{88, 100, 111}, "; the furthest lies 12 % off their median"},
		{[]float64{100, 90, 100}, ""},
		{[]float64{-1, 0, 9}, ""},
		{[]float64{-3, -2, -1}, ""},
		{[]float64{1, 1, 1000}, "; the furthest lies 99900 % off their median"},
		{[]float64{1, 1, 1001}, ""},
	} {
		got := farthest(c.xs)
		if strings.ReplaceAll(got, ",", "") != c.want {
			t.Errorf("%v: %q, want %q", c.xs, got, c.want)
		}
	}
}

// TestWarned: warnings that differ only in figures are one kind, those of most invocations come first, and a
// disturbance has a caveat of its own.
func TestWarned(t *testing.T) {
	inv := func(disturbed string, warnings ...string) *evidence.Invocation {
		e := &evidence.Invocation{Invocation: &results.Invocation{Warnings: warnings}}
		if disturbed != "" {
			e.Disturbed = &results.Disturbance{Reason: disturbed}
		}
		return e
	}
	for _, c := range []struct {
		name string
		es   []*evidence.Invocation
		text string
		n    int
	}{
		{"none", []*evidence.Invocation{inv("")}, "", 0},
		{"one", []*evidence.Invocation{inv("", "took 5 ms"), inv("")}, "took 5 ms (1 ×)", 1},
		{
			"of one kind",
			[]*evidence.Invocation{inv("", "took 5 ms", "took 6 ms"), inv("", "took 7 ms")},
			"took 5 ms (2 ×)", 2,
		},
		{"the most first", []*evidence.Invocation{inv("", "a", "b"), inv("", "b")}, "b (2 ×); a (1 ×)", 2},
		{"disturbed", []*evidence.Invocation{inv("noise", "noise")}, "", 0},
		{
			"disturbed, and more",
			[]*evidence.Invocation{inv("noise", "noise", "a"), inv("", "noise")},
			"a (1 ×); noise (1 ×)", 2,
		},
		{
			"many",
			[]*evidence.Invocation{inv("", "a", "b", "c", "d", "e")},
			"a (1 ×); b (1 ×); c (1 ×); d (1 ×); and 1 more kinds", 1,
		},
	} {
		if text, n := warned(c.es); text != c.text || n != c.n {
			t.Errorf("%s: %q, %d; want %q, %d", c.name, text, n, c.text, c.n)
		}
	}
	var es []*evidence.Invocation
	for i := range named + 2 {
		e := inv("")
		e.Identity, e.Invalid = results.Identity{Block: i + 1}, fmt.Sprint("i", i)
		e.Void = map[string]string{"m": fmt.Sprint("v", i)}
		es = append(es, e)
	}
	if got := whyInvalid(es[:1]); got != "b0001.s00.r0 (i0)" {
		t.Errorf("%s", got)
	}
	got := whyVoid(es, "m")
	const more = "(v3), and 2 more, which the JSON names"
	if !strings.HasPrefix(got, "b0001.s00.r0 (v0), ") || !strings.HasSuffix(got, more) {
		t.Errorf("%s", got)
	}
}

// TestShownMarks: repeated invocations are shown if they are more than a tenth; counts are said of invocations.
func TestShownMarks(t *testing.T) {
	c := &Cell{OK: 20, Marks: []caveat.Mark{
		{Kind: "failed", Show: "failed 1", Of: 3},
		{Kind: markFew, Show: "only 3"},
		{Kind: markRepeated, Show: "2 repeated"},
		{Kind: "faster", Show: "faster than none"},
	}}
	for repeated, want := range map[int]string{
		2: "x failed 1, x only 3, x faster than none", 3: "x failed 1, x only 3, x 2 repeated, x faster than none",
	} {
		c.Repeated = repeated
		if got := strings.Join(c.shows("x "), ", "); got != want {
			t.Errorf("%d repeated: %s", repeated, got)
		}
	}
	want := []string{"failed 1 invocations", "only 3 invocations", "2 repeated", "faster than none"}
	if got := c.says(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if len(c.Marks) != 4 {
		t.Errorf("marks are gone: %+v", c.Marks)
	}
}

// TestHalf: the half-width of the difference, else of the mean.
func TestHalf(t *testing.T) {
	wide := func(half float64) *Estimate { return &Estimate{Interval: &Interval{Low: -half, High: half}} }
	for _, c := range []struct {
		m    MetricAnswer
		want float64
	}{
		{MetricAnswer{Metric: "m"}, 0},
		{MetricAnswer{Metric: "other", Mean: wide(3)}, 0},
		{MetricAnswer{Metric: "m", Mean: wide(3)}, 3},
		{MetricAnswer{Metric: "m", Mean: wide(3), Difference: wide(5)}, 5},
		{MetricAnswer{Metric: "m", Mean: wide(3), Difference: &Estimate{}}, 3},
		{MetricAnswer{Metric: "m", Mean: &Estimate{}, Difference: &Estimate{}}, 0},
	} {
		if got := (&Cell{Metrics: []MetricAnswer{c.m}}).half("m"); got != c.want {
			t.Errorf("%+v: %v", c.m, got)
		}
	}
}

// TestNotBelowZero: means of times and sizes are not below 0, unless they were measured so.
func TestNotBelowZero(t *testing.T) {
	for _, c := range []struct {
		unit       string
		value, low float64
		want       float64
	}{
		{"ns", 5, -1, 0},
		{"ns", 5, 1, 1},
		{"ns", 0, -1, 0},
		{"ns", -5, -9, -9},
		{"B", 5, -1, 0},
		{"1", 5, -1, -1},
	} {
		e := &Estimate{Value: c.value, Interval: &Interval{Low: c.low, High: 9}}
		if notBelowZero(e, results.Metric{Unit: c.unit}); e.Interval.Low != c.want || e.Interval.High != 9 {
			t.Errorf("%+v: %+v", c, e.Interval)
		}
	}
	notBelowZero(nil, results.Metric{Unit: "ns"})
	notBelowZero(&Estimate{Value: 1}, results.Metric{Unit: "ns"})
}

// TestGivenUp: a merged campaign gives a cell up if all shards that have it do; else it names those that did.
func TestGivenUp(t *testing.T) {
	up := func(shard int, why string) results.GivenUp {
		return results.GivenUp{Cell: "c", Shard: shard, Reason: why}
	}
	blocks := []results.Block{
		{Shard: 1, Order: []string{"c", "d"}},
		{Shard: 2, Order: []string{"c"}},
		{Shard: 3, Order: []string{"d"}},
	}
	for _, c := range []struct {
		name   string
		up     []results.GivenUp
		reason string
		by     []string
	}{
		{"none", nil, "", nil},
		{"another cell", []results.GivenUp{{Cell: "d", Reason: "why"}}, "", nil},
		{"one of two", []results.GivenUp{up(2, "why")}, "", []string{"shard 2/3: why"}},
		{"both", []results.GivenUp{up(2, "two"), up(1, "one")}, "one", nil},
	} {
		reason, by := givenUp(&results.Campaign{GivenUp: c.up, Blocks: blocks, Merged: &results.Merged{Count: 3}}, "c")
		if reason != c.reason || !slices.Equal(by, c.by) {
			t.Errorf("%s: %q, %q", c.name, reason, by)
		}
	}
	alone := &results.Campaign{
		GivenUp: []results.GivenUp{{Cell: "c", Reason: "why"}}, Blocks: []results.Block{{Order: []string{"c"}}},
	}
	if reason, by := givenUp(alone, "c"); reason != "why" || by != nil {
		t.Errorf("%q, %q", reason, by)
	}
}

// readerOf reads one scenario with these cells and invocations.
func readerOf(c *results.Campaign, es ...*evidence.Invocation) *reader {
	byCell := map[string][]*evidence.Invocation{}
	for _, e := range es {
		byCell[e.Cell] = append(byCell[e.Cell], e)
	}
	return &reader{Reading: reading.New(c, &c.Scenarios[0], byCell, infer.Solver{}, nil)}
}

// oneScenario is a campaign with one scenario and these cells.
func oneScenario(cells ...results.Cell) *results.Campaign {
	primary := results.Metric{Name: "m", Unit: "ns", Better: results.Lower, Primary: true}
	c := &results.Campaign{Scenarios: []results.Scenario{{Label: "s", Metrics: []results.Metric{primary}}}}
	for _, cell := range cells {
		cell.Scenario = "s"
		c.Cells = append(c.Cells, cell)
	}
	return c
}

// TestTally: what became of a cell's invocations, and how many are still to be made.
func TestTally(t *testing.T) {
	inv := func(block int, change func(*evidence.Invocation)) *evidence.Invocation {
		e := &evidence.Invocation{Invocation: &results.Invocation{
			Identity: results.Identity{Block: block}, Cell: "c",
			Profile: results.ProfileTiming, Status: results.StatusOK,
		}}
		if change != nil {
			change(e)
		}
		return e
	}
	c := oneScenario(results.Cell{ID: "c"})
	const timing = results.ProfileTiming
	with := []string{"c"}
	c.Blocks = []results.Block{
		{Number: 1, Kind: results.BlockPlanned, Profile: timing, Order: with},
		{Number: 2, Kind: results.BlockPlanned, Profile: timing, Order: with},
		{Number: 3, Kind: results.BlockPlanned, Profile: "counters", Order: with},
		{Number: 4, Kind: results.BlockExtra, Profile: timing, Order: with},
		{Number: 5, Kind: results.BlockProof, Profile: timing, Order: with},
		{Number: 6, Kind: results.BlockPlanned, Profile: timing, Order: []string{"d"}},
		{Number: 7, Kind: results.BlockPlanned, Profile: timing, Order: with},
	}
	failed := func(e *evidence.Invocation) { e.Status = results.StatusFailed }
	r := readerOf(
		c, inv(1, nil), inv(1, failed),
		inv(1, func(e *evidence.Invocation) {
			e.Status, e.Failure = results.StatusFailed, &results.Failure{Kind: "died", Message: "so"}
		}),
		inv(2, func(e *evidence.Invocation) {
			e.Disturbed, e.RepeatedBy = &results.Disturbance{}, "b0004.s00.r0"
			e.Warnings = []string{"b", "a"}
		}),
		inv(2, func(e *evidence.Invocation) { e.Disturbed, e.Warnings = &results.Disturbance{}, []string{"b"} }),
		inv(3, func(e *evidence.Invocation) { e.Profile = "counters" }),
		inv(3, func(e *evidence.Invocation) {
			e.Profile, e.Status, e.Warnings = results.ProfilePilot, results.StatusFailed, []string{"pilot"}
		}),
		inv(2, func(e *evidence.Invocation) { e.Invalid = "why" }),
	)
	a := Cell{ID: "c"}
	r.tally(&a)
	got := fmt.Sprintf("%d ok, %d failed, %d invalid, %d disturbed, %d repeated, %d planned, %d missing",
		a.OK, a.Failed, a.InvalidInvocations, a.Disturbed, a.Repeated, a.Planned, a.Missing)
	if want := "3 ok, 2 failed, 1 invalid, 2 disturbed, 1 repeated, 3 planned, 2 missing"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if !slices.Equal(a.Warnings, []Warning{{"a", 1}, {"b", 2}}) {
		t.Errorf("warnings %+v", a.Warnings)
	}
	if len(a.Failures) != 3 || a.Failures[0].Kind != "unknown" || a.Failures[0].Message != "it says no reason" ||
		a.Failures[1].Kind != "died" {
		t.Errorf("failures %+v", a.Failures)
	}
}

// TestPaired: means of the blocks that both have, if these are not all.
func TestPaired(t *testing.T) {
	vs := func(xs ...float64) (all evidence.Values) {
		for i, x := range xs {
			if !math.IsNaN(x) {
				all = append(all, evidence.Value{Block: i + 1, X: x})
			}
		}
		return all
	}
	nan := math.NaN()
	for _, c := range []struct {
		name      string
		a, b      evidence.Values
		unordered bool
		want      *InPairs
	}{
		{"all have both", vs(1, 2), vs(3, 5), false, nil},
		{"one lacks the first", vs(1, 3, nan), vs(4, 6, 9), false, &InPairs{Blocks: 2, With: 2, Without: 5}},
		{"one lacks the second", vs(1, 3, 8), vs(4, 6), false, &InPairs{Blocks: 2, With: 2, Without: 5}},
		{"none has both", vs(1), vs(nan, 2), false, nil},
		{"no blocks", vs(1, 3, 8), vs(4, 6), true, nil},
	} {
		made := oneScenario()
		if c.unordered {
			made.Design = results.DesignUnordered
		}
		if d := cmp.Diff(c.want, readerOf(made).paired(c.a, c.b, stats.Mean)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	fails := func([]float64) (float64, error) { return 1, stats.ErrNotFinite }
	if got := readerOf(oneScenario()).paired(vs(1, 3, 8), vs(4, 6), fails); got != nil {
		t.Errorf("%+v", got)
	}
}

// TestSpeedOf: one machine has a speed and a JDK, several have a range.
func TestSpeedOf(t *testing.T) {
	const manySpeeds = "1,000 to 3,000 ns by machine, JDK and environment"
	for _, c := range []struct {
		all  []Reference
		want string
	}{
		{[]Reference{{At: 2384.6, Runtime: "17.0.15+6"}}, "2,385 ns, JDK 17.0.15+6"},
		{[]Reference{{At: 2384.4, Runtime: "17.0.15+6-Debian-1"}}, "2,384 ns, JDK 17.0.15+6"},
		{[]Reference{{At: 2000}}, "2,000 ns"},
		{[]Reference{{At: 2000}, {At: 1000, Runtime: "17"}, {At: 3000}}, manySpeeds},
	} {
		if got := speedOf(c.all); got != c.want {
			t.Errorf("%+v: %q, want %q", c.all, got, c.want)
		}
	}
}

// TestUnlikeCPUs: cells of different numbers of CPUs are not compared, as planned or as they had them.
func TestUnlikeCPUs(t *testing.T) {
	cell := func(id, factor, parameter, level string) results.Cell {
		c := results.Cell{ID: id, Variant: id}
		if factor != "" {
			c.Factors = append(c.Factors, results.Value{Name: cpusFactor, Value: factor})
		}
		if parameter != "" {
			c.Parameters = append(c.Parameters, results.Value{Name: cpusFactor, Value: parameter})
		}
		if level != "" {
			c.Factors = append(c.Factors, results.Value{Name: "depth", Value: level})
		}
		return c
	}
	inv := func(cell, cpus string) *evidence.Invocation {
		return &evidence.Invocation{Invocation: &results.Invocation{
			Cell: cell, CPUs: cpus, Profile: results.ProfileTiming, Status: results.StatusOK,
		}}
	}
	plain, shallow, deep := cell("a", "", "", ""), cell("a", "", "", "1"), cell("b", "", "", "2")
	for _, c := range []struct {
		name       string
		a, b       results.Cell
		cpuA, cpuB string
		want       string
	}{
		{"nothing planned", plain, cell("b", "", "", ""), "0-3", "0", ""},
		{"as many", cell("a", "2", "", ""), cell("b", "2", "", ""), "", "", ""},
		{"one and two", cell("a", "1", "", ""), cell("b", "2", "", ""), "", "", "has 1 CPU and b cpus=2 has 2 CPUs"},
		{"by parameters", cell("a", "", "4", ""), cell("b", "", "2", ""), "", "", "a has 4 CPUs and b has 2 CPUs"},
		{"the machine's", plain, cell("b", "", "2", ""), "", "", "a has those of its machine and b has 2"},
		{"other levels", shallow, deep, "0-3", "0", "has 4 CPUs and b depth=2 has 1 CPU"},
		{"other levels, as many", shallow, deep, "0-3", "1-4", ""},
		{"other levels, not known", shallow, deep, "0-3", "", ""},
	} {
		made := oneScenario(c.a, c.b)
		r := readerOf(made, inv("a", c.cpuA), inv("b", c.cpuB))
		got := r.unlikeCPUs(&made.Cells[0], &made.Cells[1])
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestUnnoticed: where disturbed invocations are repeated, cells with windows below 50 ms of CPU time are named.
func TestUnnoticed(t *testing.T) {
	cells := []results.Cell{
		{ID: "c0", Variant: "none", Role: results.RoleBaseline},
		{ID: "c1", Variant: "none", Role: results.RoleAA, Baseline: "c0"},
		{ID: "c2", Variant: "agent", Role: results.RoleVariant, Baseline: "c0"},
	}
	inv := func(cell string, ns float64, cpus string) *evidence.Invocation {
		return &evidence.Invocation{Invocation: &results.Invocation{
			Cell: cell, CPUs: cpus, Profile: results.ProfileTiming, Status: results.StatusOK,
			Scalars: map[string]float64{loopScalar: ns},
		}}
	}
	const short = ": the windows are so short ("
	for _, c := range []struct {
		name string
		es   []*evidence.Invocation
		want string // "": none
	}{
		{"long ones", []*evidence.Invocation{inv("c0", 50e6, "1"), inv("c2", 90e6, "1")}, ""},
		{"one short one", []*evidence.Invocation{inv("c0", 49e6, "1"), inv("c2", 90e6, "1")}, "none" + short + "49"},
		{"both", []*evidence.Invocation{inv("c0", 9e6, "1"), inv("c2", 20e6, "")}, "none, agent" + short + "20"},
		{"of several CPUs", []*evidence.Invocation{inv("c0", 25e6, "0-1"), inv("c2", 90e6, "1")}, ""},
		{"the longest counts", []*evidence.Invocation{inv("c0", 9e6, "1"), inv("c0", 60e6, "1")}, ""},
		{"a second baseline", []*evidence.Invocation{inv("c1", 9e6, "1")}, ""},
		{"not known", []*evidence.Invocation{inv("c0", 0, "1")}, ""},
	} {
		made := oneScenario(cells...)
		made.Control = &results.Control{Repeat: true}
		got := strings.Join(readerOf(made, c.es...).unnoticed(), "\n")
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		made.Control.Repeat = false
		if got := readerOf(made, c.es...).unnoticed(); got != nil {
			t.Errorf("%s: nothing is repeated, %q", c.name, got)
		}
		made.Control = nil
		if got := readerOf(made, c.es...).unnoticed(); got != nil {
			t.Errorf("%s: nothing is controlled, %q", c.name, got)
		}
	}
}

// TestWindowWords: the samples behind the means, which are all if a wanted window was empty.
func TestWindowWords(t *testing.T) {
	for _, c := range []struct {
		series string
		window results.Window
		whole  bool
		kind   results.Window
		want   string
	}{
		{"", results.WindowHalf, false, "", noWindow},
		{"x", "", false, results.WindowSteady, windows[results.WindowSteady]},
		{"x", results.WindowSteady, false, results.WindowSteady, windows[results.WindowSteady]},
		{"x", results.WindowHalf, false, results.WindowHalf, windows[results.WindowHalf]},
		{"x", results.WindowAll, false, results.WindowAll, windows[results.WindowAll]},
		{"x", results.WindowHalf, true, results.WindowHalf, wholeWindow},
	} {
		made := oneScenario(results.Cell{ID: "c"})
		made.Scenarios[0].Metrics[0].Series, made.Scenarios[0].Window = c.series, c.window
		r := readerOf(made, &evidence.Invocation{Invocation: &results.Invocation{Cell: "c"}, Whole: c.whole})
		if got := r.window(); got != c.want || r.windowKind() != c.kind {
			t.Errorf("%+v: %q, %q", c, got, r.windowKind())
		}
	}
}

// TestInterchangeable: machines form a pool if the control says so, or several measured shards, unless they were lanes.
func TestInterchangeable(t *testing.T) {
	merged, lanes := &Campaign{}, &Campaign{}
	merged.Hosts, lanes.Hosts = []fleet.Host{{}}, []fleet.Host{{Lane: 1}}
	for _, c := range []struct {
		name string
		c    *Campaign
		want string
	}{
		{"one machine", &Campaign{}, ""},
		{"a pool", &Campaign{Control: &results.Control{Pool: "p"}}, "p"},
		{"a control without one", &Campaign{Control: &results.Control{}}, ""},
		{"merged", merged, results.FleetPool},
		{"lanes", lanes, ""},
	} {
		if got := c.c.Pool(); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
