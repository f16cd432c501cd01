package summary

import (
	"maps"
	"math"
	"slices"
)

// Counts are the samples of a distribution by bucket. They are as few numbers
// as there are buckets that hold samples, so that those of many invocations can
// be kept, and merge without another loss.
type Counts struct {
	bucket   []int32 // rising
	count    []int64 // of the samples in it, above 0
	below    Below
	min, max int64
	n        int64
}

// Counts are those of the distribution.
func (d *Distribution) Counts() Counts {
	c := Counts{below: d.below, min: d.min, max: d.max, n: d.n}
	for bucket, n := range d.hdr.Export().Counts {
		if n > 0 {
			c.bucket, c.count = append(c.bucket, int32(bucket)), append(c.count, n)
		}
	}
	return c
}

// Merge puts the samples of several distributions together, whatever their
// windows were.
func Merge(all ...Counts) Counts {
	var m Counts
	of := map[int32]int64{}
	for _, c := range all {
		if c.n == 0 {
			continue
		}
		for i, b := range c.bucket {
			of[b] += c.count[i]
		}
		if m.n == 0 {
			m.min, m.max = c.min, c.max
		}
		m.min, m.max, m.n = min(m.min, c.min), max(m.max, c.max), m.n+c.n
		m.addBelow(c.below)
	}
	m.bucket = slices.Sorted(maps.Keys(of))
	for _, b := range m.bucket {
		m.count = append(m.count, of[b])
	}
	return m
}

func (c *Counts) addBelow(b Below) {
	if b.N == 0 {
		return
	}
	if c.below.N == 0 {
		c.below = Below{0, b.Min, b.Max}
	}
	c.below = Below{c.below.N + b.N, min(c.below.Min, b.Min), max(c.below.Max, b.Max)}
}

// N is the number of samples.
func (c Counts) N() int64 { return c.n }

// Quantile estimates the p-quantile, p from 0 to 1, as Distribution.Quantile
// does: type 7 of Hyndman and Fan 1996, within 0.05 %, and exactly below 2,048
// and at both ends. It is NaN of no samples, and where it depends on negative
// ones.
func (c Counts) Quantile(p float64) float64 { return quantile(c.n, p, c.order) }

// order estimates the order statistic k, from 0.
func (c Counts) order(k int64) float64 {
	switch {
	case k <= 0:
		return float64(c.min)
	case k >= c.n-1:
		return float64(c.max)
	case k < c.below.N:
		return math.NaN()
	}
	seen := c.below.N
	for i, n := range c.count {
		if seen += n; seen > k {
			return min(max(middleOf(int(c.bucket[i])), float64(c.min)), float64(c.max))
		}
	}
	return float64(c.max)
}

// middleOf is the middle of a bucket, the upper one of two.
func middleOf(bucket int) float64 {
	width := int64(1) << max(bucket/(exact/2)-1, 0)
	return float64(lowestOf(bucket) + width/2)
}
