package stats

// BenjaminiHochberg adjusts p values so that, of the rejections at a level, at
// most that share is false on average, for tests that are independent or
// positively dependent: sorted, p_(i) becomes the smallest of m p_(j)/j, j from
// i, at most 1. Source: Benjamini and Hochberg 1995.
func BenjaminiHochberg(ps []float64) []float64 {
	return falseDiscovery(ps, func(int) float64 { return 1 })
}

// BenjaminiYekutieli is the same under any dependence: all times the sum of 1/j,
// j up to m. Source: Benjamini and Yekutieli 2001.
func BenjaminiYekutieli(ps []float64) []float64 {
	return falseDiscovery(ps, func(m int) float64 {
		sum := 0.0
		for j := m; j > 0; j-- {
			sum += 1 / float64(j)
		}
		return sum
	})
}

func falseDiscovery(ps []float64, penalty func(m int) float64) []float64 {
	return adjusted(ps, func(sorted []float64) {
		all := penalty(len(sorted)) * float64(len(sorted))
		stepUp(sorted, func(rank int) float64 { return all / float64(rank) })
	})
}
