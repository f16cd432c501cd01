package infer

import (
	"math"
	"slices"
	"testing"

	"moobench/results"
)

// What is called free, and rests on fewer than twenty pairs, says how rare a mode
// they may have missed; what is told apart, or undecided, does not.
func TestUnseenModesAreACaveat(t *testing.T) {
	of := func(n int, cost float64) Answer {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			y[i] = 1000 + float64(i%3)
			x[i] = y[i]*(1+cost) + float64(i%2)
		}
		return Solver{}.Compare(Question{Alpha: 0.05, Margin: &results.Margin{Share: 0.01}}, Data{X: Sample{Values: x}, Y: Sample{Values: y}, Paired: true})
	}
	for _, c := range []struct {
		n     int
		cost  float64
		oneIn float64 // 0: no caveat
	}{{10, 0, 3.863009}, {19, 0, 6.855495}, {20, 0, 0}, {10, 0.5, 0}} {
		a := of(c.n, c.cost)
		i := slices.IndexFunc(a.Caveats, func(v Caveat) bool { return v.Kind == CaveatUnseen })
		switch {
		case i < 0 != (c.oneIn == 0):
			t.Errorf("%d pairs, %v: %s with %v", c.n, c.cost, a.Verdict, a.Caveats)
		case i >= 0 && (a.Caveats[i].N != c.n || math.Abs(1/a.Caveats[i].Value-c.oneIn) > 1e-5):
			t.Errorf("%d pairs: %+v, want one in %v", c.n, a.Caveats[i], c.oneIn)
		}
	}
}
