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
