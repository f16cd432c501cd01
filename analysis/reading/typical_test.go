package reading

import (
	"math"
	"testing"

	"moobench/analysis/evidence"
	"moobench/results"
)

func TestTypical(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		values []float64 // by block
		want   int       // block; 0: none
	}{
		{nil, 0},
		{[]float64{nan}, 0},
		{[]float64{5}, 1},
		{[]float64{9, 1, 5}, 3},
		{[]float64{9, nan, 1}, 3}, // the lower of two
		{[]float64{4, 9, 4, 4, 1}, 3},
		{[]float64{3, 1, 4, 2}, 4},
	} {
		r := &Reading{View: &evidence.View{Primary: results.Metric{Name: "x"}}}
		var es []*evidence.Invocation
		for i, x := range c.values {
			id := results.Identity{Block: i + 1}
			e := &evidence.Invocation{Invocation: &results.Invocation{Identity: id}, Values: map[string]float64{"x": x}}
			es = append([]*evidence.Invocation{e}, es...)
		}
		got := 0
		if e := r.Typical(es); e != nil {
			got = e.Block
		}
		if got != c.want {
			t.Errorf("%v: block %d, want %d", c.values, got, c.want)
		}
	}
}
