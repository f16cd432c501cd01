package stats

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// mostFlipped is how many pairs have all choices of signs tried for an interval.
const mostFlipped = 16

// FlipInterval gives the intervals of the mean paired difference that belong to
// PermuteBlocks: what lies outside of them is rejected by flipping the signs of
// the differences from it. Source: Hartigan 1969, on the means of subsets.
type FlipInterval struct {
	mean  float64
	means []float64 // of the subsets, sorted
	ways  float64   // the empty subset included
}

// NewFlipInterval takes the means of all 2^n - 1 subsets of the differences x - y up
// to n = 16; else those of 65,535 that are drawn with a fixed seed.
func NewFlipInterval(x, y []float64) (*FlipInterval, error) {
	if len(x) != len(y) {
		return nil, ErrUnpaired
	}
	d, sum := make([]float64, len(x)), 0.0
	for i := range x {
		d[i] = x[i] - y[i]
		sum += d[i]
	}
	if err := check(d, 0.5, 2); err != nil {
		return nil, fmt.Errorf("flipping signs within blocks: %w", err)
	}
	f := &FlipInterval{mean: sum / float64(len(d))}
	if len(d) <= mostFlipped {
		f.all(d)
	} else {
		f.drawn(d)
	}
	slices.Sort(f.means)
	f.ways = float64(len(f.means) + 1)
	return f, finite(f.mean, f.means[0], f.means[len(f.means)-1])
}

func (f *FlipInterval) all(d []float64) {
	sums := make([]float64, 1<<len(d))
	f.means = make([]float64, 0, len(sums)-1)
	for s := 1; s < len(sums); s++ {
		sums[s] = sums[s&(s-1)] + d[bits.TrailingZeros(uint(s))]
		f.means = append(f.means, sums[s]/float64(bits.OnesCount(uint(s))))
	}
}

func (f *FlipInterval) drawn(d []float64) {
	rng := rand.New(rand.NewPCG(1, 3))
	for len(f.means) < 1<<mostFlipped-1 {
		sum, n, word := 0.0, 0, uint64(0)
		for i, x := range d {
			if i%64 == 0 {
				word = rng.Uint64()
			}
			if word&1 == 1 {
				sum, n = sum+x, n+1
			}
			word >>= 1
		}
		if n > 0 {
			f.means = append(f.means, sum/float64(n))
		}
	}
}

// Mean is the mean difference.
func (f *FlipInterval) Mean() float64 { return f.mean }

// At is the interval at a level, ErrTooFew when there are too few pairs for any at
// this level.
func (f *FlipInterval) At(level float64) (Interval, error) {
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	// That many subsets may lie below, the empty one and rounding allowed for.
	k := int((1-level)/2*f.ways*(1+1e-12) + 1e-9)
	if k < 1 {
		return Interval{}, fmt.Errorf("flipping signs within blocks: %w: no choice of signs is so rare as 1 in %.0f", ErrTooFew, 2/(1-level))
	}
	n := len(f.means)
	if k > (n+1)/2 {
		k = (n + 1) / 2
	}
	return Interval{f.means[k-1], f.means[n-k], level}, nil
}
