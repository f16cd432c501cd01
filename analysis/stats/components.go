package stats

import (
	"fmt"
	"math"
)

// Components are the variance components of a value: Within for the samples of an invocation,
// Between for invocations, which may be negative if they add little. ICC is the share of Between in
// the sum, at least 0; 0 if nothing varies. Source: Kalibera and Jones 2013.
type Components struct {
	Within, Between, ICC float64
}

// ComponentsOf estimates the variance between invocations and within them, from the summary of the
// r samples (or batch means) of each: S1² is the mean of the variances within, S2² the variance of
// the means; Within is S1², and Between is S2² - mean(s_i²/r_i), where the last term is S1²/r if
// all invocations have r samples.
func ComponentsOf(samples []Sample) (Components, error) {
	means, n := make([]float64, len(samples)), float64(len(samples))
	var c Components
	noise := 0.0
	for i, s := range samples {
		if s.N < 2 || !(s.SD >= 0) {
			const few = "invocation %d: %w: %d samples with the standard deviation %v"
			return Components{}, fmt.Errorf(few, i+1, ErrTooFew, s.N, s.SD)
		}
		means[i] = s.Mean
		c.Within += s.SD * s.SD / n
		noise += s.SD * s.SD / float64(s.N) / n
	}
	s, err := SampleOf(means)
	if err != nil {
		return Components{}, err
	}
	c.Between = s.SD*s.SD - noise
	if sum := c.Within + max(0, c.Between); sum > 0 {
		c.ICC = max(0, c.Between) / sum
	}
	return c, finite(c.Within, c.Between, c.ICC)
}

// Variance is an estimated variance, or a multiple of one, with its degrees of freedom. It is
// negative if it is to be subtracted from others.
type Variance struct{ Value, DF float64 }

// VarianceOf returns the square of a standard error with its degrees of freedom.
func VarianceOf(se, df float64) Variance { return Variance{se * se, df} }

// Times returns a multiple of a variance, with unchanged degrees of freedom.
func (v Variance) Times(factor float64) Variance { return Variance{factor * v.Value, v.DF} }

// SE returns the square root of a variance, 0 for a negative one.
func (v Variance) SE() float64 { return math.Sqrt(max(0, v.Value)) }

// SumOfVariances adds independent variances: df = (sum v)²/(sum v²/df). If the sum is not positive,
// it is 0 with the sum of their degrees of freedom. It works with shares, so that no square over-
// or underflows. Source: Satterthwaite 1946.
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
