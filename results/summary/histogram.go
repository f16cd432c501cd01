package summary

import (
	"fmt"
	"math"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// digits are the significant decimal digits of a histogram. Three make buckets
// whose width is at most 1/1024 of their values; up to 2,047 they are exact.
const digits = 3

// Histogram is the distribution of PerHistogram batches. It has every sample: those from
// 0 to the largest int64 in an HdrHistogram, and the number and range of negative ones,
// which only a clock that steps back could cause.
type Histogram struct {
	// HDR is an HdrHistogram (lowest 1, highest 2^63-1, 3 significant digits, V2
	// compressed encoding, base64), "" without values, which any HdrHistogram
	// library decodes and merges. Buckets are at most 1/1024 of their value wide,
	// and exact below 2,048.
	//
	// In a summary that was just built it is filled in by Encode: compressing
	// takes longer than counting.
	HDR string `json:"hdr"`
	// Below counts the negative samples, which are not in HDR; absent without any.
	Below *Below `json:"below,omitempty"`

	packed *hdrhistogram.PackedHistogram // what HDR will encode, nil without samples
}

func newPacked() *hdrhistogram.PackedHistogram {
	return hdrhistogram.NewPacked(1, math.MaxInt64, digits)
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

// addTo adds the samples of HDR to the counts, and returns their number, which may be at
// most most.
func (h *Histogram) addTo(t *tally, most int64) (n int64, err error) {
	packed := h.packed
	if packed == nil && h.HDR != "" {
		if packed, err = hdrhistogram.DecodePacked([]byte(h.HDR)); err != nil {
			return 0, fmt.Errorf("decoding: %w", err)
		}
	}
	if packed == nil {
		return 0, nil
	}
	for value, count := range packed.ForEachBucket {
		if value < 0 || count < 0 || count > most-n {
			return 0, fmt.Errorf("merging: %d samples are out of range", count)
		}
		b := bucketOf(value)
		t.n[b] += count
		t.lo, t.hi = min(t.lo, b), max(t.hi, b)
		n += count
	}
	return n, nil
}

// Below counts the negative samples of a histogram.
type Below struct {
	N   int64 `json:"n"`   // number of samples
	Min int64 `json:"min"` // least of them
	Max int64 `json:"max"` // largest of them
}

// add adds the negative samples of another histogram.
func (b *Below) add(other Below) {
	switch {
	case other.N == 0:
	case b.N == 0:
		*b = other
	default:
		*b = Below{b.N + other.N, min(b.Min, other.Min), max(b.Max, other.Max)}
	}
}
