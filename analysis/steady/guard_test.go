package steady

import (
	"math"
	"math/rand/v2"
	"testing"

	"moobench/analysis/internal/testnumber"
)

// Reference values from R: with m <- lm(x ~ seq(0, 9)), s <- coef(summary(m)),
// e <- residuals(m), r <- max(0, sum(e[-1] * e[-10]) / sum(e^2)), the slope is
// s[2, 1] and its standard error s[2, 2] * sqrt((1 + r) / (1 - r)).
func TestLine(t *testing.T) {
	for _, c := range []struct {
		x               []float64
		mean, slope, se float64
	}{
		{[]float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3}, 3.9, 0.27272727272727276, 0.27181666159501916},
		{[]float64{1, 2, 4, 6, 6, 5, 4, 5, 8, 9}, 5, 0.67878787878787872, 0.25789276598725264},
		{[]float64{7, 7, 7, 7, 7, 7, 7, 7, 7, 7}, 7, 0, 0},
	} {
		l := line(c.x)
		if !testnumber.Near(l.mean, c.mean, 1e-12) || !testnumber.Near(l.slope, c.slope, 1e-12) || !testnumber.Near(l.se, c.se, 1e-12) {
			t.Errorf("%v: %+v, want %+v", c.x, l, c)
		}
	}
}

// Noise without a trend is not taken for one, nor a trend that is too small.
func TestGuardLeavesFlatAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	leaning := map[float64]int{}
	for _, slope := range []float64{0, 0.005, 0.03} {
		for range 400 {
			x := noisy(r, 1000, 0.02, 0.6, func(s float64) float64 { return 1 + slope*s })
			if line(x).leans() {
				leaning[slope]++
			}
		}
	}
	if leaning[0] > 4 || leaning[0.005] > 20 || leaning[0.03] < 300 {
		t.Errorf("lean, of 400 of each slope: %v", leaning)
	}
}

// A warm-up that fades slowly leans, and is cut off; a trend that goes on to the
// end is not taken for one.
func TestTail(t *testing.T) {
	const each = 100
	for _, c := range []struct {
		name string
		want Class
		at   func(float64) float64
	}{
		{"slow tail", Warmup, func(s float64) float64 { return 1 + 0.05*math.Exp(-s/0.12) }},
		{"slow tail of a slowdown", Slowdown, func(s float64) float64 { return 1 - 0.05*math.Exp(-s/0.12) }},
		{"rising", Unsteady, func(s float64) float64 { return 1 + 0.04*s }},
		{"falling", Unsteady, func(s float64) float64 { return 1 - 0.04*s }},
	} {
		r := rand.New(rand.NewPCG(11, 12))
		right, cut := 0, 0
		for range each {
			x := noisy(r, 1000, 0.005, 0.3, c.at)
			f, err := Classify(x)
			if err != nil {
				t.Fatal(err)
			}
			if f.Class == c.want {
				right++
			}
			unit, quantum := scale(x)
			if pastTail(relative(hampel(x, quantum), unit), 0) > 0 {
				cut++
			}
		}
		if right < each*97/100 {
			t.Errorf("%s: %d of %d are %q", c.name, right, each, c.want)
		}
		if tail := c.want != Unsteady; tail != (cut > each/2) {
			t.Errorf("%s: a tail was cut off in %d of %d", c.name, cut, each)
		}
	}
}
