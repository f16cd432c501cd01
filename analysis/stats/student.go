package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// TTail is P(T > t) of Student's t with df degrees of freedom, computed
// directly as I(df/(df+t²); df/2, 1/2)/2, so that 1e-31 is not lost in 1 - CDF.
// It is NaN if t is or df is not positive. Source: Abramowitz and
// Stegun 1964, 26.7.1.
func TTail(t, df float64) float64 {
	switch {
	case math.IsNaN(t) || !(df > 0):
		return math.NaN()
	case t < 0:
		return 1 - TTail(-t, df)
	case df > nearlyNormal:
		return math.Erfc(normalOf(t, df)/math.Sqrt2) / 2
	case t < 0.5: // here the other end of the beta integral is the exact one
		return 0.5 - mathext.RegIncBeta(0.5, df/2, t*t/(df+t*t))/2
	}
	return distuv.StudentsT{Sigma: 1, Nu: df}.Survival(t)
}

// nearlyNormal is the df from which the incomplete beta function loses digits, and
// Hill's expansion does not.
const nearlyNormal = 1e4

// normalOf is the normal deviate with the tail of t. Source: Hill 1970,
// algorithm 395.
func normalOf(t, df float64) float64 {
	if math.IsInf(df, 1) || math.IsInf(t, 1) {
		return t
	}
	a := df - 0.5
	b := 48 * a * a
	y := a * math.Log1p(t*t/df)
	if y > beyondTail {
		return math.Sqrt(y) // below, the cubes of y would overflow
	}
	z := (-0.4*y-3.3)*y - 24
	z = (z*y-85.5)/(0.8*y*y+100+b) + y + 3
	return math.Sqrt(y) * (1 + z/b)
}

// beyondTail is the square of a deviate whose tail is 0 in float64 by far: there Hill's
// correction has no meaning.
const beyondTail = 1e6

// density is that of t, to the few digits that Newton's steps need.
func density(t, df float64) float64 {
	if df <= nearlyNormal {
		return distuv.StudentsT{Sigma: 1, Nu: df}.Prob(t)
	}
	return distuv.UnitNormal.Prob(normalOf(t, df))
}

// TTwoSided is P(|T| > |t|) of Student's t with df degrees of freedom.
func TTwoSided(t, df float64) float64 { return min(1, 2*TTail(math.Abs(t), df)) }

// TQuantile is the t whose upper tail is p: TTail(TQuantile(p, df), df) = p. It
// is infinite for p at or beyond 0 and 1. Newton's steps are taken on the logarithm of
// the directly computed tail over that of t: this curve is concave, so that steps
// from above the root stay above it and can't diverge.
func TQuantile(p, df float64) float64 {
	switch {
	case math.IsNaN(p) || !(df > 0):
		return math.NaN()
	case p <= 0:
		return math.Inf(1)
	case p == 0.5:
		return 0
	case p > 0.5:
		return -TQuantile(1-p, df)
	}
	t := 1.0
	for TTail(t, df) > p && t < math.MaxFloat64/2 {
		t *= 2
	}
	for t > math.SmallestNonzeroFloat64 && TTail(t/2, df) <= p {
		t /= 2
	}
	for low, steps := t/2, 0; steps < 100; steps++ {
		tail := TTail(t, df)
		if tail == 0 { // it underflowed
			t = low + (t-low)/2
			continue
		}
		next := t * math.Exp(math.Log(tail/p)*tail/(t*density(t, df)))
		if !(next > 0) || math.Abs(next-t) <= 0x1p-52*t {
			break
		}
		t = next
	}
	return t
}
