package stats

import (
	"fmt"
	"maps"
	"slices"
)

// LackOfFit tests that the means of y at each x lie on a line up to chance, which is
// known from the scatter of the replicates at the same x: F = [(RSS - SSpe)/(m-2)] /
// [SSpe/(n-m)], with m different x, RSS of the line and SSpe of the replicates
// about their means. ErrTooFew with fewer than three x, or no replicate.
// Source: Draper and Smith 1998, 2.1.
func LackOfFit(x, y []float64) (f, df1, df2, p float64, err error) {
	line, err := fitLine(x, y)
	if err != nil {
		return 0, 0, 0, 0, fmt.Errorf("lack of fit: %w", err)
	}
	// The mean residual at an x is how far its mean lies off the line.
	groups := map[float64][]float64{}
	for i := range x {
		groups[x[i]] = append(groups[x[i]], line.e[i])
	}
	df1, df2 = float64(len(groups)-2), float64(len(x)-len(groups))
	if df1 < 1 || df2 < 1 {
		return 0, 0, 0, 0, fmt.Errorf("lack of fit: %w: %d points at %d different x", ErrTooFew, len(x), len(groups))
	}
	lack, pure := 0.0, 0.0
	for _, at := range slices.Sorted(maps.Keys(groups)) {
		mean, d, err := centre(groups[at])
		if err != nil {
			return 0, 0, 0, 0, fmt.Errorf("lack of fit: %w", err)
		}
		lack += float64(len(d)) * mean * mean
		pure += dot(d, d)
	}
	f = lack / df1 / (pure / df2)
	rounding := 1e-28 * (line.syy + line.meanY*line.meanY*float64(len(x)))
	if pure <= rounding || finite(f) != nil {
		return 0, 0, 0, 0, fmt.Errorf("lack of fit: %w: no two values at the same x differ", ErrSpread)
	}
	return f, df1, df2, fTail(f, df1, df2), nil
}
