package stats

// Bonferroni is the level of each of m intervals that are to hold all at once
// with probability of at least level: 1 - (1-level)/m. Source: Dunn 1961.
func Bonferroni(level float64, m int) float64 { return 1 - (1-level)/float64(max(1, m)) }

// BonferroniP adjusts p values so that the chance of one false rejection among
// them stays at the level: m p, at most 1. Holm does the same and rejects more.
// A NaN stays one and does not count. Source: Dunn 1961.
func BonferroniP(ps []float64) []float64 {
	return adjusted(ps, func(sorted []float64) {
		for i, p := range sorted {
			sorted[i] = min(1, float64(len(sorted))*p)
		}
	})
}
