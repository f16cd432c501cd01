package infer

import (
	"math"
	"testing"
)

// onHosts are pairs on hosts: so many differences each, about a baseline of 100.
func onHosts(hosts ...[]float64) Data {
	d := Data{Paired: true}
	for h, ds := range hosts {
		for _, x := range ds {
			d.X.Values, d.Y.Values, d.X.Strata = append(d.X.Values, 100+x), append(d.Y.Values, 100), append(d.X.Strata, h)
		}
	}
	return d
}

// TestHosts: the difference is the mean of the hosts' means, whatever number of blocks each has, and
// what scatters between them is not in its interval, but in that for hosts like these.
func TestHosts(t *testing.T) {
	q := Question{Alpha: 0.05}
	a := Solver(nil).Compare(q, onHosts([]float64{10, 10.2, 9.8, 10}, []float64{20, 20.2}, []float64{30, 29.9, 30.1}))
	if h := a.Hosts; h == nil || !h.OfThese || len(h.Each) != 3 || math.Abs(a.Difference.Value-20) > 0.1 {
		t.Fatalf("%+v, %+v", a.Difference, a.Hosts)
	}
	these, like := a.Difference.Interval.Half(), a.Hosts.Like.Interval.Half()
	if !(these < 1) || !(like > 20) || *a.Hosts.Like.DF != 2 {
		t.Errorf("± %v on these, ± %v on hosts like these", these, like)
	}
	if a.Verdict != Higher || a.Hosts.LikeVerdict != Undecided {
		t.Errorf("%s, %s", a.Verdict, a.Hosts.LikeVerdict)
	}
	if b := *a.Hosts.Between; math.Abs(b-10) > 0.2 || a.Hosts.Next != nil {
		t.Errorf("between hosts %v, next %v", b, a.Hosts.Next)
	}
}

// TestTwoHosts: two hosts say nothing of others.
func TestTwoHosts(t *testing.T) {
	a := Solver(nil).Compare(Question{Alpha: 0.05}, onHosts([]float64{10, 10.2, 9.8}, []float64{10, 10.1, 10.2}))
	if a.Verdict != Higher || a.Hosts.LikeVerdict != NoAnswer || a.Hosts.Like == nil {
		t.Errorf("%s, %+v", a.Verdict, a.Hosts)
	}
}

// TestOneBlockEach: where most hosts have one block, the answer is the one for hosts like these.
func TestOneBlockEach(t *testing.T) {
	a := Solver(nil).Compare(Question{Alpha: 0.05}, onHosts([]float64{10}, []float64{11}, []float64{12}, []float64{10.9, 11.1}, []float64{11}))
	if a.Hosts.OfThese || a.Hosts.Between != nil || *a.Difference.DF != 4 || a.Difference.Value != a.Hosts.Like.Value || a.Hosts.LikeVerdict != Higher {
		t.Errorf("%+v, %+v", a.Difference, a.Hosts)
	}
}

// TestOneHostIsNone: pairs that are all of one host have the answer of pairs without hosts, bit for bit.
func TestOneHostIsNone(t *testing.T) {
	with := onHosts([]float64{1, 3, 2, 5, 4})
	without := with
	without.X.Strata = nil
	a, b := Solver(nil).Compare(Question{Alpha: 0.05}, with), Solver(nil).Compare(Question{Alpha: 0.05}, without)
	if a.Hosts != nil || *a.Difference.Interval != *b.Difference.Interval || a.Difference.Value != b.Difference.Value {
		t.Errorf("%+v, %+v", a.Difference, b.Difference)
	}
}

// TestUnpairedOnHosts: two independent samples are compared within each host; what hosts differ by is in neither the
// difference nor its error. The reference value is worked out by hand: two hosts differ by 1 and by 3, the variance of
// each of four means is 1/3, and 2 · 4 degrees of freedom are those of alike variances.
func TestUnpairedOnHosts(t *testing.T) {
	on := func(values []float64, strata ...int) Sample { return Sample{Values: values, Strata: strata} }
	x := on([]float64{1, 2, 3, 101, 102, 103}, 0, 0, 0, 1, 1, 1)
	y := on([]float64{0, 1, 2, 98, 99, 100}, 0, 0, 0, 1, 1, 1)
	q := Question{Kind: "welch", Alpha: 0.05}
	a := Solver(nil).Compare(q, Data{X: x, Y: y})
	if d := a.Difference; math.Abs(d.Value-2) > 1e-12 || math.Abs(*d.SE-math.Sqrt(1./3)) > 1e-12 || math.Abs(*d.DF-8) > 1e-9 {
		t.Errorf("%v ± %v with %v degrees of freedom", d.Value, *d.SE, *d.DF)
	}
	if h := a.Hosts; h == nil || !h.OfThese || len(h.Each) != 2 || math.Abs(h.Each[1].Value-3) > 1e-12 || h.Like == nil {
		t.Errorf("%+v", a.Hosts)
	}
	// A host with one value scatters as the others do; of other hosts two samples on unlike ones say all together.
	one := Solver(nil).Compare(q, Data{X: x, Y: on([]float64{0, 1, 2, 99}, 0, 0, 0, 1)})
	if d := one.Difference; math.Abs(d.Value-2) > 1e-12 || !(*d.SE > *a.Difference.SE) {
		t.Errorf("%v ± %v", d.Value, *d.SE)
	}
	apart := Solver(nil).Compare(q, Data{X: x, Y: on(y.Values, 2, 2, 2, 3, 3, 3)})
	if apart.Hosts != nil || !(*apart.Difference.SE > 10) {
		t.Errorf("± %v, %+v", *apart.Difference.SE, apart.Hosts)
	}
}

// TestCompleteStrata: of strata that are all there are nothing is said of others, and where most have one value they are
// one sample.
func TestCompleteStrata(t *testing.T) {
	d := onHosts([]float64{10, 10.2, 9.8}, []float64{20, 20.2, 19.9}, []float64{30, 29.9, 30.1})
	d.X.Complete = true
	a := Solver(nil).Compare(Question{Alpha: 0.05}, d)
	if h := a.Hosts; !h.OfThese || !h.Complete || h.Like != nil || h.Between != nil || h.LikeVerdict != NoAnswer {
		t.Errorf("%+v", h)
	}
	single := onHosts([]float64{10}, []float64{11}, []float64{12}, []float64{10.9, 11.1}, []float64{11})
	plain := single
	plain.X.Strata = nil
	single.X.Complete = true
	a, b := Solver(nil).Compare(Question{Alpha: 0.05}, single), Solver(nil).Compare(Question{Alpha: 0.05}, plain)
	if a.Hosts != nil || a.Difference.Value != b.Difference.Value || *a.Difference.SE != *b.Difference.SE {
		t.Errorf("%+v, %+v", a.Difference, b.Difference)
	}
	still := onHosts([]float64{10, 10}, []float64{10, 10}, []float64{12, 13})
	still.X.Complete = true
	if a := Solver(nil).Compare(Question{Alpha: 0.05}, still); a.Difference == nil || a.Difference.Interval == nil {
		t.Errorf("most lanes do not vary: %+v", a)
	}
}
