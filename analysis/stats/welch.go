package stats

import "math"

// Welch estimates mean x - mean y of two independent samples whose variances
// may differ: with v = s²/n of each, the difference ± t(df; level)
// sqrt(vx + vy), df = (vx + vy)²/(vx²/(nx-1) + vy²/(ny-1)). SD is
// sqrt((sx² + sy²)/2). Sources: Welch 1947, Satterthwaite 1946.
func Welch(x, y Sample, alt Alternative, level float64) (Estimate, error) {
	if err := checkBoth(x, y, alt, level); err != nil {
		return Estimate{}, err
	}
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

// satterthwaite is the degrees of freedom of hypot(a, b), of two independent
// standard errors with n-1 and m-1. It works with shares, so that no square
// over- or underflows.
func satterthwaite(a float64, n int, b float64, m int) float64 {
	se := math.Hypot(a, b)
	if se == 0 {
		return float64(n + m - 2) // in the limit of no variance at all
	}
	wa, wb := (a/se)*(a/se), (b/se)*(b/se)
	return 1 / (wa*wa/float64(n-1) + wb*wb/float64(m-1))
}
