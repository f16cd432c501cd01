package history

import (
	"math"

	"moobench/analysis/stats"
)

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
