package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Modes are two groups of values, a faster and a slower one.
type Modes struct {
	Slow           []bool // whether a value is in the slower group, in the order of the values
	Faster, Slower int    // numbers of values in the groups
	// FastMean and SlowMean are the groups' means; Within is the standard deviation
	// about them, sqrt(W/(n-2)), W the sum of squares within the groups.
	FastMean, SlowMean, Within float64
	// Ratio is T/W, where T is the sum of squares about the common mean. Critical is the value it
	// must exceed.
	Ratio, Critical float64
}

const (
	// modesLeast is the least number of values: fewer form groups by chance.
	modesLeast = 8
	// modesGroup is the least size of a group. A single outlier indicates a heavy tail.
	modesGroup = 2
	// modesNoise is the least distance of the groups in standard errors of one value.
	modesNoise = 5
)

// modesCritical lists critical values that T/W of n values exceeds in at most 1 % of samples of one
// mode: the largest of the 99 % quantiles of normal, uniform, exponential, t3, and lognormal (sigma
// 0.5 and 1) values and of a normal AR(.6), from 100,000 samples each (30,000 from 40 values on),
// rounded up. Between the sizes, interpolation on log scales overestimates, because the curve is
// convex. TestOneModeIsSeldomTwo checks them.
var modesCritical = []struct{ n, ratio float64 }{
	{8, 33.5}, {10, 24}, {15, 16.3}, {20, 13}, {30, 9.8}, {60, 6.6}, {100, 5.5}, {200, 5},
}

// TwoModes splits values into two groups of at least two values each, with the smallest sum of
// squares within groups. found reports that at most 1 % of samples of one mode have so clear a
// split, including heavy tails, skew and correlation. noise is the standard error of one value from
// its own samples (batches), 0 if unknown: groups less than five times noise apart are no modes. It
// returns ErrTooFew for fewer than eight values. Sources: Engelman and Hartigan 1969 (the
// statistic); calibrated by simulation.
func TwoModes(xs []float64, noise float64) (m Modes, found bool, err error) {
	n, sorted := len(xs), slices.Sorted(slices.Values(xs))
	_, d, err := centre(sorted)
	all := floats.Dot(d, d)
	switch err := cmp.Or(finite(noise), err); {
	case n < modesLeast:
		return Modes{}, false, fmt.Errorf("modes: %w: %d, and %d are needed", ErrTooFew, n, modesLeast)
	case err != nil:
		return Modes{}, false, fmt.Errorf("modes: %w", err)
	case !(all > 0) || !Finite(all):
		return Modes{}, false, fmt.Errorf("modes: %w", errSpread)
	}
	within, at := math.Inf(1), 0
	for k := modesGroup; k <= n-modesGroup; k++ {
		if w := scatter(d[:k]) + scatter(d[k:]); w < within {
			within, at = w, k
		}
	}
	within += float64(n) * sheppard(sorted)
	m = Modes{
		Slow: make([]bool, n), Faster: at, Slower: n - at,
		Critical: criticalModes(float64(n)), Within: math.Sqrt(within / float64(n-2)),
	}
	for i, x := range xs {
		m.Slow[i] = x >= sorted[at]
	}
	m.FastMean, _ = Mean(sorted[:at]) // no sum overflows, because that of all didn't
	m.SlowMean, _ = Mean(sorted[at:])
	// Without scatter within the groups the ratio would be infinite.
	m.Ratio = all / max(within, 1e-12*all)
	tied := sorted[at-1] == sorted[at]
	return m, !tied && m.Ratio > m.Critical && m.SlowMean-m.FastMean > modesNoise*noise, nil
}

// sheppard returns the variance hidden by rounding, for ascending values: that of a uniform
// distribution over the smallest step between them, if some are equal; 0 if none are, because then
// the values are not rounded. Source: Sheppard 1898.
func sheppard(sorted []float64) float64 {
	step := Step(sorted)
	return step * step / 12
}

// Step returns the smallest distance between different ascending values, if some are equal; 0 if
// none or all are.
func Step(sorted []float64) float64 {
	step, alike := math.Inf(1), false
	for i := 1; i < len(sorted); i++ {
		if d := sorted[i] - sorted[i-1]; d > 0 {
			step = min(step, d)
		} else {
			alike = true
		}
	}
	if !alike || math.IsInf(step, 1) {
		return 0
	}
	return step
}

// scatter returns the sum of squares about the mean.
func scatter(d []float64) float64 { return float64(len(d)-1) * stat.Variance(d, nil) }

// criticalModes interpolates modesCritical.
func criticalModes(n float64) float64 {
	last := modesCritical[len(modesCritical)-1]
	if n >= last.n {
		return last.ratio
	}
	i := 1
	for modesCritical[i].n < n {
		i++
	}
	a, b := modesCritical[i-1], modesCritical[i]
	return a.ratio * math.Pow(b.ratio/a.ratio, math.Log(n/a.n)/math.Log(b.n/a.n))
}

// Spread returns the largest standard deviation of a mixture of these two modes, given the
// uncertainty of their shares: sqrt(Within² + p(1-p) d²), where d is the distance of the means, and
// p the share in its exact two-sided interval at the level (Clopper and Pearson 1934) that
// maximises it.
func (m Modes) Spread(level float64) (float64, error) {
	if err := checkLevel(level); err != nil {
		return 0, fmt.Errorf("spread of modes: %w", err)
	}
	tail := (1 - level) / 2
	few, n := float64(min(m.Faster, m.Slower)), float64(m.Faster+m.Slower)
	// At the upper bound, at most few have probability tail. few is at most half, so 1/2 is the
	// worst share if it lies inside.
	p := root(func(p float64) float64 { return tail - binomial{n, p, 1 - p}.atMost(few) }, few/n, 0.5)
	d := m.SlowMean - m.FastMean
	return math.Sqrt(m.Within*m.Within + p*(1-p)*d*d), nil
}

// Unseen returns the largest share of JVMs that a mode may have without showing up among n of them:
// a mode with a larger share is missed with a probability below alpha. It is the exact upper bound
// of a proportion observed as 0 of n, the p that solves (1-p)^n = alpha: 1 - alpha^(1/n). With
// alpha 0.05 it is 0.26 for ten, 0.14 for twenty, 0.095 for thirty; "the rule of three" says 3/n.
// It returns ErrTooFew below one, errLevel if alpha is not between 0 and 1. Sources: Clopper and
// Pearson 1934; Hanley and Lippman-Hand 1983.
func Unseen(n int, alpha float64) (share float64, err error) {
	if n < 1 {
		return 0, fmt.Errorf("unseen mode: %w: %d", ErrTooFew, n)
	}
	if err := checkLevel(alpha); err != nil {
		return 0, fmt.Errorf("unseen mode: %w", err)
	}
	return -math.Expm1(math.Log(alpha) / float64(n)), nil
}
