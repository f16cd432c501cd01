package summary

import (
	"fmt"
	"math/bits"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// digits is the number of significant decimal digits of a histogram. Three make buckets at most 1/1024 of their
// values wide; up to 2,047 they are exact.
const digits = 3

// Histogram is the distribution of perHistogram batches. It has all samples: those from 0 to the largest int64
// in an HdrHistogram, and the number and range of the negative ones, which only a clock that steps back could
// cause.
type Histogram struct {
	// HDR is an HdrHistogram (lowest 1, highest 2^63-1, 3 significant digits, V2 compressed encoding, base64),
	// which any HdrHistogram library decodes and merges; "" without values. Buckets are at most 1/1024 of their
	// value wide, and exact below 2,048.
	//
	// In a newly built summary, Encode fills it in: compressing takes longer than counting.
	HDR string `json:"hdr"`
	// Below counts the negative samples, which are not in HDR; absent without any.
	Below *Below `json:"below,omitempty"`

	packed *hdrhistogram.PackedHistogram // the histogram that HDR will encode; nil without samples
}

// addTo adds the samples to the counts, and returns how many of them are in HDR, at most most.
func (h *Histogram) addTo(t *tally, most int64) (n int64, err error) {
	if h.Below != nil {
		t.below.add(*h.Below)
	}
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
		t.fill(b, b)
		t.n[b] += count
		n += count
	}
	return n, nil
}

// Below counts the negative samples of a histogram.
type Below struct {
	N   int64 `json:"n"`   // number of samples
	Min int64 `json:"min"` // smallest of them
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

// Buckets of an HdrHistogram with 3 significant digits: each value below 2,048 has its own, and each doubling
// from there on has 1,024. The library finds buckets for any number of digits and any range, but takes several
// times as long.
const (
	exactBits = 11
	exact     = 1 << exactBits // each value below it has its own bucket
	buckets   = exact + (63-exactBits)*exact/2
)

// bucketOf returns the bucket of a non-negative value.
func bucketOf(v int64) int {
	shift := bits.Len64(uint64(v)|(exact-1)) - exactBits
	return shift*(exact/2) + int(v>>shift)
}

// lowestOf returns the smallest value in a bucket.
func lowestOf(bucket int) int64 {
	shift := max(bucket/(exact/2)-1, 0)
	return int64(bucket-shift*(exact/2)) << shift
}

// tally counts samples by bucket. Only the buckets from lo to hi may be filled; negative samples have no
// bucket. n grows only up to the highest bucket so far: all buckets would take half a megabyte, but samples
// below a millisecond need only a fifth of that.
type tally struct {
	n      []int64
	lo, hi int
	below  Below
}

func newTally() tally { return tally{lo: buckets} }

// fill extends the range of filled buckets.
func (t *tally) fill(from, to int) {
	t.lo, t.hi = min(t.lo, from), max(t.hi, to)
	if len(t.n) <= to {
		t.n = append(t.n, make([]int64, to+1-len(t.n))...)
	}
}

// add counts values from low to high.
func (t *tally) add(values []int64, low, high int64) {
	t.fill(bucketOf(max(low, 0)), bucketOf(max(high, 0)))
	for _, v := range values {
		if v < 0 {
			t.below.add(Below{1, v, v})
			continue
		}
		t.n[bucketOf(v)]++
	}
}
