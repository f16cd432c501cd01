package stats

import "math"

// Variance is an estimated variance, or a multiple of one, with its degrees of
// freedom. It is negative when it is to be subtracted from others.
type Variance struct{ Value, DF float64 }

// VarianceOf is the square of a standard error with its degrees of freedom.
func VarianceOf(se, df float64) Variance { return Variance{se * se, df} }

// Times is a multiple of a variance; its degrees of freedom stay.
func (v Variance) Times(factor float64) Variance { return Variance{factor * v.Value, v.DF} }

// SE is the square root of a variance, 0 of a negative one.
func (v Variance) SE() float64 { return math.Sqrt(max(0, v.Value)) }

// SumOfVariances adds independent variances: df = (sum v)²/(sum v²/df). If the sum is
// not positive, it is 0 with the sum of their degrees of freedom. It works with shares,
// so that no square over- or underflows. Source: Satterthwaite 1946.
func SumOfVariances(vs ...Variance) Variance {
	var sum Variance
	for _, v := range vs {
		sum.Value += v.Value
		sum.DF += v.DF
	}
	if !(sum.Value > 0) {
		return Variance{0, sum.DF}
	}
	parts := 0.0
	for _, v := range vs {
		share := v.Value / sum.Value
		parts += share * share / v.DF
	}
	sum.DF = 1 / parts
	return sum
}
