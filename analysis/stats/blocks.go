package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// BlockLength returns the block length for resampling a series of n values, from least up to n/2:
// (2r/(1-r²))^(2/3) n^(1/3), which is optimal for the variance of a mean of a first-order
// autoregression with correlation r. Source: Carlstein 1986.
func BlockLength(n int, lag1 float64, least int) int {
	r := min(max(0, lag1), 0.9)
	length := math.Ceil(math.Pow(2*r/(1-r*r), 2.0/3) * math.Cbrt(float64(n)))
	return max(1, min(n/2, max(least, int(length))))
}

// smoothness is the normal share of the variance of a smoothed value.
const smoothness = 0.5

// Blocks resamples a series of residuals about 0 in circular blocks of neighbours, with smoothing:
// a resampled value is shrunk, and a normal one is added to restore the variance. Otherwise nothing
// beyond the largest value could occur, however many are drawn. The added values have the series'
// lag-1 correlation, so that neighbours stay as correlated. Outliers are not shrunk. Sources:
// Politis and Romano 1992; Silverman and Young 1987.
type Blocks struct {
	values []float64 // shrunk
	noise  float64   // standard deviation of the added values
	lag1   float64
	length int
}

// NewBlocks prepares the resampling of residuals; sd is the standard deviation of residuals that
// are not far, length the block length, and lag1 the correlation of neighbours.
func NewBlocks(residuals []float64, far []bool, sd float64, length int, lag1 float64) *Blocks {
	b := &Blocks{noise: sd * math.Sqrt(smoothness), lag1: min(max(0, lag1), 0.95), length: length}
	for i, x := range residuals {
		if !far[i] {
			x *= math.Sqrt(1 - smoothness)
		}
		b.values = append(b.values, x)
	}
	return b
}

// Tail returns the probability that factor times a value plus an independent normal one of standard
// deviation extra is above x.
func (b *Blocks) Tail(x, factor, extra float64) float64 {
	sd, sum := math.Hypot(factor*b.noise, extra), 0.0
	for _, v := range b.values {
		if sd == 0 && factor*v > x {
			sum++
		} else if sd > 0 {
			sum += normalTail((x - factor*v) / sd)
		}
	}
	return sum / float64(len(b.values))
}

// One draws a single value.
func (b *Blocks) One(rng *rand.Rand) float64 {
	return b.values[rng.IntN(len(b.values))] + b.noise*rng.NormFloat64()
}

// Stream draws an endless series.
type Stream struct {
	*Blocks
	rng      *rand.Rand
	at, left int
	z        float64
}

// Stream starts a series.
func (b *Blocks) Stream(rng *rand.Rand) *Stream {
	return &Stream{Blocks: b, rng: rng, z: rng.NormFloat64()}
}

// Next returns the next value, and the index of its residual.
func (s *Stream) Next() (x float64, index int) {
	if s.left == 0 {
		s.at, s.left = s.rng.IntN(len(s.values)), s.length
	} else if s.at++; s.at == len(s.values) {
		s.at = 0
	}
	s.left--
	s.z = s.lag1*s.z + math.Sqrt(1-s.lag1*s.lag1)*s.rng.NormFloat64()
	return s.values[s.at] + s.noise*s.z, s.at
}

// CircularBlocks returns the indices of n values drawn in circular blocks of neighbours.
func CircularBlocks(rng *rand.Rand, n, length int) []int {
	all := make([]int, 0, n+length)
	for len(all) < n {
		at := rng.IntN(n)
		for i := range length {
			all = append(all, (at+i)%n)
		}
	}
	return all[:n]
}

// Simulated is a rate simulated in replicates, each from another bootstrap sample of the data: the
// rate of each, and its simulation variance.
type Simulated struct {
	rates     []float64
	variances []float64
}

// Add adds a replicate.
func (s *Simulated) Add(rate, variance float64) {
	s.rates, s.variances = append(s.rates, rate), append(s.variances, variance)
}

// Plus returns the sum of two rates, replicate by replicate. The simulation errors are independent;
// the sampling errors need not be.
func (s Simulated) Plus(other Simulated) Simulated {
	var both Simulated
	for i := range max(len(s.rates), len(other.rates)) {
		rate, variance := 0.0, 0.0
		for _, one := range []Simulated{s, other} {
			if i < len(one.rates) {
				rate, variance = rate+one.rates[i], variance+one.variances[i]
			}
		}
		both.Add(rate, variance)
	}
	return both
}

// Interval returns the interval of the true rate: quantiles of the replicates' rates, on the
// square-root scale, after removing the simulation variance from the variance between replicates.
// If replicates vary by no more than the simulation, they have one common rate, and the interval is
// that of the simulation.
func (s Simulated) Interval(level float64) Interval {
	n := len(s.rates)
	roots, noise := make([]float64, n), 0.0
	for i, r := range s.rates {
		roots[i] = math.Sqrt(r)
		if r > 0 {
			noise += s.variances[i] / (4 * r) / float64(n)
		}
	}
	mean, err := Mean(roots)
	sd, spread := SD(roots)
	if err != nil || spread != nil || sd == 0 {
		return Interval{Level: level, Low: mean * mean, High: mean * mean}
	}
	// The simulation error of the mean over all replicates remains.
	shrink := math.Sqrt(max(0, 1-noise/(sd*sd)))
	least := math.Sqrt(noise / float64(n))
	z := NormalQuantile((1 - level) / 2)
	for i := range roots {
		roots[i] = mean + shrink*(roots[i]-mean)
	}
	low, high := roots[0], roots[0]
	if sorted := slices.Sorted(slices.Values(roots)); n > 1 {
		low, _ = quantile(sorted, (1-level)/2, 7)
		high, _ = quantile(sorted, (1+level)/2, 7)
	}
	low, high = max(0, min(low, mean-z*least)), max(high, mean+z*least)
	return Interval{Level: level, Low: low * low, High: high * high}
}
