package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Bootstrap computes intervals by resampling whole blocks of a campaign, never values within them.
// The same seed gives the same interval.
type Bootstrap struct {
	// Resamples is the number drawn, usually 10,000.
	Resamples int
	Seed      uint64
	// BlockLength is 1, or the number of neighbours drawn together, circularly, because they are
	// correlated (Politis and Romano 1992).
	BlockLength int
}

// leastBlocks is the smallest number of values for a bootstrap, and twice the smallest number of
// runs of neighbours in a resample.
const leastBlocks = 8

// Mean returns the studentised interval of the mean of d: mean - q se, with the quantiles q of
// (mean* - mean)/se* over the resamples. A resample consists of the means of runs of neighbours,
// and se* is their standard error (Götze and Künsch 1996); se is the same for all n runs. It
// returns ErrTooFew below 8 values, or below 4 runs. Sources: Davison and Hinkley 1997, 2.4 and
// 8.2.
func (b Bootstrap) Mean(d []float64, level float64) (Interval, error) {
	if err := checkLevel(level); err != nil {
		return Interval{}, err
	}
	if b.BlockLength < 1 || float64(b.Resamples+1)*(1-level)/2 < 1 {
		err := fmt.Errorf("%w: %d resamples with a block length of %d", ErrTooFew, b.Resamples, b.BlockLength)
		return Interval{}, err
	}
	starts := make([]int, (len(d)+b.BlockLength-1)/b.BlockLength) // starts of a resample's runs
	if len(d) < leastBlocks || 2*len(starts) < leastBlocks {
		err := fmt.Errorf("%w: a bootstrap of %d with a block length of %d", ErrTooFew, len(d), b.BlockLength)
		return Interval{}, err
	}
	mean, err := Mean(d)
	if err != nil {
		return Interval{}, err
	}
	n, l := float64(len(d)), float64(b.BlockLength)
	runs := make([]float64, len(d)) // means of the runs that begin at each value
	ss := 0.0
	for i := range runs {
		for j := range b.BlockLength {
			runs[i] += d[(i+j)%len(d)] / l
		}
		ss += (runs[i] - mean) * (runs[i] - mean)
	}
	// Under independence (m - mean)² is s²/l - s²/n on average.
	se := math.Sqrt(ss * l / (n - l) / n)
	if err := finite(se); err != nil || se <= 1e-15*math.Abs(mean) {
		return Interval{mean, mean, level}, err
	}
	rng, ts := rand.New(rand.NewPCG(b.Seed, 0)), make([]float64, 0, b.Resamples)
	for range b.Resamples {
		m, s, k, t := 0.0, 0.0, float64(len(starts)), 0.0 // s is the standard error of m
		for i := range starts {
			starts[i] = rng.IntN(len(d))
			m += runs[starts[i]] / k
		}
		for _, i := range starts {
			s += (runs[i] - m) * (runs[i] - m)
		}
		s = math.Sqrt(s / (k - 1) / k)
		if m != mean {
			t = (m - mean) / s // infinite if the resample does not vary: stands for a very wide interval
		}
		ts = append(ts, t)
	}
	slices.Sort(ts)
	low, err := quantile(ts, (1-level)/2, 6)
	high, err2 := quantile(ts, (1+level)/2, 6)
	i := Interval{mean - se*high, mean - se*low, level}
	if err != nil || err2 != nil || finite(i.Low, i.High) != nil {
		return Interval{}, fmt.Errorf("%w that differ: too many resamples do not vary", ErrTooFew)
	}
	return i, nil
}
