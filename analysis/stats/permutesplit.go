package stats

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// SplitPermutation estimates how often a series has a change point at least as strong
// as the one found when its values are in another order. It draws orders one after the
// other; a later call of P continues where the last one stopped.
type SplitPermutation struct {
	point     ChangePoint
	xs, order []float64
	block     int
	energy    *energy
	rng       *rand.Rand
	drawn     int
	hits      int // orders with a Q at least as large
}

// PermuteSplit prepares the permutation test of the change point of xs, with
// sides of at least this many values. With a block of 1 all orders are equally
// likely: the values are exchangeable. Where neighbours are correlated, whole blocks
// of neighbours change places: the series is closed to a circle, cut at random into
// runs of that length, the last one perhaps shorter, and these are shuffled.
// Sources: Matteson and James 2014; for circular blocks Politis and Romano 1992.
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

// Point is the change point that is tested.
func (s *SplitPermutation) Point() ChangePoint { return s.point }

// P returns (hits+1)/(drawn+1) after most orders in all. It stops early when p can no
// longer be at most level, and returns hits/drawn then. Both are valid p values: under
// no change P is at most u with probability at most u. Source: Besag and
// Clifford 1991.
func (s *SplitPermutation) P(most int, level float64) float64 {
	enough := level * float64(most+1)
	for s.drawn < most && float64(s.hits+1) <= enough {
		s.shuffle()
		s.drawn++
		// The sums of another order round differently.
		if s.energy.split(s.order).Q >= s.point.Q*(1-1e-9) {
			s.hits++
		}
	}
	if s.drawn > 0 && s.drawn < most {
		return float64(s.hits) / float64(s.drawn)
	}
	return float64(s.hits+1) / float64(s.drawn+1)
}

// shuffle puts the values into another order.
func (s *SplitPermutation) shuffle() {
	if s.block == 1 {
		copy(s.order, s.xs)
		s.rng.Shuffle(len(s.order), func(i, j int) { s.order[i], s.order[j] = s.order[j], s.order[i] })
		return
	}
	n := len(s.xs)
	from, to := s.rng.IntN(n), 0
	for _, b := range s.rng.Perm((n + s.block - 1) / s.block) {
		for i := b * s.block; i < min(n, (b+1)*s.block); i++ {
			s.order[to] = s.xs[(from+i)%n]
			to++
		}
	}
}
