package reading

import (
	"math"
	"testing"

	"moobench/analysis/evidence"
	"moobench/analysis/stats"
)

// timed are values of a program, whose reference took so long beside it, as logarithms.
func timed(law *evidence.Law, speeds ...float64) evidence.Values {
	var vs evidence.Values
	for i, s := range speeds {
		vs = append(vs, evidence.Value{Block: i + 1, X: 100, Carried: evidence.Carried{Speed: s, Law: law}})
	}
	return vs
}

// law makes the law of a program with an elasticity of a half, and earlier knowledge of its influence on the reference.
func law(program string, influence *stats.Known) *evidence.Law {
	return &evidence.Law{
		Program: program, Influence: influence, Against: "a", Elasticity: stats.Elasticity{Value: 0.5, Variance: 0.01},
	}
}

// The ratio of two reference times is the mean over blocks; earlier knowledge that fits makes it more certain, and
// knowledge that contradicts the blocks is left out.
func TestReferenceRatio(t *testing.T) {
	slow, fast := []float64{0.012, 0.010, 0.008, 0.011, 0.009}, []float64{0, 0, 0, 0, 0}
	exactly := &stats.Known{SE: 1e-9, DF: 1000}
	for _, c := range []struct {
		name       string
		one, other *stats.Known
		pooled     bool
	}{
		{"nothing known", nil, nil, false},
		{"known of one", &stats.Known{Value: 0.01, SE: 0.0005, DF: 50}, nil, false},
		{"agrees", &stats.Known{Value: 0.0102, SE: 0.0005, DF: 50}, exactly, true},
		{"contradicts", &stats.Known{Value: 0.1, SE: 0.0005, DF: 50}, exactly, false},
	} {
		pairs := evidence.PairsOf(timed(law("c", c.one), slow...), timed(law("a", c.other), fast...))
		s, ok := ReferenceRatio(pairs)
		plain := 0.00158113883 / math.Sqrt(5) // by hand: sd 0.0015811 over five blocks
		if !ok || math.Abs(s.Value-0.01) > 0.0003 || (s.SE < plain-1e-9) != c.pooled {
			t.Errorf("%s: %+v, %v", c.name, s, ok)
		}
		if want := 0.5 * s.Known().FurtherEnd(); math.Abs(beside(pairs)-want) > 1e-12 {
			t.Errorf("%s: beside %v, want %v", c.name, beside(pairs), want)
		}
	}
}

// Values as measured, and those of one program, have no such ratio.
func TestNoReferenceRatio(t *testing.T) {
	one := law("c", nil)
	for name, pairs := range map[string]evidence.Pairs{
		"one program": evidence.PairsOf(timed(one, 0.1, 0.2, 0.3), timed(one, 0, 0, 0)),
		"as measured": evidence.PairsOf(timed(nil, 0.1, 0.2, 0.3), timed(one, 0, 0, 0)),
		"the other":   evidence.PairsOf(timed(one, 0.1, 0.2, 0.3), timed(nil, 0, 0, 0)),
		"one block":   evidence.PairsOf(timed(one, 0.1), timed(law("a", nil), 0)),
	} {
		if s, ok := ReferenceRatio(pairs); ok {
			t.Errorf("%s: %+v", name, s)
		}
		if x := beside(pairs); x != 0 {
			t.Errorf("%s: beside %v", name, x)
		}
	}
}

// What is known against two baselines can't be compared.
func TestInfluence(t *testing.T) {
	known := &stats.Known{Value: 0.02, SE: 0.003, DF: 20}
	one, other := law("c", known), law("d", &stats.Known{Value: 0.005, SE: 0.004, DF: 20})
	if k := influence(one, other); k == nil || math.Abs(k.Value-0.015) > 1e-12 || math.Abs(k.SE-0.005) > 1e-12 {
		t.Errorf("%+v", k)
	}
	other.Against = "z"
	if k := influence(one, other); k != nil {
		t.Errorf("of two baselines: %+v", k)
	}
}
