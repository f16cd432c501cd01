package stats

// BenjaminiHochberg adjusts p values so that, of the rejections at a level, at
// most that share is false on average, for tests that are independent or
// positively dependent: sorted, p_(i) becomes the smallest of m p_(j)/j, j from
// i, at most 1. Source: Benjamini and Hochberg 1995.
func BenjaminiHochberg(ps []float64) []float64 {
	return adjusted(ps, func(sorted []float64) {
		least := 1.0
		for i := len(sorted) - 1; i >= 0; i-- {
			least = min(least, float64(len(sorted))/float64(i+1)*sorted[i])
			sorted[i] = least
		}
	})
}
