package stats

// Holm adjusts p values so that the chance of one false rejection among them
// stays at the level: sorted, p_(i) becomes the largest of (m-j+1) p_(j), j up
// to i, at most 1. The order of the result is that of the argument; a NaN stays
// one and does not count. Source: Holm 1979.
func Holm(ps []float64) []float64 {
	return adjusted(ps, func(sorted []float64) {
		top := 0.0
		for i, p := range sorted {
			top = max(top, min(1, float64(len(sorted)-i)*p))
			sorted[i] = top
		}
	})
}
