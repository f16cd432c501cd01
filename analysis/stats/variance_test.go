package stats

import (
	"math"
	"testing"
)

func TestSumOfVariances(t *testing.T) {
	for name, c := range map[string]struct {
		vs   []Variance
		want Variance
	}{
		"one":                   {[]Variance{{0.25, 9}}, Variance{0.25, 9}},
		"two equal ones":        {[]Variance{{0.5, 9}, {0.5, 9}}, Variance{1, 18}},
		"one and three":         {[]Variance{{1, 4}, {3, 9}}, Variance{4, 16 / (1.0/4 + 9.0/9)}}, // 12.8
		"one is taken off":      {[]Variance{{4, 10}, {-1, 5}}, Variance{3, 9 / (16.0/10 + 1.0/5)}},
		"more taken off":        {[]Variance{{1, 10}, {-4, 5}}, Variance{0, 15}},
		"nothing varies":        {[]Variance{{0, 9}, {0, 4}}, Variance{0, 13}},
		"one of them varies":    {[]Variance{{0, 9}, {2, 4}}, Variance{2, 4}},
		"squares would vanish":  {[]Variance{{1e-200, 9}, {1e-200, 9}}, Variance{2e-200, 18}},
		"squares would explode": {[]Variance{{1e200, 9}, {1e200, 9}}, Variance{2e200, 18}},
	} {
		got := SumOfVariances(c.vs...)
		if math.Abs(got.Value-c.want.Value) > 1e-12*c.want.Value || math.Abs(got.DF-c.want.DF) > 1e-12*c.want.DF {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// It is what Welch's test makes of two samples.
func TestSumOfVariancesIsWelch(t *testing.T) {
	x, y := Sample{10, 2, 5}, Sample{7, 0.5, 12}
	e, err := Welch(x, y, TwoSided, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	v := SumOfVariances(VarianceOf(x.se(), 4), VarianceOf(y.se(), 11))
	if math.Abs(v.DF-e.Test.DF) > 1e-12*v.DF || math.Abs(v.SE()-3/e.Test.T) > 1e-12 {
		t.Errorf("se %v df %v, Welch has %v and %v", v.SE(), v.DF, 3/e.Test.T, e.Test.DF)
	}
	if se := (Variance{-1, 3}).SE(); se != 0 {
		t.Errorf("the root of a negative variance is %v", se)
	}
	if got := (Variance{2, 3}).Times(-2); got != (Variance{-4, 3}) {
		t.Errorf("-2 times: %v", got)
	}
}
