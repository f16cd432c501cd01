package summary

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// digits are the significant decimal digits of a histogram. Three make buckets
// whose width is at most 1/1024 of their values; up to 2,047 they are exact.
const digits = 3

// Histogram is the distribution of PerHistogram batches. It holds every sample:
// those from 0 to the largest int64 as an HdrHistogram, negative ones, which
// only a clock that steps back could yield, as number and range.
type Histogram struct {
	// HDR is an HdrHistogram of 3 significant digits in the V2 compressed
	// encoding, base64; "" when it would be empty. Of a summary that was just
	// built it is filled in by Encode: compressing takes longer than counting.
	HDR   string `json:"hdr"`
	Below *Below `json:"below,omitempty"`

	packed *hdrhistogram.PackedHistogram // what HDR is to hold, nil when nothing
}

// encode fills in HDR.
func (h *Histogram) encode() error {
	if h.HDR != "" || h.packed == nil {
		return nil
	}
	data, err := h.packed.Encode()
	if err != nil {
		return fmt.Errorf("encoding histogram: %w", err)
	}
	h.HDR = string(data)
	return nil
}

// decode returns the samples of HDR, nil when there are none.
func (h *Histogram) decode() (*hdrhistogram.PackedHistogram, error) {
	if h.packed != nil || h.HDR == "" {
		return h.packed, nil
	}
	packed, err := hdrhistogram.DecodePacked([]byte(h.HDR))
	if err != nil {
		return nil, fmt.Errorf("decoding: %w", err)
	}
	return packed, nil
}

// Below counts the negative samples of a histogram.
type Below struct {
	N   int64 `json:"n"`
	Min int64 `json:"min"`
	Max int64 `json:"max"`
}

// Distribution is the merged distribution of some histograms.
type Distribution struct {
	hdr      *hdrhistogram.Histogram
	below    Below
	min, max int64 // the extremes, which are known exactly
	n        int64
}

func newHDR() *hdrhistogram.Histogram { return hdrhistogram.New(1, math.MaxInt64, digits) }

func newPacked() *hdrhistogram.PackedHistogram {
	return hdrhistogram.NewPacked(1, math.MaxInt64, digits)
}

// NewDistribution merges the histograms of a window of several columns, such as
// those of all threads. Of a column with fewer batches its own part of the
// window is taken.
func NewDistribution(w Window, columns ...*Column) (*Distribution, error) {
	d := &Distribution{hdr: newHDR()}
	for _, c := range columns {
		own := c.clip(w)
		for i := own.From; i < own.To; i += PerHistogram {
			if err := d.add(&c.Histograms[i/PerHistogram]); err != nil {
				return nil, fmt.Errorf("histogram %d of series %s, column %s: %w", i/PerHistogram, c.Series, c.Name, err)
			}
		}
		m := c.Moments(w)
		if m.N > 0 && d.n == 0 {
			d.min, d.max = m.Min, m.Max
		} else if m.N > 0 {
			d.min, d.max = min(d.min, m.Min), max(d.max, m.Max)
		}
		d.n += m.N
	}
	if got := d.hdr.TotalCount() + d.below.N; got != d.n {
		return nil, fmt.Errorf("histograms hold %d samples, batches %d", got, d.n)
	}
	return d, nil
}

func (d *Distribution) add(h *Histogram) error {
	if b := h.Below; b != nil {
		if d.below.N == 0 {
			d.below = Below{0, b.Min, b.Max}
		}
		d.below = Below{d.below.N + b.N, min(d.below.Min, b.Min), max(d.below.Max, b.Max)}
	}
	packed, err := h.decode()
	if packed == nil || err != nil {
		return err
	}
	if dropped := packed.MergeInto(d.hdr); dropped > 0 {
		return fmt.Errorf("merging: %d samples are out of range", dropped)
	}
	return nil
}

// N is the number of samples.
func (d *Distribution) N() int64 { return d.n }

// Below counts the negative samples.
func (d *Distribution) Below() Below { return d.below }

// Quantile estimates the p-quantile, p from 0 to 1, of the samples: linear
// interpolation between order statistics (type 7 of Hyndman and Fan 1996), each
// of which is known within 0.05 %, and exactly below 2,048 and at both ends.
// It is NaN of no samples, and where it depends on negative ones, whose values
// are not kept apart.
func (d *Distribution) Quantile(p float64) float64 { return quantile(d.n, p, d.order) }

// quantile is the p-quantile of type 7 of n samples, of which order gives the
// order statistics, from 0.
func quantile(n int64, p float64, order func(k int64) float64) float64 {
	if n == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	h := p * float64(n-1)
	k := int64(h)
	lo := order(k)
	if frac := h - float64(k); frac > 0 {
		return lo + frac*(order(k+1)-lo)
	}
	return lo
}

// order estimates the order statistic k, from 0.
func (d *Distribution) order(k int64) float64 {
	switch {
	case k <= 0:
		return float64(d.min)
	case k >= d.n-1:
		return float64(d.max)
	case k < d.below.N:
		return math.NaN()
	}
	// ValueAtPercentile rounds percentile/100*total to the nearest rank.
	rank := float64(k-d.below.N) + 1
	v := d.hdr.ValueAtPercentile(100 * rank / float64(d.hdr.TotalCount()))
	width := int64(1) << max(0, bits.Len64(uint64(v))-11) // 2,048 = 2^11 sub-buckets
	return min(max(float64(v-(width-1)/2), float64(d.min)), float64(d.max))
}
