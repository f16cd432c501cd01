package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// PermuteSplits is the p of the means of x and y being as far apart, when each
// value could as well have been in the other sample: all splits of the values
// up to 2^20 of them (10 + 10 have 184,756), exact; else 100,000 drawn with a
// fixed seed, p = (k+1)/(drawn+1). It is for runs that are in no blocks.
// Source: Pitman 1937.
func PermuteSplits(x, y []float64) (p float64, exact bool, err error) {
	if min(len(x), len(y)) < 1 || len(x)+len(y) < 3 {
		return 0, false, fmt.Errorf("permutation of runs: %w: %d and %d", ErrTooFew, len(x), len(y))
	}
	all := append(append([]float64(nil), x...), y...)
	mean, err := Mean(all)
	if err != nil {
		return 0, false, fmt.Errorf("permutation of runs: %w", err)
	}
	// The means are far apart just when the sum of the first sample's
	// deviations from the common mean is far from 0.
	sum, size := 0.0, 0.0
	for i := range all {
		all[i] -= mean
		size += math.Abs(all[i])
		if i < len(x) {
			sum += all[i]
		}
	}
	if err := finite(size); err != nil {
		return 0, false, fmt.Errorf("permutation of runs: %w", err)
	}
	s := splits{all, math.Abs(sum) - 1e-10*size}
	if ways := math.Round(math.Exp(logChoose(len(all), len(x)))); ways <= mostArrangements {
		return s.count(0, min(len(x), len(y)), 0) / ways, true, nil
	}
	return s.drawn(len(x)), false, nil
}

// splits counts the choices of some values whose sum is far, either way.
type splits struct {
	d   []float64
	far float64
}

// count chooses left more from the i-th on. Choosing the others gives the same
// sum with the other sign, so the smaller sample may stand for both.
func (s splits) count(i, left int, sum float64) float64 {
	if left == 0 {
		if math.Abs(sum) >= s.far {
			return 1
		}
		return 0
	}
	n := s.count(i+1, left-1, sum+s.d[i])
	if len(s.d)-i > left {
		n += s.count(i+1, left, sum)
	}
	return n
}

func (s splits) drawn(size int) float64 {
	rng, d, hits := rand.New(rand.NewPCG(1, 2)), append([]float64(nil), s.d...), 1
	for range drawnArrangements {
		sum := 0.0
		for i := range size {
			j := i + rng.IntN(len(d)-i)
			d[i], d[j] = d[j], d[i]
			sum += d[i]
		}
		if math.Abs(sum) >= s.far {
			hits++
		}
	}
	return float64(hits) / (drawnArrangements + 1)
}
