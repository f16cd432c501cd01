package summary

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Distribution is the distribution of the samples of some histograms, by bucket. It stores only non-empty
// buckets, so that distributions of many invocations fit into memory, and merges without further loss. The zero
// value has no samples.
type Distribution struct {
	bucket   []int32 // ascending
	count    []int64 // samples in each bucket, above 0
	below    Below
	min, max int64 // known exactly
	n        int64
}

// NewDistribution merges the histograms of windows of several columns, such as the columns of all threads. The
// windows must have no batch in common; they are clipped to columns with fewer batches.
func NewDistribution(windows []Window, columns ...*Column) (Distribution, error) {
	var d Distribution
	t, total := newTally(), int64(0)
	for _, c := range columns {
		for _, w := range windows {
			n, err := c.addTo(&t, w, math.MaxInt64-total)
			if err != nil {
				return Distribution{}, err
			}
			total += n
			if m := c.Moments(w); m.N > 0 {
				d.widen(m.N, m.Min, m.Max)
			}
		}
	}
	d.below = t.below
	if got := total + d.below.N; got != d.n {
		return Distribution{}, fmt.Errorf("histograms hold %d samples, batches %d", got, d.n)
	}
	for b := t.lo; b <= t.hi; b++ {
		if t.n[b] > 0 {
			d.bucket, d.count = append(d.bucket, int32(b)), append(d.count, t.n[b])
		}
	}
	return d, nil
}

// addTo adds the histograms of a window to a tally, at most most samples, and returns their number.
func (c *Column) addTo(t *tally, w Window, most int64) (added int64, err error) {
	clipped := c.clip(w)
	for i := clipped.From; i < clipped.To; i += perHistogram {
		n, err := c.Histograms[i/perHistogram].addTo(t, most-added)
		if err != nil {
			return 0, fmt.Errorf("histogram %d of series %s, column %s: %w", i/perHistogram, c.Series, c.Name, err)
		}
		added += n
	}
	return added, nil
}

// Merge returns the distribution of the samples of several distributions together.
func Merge(all ...Distribution) Distribution {
	var m Distribution
	counts := map[int32]int64{} // by bucket
	for _, d := range all {
		if d.n == 0 {
			continue
		}
		for i, b := range d.bucket {
			counts[b] += d.count[i]
		}
		m.widen(d.n, d.min, d.max)
		m.below.add(d.below)
	}
	m.bucket = slices.Sorted(maps.Keys(counts))
	for _, b := range m.bucket {
		m.count = append(m.count, counts[b])
	}
	return m
}

// widen adds n samples from low to high to the range; n is above 0.
func (d *Distribution) widen(n, low, high int64) {
	if d.n == 0 {
		d.min, d.max = low, high
	}
	d.min, d.max, d.n = min(d.min, low), max(d.max, high), d.n+n
}

// N returns the number of samples.
func (d Distribution) N() int64 { return d.n }

// Quantile estimates the p-quantile, p from 0 to 1, of the samples by linear interpolation between order
// statistics (type 7 of Hyndman and Fan 1996). These are known within 0.05 %, and exactly below 2,048 and at
// both ends. It is NaN without samples, and if it depends on negative samples, whose values are not kept
// individually.
func (d Distribution) Quantile(p float64) float64 {
	if d.n == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	h := p * float64(d.n-1)
	k := int64(h)
	low := d.order(k)
	if rest := h - float64(k); rest > 0 {
		return low + rest*(d.order(k+1)-low)
	}
	return low
}

// order estimates the order statistic k, counted from 0.
func (d Distribution) order(k int64) float64 {
	switch {
	case k <= 0:
		return float64(d.min)
	case k >= d.n-1:
		return float64(d.max)
	case k < d.below.N:
		return math.NaN()
	}
	seen := d.below.N
	for i, n := range d.count {
		if seen += n; seen > k {
			b := int(d.bucket[i])
			width := int64(1) << max(b/(exact/2)-1, 0)
			return min(max(float64(lowestOf(b)+width/2), float64(d.min)), float64(d.max)) // the middle of the bucket
		}
	}
	return float64(d.max)
}
