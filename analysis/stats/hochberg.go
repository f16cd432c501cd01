package stats

// Hochberg adjusts p values like Holm, less strictly, for tests that are
// independent or positively dependent: sorted, p_(i) becomes the smallest of
// (m-j+1) p_(j), j from i, at most 1. Source: Hochberg 1988.
func Hochberg(ps []float64) []float64 {
	return adjusted(ps, func(sorted []float64) {
		stepUp(sorted, func(rank int) float64 { return float64(len(sorted) - rank + 1) })
	})
}
