package history

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// tracked is a track of nights with these values.
func tracked(xs ...float64) *track {
	t := &track{x: xs}
	for i, x := range xs {
		t.Nights = append(t.Nights, made(key("c"), i, x))
		t.at, t.se, t.df = append(t.at, i), append(t.se, 0.01), append(t.df, 14)
	}
	return t
}

// TestBounds: of bounds at one position the first kind counts; plans end where the next one begins.
func TestBounds(t *testing.T) {
	tr := tracked(make([]float64, 20)...)
	tr.bounds = []bound{
		{at: 15, kind: replanned},
		{at: 5, kind: found},
		{at: 10, kind: found},
		{at: 5, kind: confirmed},
		{at: 8, kind: replanned},
	}
	tr.order()
	want := []bound{
		{at: 5, kind: confirmed}, {at: 8, kind: replanned}, {at: 10, kind: found}, {at: 15, kind: replanned},
	}
	if !slices.Equal(tr.bounds, want) {
		t.Errorf("%+v", tr.bounds)
	}
	if got := tr.levels(); !slices.Equal(got, []span{{0, 5}, {5, 8}, {8, 10}, {10, 15}, {15, 20}}) {
		t.Errorf("levels %v", got)
	}
	for at, want := range map[int]span{0: {0, 8}, 7: {0, 8}, 8: {8, 15}, 14: {8, 15}, 15: {15, 20}, 19: {15, 20}} {
		if got := tr.plan(at); got != want {
			t.Errorf("the plan at %d is %v, want %v", at, got, want)
		}
	}
	s := span{3, 5}
	if s.holds(2) || !s.holds(3) || !s.holds(4) || s.holds(5) || !slices.Equal(s.positions(), []int{3, 4}) {
		t.Errorf("%v holds %v", s, s.positions())
	}
	tr.moved = []moved{{at: 6}, {at: 12}}
	if got := tr.parts(span{4, 14}); !slices.Equal(got, []span{{4, 6}, {6, 12}, {12, 14}}) {
		t.Errorf("parts %v", got)
	}
	for _, s := range []span{{6, 12}, {0, 6}, {12, 20}} {
		if got := tr.parts(s); !slices.Equal(got, []span{s}) || !tr.oneMachine(s) {
			t.Errorf("parts %v of %v", got, s)
		}
	}
	if tr.oneMachine(span{5, 7}) || tr.oneMachine(span{11, 13}) {
		t.Error("two machines are one")
	}
	all := []span{{0, 5}, {5, 6}, {6, 8}, {8, 10}, {10, 12}, {12, 15}, {15, 20}}
	if got := tr.stretches(); !slices.Equal(got, all) {
		t.Errorf("stretches %v", got)
	}
}

// TestSpanOf: a change lies between old's night and new's; without old it is new's alone.
func TestSpanOf(t *testing.T) {
	tr := tracked(make([]float64, 10)...)
	tr.at = slices.Delete(tr.at, 4, 5) // night 4 is not judged
	tr.x = tr.x[:9]
	for _, c := range []struct {
		against, night string
		want           span
		ok             bool
	}{
		{nightID(2), nightID(6), span{3, 6}, true},
		{nightID(6), nightID(7), span{6, 7}, true},
		{nightID(4), nightID(6), span{4, 6}, true}, // the first judged night from old on is not old
		{nightID(6), nightID(6), span{5, 6}, true},
		{nightID(8), nightID(6), span{5, 6}, true},
		{"", nightID(6), span{5, 6}, true},
		{"gone", nightID(3), span{3, 4}, true},
		{"", nightID(0), span{0, 1}, false},
		{nightID(0), nightID(1), span{1, 2}, true},
		{nightID(2), "gone", span{}, false},
	} {
		got, ok := tr.spanOf(&Confirmation{Against: c.against, Night: c.night})
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s against %s: %v, %t; want %v", c.night, c.against, got, ok, c.want)
		}
	}
}

// TestConfirmedBounds: a confirmed change is a bound, unless a later re-measurement of its nights contradicts it.
func TestConfirmedBounds(t *testing.T) {
	of := func(old, new int, v infer.Settlement, log float64) *Confirmation {
		return &Confirmation{Against: nightID(old), Night: nightID(new), Verdict: v, Log: log}
	}
	const yes, no, open = infer.Confirmed, infer.Refuted, infer.Open
	for _, c := range []struct {
		name    string
		settled []*Confirmation
		want    []int
	}{
		{"none", nil, nil},
		{"confirmed", []*Confirmation{of(3, 7, yes, 0.1)}, []int{5}},
		{"open", []*Confirmation{of(3, 7, open, 0.1)}, nil},
		{"too small", []*Confirmation{of(3, 7, yes, 0.029)}, nil},
		{"the least", []*Confirmation{of(3, 7, yes, math.Log1p(0.03))}, []int{5}},
		{"for the better", []*Confirmation{of(3, 7, yes, -0.1)}, []int{5}},
		{"refuted later", []*Confirmation{of(3, 7, yes, 0.1), of(6, 8, no, 0)}, nil},
		{"beside it", []*Confirmation{of(3, 7, yes, 0.1), of(7, 8, no, 0)}, []int{5}},
		{"before it", []*Confirmation{of(3, 7, yes, 0.1), of(1, 3, no, 0)}, []int{5}},
		{"open later", []*Confirmation{of(3, 7, yes, 0.1), of(4, 7, open, 0)}, []int{5}},
		{"confirmed later", []*Confirmation{of(3, 7, no, 0), of(4, 7, yes, 0.1)}, []int{5}},
	} {
		tr := tracked(0, 0, 0, 0, 0, 1, 1, 1, 1, 1)
		tr.settled = c.settled
		tr.breakAtConfirmed(0.03)
		var at []int
		for _, b := range tr.bounds {
			if at = append(at, b.at); b.kind != confirmed {
				t.Errorf("%s: %+v", c.name, b)
			}
		}
		if !slices.Equal(at, c.want) {
			t.Errorf("%s: %v, want %v", c.name, at, c.want)
		}
	}
}

// TestPooledNights: nights vary about their own levels and machines.
func TestPooledNights(t *testing.T) {
	tr := tracked(0, 2, 10, 12, 14, 100, 50, 52)
	tr.bounds = []bound{{at: 2, kind: found}, {at: 5, kind: found}, {at: 6, kind: found}}
	for _, c := range []struct {
		from, to int
		sd, df   float64
	}{
		{0, 8, math.Sqrt((2 + 8 + 2) / 4.0), 4},
		{0, 5, math.Sqrt((2 + 8) / 3.0), 3},
		{1, 5, 2, 2},
		{1, 3, 0, 0},
		{5, 6, 0, 0},
		{3, 5, math.Sqrt2, 1},
	} {
		if sd, df := tr.pooled(c.from, c.to); math.Abs(sd-c.sd) > 1e-12 || df != c.df {
			t.Errorf("%d to %d: %v, %v; want %v, %v", c.from, c.to, sd, df, c.sd, c.df)
		}
	}
	tr.moved = []moved{{at: 3}}
	if sd, df := tr.pooled(2, 5); math.Abs(sd-math.Sqrt2) > 1e-12 || df != 1 {
		t.Errorf("of two machines %v, %v", sd, df)
	}
}

// TestShiftedShares: a shift counts by the share of nights before it, in the difference of two means.
func TestShiftedShares(t *testing.T) {
	tr := tracked(make([]float64, 10)...)
	tr.moved = []moved{{at: 2, shift: stats.Variance{Value: 4, DF: 9}}, {at: 6, shift: stats.Variance{Value: 1, DF: 9}}}
	if got := tr.carriedOf([]int{0, 1, 2, 7}); !slices.Equal(got, []float64{0.5, 0.75}) {
		t.Errorf("%v", got)
	}
	for _, c := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{0.5, 0.75}, nil, 1 + 0.5625},
		{[]float64{0.5, 0.75}, []float64{0.5, 0.25}, 0.25},
		{[]float64{0.5, 0.75}, []float64{0, 0.75}, 1},
		{[]float64{1, 1}, []float64{1, 1}, 0},
	} {
		if got := tr.shifted(c.a, c.b).Value; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
	tr = tracked(0, 0, 3, 3)
	tr.moved = []moved{{at: 2, shift: stats.Variance{Value: 0.5, DF: 9}}}
	// Two nights over a shift of variance 0.5, of which each has 1, count as 1/(1/2+0.5) = 1 night.
	w := tr.weighAll(span{0, 4}, 1)
	if math.Abs(w.mean-2) > 1e-12 || math.Abs(w.carried[0]-1.0/3) > 1e-12 || math.Abs(w.n-1/(1.0/18+4.0/18)) > 1e-12 {
		t.Errorf("%+v", w)
	}
	if w := tr.weighAll(span{0, 2}, 1); w.mean != 0 || w.n != 2 || w.carried[0] != 1 {
		t.Errorf("before the move: %+v", w)
	}
	if w := tr.weighAll(span{2, 4}, 1); w.mean != 3 || w.n != 2 || w.carried[0] != 0 {
		t.Errorf("after the move: %+v", w)
	}
}

// TestMedians: the median and its absolute deviation follow their definition.
func TestMedians(t *testing.T) {
	median := func(xs []float64) float64 {
		xs = slices.Sorted(slices.Values(xs))
		return (xs[(len(xs)-1)/2] + xs[len(xs)/2]) / 2
	}
	r := rand.New(rand.NewPCG(5, 7))
	for n := 1; n < 40; n++ {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = float64(r.IntN(n))
		}
		middle := median(xs)
		var off []float64
		for _, x := range xs {
			off = append(off, math.Abs(x-middle))
		}
		got, mad := medians(slices.Sorted(slices.Values(xs)))
		if got != middle || mad != median(off) {
			t.Errorf("%v: %v, %v; want %v, %v", xs, got, mad, middle, median(off))
		}
	}
	if middle, mad := medians(nil); middle != 0 || mad != 0 {
		t.Errorf("of none: %v, %v", middle, mad)
	}
}

// TestPoolOfScatter: degrees of freedom and standard errors add up, and few nights have no factor.
func TestPoolOfScatter(t *testing.T) {
	var p pool
	p.add(2, 1, []float64{1, 2, 3}, []float64{0.3, 0.4})
	p.add(0, 0, []float64{2}, []float64{1.2})
	if p.ss != 6 || p.df != 3 || p.n != 3 || math.Abs(p.within-(0.25+1.44)) > 1e-12 {
		t.Errorf("%+v", p)
	}
	if s := p.scatter(); s.SD != math.Sqrt2 || s.DF != 3 || math.Abs(s.Within-math.Sqrt(1.69/3)) > 1e-12 {
		t.Errorf("%+v", s)
	}
	both := p
	both.join(pool{ss: 4, df: 2, within: 1, n: 5})
	both.widen(3)
	if both.ss != 90 || both.df != 5 || both.n != 8 || math.Abs(both.within-9*2.69) > 1e-12 {
		t.Errorf("%+v", both)
	}
	enough := pool{ss: 6, df: leastNights - 1, n: 1}
	for _, c := range []struct {
		p, other pool
		want     float64 // 0: none
	}{
		{enough, pool{ss: 4 * (LeastPairs - 1), df: LeastPairs - 1, n: 1}, 2},
		{enough, pool{ss: 0.25 * (LeastPairs - 1), df: LeastPairs - 1, n: 1}, 1},
		{enough, pool{ss: 9, df: LeastPairs - 2, n: 1}, 0},
		{pool{ss: 6, df: leastNights - 2, n: 1}, pool{ss: 16, df: 4, n: 1}, 0},
		{pool{df: 9, n: 1}, pool{ss: 16, df: 4, n: 1}, 0},
	} {
		if got, ok := c.p.widening(&c.other); math.Abs(got-c.want) > 1e-12 || ok != (c.want > 0) {
			t.Errorf("%+v beside %+v: %v, %t", c.other, c.p, got, ok)
		}
	}
	if boundOf(&pool{ss: 1, df: leastNights - 2, n: 1}) != nil {
		t.Error("too few nights have a bound")
	}
	if b := boundOf(&enough); b == nil || !b.Bound || b.SD != 1 {
		t.Errorf("%+v", b)
	}
	if squares(nil, 3) != 0 || squares([]float64{1, 5}, 3) != 8 {
		t.Error("squares about 3")
	}
}

// TestPOf: without scatter p is 0 for any difference, and 1 without one.
func TestPOf(t *testing.T) {
	level := stats.Interval{Level: 0.95}
	for _, c := range []struct {
		e    stats.Estimate
		want float64
	}{
		{stats.Estimate{Value: 1, Test: &stats.Test{P: 0.3}}, 0.3},
		{stats.Estimate{Value: 1, Interval: level}, 0},
		{stats.Estimate{Value: 0, Interval: level}, 1},
		{stats.Estimate{Value: 1}, 1},
	} {
		if got := pOf(c.e); got != c.want {
			t.Errorf("%+v: %v, want %v", c.e, got, c.want)
		}
	}
}

// TestRegresses: what is worse depends on what is better.
func TestRegresses(t *testing.T) {
	for _, c := range []struct {
		better results.Better
		log    float64
		want   bool
	}{
		{results.Lower, 0.1, true},
		{results.Lower, -0.1, false},
		{results.Lower, 0, false},
		{results.Higher, -0.1, true},
		{results.Higher, 0.1, false},
		{results.Higher, 0, false},
		{results.Neither, 0.1, false},
		{results.Neither, -0.1, false},
	} {
		if got := Regresses(c.better, c.log); got != c.want {
			t.Errorf("%s, %v: %t", c.better, c.log, got)
		}
	}
}

// TestSettledBy: the last conclusive re-measurement counts, whatever open ones follow.
func TestSettledBy(t *testing.T) {
	tr := tracked(0, 1)
	of := func(v infer.Settlement, log float64) *Confirmation { return &Confirmation{Verdict: v, Log: log} }
	for _, c := range []struct {
		name  string
		all   []*Confirmation
		state State
		last  int // the one that counts
		worse bool
	}{
		{"open", []*Confirmation{of(infer.Open, 0.1)}, StateDetected, 0, false},
		{"confirmed", []*Confirmation{of(infer.Confirmed, 0.1)}, StateConfirmed, 0, true},
		{"confirmed, for the better", []*Confirmation{of(infer.Confirmed, -0.1)}, StateConfirmed, 0, false},
		{"confirmed, too small", []*Confirmation{of(infer.Confirmed, 0.02)}, StateRefuted, 0, false},
		{"refuted", []*Confirmation{of(infer.Refuted, 0.1)}, StateRefuted, 0, false},
		{"refuted, then open", []*Confirmation{of(infer.Refuted, 0), of(infer.Open, 0.1)}, StateRefuted, 0, false},
		{"open, then open", []*Confirmation{of(infer.Open, 0), of(infer.Open, 0.1)}, StateDetected, 1, false},
		{"open, then confirmed", []*Confirmation{of(infer.Open, 0), of(infer.Confirmed, 0.1)}, StateConfirmed, 1, true},
		{
			"refuted, then confirmed",
			[]*Confirmation{of(infer.Refuted, 0), of(infer.Confirmed, 0.1)},
			StateConfirmed, 1, true,
		},
	} {
		change := &Change{State: StateDetected}
		for _, s := range c.all {
			change.settledBy(s, tr, 0.03)
		}
		if change.State != c.state || change.Confirmation != c.all[c.last] || change.Worse != c.worse {
			t.Errorf("%s: %+v", c.name, change)
		}
	}
}

// TestUrgency: regressions go before improvements, and settled changes come last. Ended changes have no urgency.
func TestUrgency(t *testing.T) {
	for _, c := range []struct {
		change Change
		want   int
	}{
		{Change{State: StateConfirmed, Worse: true}, 0},
		{Change{State: StateDetected, Worse: true}, 1},
		{Change{State: StateSuspected, Worse: true}, 2},
		{Change{State: StateConfirmed}, 3},
		{Change{State: StateDetected}, 4},
		{Change{State: StateSuspected}, 5},
		{Change{State: StateRefuted, Worse: true}, 6},
		{Change{State: StateRefuted}, 6},
		{Change{State: StateAccepted, Worse: true}, 7},
		{Change{State: StateConfirmed, Worse: true, Over: "x"}, 8},
	} {
		fails := c.change.State == StateConfirmed && c.change.Worse && c.change.Over == ""
		got, settled := c.change.urgency(), c.change.Settled()
		if got != c.want || settled != (c.want >= 6) || c.change.Fails() != fails {
			t.Errorf("%+v: %d, settled %t, fails %t", c.change, got, settled, c.change.Fails())
		}
	}
	if c := (*Change)(nil); c.urgency() != 8 || !c.Settled() || c.Fails() {
		t.Error("no change is urgent")
	}
	for _, c := range []struct {
		state   State
		verdict infer.Settlement
		want    float64
	}{
		{StateConfirmed, infer.Confirmed, 0.2}, {StateConfirmed, infer.Open, 0.1}, {StateRefuted, infer.Confirmed, 0.1},
	} {
		again := &Confirmation{Verdict: c.verdict, Log: math.Log1p(0.2)}
		change := &Change{State: c.state, Share: 0.1, Confirmation: again}
		if got := change.Size(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if got := (&Change{State: StateConfirmed, Share: 0.1}).Size(); got != 0.1 {
		t.Errorf("not measured again: %v", got)
	}
}

// TestSameFiles: files are the same by their content, whatever their names and order.
func TestSameFiles(t *testing.T) {
	night := func(sums ...string) *Night {
		n := &Night{}
		for i, sum := range sums {
			n.Artifacts = append(n.Artifacts, results.Artifact{Name: string('a' + rune(i)), SHA256: sum})
		}
		return n
	}
	for _, c := range []struct {
		a, b *Night
		want bool
	}{
		{night("1", "2"), night("2", "1"), true},
		{night("1"), night("2"), false},
		{night("1", "2"), night("1"), false},
		{night(), night(), false},
		{night(""), night(""), false},
		{night("1", ""), night("1", ""), false},
	} {
		if sameFiles(c.a, c.b) != c.want || sameFiles(c.b, c.a) != c.want {
			t.Errorf("%+v and %+v: %t", c.a.Artifacts, c.b.Artifacts, !c.want)
		}
	}
}

// TestMeasuredIn: both ends of a time are in it.
func TestMeasuredIn(t *testing.T) {
	var nights []Night
	for i := range 5 {
		nights = append(nights, made(key("c"), i, 0))
	}
	got := measuredIn(nights, nights[1].When, nights[3].When)
	if len(got) != 3 || got[0].ID != nightID(1) || got[2].ID != nightID(3) || len(nights) != 5 {
		t.Errorf("%d nights", len(got))
	}
	if got := measuredIn(nights, nights[1].When.Add(1), nights[3].When.Add(-1)); len(got) != 1 {
		t.Errorf("%d nights", len(got))
	}
}

// TestGoes: a series goes on with five pairs, or if it is of two equal baselines.
func TestGoes(t *testing.T) {
	for _, c := range []struct {
		pairs int
		floor bool
		want  bool
	}{{LeastPairs, false, true}, {LeastPairs - 1, false, false}, {0, true, true}} {
		if got := (&Succession{Shift: Shift{Pairs: c.pairs}, Floor: c.floor}).Goes(); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
	shift, err := shiftOf([]float64{1, 3})
	if err != nil || shift.Pairs != 2 || shift.Log != 2 || math.Abs(shift.variance.Value-1) > 1e-12 ||
		shift.variance.DF != 1 || math.Abs(shift.High-2-12.7062) > 1e-3 || math.Abs(shift.Low-2+12.7062) > 1e-3 {
		t.Errorf("%+v, %v", shift, err)
	}
	if shift, err := shiftOf([]float64{1}); err == nil || shift.Pairs != 1 {
		t.Errorf("%+v, %v", shift, err)
	}
}

// TestAlone: a single night is off by eight standard deviations, of a scatter that is known well enough.
func TestAlone(t *testing.T) {
	if got := aloneNeeds(&results.Scatter{SD: 0.5, DF: enoughOwn}); got != 4 {
		t.Errorf("%v", got)
	}
	if got := aloneNeeds(&results.Scatter{SD: 0.5, DF: enoughOwn - 1}); !math.IsInf(got, 1) {
		t.Errorf("of few degrees of freedom: %v", got)
	}
	if got := between(&results.Scatter{SD: 5, Within: 3}); got != 4 {
		t.Errorf("between nights %v", got)
	}
	if got := between(&results.Scatter{SD: 3, Within: 5}); got != 0 {
		t.Errorf("less than their errors: %v", got)
	}
}

// TestHalfOfNights: the interval holds the scatter between nights, the error of the blocks, and what neighbours share.
func TestHalfOfNights(t *testing.T) {
	q := quantiled{func(p, _ float64) float64 { return 2 + 0*p }}
	each := stats.Variance{Value: 4, DF: 9}
	for _, c := range []struct {
		name    string
		k       float64
		scatter *results.Scatter
		want    float64
	}{
		{"no scatter", 4, nil, 2},
		{"a small one", 4, &results.Scatter{SD: 1, DF: 9, Within: 3}, 2},
		{"a large one", 4, &results.Scatter{SD: 6, DF: 9, Within: 2}, 6},
		{"its nights were more exact", 4, &results.Scatter{SD: 6, DF: 9}, 2 * math.Sqrt(40.0/4)},
		{"alike neighbours", 2, &results.Scatter{SD: 5, DF: 9, Within: 3, Lag1: 0.5}, 2 * math.Sqrt((25+0.5*16)/2)},
		{"of three", 3, &results.Scatter{SD: 5, DF: 9, Within: 3, Lag1: 0.5}, 2 * math.Sqrt((25+(2.0/3+1.0/6)*16)/3)},
		{"one night", 1, &results.Scatter{SD: 5, DF: 9, Within: 3, Lag1: 0.5}, 10},
	} {
		if got := q.half(0.01, c.k, each, c.scatter); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestNeedsAnother: another night is needed by an open pair with a scatter and few nights.
func TestNeedsAnother(t *testing.T) {
	joint := func(nights int, s *results.Scatter) *Joint { return &Joint{Nights: nights, Scatter: s} }
	s := &results.Scatter{}
	for _, c := range []struct {
		c    Confirmation
		want bool
	}{
		{Confirmation{Verdict: infer.Open, Alarm: 0.1, Joint: joint(1, s)}, true},
		{Confirmation{Verdict: infer.Open, Alarm: -0.1, Joint: joint(mostNights-1, s)}, true},
		{Confirmation{Verdict: infer.Open, Alarm: 0.1, Joint: joint(mostNights, s)}, false},
		{Confirmation{Verdict: infer.Open, Alarm: 0.1, Joint: joint(1, nil)}, false},
		{Confirmation{Verdict: infer.Open, Alarm: 0.1}, false},
		{Confirmation{Verdict: infer.Open, Joint: joint(1, s)}, false},
		{Confirmation{Verdict: infer.Refuted, Alarm: 0.1, Joint: joint(1, s)}, false},
	} {
		if got := c.c.NeedsNight(); got != c.want {
			t.Errorf("%+v: %t", c.c, got)
		}
	}
}

// TestLag1Of: neighbours in time of pairs that show no change are alike, as far as it exceeds their errors.
func TestLag1Of(t *testing.T) {
	of := func(day float64, log float64, v infer.Settlement) *Confirmation {
		at := firstNight.Add(time.Duration(day * 24 * float64(time.Hour)))
		return &Confirmation{Night: "new", Against: "old", When: at, Log: log, SE: 0.001, DF: 9, Verdict: v}
	}
	const no = infer.Refuted
	for _, c := range []struct {
		name string
		all  []*Confirmation // the newest first
		want float64
	}{
		{"none", nil, 0},
		{"one", []*Confirmation{of(0, 0.1, no)}, 0},
		{"two alike", []*Confirmation{of(1, 0.1, no), of(0, 0.1, no)}, 1.0 / 9 * mostAlike},
		{"two unlike", []*Confirmation{of(1, 0.1, no), of(0, -0.1, no)}, 0},
		{"half as alike", []*Confirmation{of(1, 0.2, no), of(0, 0.05, no)}, 1.0 / 9 * 0.01 / ((0.0425 - 2e-6) / 2)},
		{"two days apart", []*Confirmation{of(2, 0.1, no), of(0, 0.1, no)}, 0},
		{"36 hours apart", []*Confirmation{of(1.5, 0.1, no), of(0, 0.1, no)}, 0},
		{"confirmed", []*Confirmation{of(1, 0.1, infer.Confirmed), of(0, 0.1, no)}, 0},
		{"confirmed before", []*Confirmation{of(1, 0.1, no), of(0, 0.1, infer.Confirmed)}, 1.0 / 9 * mostAlike},
		{"smaller than their errors", []*Confirmation{of(1, 1e-4, no), of(0, 1e-4, no)}, 0},
	} {
		if got := lag1Of(c.all); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestWordsOfShares: changes are told in per cent with their sign.
func TestWordsOfShares(t *testing.T) {
	if got := percent(math.Log(1.05)) + ", " + percent(math.Log(0.95)); got != "+5.0 %, −5.0 %" {
		t.Errorf("%s", got)
	}
	if got := interval(0.01, "CI", math.Log(1.05), math.Log(1.1)); got != "(99 % CI +5.0 % … +10 %)" {
		t.Errorf("%s", got)
	}
	j := &Joint{Nights: 1, Log: math.Log(1.05), Alpha: 0.05, Low: math.Log(1.01), High: math.Log(1.1)}
	if got := j.jointText("CI"); !strings.HasSuffix(got, "over 1 night: +5.0 % (95 % CI +1.0 % … +10 %)") {
		t.Errorf("%s", got)
	}
	if got := (&Change{}).nights(); got != "" {
		t.Errorf("%s", got)
	}
	if got := (&Change{Low: math.Log(1.05), High: math.Log(1.1)}).nights(); got != " (95 % CI +5.0 % … +10 %)" {
		t.Errorf("%s", got)
	}
}
