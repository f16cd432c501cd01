package stats

import (
	"fmt"
	"math"
)

// Components are the variances within invocations and between them, in this
// order, and the mean with its interval. Source: Kalibera and Jones 2013.
type Components struct {
	// Mean is the unweighted mean of the means, so that a longer window has no
	// more weight; N is the number of invocations.
	Mean float64
	N    int
	// S2 are the biased estimates: the mean of the variances within, and the
	// variance of the means.
	S2 []float64
	// T2 are the unbiased estimates of what each level adds. They may be negative
	// where a level adds little.
	T2 []float64
	// ICC is the share of the second in the sum of T2, negative ones taken for 0;
	// 0 when nothing varies.
	ICC float64
	// Interval is Mean ± t(N-1; level) sqrt(S2/N), the second S2.
	Interval Interval
}

// TwoLevelsFromMoments estimates the variance between invocations and within
// them, from the mean, variance (with r-1) and count r of the samples (or batch
// means) of each: S1² is the mean of the variances within, S2² that of the means;
// T1² = S1², T2² = S2² - mean(s_i²/r_i), which is S1²/r where all invocations have
// r samples.
func TwoLevelsFromMoments(means, variances []float64, counts []int, level float64) (Components, error) {
	if len(means) != len(variances) || len(means) != len(counts) {
		return Components{}, fmt.Errorf("%w: %d means, %d variances, %d counts", ErrUnpaired, len(means), len(variances), len(counts))
	}
	if err := check(means, level, 2); err != nil {
		return Components{}, err
	}
	n := float64(len(means))
	within, noise := 0.0, 0.0
	for i, v := range variances {
		if counts[i] < 2 || !(v >= 0) {
			return Components{}, fmt.Errorf("invocation %d: %w: %d samples with the variance %v", i+1, ErrTooFew, counts[i], v)
		}
		within += v / n
		noise += v / float64(counts[i]) / n
	}
	s, err := SampleOf(means)
	if err != nil {
		return Components{}, err
	}
	between := s.SD * s.SD
	h := TQuantile((1-level)/2, n-1) * math.Sqrt(between/n)
	c := Components{
		Mean: s.Mean, N: s.N, S2: []float64{within, between}, T2: []float64{within, between - noise},
		Interval: Interval{s.Mean - h, s.Mean + h, level},
	}
	if sum := within + max(0, c.T2[1]); sum > 0 {
		c.ICC = max(0, c.T2[1]) / sum
	}
	return c, finite(within, between, noise, c.ICC, h, c.Interval.Low, c.Interval.High)
}

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
