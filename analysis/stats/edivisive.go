package stats

import (
	"fmt"
	"math"
)

// ChangePoint is where a series most likely changed: Index is that of the first
// value after the change, End that of the first value it no longer applies to, Q the
// energy statistic.
type ChangePoint struct {
	Index, End int
	Q          float64
}

// EDivisive finds the likeliest change in the distribution of a series: the
// first n values, X, against the m that follow them, Y, for all n and m. The
// statistic is, with the sums over all pairs,
//
//	Q = 2/(n+m) sum |X_i - Y_j|
//	  - 2m/((n+m)(n-1)) sum |X_i - X_k| - 2n/((n+m)(m-1)) sum |Y_j - Y_k|
//
// that is nm/(n+m) times the energy distance of X and Y with the exponent 1. Y need
// not reach the end, so that a change which is undone later is found too. X and Y
// have at least this many values each; a side of one value has no pairs, and its
// term is 0, as Otava (formerly Hunter) computes it. It takes n² operations for n
// values. PermuteSplit tests whether the change is more than chance.
// Sources: Székely and Rizzo 2005; Matteson and James 2014.
func EDivisive(xs []float64, least int) (ChangePoint, error) {
	if least < 1 {
		return ChangePoint{}, fmt.Errorf("change point: %w: sides of %d values", ErrTooFew, least)
	}
	if err := check(xs, 0.5, 2*least); err != nil {
		return ChangePoint{}, fmt.Errorf("change point: %w", err)
	}
	low, high := xs[0], xs[0]
	for _, x := range xs {
		low, high = min(low, x), max(high, x)
	}
	n := float64(len(xs))
	if err := finite((high - low) * n * n); err != nil {
		return ChangePoint{}, fmt.Errorf("change point: %w", err)
	}
	return newEnergy(len(xs), least).split(xs), nil
}

// energy computes Q for series of one length, and reuses its memory.
type energy struct {
	least  int
	inside []float64 // inside[k] is the sum over pairs of the first k values
	after  []float64 // after[k] is the sum over pairs of the values from tau to k
	within []float64 // within[k] is 1/(k-1), 0 for k = 1
	whole  []float64 // whole[k] is 2/k
}

func newEnergy(n, least int) *energy {
	e := &energy{
		least: least, inside: make([]float64, n+1), after: make([]float64, n+1),
		within: make([]float64, n+1), whole: make([]float64, n+1),
	}
	for k := 1; k <= n; k++ {
		e.whole[k] = 2 / float64(k)
		if k > 1 {
			e.within[k] = 1 / float64(k-1)
		}
	}
	return e
}

// split returns the change point of xs, which has the length that e is made for; of
// equally likely ones the last.
func (e *energy) split(xs []float64) ChangePoint {
	e.after[0] = 0
	for k, x := range xs {
		column := 0.0
		for _, y := range xs[:k] {
			column += math.Abs(x - y)
		}
		e.inside[k+1], e.after[k+1] = e.inside[k]+column, 0
	}
	n := len(xs)
	best := ChangePoint{Q: math.Inf(-1)}
	for tau := n - 1; tau >= e.least; tau-- {
		row, first := 0.0, xs[tau]
		for k := tau + 1; k < n; k++ {
			row += math.Abs(first - xs[k])
			e.after[k+1] += row
		}
		x := e.inside[tau] // X are the first tau values
		perX := x * e.within[tau]
		for k := tau + e.least; k <= n; k++ {
			y, m := e.after[k], k-tau
			between := e.inside[k] - x - y
			if q := e.whole[k] * (between - float64(m)*perX - float64(tau)*y*e.within[m]); q > best.Q {
				best = ChangePoint{tau, k, q}
			}
		}
	}
	return best
}
