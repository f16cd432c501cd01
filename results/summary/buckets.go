package summary

import (
	"fmt"
	"math/bits"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The buckets of an HdrHistogram with 3 significant digits: each value below 2,048 has its
// own, and each doubling from there on has 1,024. The library finds the bucket for any
// number of digits and any range, and takes several times as long.
const (
	exactBits = 11
	exact     = 1 << exactBits // values below it have a bucket each
	buckets   = exact + (63-exactBits)*exact/2
)

// bucketOf returns the bucket of a value that is not negative.
func bucketOf(v int64) int {
	shift := bits.Len64(uint64(v)|(exact-1)) - exactBits
	return shift*(exact/2) + int(v>>shift)
}

// lowestOf returns the least value in a bucket.
func lowestOf(bucket int) int64 {
	shift := max(bucket/(exact/2)-1, 0)
	return int64(bucket-shift*(exact/2)) << shift
}

// tally counts samples by bucket. Only the buckets from lo to hi may be filled.
type tally struct {
	n      []int64
	lo, hi int
}

func newTally() tally { return tally{n: make([]int64, buckets), lo: buckets} }

// add counts values from low to high. Negative ones have no bucket.
func (t *tally) add(values []int64, low, high int64) {
	t.lo, t.hi = min(t.lo, bucketOf(max(low, 0))), max(t.hi, bucketOf(max(high, 0)))
	if low >= 0 {
		for _, v := range values {
			t.n[bucketOf(v)]++
		}
		return
	}
	for _, v := range values {
		if v >= 0 {
			t.n[bucketOf(v)]++
		}
	}
}

// take returns the counts, nil without any, and resets them.
func (t *tally) take() (*hdrhistogram.PackedHistogram, error) {
	h := newPacked()
	for b := t.lo; b <= t.hi; b++ {
		if t.n[b] == 0 {
			continue
		}
		if err := h.RecordValues(lowestOf(b), t.n[b]); err != nil {
			return nil, fmt.Errorf("recording %d: %w", lowestOf(b), err)
		}
		t.n[b] = 0
	}
	t.lo, t.hi = buckets, 0
	if h.TotalCount() == 0 {
		return nil, nil
	}
	return h, nil
}
