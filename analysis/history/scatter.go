package history

import (
	"math"

	"moobench/analysis/stats"
	"moobench/results"
)

// mean of values; of none NaN.
func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// scatter is the sum of squares about the mean; 0 of none.
func scatter(xs []float64) float64 {
	m, ss := mean(xs), 0.0
	for _, x := range xs {
		ss += (x - m) * (x - m)
	}
	return ss
}

// pool is the scatter of several groups of nights.
type pool struct {
	ss, df    float64
	within, n float64 // sum of the squared standard errors, and how many
}

// about adds nights that scatter about their own mean.
func (p *pool) about(xs, ses []float64) {
	p.add(scatter(xs), float64(len(xs)-1), ses)
}

func (p *pool) add(ss, df float64, ses []float64) {
	p.ss += ss
	p.df += df
	for _, se := range ses {
		p.within += se * se
		p.n++
	}
}

// scatter is what the nights differ by.
func (p *pool) scatter() *results.Scatter {
	return &results.Scatter{SD: math.Sqrt(p.ss / p.df), DF: p.df, Within: math.Sqrt(p.within / p.n)}
}

// faroff is from how many robust standard deviations on a night of a level is far
// off; gaussian makes the median absolute deviation one.
const (
	faroff   = 3.5
	gaussian = 1.4826
)

// typical are the values of a level without the nights that are far off, with their
// standard errors. One night in twenty that is off by five standard deviations
// would else make the scatter of all the others half as large again, and hide what
// changes. It is Hampel's identifier: farther from the median than 3.5 times the
// scaled median absolute deviation. Source: Davies and Gather 1993. Where half of
// the nights are equal, all are kept.
func typical(xs, ses []float64) (kept, keptSEs []float64) {
	middle, err := stats.Median(xs)
	if err != nil {
		return xs, ses
	}
	off := make([]float64, len(xs))
	for i, x := range xs {
		off[i] = math.Abs(x - middle)
	}
	mad, err := stats.Median(off)
	if err != nil || mad == 0 {
		return xs, ses
	}
	for i, x := range xs {
		if off[i] <= faroff*gaussian*mad {
			kept, keptSEs = append(kept, x), append(keptSEs, ses[i])
		}
	}
	return kept, keptSEs
}
