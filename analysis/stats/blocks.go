package stats

import (
	"math"
	"math/rand/v2"
	"slices"
)

// BlockLength is how many neighbours of a series of n values stay together when it is
// resampled, at least so many and at most half of n: (2r/(1-r²))^(2/3) n^(1/3), which is
// best for the variance of a mean where neighbours are correlated by r as in a process of
// first order. Source: Carlstein 1986.
func BlockLength(n int, lag1 float64, least int) int {
	r := min(max(0, lag1), 0.9)
	length := math.Ceil(math.Pow(2*r/(1-r*r), 2.0/3) * math.Cbrt(float64(n)))
	return max(1, min(n/2, max(least, int(length))))
}

// smoothness is which share of the variance of a smoothed value is normal.
const smoothness = 0.5

// Blocks are a series of residuals about 0 that is resampled in circular blocks of
// neighbours, and smoothed: a resampled value is shrunk, and a normal one is added that has
// what its variance lost. Without that nothing beyond the largest value could happen, however
// many are drawn. The added values are correlated from one to the next as the series is, so that
// neighbours stay as alike as they were. Values that are far off are not shrunk.
// Sources: Politis and Romano 1992; Silverman and Young 1987.
type Blocks struct {
	values []float64 // shrunk
	noise  float64   // standard deviation of what is added
	lag1   float64
	length int
}

// NewBlocks prepares the resampling of residuals, of which those that are not far have the standard
// deviation sd; length neighbours stay together, and lag1 is their correlation.
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

// Tail is the chance that factor times a value plus an independent normal one of standard
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

// Stream draws a series without end.
type Stream struct {
	*Blocks
	rng      *rand.Rand
	at, left int
	z        float64
}

// Stream begins a series.
func (b *Blocks) Stream(rng *rand.Rand) *Stream {
	return &Stream{Blocks: b, rng: rng, z: rng.NormFloat64()}
}

// Next is the next value, and the index of the residual that is in it.
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

// CircularBlocks are the indices of n values that are drawn in circular blocks of neighbours.
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

// Simulated is a rate that was simulated in replicates, each of another resample of the data:
// the rate of each, and the variance that it has because few events were simulated.
type Simulated struct {
	rates     []float64
	variances []float64
}

// Add adds a replicate.
func (s *Simulated) Add(rate, variance float64) {
	s.rates, s.variances = append(s.rates, rate), append(s.variances, variance)
}

// Plus is the sum of two rates, replicate by replicate. What is simulated of one is independent
// of the other's; what the data leave open need not be.
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

// Interval is that of the rate which the data are a sample of: quantiles of the replicates'
// rates, on the scale of square roots, on which the variance that comes of simulating few
// events is taken out of what replicates differ by. Replicates that differ by no more than
// simulating them makes them differ have one common rate; its interval is then that of the
// simulation.
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
	// What is left of the noise after averaging over all replicates stays.
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
