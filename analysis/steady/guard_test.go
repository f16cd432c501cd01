package steady

import (
	"math"
	"math/rand/v2"
	"testing"
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
		if !near(l.mean, c.mean) || !near(l.slope, c.slope) || !near(l.se, c.se) || !near(l.change(), 9*c.slope/c.mean) {
			t.Errorf("%v: %+v, want %+v", c.x, l, c)
		}
	}
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-12*math.Abs(want) }

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
