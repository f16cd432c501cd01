package stats

// Sign compares pairs by the signs of x - y alone: Statistic is the number of
// positive differences, which is binomial with 1/2, or taken for normal beyond a
// million. Zero differences are dropped first; ErrTooFew if none is left. Shift is
// the median of all differences with its order-statistic interval, as in
// MedianInterval. Source: Conover 1999, 3.4.
func Sign(x, y []float64, alt Alternative, level float64) (RankTest, error) {
	d, err := rankedDifferences(x, y, alt, level)
	if err != nil {
		return RankTest{}, err
	}
	positive, n := 0, 0
	for _, v := range d {
		if v != 0 {
			n++
		}
		if v > 0 {
			positive++
		}
	}
	t := RankTest{Statistic: float64(positive), NX: n, NY: n, Exact: n <= exactHalf}
	t.P = alt.p(halfBinomial(positive, n), halfBinomial(n-positive, n))
	t.Shift, err = medianOf(d, alt, level)
	return t, err
}
