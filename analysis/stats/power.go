package stats

import (
	"fmt"
	"math"
)

// powerT returns the power of a t test at alpha as a function of the noncentrality
// ncp = delta/se: P(T' > t(df; alpha)) for Greater, and P(|T'| > t(df; alpha/2)) for
// TwoSided. It is NaN where there is no such test.
func powerT(df, alpha float64, alt Alternative) func(ncp float64) float64 {
	if alt == TwoSided {
		t := TQuantile(alpha/2, df)
		return func(ncp float64) float64 { return min(1, noncentralTTail(t, df, ncp)+noncentralTTail(t, df, -ncp)) }
	}
	t := TQuantile(alpha, df)
	return func(ncp float64) float64 { return noncentralTTail(t, df, ncp) }
}

// Detectable is the smallest true |delta| that a two-sided t test at alpha
// finds with the given power, in the unit of se; with Greater, the smallest true value
// above 0 that a one-sided test shows to be above 0. For pairs, se = sd/sqrt(n) and
// df = n-1; for two samples, se = sd sqrt(2/n) and df = 2n-2.
func Detectable(se, df, alpha, power float64, alt Alternative) (float64, error) {
	if err := checkPower(alpha, power); err != nil {
		return 0, err
	}
	if err := finite(se, df); err != nil {
		return 0, err
	}
	if se < 0 || df < leastDF {
		return 0, fmt.Errorf("%w: a standard error of %v with %v degrees of freedom", ErrNotPositive, se, df)
	}
	if power <= alpha {
		return 0, nil // any test reaches this power
	}
	chance := powerT(df, alpha, alt)
	missing := func(ncp float64) float64 { return chance(ncp) - power }
	high := 4.0
	for missing(high) < 0 {
		if high *= 2; high > 1e300 {
			return 0, fmt.Errorf("detectable effect: %w", ErrNotFinite)
		}
	}
	delta := se * root(missing, 0, high)
	return delta, finite(delta)
}

func checkPower(alpha, power float64) error {
	if !(alpha > 0 && alpha < 1) || !(power > 0 && power < 1) {
		return fmt.Errorf("%w: alpha is %v, the power %v", errLevel, alpha, power)
	}
	return nil
}

// SteinSize is the number of values with which the half-width of a mean's interval at
// 1 - alpha is at most halfWidth, from the standard deviation sd of a pilot:
// max(pilot, ceil((t(pilot-1; alpha) sd/halfWidth)²)). It holds for any true standard
// deviation, as long as the final interval uses the pilot's sd and degrees of
// freedom. Source: Stein 1945.
func SteinSize(sd, halfWidth float64, pilot int, alpha float64) (int, error) {
	if pilot < 2 {
		return 0, fmt.Errorf("%w: a pilot of %d", ErrTooFew, pilot)
	}
	if !(alpha > 0 && alpha < 1) {
		return 0, fmt.Errorf("%w: alpha is %v", errLevel, alpha)
	}
	if !(halfWidth > 0) || sd < 0 {
		return 0, fmt.Errorf("%w: a half-width of %v from a standard deviation of %v", ErrNotPositive, halfWidth, sd)
	}
	root := TQuantile(alpha/2, float64(pilot-1)) * sd / halfWidth
	wanted := math.Ceil(root * root)
	if err := finite(wanted); err != nil {
		return 0, err
	}
	if wanted >= math.MaxInt64 {
		return 0, fmt.Errorf("%w: %v values would be needed", ErrNotFinite, wanted)
	}
	return max(pilot, int(wanted)), nil
}

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
