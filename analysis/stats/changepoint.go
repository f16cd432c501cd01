package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// ChangePoint is the likeliest change of a series: Index is the first value after the change, End
// the first value no longer affected, Q the energy statistic.
type ChangePoint struct {
	Index, End int
	Q          float64
}

// EDivisive finds the likeliest change in the distribution of a series: the first n values, X,
// against the m that follow them, Y, for all n and m. The statistic is, with the sums over all
// pairs,
//
//	Q = 2/(n+m) sum |X_i - Y_j|
//	  - 2m/((n+m)(n-1)) sum |X_i - X_k| - 2n/((n+m)(m-1)) sum |Y_j - Y_k|
//
// that is nm/(n+m) times the energy distance of X and Y with exponent 1. Y need not reach the end,
// so that a change that is undone later is found too. X and Y have at least the given number of
// values each; a side of one value has no pairs, and its term is 0, as in Otava (formerly Hunter).
// It takes n² operations for n values. PermuteSplit tests the change for significance. Sources:
// Székely and Rizzo 2005; Matteson and James 2014.
func EDivisive(xs []float64, least int) (ChangePoint, error) {
	if least < 1 {
		return ChangePoint{}, fmt.Errorf("change point: %w: sides of %d values", ErrTooFew, least)
	}
	err := check(xs, 0.5, 2*least)
	if n := float64(len(xs)); err == nil {
		err = finite((slices.Max(xs) - slices.Min(xs)) * n * n)
	}
	if err != nil {
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

// split returns the change point of xs, which must have the length given to newEnergy; of equally
// likely ones the last.
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

// SplitPermutation estimates how often permutations of a series have a change point at least as
// strong as the one found. It draws permutations one by one; a later call of P continues where the
// last one stopped.
type SplitPermutation struct {
	point     ChangePoint
	xs, order []float64
	block     int
	energy    *energy
	rng       *rand.Rand
	drawn     int
	hits      int // permutations with a Q at least as large
}

// PermuteSplit prepares the permutation test of the change point of xs, with sides of at least the
// given number of values. With a block of 1 all permutations are equally likely: the values are
// exchangeable. If neighbours are correlated, blocks of neighbours are permuted: the series is
// closed to a circle, cut at a random point into runs of that length, the last one perhaps shorter,
// and these are shuffled. Sources: Matteson and James 2014; for circular blocks Politis and Romano
// 1992.
func PermuteSplit(xs []float64, least, block int, rng *rand.Rand) (*SplitPermutation, error) {
	point, err := EDivisive(xs, least)
	if err != nil {
		return nil, err
	}
	if block < 1 {
		return nil, fmt.Errorf("permutation of a series: %w: blocks of %d values", ErrTooFew, block)
	}
	return &SplitPermutation{
		point: point, xs: slices.Clone(xs), order: make([]float64, len(xs)), block: block,
		energy: newEnergy(len(xs), least), rng: rng,
	}, nil
}

// Point returns the tested change point.
func (s *SplitPermutation) Point() ChangePoint { return s.point }

// P returns (hits+1)/(drawn+1) after a total of most permutations. If p can no longer be at most
// level, it stops early and returns hits/drawn. Both are valid p values: under no change, P is at
// most u with probability at most u. Source: Besag and Clifford 1991.
func (s *SplitPermutation) P(most int, level float64) float64 {
	enough := level * float64(most+1)
	for s.drawn < most && float64(s.hits+1) <= enough {
		if s.block == 1 {
			copy(s.order, s.xs)
			s.rng.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
		} else {
			n := len(s.xs)
			from, to := s.rng.IntN(n), 0
			for _, b := range s.rng.Perm((n + s.block - 1) / s.block) {
				for i := b * s.block; i < min(n, (b+1)*s.block); i++ {
					s.order[to] = s.xs[(from+i)%n]
					to++
				}
			}
		}
		s.drawn++
		// Sums in another order round differently.
		if s.energy.split(s.order).Q >= s.point.Q*(1-1e-9) {
			s.hits++
		}
	}
	if s.drawn > 0 && s.drawn < most {
		return float64(s.hits) / float64(s.drawn)
	}
	return float64(s.hits+1) / float64(s.drawn+1)
}
