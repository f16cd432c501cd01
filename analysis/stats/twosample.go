package stats

import (
	"cmp"
	"fmt"
	"math"
)

// Welch estimates mean x - mean y of two independent samples whose variances may differ: with v =
// s²/n of each, the difference ± t(df; level) sqrt(vx + vy), df = (vx + vy)²/(vx²/(nx-1) +
// vy²/(ny-1)). SD is sqrt((sx² + sy²)/2). Sources: Welch 1947, Satterthwaite 1946.
func Welch(x, y Sample, alt Alternative, level float64) (Estimate, error) {
	se := math.Hypot(x.se(), y.se())
	sd := math.Hypot(x.SD, y.SD) / math.Sqrt2
	return difference(x, y, se, sd, satterthwaite(x.se(), x.N, y.se(), y.N), alt, level)
}

// WelchDifference is Welch's two-sided comparison of two samples of values.
func WelchDifference(x, y []float64, level float64) (Estimate, error) {
	sx, sy, err := samplesOf(x, y)
	if err != nil {
		return Estimate{}, err
	}
	return Welch(sx, sy, TwoSided, level)
}

// Student estimates mean x - mean y of two independent samples with equal variance: s² = ((nx-1)sx²
// + (ny-1)sy²)/(nx+ny-2), the difference ± t(nx+ny-2; level) s sqrt(1/nx + 1/ny). SD is s. Source:
// Student 1908, Fisher 1925.
func Student(x, y Sample, alt Alternative, level float64) (Estimate, error) {
	nx, ny := float64(x.N), float64(y.N)
	sd := pooledSD(x, y)
	return difference(x, y, sd*math.Sqrt(1/nx+1/ny), sd, nx+ny-2, alt, level)
}

// pooledSD avoids squares that could over- or underflow.
func pooledSD(x, y Sample) float64 {
	nx, ny := float64(x.N), float64(y.N)
	df := nx + ny - 2
	return math.Hypot(x.SD*math.Sqrt((nx-1)/df), y.SD*math.Sqrt((ny-1)/df))
}

// satterthwaite returns the degrees of freedom of hypot(a, b), for two independent standard errors
// with n-1 and m-1. It works with shares, so that no square over- or underflows.
func satterthwaite(a float64, n int, b float64, m int) float64 {
	se := math.Hypot(a, b)
	if se == 0 {
		return float64(n + m - 2) // the limit for zero variance
	}
	wa, wb := (a/se)*(a/se), (b/se)*(b/se)
	return 1 / (wa*wa/float64(n-1) + wb*wb/float64(m-1))
}

// checkBoth returns an error unless two samples can be compared.
func checkBoth(x, y Sample, alt Alternative, level float64) error {
	return cmp.Or(alt.check(), checkLevel(level), in("first sample", x.check()), in("second sample", y.check()))
}

// samplesOf summarises both samples of a comparison.
func samplesOf(x, y []float64) (sx, sy Sample, err error) {
	sx, errX := SampleOf(x)
	sy, errY := SampleOf(y)
	return sx, sy, cmp.Or(in("first sample", errX), in("second sample", errY))
}

// difference returns the studentised difference of two means, without a test if the standard error
// is mere rounding of large means.
func difference(x, y Sample, se, sd, df float64, alt Alternative, level float64) (Estimate, error) {
	if err := checkBoth(x, y, alt, level); err != nil {
		return Estimate{}, err
	}
	e := studentised(x.Mean-y.Mean, se, df, alt, level)
	if IsRounding(se, max(math.Abs(x.Mean), math.Abs(y.Mean))) {
		e.Test = nil
	}
	e.N, e.SD = min(x.N, y.N), sd
	return e.checked(alt)
}

// Equivalence is the result of two one-sided tests; Within is P < alpha.
type Equivalence struct {
	Interval Interval `json:"interval"`   // at 1 - 2 alpha: of the ratio if relative, else of the difference
	P        float64  `json:"p"`          // the larger p of the two tests
	Within   bool     `json:"equivalent"` // whether the interval lies within the margin
	// PLow tests "not above the lower margin", PHigh "not below the upper one".
	PLow  float64 `json:"-"`
	PHigh float64 `json:"-"`
}

// EquivalenceT tests whether a value lies between low and high, by two one-sided t tests. Errors:
// errAlpha unless alpha is inside (0, 0.5), errMargin unless low is below high. Source: Schuirmann
// 1987.
func EquivalenceT(value, se, df, low, high, alpha float64) (Equivalence, error) {
	switch err := finite(value, se, df, low, high); {
	case err != nil:
		return Equivalence{}, err
	case !(alpha > 0 && alpha < 0.5):
		return Equivalence{}, fmt.Errorf("%w: %v", errAlpha, alpha)
	case !(low < high):
		return Equivalence{}, fmt.Errorf("%w: %v to %v", errMargin, low, high)
	case !(se >= 0 && df > 0):
		return Equivalence{}, fmt.Errorf("%w: a standard error of %v with %v degrees of freedom", errSpread, se, df)
	}
	i := IntervalT(value, se, df, TwoSided, 1-2*alpha)
	e := Equivalence{
		PLow: exceeds(value-low, se, df), PHigh: exceeds(high-value, se, df),
		Interval: i, Within: low < i.Low && i.High < high,
	}
	e.P = max(e.PLow, e.PHigh)
	return e, finite(i.Low, i.High)
}

// exceeds returns the one-sided p of d above 0; without spread it is 0 or 1.
func exceeds(d, se, df float64) float64 {
	switch {
	case se > 0:
		return TTail(d/se, df)
	case d > 0:
		return 0
	}
	return 1
}
