package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// leastDF is the smallest number of degrees of freedom that a noncentral t is
// computed for: a t test has one or more.
const leastDF = 1e-3

// noncentralTTail is P(T' > t) of the noncentral t distribution with df degrees
// of freedom, T' = (Z + ncp)/S with S = sqrt(chi²(df)/df): the integral
// over S of P(Z > t S - ncp). All its terms are positive, so that far tails keep
// their digits; the series of Lenth 1989 (AS 243) loses them there, and ends at an
// ncp of 37. It is NaN where there is no such distribution.
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

// overNormal is the same probability as the integral over Z of P(S < (Z +
// ncp)/t). Where t is large compared with the spread of S, P(Z > t S - ncp) falls so
// steeply that steps over S would miss it; over Z the integrand is smooth, as long as
// Z + ncp, which must be positive, is far from 0.
func (g noncentral) overNormal() float64 {
	const step, reach = 0.05, 40.0
	sum := 0.0
	for z := max(-reach, -g.ncp+step); z <= reach; z += step {
		s := (z + g.ncp) / g.t
		sum += math.Exp(-z*z/2) * mathext.GammaIncReg(g.df/2, g.df*s*s/2)
	}
	return sum * step / math.Sqrt(2*math.Pi)
}

// pointTail is the upper tail at t of a point mass at 0.
func pointTail(t float64) float64 {
	if t > 0 {
		return 0
	}
	return 1
}

// noncentral is the integrand over u = log S. It has a single peak and falls fast on
// both sides, so that the trapezoidal rule converges exponentially.
type noncentral struct{ t, df, ncp float64 }

// log is the logarithm of the density of u times P(Z > t e^u - ncp).
func (g noncentral) log(u float64) float64 {
	return g.df*(u-math.Expm1(2*u)/2) + logNormalTail(g.t*math.Exp(u)-g.ncp)
}

// rises reports whether the peak lies right of u, from the sign of the slope.
func (g noncentral) rises(u float64) bool {
	s := math.Exp(u)
	z := g.t*s - g.ncp
	return g.df*(1/s-s) > g.t*hazard(z)
}

// peak is the u of the peak.
func (g noncentral) peak() float64 {
	low, high := -1.0, 1.0
	for low > -700 && !g.rises(low) {
		low *= 2
	}
	for high < 700 && g.rises(high) {
		high *= 2
	}
	for range 60 {
		if mid := (low + high) / 2; g.rises(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// integral is the probability by the trapezoidal rule.
func (g noncentral) integral() float64 {
	peak := g.peak()
	top := g.log(peak)
	if !(top > -2000) {
		return 0 // below 1e-308
	}
	low, high := g.end(peak, top, -1), g.end(peak, top, 1)
	// Steps are at most 0.04, since the integrand is analytic where |Im u| < π/4, and
	// at most two thirds of the width of the normal distribution's slope.
	n := math.Ceil(max(120, (high-low)/0.04, (high-low)*math.Abs(g.ncp)*1.5))
	if !(n <= 1e6) {
		return g.steep()
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

// steep is the integral where Z is negligible beside t S and ncp.
func (g noncentral) steep() float64 {
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

// end is the u on one side of the peak where the integrand has fallen to e^-42 of
// its top.
func (g noncentral) end(peak, top, side float64) float64 {
	inside, step := 0.0, 1e-9
	for g.log(peak+side*step) > top-42 {
		inside, step = step, 2*step
	}
	for range 6 {
		if mid := (inside + step) / 2; g.log(peak+side*mid) > top-42 {
			inside = mid
		} else {
			step = mid
		}
	}
	return peak + side*step
}

// farOut is the z from which the normal tail is taken from Mills' ratio: there its
// logarithm and its density would cancel.
const farOut = 30

// hazard is the density of Z at z divided by P(Z > z); far out 1 over Mills'
// ratio, by its continued fraction (Laplace).
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

// logNormalTail is log P(Z > z), also where the tail is below 1e-308.
func logNormalTail(z float64) float64 {
	if z < farOut {
		return math.Log(normalTail(z))
	}
	return -z*z/2 - math.Log(2*math.Pi)/2 - math.Log(hazard(z))
}
