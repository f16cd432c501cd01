package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
)

const (
	// mostArrangements is how many are all tried.
	mostArrangements = 1 << 20
	// drawnArrangements is how many are drawn where there are more.
	drawnArrangements = 100_000
)

// PermuteBlocks is the p of the paired differences x - y having a mean as far
// from 0, when within each block x and y could as well have changed places: all
// 2^n choices of signs up to n = 20, exact; else 100,000 drawn with a fixed
// seed, p = (k+1)/(drawn+1). Source: Fisher 1935.
func PermuteBlocks(x, y []float64) (p float64, exact bool, err error) {
	if len(x) != len(y) {
		return 0, false, ErrUnpaired
	}
	d, reach := make([]float64, len(x)), make([]float64, len(x)+1)
	for i := range x {
		d[i] = x[i] - y[i]
	}
	if err := check(d, 0.5, 2); err != nil {
		return 0, false, fmt.Errorf("permutation within blocks: %w", err)
	}
	sum := 0.0
	for i := len(d) - 1; i >= 0; i-- {
		reach[i] = reach[i+1] + math.Abs(d[i])
		sum += d[i]
	}
	if err := finite(reach[0]); err != nil {
		return 0, false, fmt.Errorf("permutation within blocks: %w", err)
	}
	f := flips{d, reach, math.Abs(sum) - 1e-10*reach[0]}
	if len(d) <= 20 {
		return f.count(0, 0) / math.Exp2(float64(len(d))), true, nil
	}
	return f.drawn(), false, nil
}

// flips counts the choices of signs whose sum is far, either way. reach[i] is
// what the values from i on can add; the margin for rounding is inside far.
type flips struct {
	d, reach []float64
	far      float64
}

func (f flips) count(i int, sum float64) float64 {
	switch {
	case math.Abs(sum)+f.reach[i] < f.far:
		return 0
	case math.Abs(sum)-f.reach[i] >= f.far:
		return math.Exp2(float64(len(f.d) - i))
	case i == len(f.d):
		return 0 // not reached but by rounding
	}
	return f.count(i+1, sum+f.d[i]) + f.count(i+1, sum-f.d[i])
}

func (f flips) drawn() float64 {
	rng, hits := rand.New(rand.NewPCG(1, 1)), 1
	for range drawnArrangements {
		sum, bits := 0.0, uint64(0)
		for i, d := range f.d {
			if i%64 == 0 {
				bits = rng.Uint64()
			}
			if bits&1 == 0 {
				d = -d
			}
			sum, bits = sum+d, bits>>1
		}
		if math.Abs(sum) >= f.far {
			hits++
		}
	}
	return float64(hits) / (drawnArrangements + 1)
}
