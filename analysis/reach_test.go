package analysis

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"moobench/analysis/stats"
	"moobench/results"
)

// reachOf is what a campaign says of its variant; nil of nothing.
func reachOf(t *testing.T, src Source) *Reach {
	t.Helper()
	all, err := Reaches(src)
	if err != nil || len(all) > 1 {
		t.Fatal(all, err)
	}
	return all["c02"]
}

// halfWidths are those that the answers have.
func halfWidths(t *testing.T, src Source) HalfWidths {
	t.Helper()
	a, err := Analyse(src)
	if err != nil {
		t.Fatal(err)
	}
	x := a.Scenarios[0].Cell("c02").MetricNamed(a.Scenarios[0].Primary)
	h := HalfWidths{Ran: x.Difference.Interval.Half() / x.Mean.Value}
	if s := x.AtStandard; s != nil && s.Difference != nil {
		h.Standard = s.Difference.Interval.Half() / s.Mean.Value
	}
	return h
}

// What pilots say of the intervals of longer campaigns is what these have on average, as it ran
// and at standard speed, on machines whose speed wanders and on quiet ones.
func TestReachIsWhatComesOut(t *testing.T) {
	const campaigns, blocks = 20, 30
	pilots := []int{10, 23}
	for _, m := range []speeds{{0.9, 0.05, 0.02}, {1, 0.001, 0.02}} {
		var came HalfWidths
		said := make([]HalfWidths, len(pilots))
		for seed := range uint64(campaigns) {
			r := rand.New(rand.NewPCG(seed, 3))
			made := m.made(r, blocks, 0.1, quietNS)
			c := halfWidths(t, made)
			if c.Standard == 0 { // by chance the reference seemed touched
				continue
			}
			came = HalfWidths{came.Ran + c.Ran, came.Standard + c.Standard}
			for i, pilot := range pilots {
				reach := reachOf(t, m.made(r, pilot, 0.1, quietNS))
				if reach.standard == nil {
					reach = reachOf(t, made)
				}
				h := reach.HalfWidths(Design{Blocks: blocks, Family: 1})
				said[i] = HalfWidths{said[i].Ran + h.Ran, said[i].Standard + h.Standard}
			}
		}
		for i, pilot := range pilots { // over more campaigns all ratios are within 2.5 %
			ran, standard := said[i].Ran/came.Ran, said[i].Standard/came.Standard
			if math.Abs(ran-1) > 0.08 || math.Abs(standard-1) > 0.08 {
				t.Errorf("%+v: %d blocks say %.3f of what comes out as it ran, %.3f at standard speed", m, pilot, ran, standard)
			}
		}
	}
}

// Of its own design, a campaign's reach is the interval that it has.
func TestReachOfItself(t *testing.T) {
	m := speeds{elasticity: 1, speedSD: 0.05, jvmSD: 0.02}
	for _, blocks := range []int{10, 23} {
		src := m.made(rand.New(rand.NewPCG(1, 2)), blocks, 0.1, quietNS)
		came, reach := halfWidths(t, src), reachOf(t, src)
		h := reach.HalfWidths(Design{Blocks: blocks, Family: 1})
		if math.Abs(h.Ran/came.Ran-1) > 0.02 || math.Abs(h.Standard/came.Standard-1) > 0.05 {
			t.Errorf("%d blocks: %+v, and the answers say %+v", blocks, h, came)
		}
		for _, share := range []float64{0.005, 0.01, 0.03} {
			n, far := reach.Needs(share, Design{Family: 1})
			enough, fewer := reach.HalfWidths(Design{Blocks: n, Family: 1}).Ran, reach.HalfWidths(Design{Blocks: n - 1, Family: 1}).Ran
			if enough > share || n > 2 && fewer <= share || far < n {
				t.Errorf("%v takes %d blocks (%v, with one fewer %v), at standard speed %d", share, n, enough, fewer, far)
			}
		}
	}
}

// More variants share the level, and a pilot's degrees of freedom stay; both make intervals
// wider. Two campaigns say the mean of what each says.
func TestReachOfDesigns(t *testing.T) {
	m := speeds{elasticity: 1, speedSD: 0.03, jvmSD: 0.02}
	reach := func(seed uint64, blocks int) *Reach {
		return reachOf(t, m.made(rand.New(rand.NewPCG(seed, 2)), blocks, 0, quietNS))
	}
	if r := reach(1, 5); r != nil {
		t.Errorf("five blocks say %+v", r)
	}
	a, b := reach(2, 10), reach(3, 23)
	d := Design{Blocks: 40, Family: 1}
	plain := a.HalfWidths(d).Ran
	if half := a.HalfWidths(Design{Blocks: 40, Family: 4}).Ran; half < 1.2*plain || half > 1.5*plain {
		t.Errorf("of four variants %v, of one %v", half, plain)
	}
	if half := a.HalfWidths(Design{Blocks: 40, Family: 1, Pilot: 10}).Ran; math.Abs(half/plain-2.306/2.024) > 0.05 {
		t.Errorf("with a pilot %v, without %v", half, plain)
	}
	if n, _ := a.Needs(0.5, Design{Family: 1, Pilot: 10}); n != 10 {
		t.Errorf("after a pilot of 10 blocks ± 50 %% takes %d", n)
	}
	if half := a.HalfWidths(Design{Blocks: 1, Family: 1}); half != (HalfWidths{}) {
		t.Errorf("one block has %+v", half)
	}
	both := a.Plus(b)
	if half := both.HalfWidths(d).Ran; math.Abs(half-(plain+b.HalfWidths(d).Ran)/2) > 1e-12 || len(both.ran) != 2 {
		t.Errorf("both say %v, of %d campaigns", half, len(both.ran))
	}
	if low, high := both.Range(d); low >= high || low != min(plain, b.HalfWidths(d).Ran) {
		t.Errorf("from %v to %v", low, high)
	}
}

// Far from the standard, a campaign whose speed does not move tells nothing of the way there.
func TestReachHasNoEnd(t *testing.T) {
	m := speeds{elasticity: 1, speedSD: 1e-7, jvmSD: 0.01}
	reach := reachOf(t, m.made(rand.New(rand.NewPCG(4, 4)), 12, 0.3, quietNS))
	if far := reachOf(t, m.made(rand.New(rand.NewPCG(4, 4)), 12, 0.4, quietNS)); far.standard != nil {
		t.Errorf("where costs are told as they ran only, the standard has the spread %+v", far.standard)
	}
	if ran, standard := reach.Needs(0.01, Design{Family: 1}); ran == 0 || standard != 0 {
		t.Errorf("± 1 %% takes %d blocks, at standard speed %d: want some, and none", ran, standard)
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
