package infer

import (
	"math"
	"testing"

	"moobench/analysis/stats"
)

// What is interpolated between degrees of freedom is right to a thousandth.
func TestInterpolatedDetectable(t *testing.T) {
	d := Solver{}
	for _, c := range []struct{ df, level float64 }{{1.5, 0.95}, {2.6, 0.95}, {4.1, 0.999}, {8.2, 0.95}, {14.7, 0.99}, {17.99, 0.9875}, {120.5, 0.95}} {
		x := design{c.df, 1 - c.level, stats.TwoSided}
		got, want := *d.detect(Scale{N: 2, Value: 1, SE: 1, DF: c.df, Size: 1}, x), d.solve(x)
		if !(math.Abs(got-want) <= 1e-3*want) {
			t.Errorf("df %v at %v: %v, want %v", c.df, c.level, got, want)
		}
	}
}
