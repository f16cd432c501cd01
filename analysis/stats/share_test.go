package stats

import (
	"errors"
	"math"
	"testing"
)

// shareInterval is that of runs that vary as chance has it.
func shareInterval(k int64, n, level float64) (Interval, error) {
	return ScatteredShareInterval(k, n, 1, math.Inf(1), level)
}

// The values are those of R's binom.test(k, n)$conf.int, to six digits.
func TestShareInterval(t *testing.T) {
	for _, c := range []struct {
		k         int64
		n         float64
		low, high float64
		near      float64 // half of the last digit
	}{
		{14, 20, 0.457211, 0.881068, 5e-7},
		{40, 40, 0.911903, 1, 5e-7},
		{0, 40, 0, 0.088097, 5e-7},
		{288, 378, 0.715687, 0.803967, 5e-7},
		{1, 1, 0.025, 1, 5e-7},
		{5, 10, 0.187086, 0.812914, 5e-7},
		{3, 1_000_000, 0.618672e-6, 8.767247e-6, 5e-12},
	} {
		i, err := shareInterval(c.k, c.n, 0.95)
		if err != nil || math.Abs(i.Low-c.low) > c.near || math.Abs(i.High-c.high) > c.near {
			t.Errorf("%d of %v: %.9f … %.9f, %v; want %.6f … %.6f", c.k, c.n, i.Low, i.High, err, c.low, c.high)
		}
	}
}

// It holds what it promises: at each bound, as many or more, or as few or fewer, have half of what
// the level leaves.
func TestShareIntervalIsExact(t *testing.T) {
	binomial := func(k, n int, p float64) (atMost float64) {
		for j := 0; j <= k; j++ {
			a, _ := math.Lgamma(float64(n + 1))
			b, _ := math.Lgamma(float64(j + 1))
			c, _ := math.Lgamma(float64(n - j + 1))
			atMost += math.Exp(a - b - c + float64(j)*math.Log(p) + float64(n-j)*math.Log1p(-p))
		}
		return atMost
	}
	for _, n := range []int{1, 7, 40, 378} {
		for k := 0; k <= n; k += max(1, n/7) {
			i, err := shareInterval(int64(k), float64(n), 0.95)
			if err != nil {
				t.Fatal(err)
			}
			if k > 0 {
				if p := 1 - binomial(k-1, n, i.Low); math.Abs(p-0.025) > 1e-6 {
					t.Errorf("%d of %d: at %v as many or more have %v", k, n, i.Low, p)
				}
			}
			if k < n {
				if p := binomial(k, n, i.High); math.Abs(p-0.025) > 1e-6 {
					t.Errorf("%d of %d: at %v as few or fewer have %v", k, n, i.High, p)
				}
			}
		}
	}
}

// Rare events are Poisson's, and those of scattered runs are worth fewer.
func TestShareIntervalOfRareAndScatteredEvents(t *testing.T) {
	share, _ := shareInterval(7, 1e7, 0.95)
	rate, _ := RateInterval(7, 1e7, 0.95)
	if math.Abs(share.Low/rate.Low-1) > 1e-5 || math.Abs(share.High/rate.High-1) > 1e-5 {
		t.Errorf("%v, and a rate's %v", share, rate)
	}
	wide, err := ScatteredShareInterval(14, 20, 2, 5, 0.95)
	plain, _ := shareInterval(14, 20, 0.95)
	if err != nil || !(wide.Low < plain.Low && wide.High > plain.High && wide.High <= 1) {
		t.Errorf("scattered %v, plain %v, %v", wide, plain, err)
	}
	if _, err := shareInterval(3, 2, 0.95); !errors.Is(err, ErrNotPositive) {
		t.Errorf("3 of 2: %v", err)
	}
	chi2, df, p, err := ShareDispersion(EventRuns{Events: []int64{14, 14, 14}, Exposure: []float64{20, 20, 20}})
	if err != nil || chi2 != 0 || df != 2 || p != 1 {
		t.Errorf("alike: %v %v %v %v", chi2, df, p, err)
	}
}
