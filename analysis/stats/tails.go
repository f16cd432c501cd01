package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// fTail is P(F > f) of the F distribution with d1 and d2 degrees of freedom,
// directly as I(d2/(d2 + d1 f); d2/2, d1/2). Source: Abramowitz and Stegun
// 1964, 26.6.2.
func fTail(f, d1, d2 float64) float64 {
	if f <= 0 {
		return 1
	}
	odds := f * d1 / d2
	return incompleteBeta(d2/2, d1/2, 1/(1+odds), 1/(1+1/odds))
}

// chiSquareTail is P(X > x) of chi-square with df degrees of freedom, directly
// as Q(df/2, x/2). Source: Abramowitz and Stegun 1964, 26.4.19.
func chiSquareTail(x, df float64) float64 {
	if x <= 0 {
		return 1
	}
	return mathext.GammaIncRegComp(df/2, x/2)
}

// normalTail is P(Z > z) of the standard normal distribution, as
// erfc(z/sqrt 2)/2.
func normalTail(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// NormalQuantile is the z with P(Z > z) = p of a standard normal Z.
func NormalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(1-2*p) }
