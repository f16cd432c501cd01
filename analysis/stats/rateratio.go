package stats

import (
	"fmt"
	"math"
)

// RateTest compares two rates. Ratio is the first rate over the second, infinite
// when only the first has events; then so is the upper bound.
type RateTest struct {
	Ratio    float64
	Interval Interval
	P        float64
}

// mostEvents is the most events on one side; the time taken grows with its root.
const mostEvents = 1 << 36

// RateRatio compares k1 events in the exposure s1 with k2 in s2 exactly: given
// k1+k2, k1 is binomial with the chance s1/(s1+s2) when the rates are the same.
// The interval is Clopper and Pearson's, as odds times s2/s1; the two-sided p is
// the sum of the probabilities of all counts that are at most as probable.
// ErrTooFew when there is no event at all.
// Source: Przyborowski and Wilenski 1940; as R's poisson.test.
func RateRatio(k1 int64, s1 float64, k2 int64, s2 float64, alt Alternative, level float64) (RateTest, error) {
	for _, err := range []error{checkCount(k1, s1), checkCount(k2, s2), checkLevel(level), alt.check()} {
		if err != nil {
			return RateTest{}, err
		}
	}
	if k1 == 0 && k2 == 0 {
		return RateTest{}, fmt.Errorf("%w: no event on either side has no ratio", ErrTooFew)
	}
	if max(k1, k2) > mostEvents {
		return RateTest{}, fmt.Errorf("%w: more than %d events are beyond exact arithmetic", ErrNotFinite, int64(mostEvents))
	}
	a, b, scale := float64(k1), float64(k2), s2/s1
	if err := finite(scale, 1/scale, s1+s2); err != nil {
		return RateTest{}, err
	}
	t := RateTest{Ratio: math.Inf(1), Interval: Interval{0, math.Inf(1), level}}
	if k2 > 0 {
		t.Ratio = a / b * scale
	}
	if alt != Less && k1 > 0 {
		t.Interval.Low = leastOdds(a, b, alt.tail(level)) * scale
	}
	if alt != Greater && k2 > 0 {
		t.Interval.High = scale / leastOdds(b, a, alt.tail(level))
	}
	t.P = binomial{a + b, s1 / (s1 + s2), s2 / (s1 + s2)}.p(a, alt)
	return t, nil
}

// leastOdds are the odds with which a or more of a+b have the given chance.
func leastOdds(a, b, chance float64) float64 {
	excess := func(logOdds float64) float64 {
		x, y := 1/(1+math.Exp(-logOdds)), 1/(1+math.Exp(logOdds))
		return math.Log(incompleteBeta(a, b+1, x, y) / chance)
	}
	high := math.Log(a / (b + 0.5))
	for step := 1.0; excess(high) < 0; step *= 2 {
		high += step
	}
	low := high - 1
	for step := 1.0; excess(low) > 0; step *= 2 {
		low -= step
	}
	return math.Exp(root(excess, low, high))
}

// binomial is the number of n with the chance p each; q is 1-p.
type binomial struct{ n, chance, rest float64 }

func (d binomial) atLeast(k float64) float64 {
	if k <= 0 {
		return 1
	}
	if k > d.n {
		return 0
	}
	return incompleteBeta(k, d.n-k+1, d.chance, d.rest)
}

func (d binomial) atMost(k float64) float64 {
	return binomial{d.n, d.rest, d.chance}.atLeast(d.n - k)
}

func (d binomial) log(k float64) float64 {
	switch k {
	case 0:
		return d.n * math.Log(d.rest)
	case d.n:
		return d.n * math.Log(d.chance)
	}
	return logBetaKernel(k, d.n-k, d.chance, d.rest) + math.Log(d.n/k/(d.n-k))
}

// p is the p of the count k.
func (d binomial) p(k float64, alt Alternative) float64 {
	switch alt {
	case Less:
		return d.atMost(k)
	case Greater:
		return d.atLeast(k)
	}
	mean := d.n * d.chance
	switch {
	case k > mean: // the other way round
		return binomial{d.n, d.rest, d.chance}.p(d.n-k, alt)
	case k == mean:
		return 1
	}
	// Counts as probable but for rounding count as equal.
	bound, low, high := d.log(k)+1e-7, math.Ceil(mean), d.n+1
	for low < high {
		if mid := math.Floor((low + high) / 2); d.log(mid) <= bound {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return min(1, d.atMost(k)+d.atLeast(high))
}
