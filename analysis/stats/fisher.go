package stats

import (
	"fmt"
	"math"
)

// FisherExact returns the two-sided p of equal odds of the rows (a, b) and (c, d): the total
// probability, given the margins, of all tables at most as probable as this one. Source: Fisher
// 1935; as R's fisher.test.
func FisherExact(a, b, c, d int) (p float64, err error) {
	if min(a, b, c, d) < 0 {
		return 0, fmt.Errorf("exact test of a table: %w: %d %d, %d %d", ErrNotPositive, a, b, c, d)
	}
	// Weights are relative to this table's, and are computed outwards from it to both sides, which
	// avoids factorials. Tables that are as probable up to rounding count.
	all, extreme := 1.0, 1.0
	for _, side := range [][4]int{{a, b, c, d}, {b, a, d, c}} {
		w := 0.0
		for x := side; x[1] > 0 && x[2] > 0; x = [4]int{x[0] + 1, x[1] - 1, x[2] - 1, x[3] + 1} {
			w += math.Log(float64(x[1])) + math.Log(float64(x[2])) -
				math.Log(float64(x[0]+1)) - math.Log(float64(x[3]+1))
			all += math.Exp(w)
			if w <= 1e-7 {
				extreme += math.Exp(w)
			}
		}
	}
	if math.IsInf(all, 1) {
		return 0, nil // below 1e-308
	}
	return extreme / all, nil
}
