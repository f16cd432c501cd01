package stats

import "math"

// root is where f, which rises over [low, high], crosses zero, or the nearer end where
// it doesn't cross: regula falsi that halves the weight of an end that stays twice in
// a row (the Illinois method), which takes about ten calls.
func root(f func(float64) float64, low, high float64) float64 {
	atLow, atHigh := f(low), f(high)
	if atLow >= 0 {
		return low
	}
	if atHigh <= 0 {
		return high
	}
	side := 0 // the end that was moved last
	for range 200 {
		x := (low*atHigh - high*atLow) / (atHigh - atLow)
		if !(x > low && x < high) {
			x = low + (high-low)/2
		}
		y := f(x)
		switch {
		case y == 0 || high-low <= 4e-16*math.Abs(x):
			return x
		case y < 0:
			if low, atLow = x, y; side < 0 {
				atHigh /= 2
			}
			side = -1
		default:
			if high, atHigh = x, y; side > 0 {
				atLow /= 2
			}
			side = 1
		}
	}
	return low + (high-low)/2
}
