package stats

import (
	"fmt"
	"math"
)

// exactEvents is the number of events up to which the power of the exact test is
// summed up; with more the normal distribution is as good.
const exactEvents = 200

// DetectableRate is the smallest rate above base that the exact test of [CompareRates]
// finds with the given power at a two-sided alpha, when the arm of that rate has the
// exposure sa, and that of the rate base has sb. The power is summed over all counts up
// to about 200 expected events; of more the rates are taken for normal:
// r - base = (z(alpha/2) + z(1-power)) sqrt(r/sa + base/sb).
func DetectableRate(base, sa, sb, alpha, power float64) (float64, error) {
	if err := checkPower(alpha, power); err != nil {
		return 0, err
	}
	if !(sa > 0) || !(sb > 0) || !(base >= 0) {
		return 0, fmt.Errorf("%w: exposures of %v and %v, a rate of %v", ErrNotPositive, sa, sb, base)
	}
	if err := finite(sa+sb, base*sb, sb/sa, sa/sb); err != nil {
		return 0, err
	}
	if power <= alpha {
		return base, nil
	}
	z := TQuantile(alpha/2, math.Inf(1)) + TQuantile(1-power, math.Inf(1))
	half := z * z / sa / 2 // of the quadratic equation in r - base
	r := base + half + math.Sqrt(half*half+z*z*(base/sa+base/sb))
	switch err := finite(r); {
	case err != nil:
		return 0, err
	case !(r*sa > base*sa):
		return 0, fmt.Errorf("detectable rate: %w", ErrNotFinite) // it underflowed
	case r*sa+base*sb > exactEvents:
		return r, nil
	}
	p := ratePower{sa: sa, base: base * sb, chance: sa / (sa + sb), alpha: alpha / 2}
	high := r
	for ; p.at(high) < power; high *= 2 {
		if high*sa > 1e4 { // the exposures are too unequal for so few events
			return 0, fmt.Errorf("detectable rate: %w: exposures of %v and %v", ErrTooFew, sa, sb)
		}
	}
	r = root(func(r float64) float64 { return p.at(r) - power }, base, high)
	return r, finite(r)
}

// ratePower computes the power of the exact test: critical[n] is the least count of
// n events that the test rejects.
type ratePower struct {
	sa, base, chance, alpha float64
	critical                []float64
}

// at is the power at the rate r.
func (p *ratePower) at(r float64) float64 {
	mean := r*p.sa + p.base
	if mean == 0 {
		return 0
	}
	chance, sum := r*p.sa/mean, 0.0
	reach := 10*math.Sqrt(mean) + 20
	for n := math.Floor(max(0, mean-reach)); n <= mean+reach; n++ {
		c := p.least(int(n))
		logN, _ := math.Lgamma(n + 1)
		if c <= n {
			sum += math.Exp(n*math.Log(mean)-mean-logN) * binomial{n, chance, p.base / mean}.atLeast(c)
		}
	}
	return sum
}

// least returns critical[n]. It rises by at most one with each further event.
func (p *ratePower) least(n int) float64 {
	for m := len(p.critical); m <= n; m++ {
		c := 0.0
		if m > 0 {
			c = p.critical[m-1]
		}
		for c <= float64(m) && (binomial{float64(m), p.chance, 1 - p.chance}).atLeast(c) > p.alpha {
			c++
		}
		p.critical = append(p.critical, c)
	}
	return p.critical[n]
}
