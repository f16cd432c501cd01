package analysis

import (
	"math"
	"testing"

	"moobench/analysis/caveat"
)

// The furthest of three values or more is named beyond a tenth of their median, on either side.
func TestFarthest(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want string
	}{
		{[]float64{100, 100}, ""},
		{[]float64{100, 300}, ""},
		{[]float64{100, 100, 109}, ""},
		{[]float64{100, 100, 112}, "; the furthest lies 12 % off their median"},
		{[]float64{80, 100, 112}, "; the furthest lies 20 % off their median"},
		{[]float64{0, 0, 5}, ""},
		{[]float64{-5, -4, -1}, ""},
		{[]float64{1, 1, 1001}, ""},
		{[]float64{1, 1, 1000}, "; the furthest lies 99,900 % off their median"},
		{[]float64{1, math.Inf(1), 2}, ""},
	} {
		if got := farthest(c.xs); got != c.want {
			t.Errorf("%v: %q, want %q", c.xs, got, c.want)
		}
	}
}

// A caveat that counts invocations says so where no row does.
func TestSaid(t *testing.T) {
	for _, c := range []struct {
		mark caveat.Mark
		want string
	}{
		{caveat.Mark{Kind: "disturbed", Show: "disturbed 2 of 5", Of: 5}, "disturbed 2 of 5 invocations"},
		{caveat.Mark{Kind: markFew, Show: "only 3"}, "only 3 invocations"},
		{caveat.Mark{Kind: "queue", Show: "queue not filled"}, "queue not filled"},
	} {
		if got := said(c.mark); got != c.want {
			t.Errorf("%+v: %q, want %q", c.mark, got, c.want)
		}
	}
}
