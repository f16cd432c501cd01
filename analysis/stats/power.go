package stats

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// powerT returns the power of a t test at alpha as a function of the noncentrality ncp = delta/se:
// P(T' > t(df; alpha)) for Greater, and P(|T'| > t(df; alpha/2)) for TwoSided. It is NaN if there
// is no such test.
func powerT(df, alpha float64, alt Alternative) func(ncp float64) float64 {
	if alt == TwoSided {
		t := TQuantile(alpha/2, df)
		return func(ncp float64) float64 { return min(1, noncentralTTail(t, df, ncp)+noncentralTTail(t, df, -ncp)) }
	}
	t := TQuantile(alpha, df)
	return func(ncp float64) float64 { return noncentralTTail(t, df, ncp) }
}

// Detectable returns the smallest true |delta| that a two-sided t test at alpha detects with the
// given power, in the unit of se; with Greater, the smallest true value above 0 that a one-sided
// test shows to be above 0. For pairs, se = sd/sqrt(n) and df = n-1; for two samples, se = sd
// sqrt(2/n) and df = 2n-2.
func Detectable(se, df, alpha, power float64, alt Alternative) (float64, error) {
	switch err := cmp.Or(checkPower(alpha, power), finite(se, df)); {
	case err != nil:
		return 0, err
	case se < 0 || df < leastDF:
		return 0, fmt.Errorf("%w: a standard error of %v with %v degrees of freedom", ErrNotPositive, se, df)
	case power <= alpha:
		return 0, nil // any test reaches this power
	}
	excess := missing(powerT(df, alpha, alt), power)
	units, found := secant(excess, nearDetectable(df, alpha, power, alt))
	if !found {
		low, high := 0.0, 4.0
		for excess(high) < 0 {
			if low, high = high, 2*high; high > 1e300 {
				return 0, fmt.Errorf("detectable effect: %w", ErrNotFinite)
			}
		}
		units = root(excess, low, high)
	}
	delta := se * units
	return delta, finite(delta)
}

// nearDetectable returns about what [Detectable] returns in units of se: there the noncentral t is nearly a
// t whose center has moved. Of usual tests it is off by less than 3 %.
func nearDetectable(df, alpha, power float64, alt Alternative) float64 {
	if alt == TwoSided {
		alpha /= 2
	}
	return TQuantile(alpha, df) + TQuantile(1-power, df)
}

// missing returns a function for root-finding: the excess of chance over the wanted power, or 0
// when close enough to stop; the power itself is chosen to one digit.
func missing(chance func(float64) float64, power float64) func(float64) float64 {
	const enough = 1e-12
	return func(x float64) float64 {
		if above := chance(x) - power; !(math.Abs(above) < enough) {
			return above
		}
		return 0
	}
}

func checkPower(alpha, power float64) error {
	if !(alpha > 0 && alpha < 1) || !(power > 0 && power < 1) {
		return fmt.Errorf("%w: alpha is %v, the power %v", errLevel, alpha, power)
	}
	return nil
}

// SteinSize returns the number of values for which the half-width of a mean's interval at 1 - alpha
// is at most halfWidth, from the standard deviation sd of a pilot: max(pilot, ceil((t(pilot-1;
// alpha) sd/halfWidth)²)). It holds for any true standard deviation, as long as the final interval
// uses the pilot's sd and degrees of freedom. Source: Stein 1945.
func SteinSize(sd, halfWidth float64, pilot int, alpha float64) (int, error) {
	root := TQuantile(alpha/2, float64(pilot-1)) * sd / halfWidth
	wanted := math.Ceil(root * root)
	switch err := finite(wanted); {
	case pilot < 2:
		return 0, fmt.Errorf("%w: a pilot of %d", ErrTooFew, pilot)
	case !(alpha > 0 && alpha < 1):
		return 0, fmt.Errorf("%w: alpha is %v", errLevel, alpha)
	case !(halfWidth > 0) || sd < 0:
		return 0, fmt.Errorf("%w: a half-width of %v from a standard deviation of %v", ErrNotPositive, halfWidth, sd)
	case err != nil:
		return 0, err
	case wanted >= math.MaxInt64:
		return 0, fmt.Errorf("%w: %v values would be needed", ErrNotFinite, wanted)
	}
	return max(pilot, int(wanted)), nil
}

// exactEvents is the number of events up to which the power of the exact test is summed exactly;
// beyond, the normal approximation is as good.
const exactEvents = 200

// DetectableRate returns the smallest rate above base that the exact test of [CompareRates] detects
// with the given power at a two-sided alpha, if its arm has exposure sa, and the arm of rate base
// has sb. The power is summed over all counts up to about 200 expected events; beyond, the rates
// are treated as normal: r - base = (z(alpha/2) + z(1-power)) sqrt(r/sa + base/sb).
func DetectableRate(base, sa, sb, alpha, power float64) (float64, error) {
	switch err := cmp.Or(checkPower(alpha, power), finite(sa+sb, base*sb, sb/sa, sa/sb)); {
	case !(sa > 0) || !(sb > 0) || !(base >= 0):
		return 0, fmt.Errorf("%w: exposures of %v and %v, a rate of %v", ErrNotPositive, sa, sb, base)
	case err != nil:
		return 0, err
	case power <= alpha:
		return base, nil
	}
	z := TQuantile(alpha/2, math.Inf(1)) + TQuantile(1-power, math.Inf(1))
	half := z * z / sa / 2 // half of the linear term of the quadratic equation in r - base
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
	r = root(missing(p.at, power), base, high)
	return r, finite(r)
}

// ratePower computes the power of the exact test: critical[n] is the smallest count that the test
// rejects, of n events.
type ratePower struct {
	sa, base, chance, alpha float64
	critical                []float64
}

// at returns the power at rate r.
func (p *ratePower) at(r float64) float64 {
	mean := r*p.sa + p.base
	if mean == 0 {
		return 0
	}
	chance, sum := r*p.sa/mean, 0.0
	reach := 10*math.Sqrt(mean) + 20
	for n := math.Floor(max(0, mean-reach)); n <= mean+reach; n++ {
		if c := p.least(int(n)); c <= n {
			sum += distuv.Poisson{Lambda: mean}.Prob(n) * binomial{n, chance, p.base / mean}.atLeast(c)
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

// leastDF is the smallest number of degrees of freedom for a noncentral t; t tests have at least
// one.
const leastDF = 1e-3

// noncentralTTail returns P(T' > t) of the noncentral t distribution with df degrees of freedom, T'
// = (Z + ncp)/S with S = sqrt(chi²(df)/df): the integral over S of P(Z > t S - ncp). All its terms
// are positive, so that far tails keep their digits; the series of Lenth 1989 (AS 243) loses them
// there, and fails beyond an ncp of 37. It returns NaN if there is no such distribution.
func noncentralTTail(t, df, ncp float64) float64 {
	switch {
	case math.IsNaN(t) || math.IsNaN(ncp) || math.IsInf(ncp, 0) || !(df >= leastDF):
		return math.NaN()
	case math.IsInf(t, 0):
		return pointTail(t)
	case df > 1e16:
		return normalTail(t - ncp)
	}
	g := noncentral{t, df, ncp}
	if ncp > 12 && t > 3*math.Sqrt(2*df+1) {
		return min(1, g.overNormal())
	}
	return min(1, g.integral())
}

// overNormal computes the same probability as the integral over Z of P(S < (Z + ncp)/t). If t is
// large compared with the spread of S, P(Z > t S - ncp) falls so steeply that steps over S would
// miss it; over Z the integrand is smooth, as long as Z + ncp, which must be positive, is far from
// 0.
func (g noncentral) overNormal() float64 {
	const step, reach = 0.05, 40.0
	sum := 0.0
	for z := max(-reach, -g.ncp+step); z <= reach; z += step {
		s := (z + g.ncp) / g.t
		sum += math.Exp(-z*z/2) * mathext.GammaIncReg(g.df/2, g.df*s*s/2)
	}
	return sum * step / math.Sqrt(2*math.Pi)
}

// pointTail returns the upper tail at t of a point mass at 0.
func pointTail(t float64) float64 {
	if t > 0 {
		return 0
	}
	return 1
}

// noncentral is the integrand over u = log S. It has a single peak and falls fast on both sides, so
// the trapezoidal rule converges exponentially.
type noncentral struct{ t, df, ncp float64 }

// log returns the logarithm of the density of u times P(Z > t e^u - ncp).
func (g noncentral) log(u float64) float64 {
	return g.df*(u-math.Expm1(2*u)/2) + logNormalTail(g.t*math.Exp(u)-g.ncp)
}

// rises reports whether the peak lies right of u, from the sign of the slope.
func (g noncentral) rises(u float64) bool {
	s := math.Exp(u)
	z := g.t*s - g.ncp
	return g.df*(1/s-s) > g.t*hazard(z)
}

// narrow returns a lower bound of the width of the peak, from its two factors: the density of u is
// about 1/sqrt(2 df) wide, and the normal tail falls over a width of about 1/t.
func (g noncentral) narrow() float64 {
	return 1 / (1 + math.Sqrt(2*g.df) + math.Abs(g.t) + math.Abs(g.ncp))
}

// peak returns the u of the peak, accurate to a small part of its width, which suffices.
func (g noncentral) peak() float64 {
	low, high := -1.0, 1.0
	for low > -700 && !g.rises(low) {
		low *= 2
	}
	for high < 700 && g.rises(high) {
		high *= 2
	}
	halvings := math.Log2((high - low) / g.narrow())
	low, _ = Bisect(low, high, min(60, 5+int(halvings)), g.rises)
	return low
}

// integral computes the probability by the trapezoidal rule.
func (g noncentral) integral() float64 {
	peak := g.peak()
	top := g.log(peak)
	if !(top > -2000) {
		return 0 // below 1e-308
	}
	low, high := g.end(peak, top, -1), g.end(peak, top, 1)
	// The error of the rule is exp(-2π d/h) for steps of h and an integrand analytic in |Im u| < d
	// = π/4: steps are at most 0.1, and at most two thirds of the width of the normal tail's slope.
	// If the peak is normal, 60 steps are a third of its standard deviation each.
	n := math.Ceil(max(60, (high-low)/0.1, (high-low)*math.Abs(g.ncp)*1.5))
	if !(n <= 1e6) {
		// Z is negligible compared with t S and ncp.
		r := g.ncp / g.t
		x := min(g.df/2*r*r, 1e300)
		switch {
		case g.t == 0:
			return normalTail(-g.ncp)
		case r <= 0:
			return pointTail(g.t)
		case g.t > 0:
			return mathext.GammaIncReg(g.df/2, x)
		}
		return mathext.GammaIncRegComp(g.df/2, x)
	}
	h := (high - low) / n
	sum := 0.0
	for i := range int(n) + 1 {
		sum += math.Exp(g.log(low+float64(i)*h) - top)
	}
	// The constant of the density of log S: log(2 a^a e^-a / Γ(a)), a = df/2.
	logChiConstant := math.Ln2 + math.Log(g.df/(4*math.Pi))/2 - stirling(g.df/2)
	return sum * h * math.Exp(top+logChiConstant)
}

// end returns the u on one side of the peak where the integrand has fallen to e^-42 of its maximum.
func (g noncentral) end(peak, top, side float64) float64 {
	inside := func(step float64) bool { return g.log(peak+side*step) > top-42 }
	last, step := 0.0, g.narrow()
	for inside(step) {
		last, step = step, 2*step
	}
	_, step = Bisect(last, step, 6, inside)
	return peak + side*step
}

// farOut is the z from which the normal tail is computed from Mills' ratio: there its logarithm and
// its density would cancel.
const farOut = 30

// hazard returns the density of Z at z divided by P(Z > z); far out as the inverse of Mills' ratio,
// by its continued fraction (Laplace).
func hazard(z float64) float64 {
	if z < farOut {
		return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / normalTail(z)
	}
	h := z
	for k := 30.0; k > 0; k-- {
		h = z + k/h
	}
	return h
}

// logNormalTail returns log P(Z > z), also if the tail is below 1e-308.
func logNormalTail(z float64) float64 {
	if z < farOut {
		return math.Log(normalTail(z))
	}
	return -z*z/2 - math.Log(2*math.Pi)/2 - math.Log(hazard(z))
}
