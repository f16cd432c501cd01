package steady

// mser returns how many values MSER-5 (White 1997) would cut off: means of five
// values each, cut where sum (y - mean)² / k² of the k that are left is smallest,
// in the first half.
//
// It is reported because it is well known, and decides nothing: it cuts off
// about 95 of 1,000 values of a flat series, and next to nothing before a late
// or a repeated change.
func mser(x []float64) int {
	const size = 5
	groups := len(x) / size
	y := make([]float64, groups)
	for g := range y {
		y[g] = mean(x[g*size : (g+1)*size])
	}
	// Welford's recurrence from the end: groups [g, …) have mean m and ss.
	var m, ss, best float64
	at := 0
	for g := groups - 1; g >= 0; g-- {
		k := float64(groups - g)
		d := y[g] - m
		m += d / k
		ss += d * (y[g] - m)
		if z := ss / (k * k); g <= groups/2 && (g == groups/2 || z <= best) {
			best, at = z, g
		}
	}
	return at * size
}
