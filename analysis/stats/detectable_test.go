package stats

import (
	"math"
	"testing"
)

// foundAbove is the power of a one-sided t test by brute force: Simpson's rule over
// the density of S = sqrt(chi²(df)/df), of P(Z > t S - ncp).
func foundAbove(ncp, df, alpha float64) float64 {
	const steps, far = 20_000, 9.0
	t := TQuantile(alpha, df)
	lg, _ := math.Lgamma(df / 2)
	constant := math.Ln2 + df/2*math.Log(df/2) - lg
	sum := 0.0
	for i := range steps + 1 {
		s := far * float64(i) / steps
		weight := 2.0 + 2*float64(i%2)
		if i == 0 || i == steps {
			weight = 1
		}
		density := math.Exp(constant - df*s*s/2)
		if df != 1 {
			density *= math.Pow(s, df-1)
		}
		sum += weight * density * math.Erfc((t*s-ncp)/math.Sqrt2) / 2
	}
	return sum * far / steps / 3
}

func TestDetectableAbove(t *testing.T) {
	for _, df := range []float64{1, 2, 4, 9, 14, 29} {
		for _, alpha := range []float64{0.001, 0.01, 0.05, 0.4} {
			for _, power := range []float64{0.5, 0.8} {
				ncp, err := Detectable(1, df, alpha, power, Greater)
				if err != nil {
					t.Fatal(err)
				}
				if got := foundAbove(ncp, df, alpha); math.Abs(got-power) > 1e-6 {
					t.Errorf("df %v, alpha %v: %v standard errors are found with power %v, not %v", df, alpha, ncp, got, power)
				}
				if twice, err := Detectable(2, df, alpha, power, Greater); err != nil || math.Abs(twice-2*ncp) > 1e-9*ncp {
					t.Errorf("df %v, alpha %v: twice the standard error makes %v of %v, %v", df, alpha, twice, ncp, err)
				}
			}
		}
	}
	// With the normal distribution it is z(alpha) + z(1 - power).
	if ncp, err := Detectable(1, 1e8, 0.01, 0.8, Greater); err != nil || math.Abs(ncp-(2.3263479+0.8416212)) > 1e-5 {
		t.Errorf("of as good as infinite df: %v, %v", ncp, err)
	}
	if none, err := Detectable(1, 9, 0.05, 0.05, Greater); err != nil || none != 0 {
		t.Errorf("a power of alpha takes %v, %v", none, err)
	}
}
