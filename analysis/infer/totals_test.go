package infer

import (
	"math"
	"math/rand/v2"
	"testing"

	"moobench/analysis/stats"
)

// Of independent values that were carried nowhere it is Fieller's set; values that hang on an
// elasticity, and neighbours that are alike, make it wider.
func TestRatioOfTotals(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	x, y := make([]float64, 12), make([]float64, 12)
	for i := range x {
		y[i] = 1 + r.Float64()
		x[i] = 3*y[i] + 0.2*r.NormFloat64()
	}
	e, why := RatioOfTotals(Sample{Values: x}, y, false, 0.95)
	want, err := stats.Fieller(x, y, true, 0.95)
	if err != nil || why != "" || math.Abs(e.Value-want.Value) > 1e-12 || math.Abs(e.Interval.Low-want.Interval.Low) > 1e-9 || math.Abs(e.Interval.High-want.Interval.High) > 1e-9 {
		t.Errorf("%+v %v (%s), want %+v", e, e.Interval, why, want)
	}
	on, carried := &stats.Elasticity{Value: 1, Variance: 0.04}, make([][]Sensitivity, len(x))
	for i := range carried {
		carried[i] = []Sensitivity{{On: on, By: 1}}
	}
	wide, _ := RatioOfTotals(Sample{Values: x, Sensitivities: carried}, y, true, 0.95)
	if wide.Interval.Half() < e.Interval.Half() || *wide.SE < *e.SE {
		t.Errorf("%v is no wider than %v", wide.Interval, e.Interval)
	}
	if one, _ := RatioOfTotals(Sample{Values: x[:1]}, y[:1], true, 0.95); one.Value != x[0]/y[0] || one.Interval != nil || one.NoInterval != OnePair {
		t.Errorf("one pair: %+v", one)
	}
	if e, why := RatioOfTotals(Sample{Values: []float64{1, 2}}, []float64{0, 0}, true, 0.95); e != nil || why != NoDivisor {
		t.Errorf("nothing below the line: %+v, %q", e, why)
	}
}
