package analysis

import (
	"math"
	"math/rand/v2"
	"testing"
)

// What pilots say of the intervals of longer campaigns is what these have on average, as it ran
// and at standard speed, on machines whose speed wanders and on quiet ones.
func TestReachIsWhatComesOut(t *testing.T) {
	const campaigns, blocks = 24, 30
	pilots := []int{10, 23}
	for _, m := range []speeds{{0.9, 0.05, 0.02}, {1, 0.001, 0.02}} {
		var came HalfWidths
		said := make([]HalfWidths, len(pilots))
		for seed := range uint64(campaigns) {
			r := rand.New(rand.NewPCG(seed, 3))
			c := &m.told(t, r, blocks, 0.1, quietNS, nil).Scenarios[0]
			x := c.Cell("c02").MetricNamed(c.Primary)
			if x.AtStandard == nil { // by chance the reference seemed touched
				continue
			}
			came.Ran += x.Difference.Interval.Half() / x.Mean.Value
			came.Standard += x.AtStandard.Difference.Interval.Half() / x.AtStandard.Mean.Value
			for i, pilot := range pilots {
				s := &m.told(t, r, pilot, 0.1, quietNS, nil).Scenarios[0]
				reach, why := s.Reach("c02")
				if why != "" || reach.standard == nil {
					reach, _ = c.Reach("c02")
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
		s := &m.told(t, rand.New(rand.NewPCG(1, 2)), blocks, 0.1, quietNS, nil).Scenarios[0]
		x := s.Cell("c02").MetricNamed(s.Primary)
		reach, why := s.Reach("c02")
		if why != "" {
			t.Fatal(why)
		}
		h := reach.HalfWidths(Design{Blocks: blocks, Family: 1})
		ran, standard := x.Difference.Interval.Half()/x.Mean.Value, x.AtStandard.Difference.Interval.Half()/x.AtStandard.Mean.Value
		if math.Abs(h.Ran/ran-1) > 0.02 || math.Abs(h.Standard/standard-1) > 0.05 {
			t.Errorf("%d blocks: %+v, and the answers say %v and %v", blocks, h, ran, standard)
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
		s := &m.told(t, rand.New(rand.NewPCG(seed, 2)), blocks, 0, quietNS, nil).Scenarios[0]
		r, _ := s.Reach("c02")
		return r
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
	if half := a.HalfWidths(Design{Blocks: 1, Family: 1}); half != (HalfWidths{}) {
		t.Errorf("one block has %+v", half)
	}
	both := a.Plus(b)
	if half := both.HalfWidths(d).Ran; math.Abs(half-(plain+b.HalfWidths(d).Ran)/2) > 1e-12 || both.Blocks != 33 {
		t.Errorf("both say %v, of %d blocks", half, both.Blocks)
	}
	if low, high := both.Range(d); low >= high || low != min(plain, b.HalfWidths(d).Ran) {
		t.Errorf("from %v to %v", low, high)
	}
}

// Far from the standard, a campaign whose speed does not move tells nothing of the way there.
func TestReachHasNoEnd(t *testing.T) {
	m := speeds{elasticity: 1, speedSD: 1e-7, jvmSD: 0.01}
	s := &m.told(t, rand.New(rand.NewPCG(4, 4)), 12, 0.3, quietNS, nil).Scenarios[0]
	reach, why := s.Reach("c02")
	if why != "" {
		t.Fatal(why)
	}
	if ran, standard := reach.Needs(0.01, Design{Family: 1}); ran == 0 || standard != 0 {
		t.Errorf("± 1 %% takes %d blocks, at standard speed %d: want some, and none", ran, standard)
	}
}
