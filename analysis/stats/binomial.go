package stats

import "math"

// mostEvents is the largest number of events in one arm; the time taken grows with
// its square root.
const mostEvents = 1 << 36

// leastOdds returns the odds at which a or more of a+b have the given chance.
func leastOdds(a, b, chance float64) float64 {
	excess := func(logOdds float64) float64 {
		x, y := 1/(1+math.Exp(-logOdds)), 1/(1+math.Exp(logOdds))
		return math.Log(incompleteBeta(a, b+1, x, y) / chance)
	}
	high := math.Log(a / (b + 0.5))
	for step := 1.0; excess(high) < 0; step *= 2 {
		high += step
	}
	low := high - 1
	for step := 1.0; excess(low) > 0; step *= 2 {
		low -= step
	}
	return math.Exp(root(excess, low, high))
}

// binomial is the number of n with the chance p each; q is 1-p.
type binomial struct{ n, chance, rest float64 }

func (d binomial) atLeast(k float64) float64 {
	if k <= 0 {
		return 1
	}
	if k > d.n {
		return 0
	}
	return incompleteBeta(k, d.n-k+1, d.chance, d.rest)
}

func (d binomial) atMost(k float64) float64 {
	return binomial{d.n, d.rest, d.chance}.atLeast(d.n - k)
}
