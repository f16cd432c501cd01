package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"
)

// Runs tests whether values above and below the median come in random order, two-sided: p is the
// exact total probability of all numbers of runs at most as probable as the actual one. Values
// equal to the median are left out. Drift causes too few runs, alternation too many. Sources: Wald
// and Wolfowitz 1940; Gibbons and Chakraborti 2011, 3.2.
func Runs(xs []float64) (p float64, err error) {
	if err := check(xs, 0.5, 2); err != nil {
		return 0, fmt.Errorf("runs: %w", err)
	}
	median, _ := quantile(slices.Sorted(slices.Values(xs)), 0.5, 7)
	above, below, runs := signRuns(xs, median)
	if above == 0 || below == 0 {
		return 0, fmt.Errorf("runs: %w: no value lies on the other side of the median", errSpread)
	}
	seen := logRuns(above, below, runs)
	for r := 2; r <= 2*min(above, below)+1; r++ {
		// Probabilities that are equal up to rounding count as equal.
		if l := logRuns(above, below, r); l <= seen+1e-7 {
			p += math.Exp(l)
		}
	}
	return min(1, p), nil
}

// signRuns counts the values above and below the median, and their runs.
func signRuns(xs []float64, median float64) (above, below, runs int) {
	last := 0.0 // side
	for _, x := range xs {
		switch {
		case x > median:
			above++
		case x < median:
			below++
		default:
			continue
		}
		if side := math.Copysign(1, x-median); side != last {
			runs, last = runs+1, side
		}
	}
	return above, below, runs
}

// logRuns returns the logarithm of the probability of r runs with a values above and b below: r/2
// runs of each, or one more of either.
func logRuns(a, b, r int) float64 {
	k := r / 2
	if r%2 == 0 {
		return math.Ln2 + logChoose(a-1, k-1) + logChoose(b-1, k-1) - logChoose(a+b, a)
	}
	x := logChoose(a-1, k) + logChoose(b-1, k-1)
	y := logChoose(a-1, k-1) + logChoose(b-1, k)
	return floats.LogSumExp([]float64{x, y}) - logChoose(a+b, a)
}

// logChoose returns the logarithm of n over k, -Inf if k is out of range.
func logChoose(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	return combin.LogGeneralizedBinomial(float64(n), float64(k))
}

// Lag1 returns the lag-1 autocorrelation, r = sum (x_i - m)(x_(i+1) - m) / sum (x - m)², with the
// two-sided p of no correlation: r is compared with the normal distribution of mean -1/n and
// variance (n-2)²/(n²(n-1)), which keeps the level from eight values on. Tests without these
// moments (n r², or Ljung and Box's) hardly ever detect a positive correlation in so few values.
// Source: Dufour and Roy 1985.
func Lag1(xs []float64) (r, p float64, err error) {
	mean, d, err := centre(xs)
	if err := cmp.Or(check(xs, 0.5, 4), err); err != nil {
		return 0, 0, fmt.Errorf("correlation of neighbours: %w", err)
	}
	largest := floats.Norm(d, math.Inf(1))
	if !(largest > 1e-15*math.Abs(mean)) {
		return 0, 0, fmt.Errorf("correlation of neighbours: %w: all values are the same", errSpread)
	}
	for i := range d {
		d[i] /= largest // so that no square overflows
	}
	r = floats.Dot(d[1:], d[:len(d)-1]) / floats.Dot(d, d)
	n := float64(len(xs))
	z := (r + 1/n) * n * math.Sqrt(n-1) / (n - 2)
	return r, min(1, 2*normalTail(math.Abs(z))), nil
}
