package stats

// Bonferroni is the level of each of m intervals that are to hold all at once
// with probability of at least level: 1 - (1-level)/m. Source: Dunn 1961.
func Bonferroni(level float64, m int) float64 { return 1 - (1-level)/float64(max(1, m)) }
