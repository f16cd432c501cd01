package stats

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// bcg are the thirteen trials of the BCG vaccine (Colditz et al. 1994): log relative risks and their
// variances, to four digits.
var bcg = [][2]float64{
	{-0.8893, 0.3256},
	{-1.5854, 0.1946},
	{-1.3481, 0.4154},
	{-1.4416, 0.0200},
	{-0.2175, 0.0512},
	{-0.7861, 0.0069},
	{-1.6209, 0.2230},
	{0.0120, 0.0040},
	{-0.4694, 0.0564},
	{-1.3713, 0.0730},
	{-0.3394, 0.0124},
	{0.4459, 0.5325},
	{-0.0173, 0.0714},
}

// TestLikeGroups: the variance between trials is 0.3181, as R's metafor gives it (method "PM"), and
// mean and standard error are those of the weights that follow.
func TestLikeGroups(t *testing.T) {
	var groups []Group
	for _, x := range bcg {
		groups = append(groups, Group{N: 100, Mean: x[0], SE: math.Sqrt(x[1]), DF: 99})
	}
	p, err := LikeGroups(groups)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		what            string
		got, want, near float64
	}{
		{"tau²", p.Tau * p.Tau, 0.3181, 5e-4}, {"mean", p.Mean, -0.7149703, 5e-4}, {"se", p.SE, 0.1808945, 5e-4}, {"df", p.DF, 12, 0},
	} {
		if !(math.Abs(x.got-x.want) <= x.near) {
			t.Errorf("%s: %v, want %v", x.what, x.got, x.want)
		}
	}
	next, known := p.Predict(0.95)
	half := TQuantile(0.025, 11) * math.Hypot(p.Tau, p.SE)
	if !known || math.Abs(next.High-p.Mean-math.Abs(half)) > 1e-9 {
		t.Errorf("prediction: %v %v", next, known)
	}
}

// TestTheseGroups: with equally many observations in each, mean and standard error are those of a one-way layout whose
// groups have unlike variances; of one observation in some, these scatter as the others do.
func TestTheseGroups(t *testing.T) {
	groups := []Group{{N: 4, Mean: 1, SE: 0.5, DF: 3}, {N: 4, Mean: 3, SE: 0.25, DF: 3}}
	mean, v, err := TheseGroups(groups)
	if err != nil || mean != 2 || v.Value != (0.25+0.0625)/4 {
		t.Errorf("%v %v %v", mean, v, err)
	}
	want := math.Pow(0.25+0.0625, 2) / (0.25*0.25/3 + 0.0625*0.0625/3)
	if math.Abs(v.DF-want) > 1e-12 {
		t.Errorf("df %v, want %v", v.DF, want)
	}
	alone := append(groups, Group{N: 1, Mean: 5})
	mean, v, err = TheseGroups(alone)
	within := (3*4*0.25 + 3*4*0.0625) / 6 // of one observation
	if err != nil || mean != 3 || math.Abs(v.Value-(0.25+0.0625+within)/9) > 1e-12 {
		t.Errorf("%v %v %v", mean, v, err)
	}
	if _, _, err := TheseGroups([]Group{{N: 1}, {N: 1}, {N: 2, SE: 1, DF: 1}}); !errors.Is(err, errFewGroups) {
		t.Errorf("most of one observation: %v", err)
	}
}

// TestMostOfOne: where most groups have one observation, the population is told by their means alone.
func TestMostOfOne(t *testing.T) {
	p, err := LikeGroups([]Group{{N: 1, Mean: 1}, {N: 1, Mean: 2}, {N: 2, Mean: 6, SE: 0.1, DF: 1}})
	if err != nil || p.TauKnown || p.Mean != 3 || p.DF != 2 {
		t.Errorf("%+v %v", p, err)
	}
	if _, known := p.Predict(0.95); known {
		t.Error("where another one lies is not known")
	}
}

// TestGroupsMove: what is said does not hang on the order of groups, moves with all means, and grows
// with the unit.
func TestGroupsMove(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 8).Draw(t, "groups")
		groups := make([]Group, n)
		for i := range groups {
			groups[i] = Group{N: rapid.IntRange(1, 6).Draw(t, "n"), Mean: rapid.Float64Range(-10, 10).Draw(t, "mean")}
			if groups[i].N > 1 {
				groups[i].SE, groups[i].DF = rapid.Float64Range(0.1, 3).Draw(t, "se"), float64(groups[i].N-1)
			}
		}
		moved := make([]Group, n)
		for i, g := range groups {
			g.Mean, g.SE = 2*g.Mean+100, 2*g.SE
			moved[n-1-i] = g
		}
		a, errA := LikeGroups(groups)
		b, errB := LikeGroups(moved)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-6*(1+math.Abs(x)) }
		if !near(2*a.Mean+100, b.Mean) || !near(2*a.SE, b.SE) || !near(2*a.Tau, b.Tau) {
			t.Fatalf("%+v\n%+v", a, b)
		}
	})
}
