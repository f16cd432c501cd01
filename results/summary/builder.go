package summary

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Builder summarises one column from a stream of its samples. The result depends only on the samples and their
// order: it does not matter where the stream is split.
type Builder struct {
	column  Column
	end     int64 // number of the first sample after the current batch
	seen    int64
	batch   []int64 // samples of the current batch from earlier pieces
	tally   tally
	inHisto int // batches in tally
	err     error
}

// NewBuilder returns a builder for count samples. It allocates no memory before the first
// sample, and frees its counters with the last one.
func NewBuilder(count int64) *Builder {
	return &Builder{column: Column{Count: count}, end: Start(count, 1), tally: newTally()}
}

// Add takes the next samples.
func (b *Builder) Add(values []int64) {
	for len(values) > 0 && b.seen < b.column.Count {
		n := int(min(int64(len(values)), b.end-b.seen))
		b.seen += int64(n)
		piece := values[:n]
		values = values[n:]
		if b.seen < b.end || len(b.batch) > 0 {
			b.batch = append(b.batch, piece...)
			piece = b.batch
		}
		if b.seen == b.end {
			c, m := &b.column, momentsOf(piece)
			c.Sum, c.SS = append(c.Sum, m.Sum), append(c.SS, m.ss)
			c.Min, c.Max = append(c.Min, m.Min), append(c.Max, m.Max)
			b.tally.add(piece, m.Min, m.Max)
			if b.inHisto++; b.inHisto == perHistogram {
				b.closeHistogram()
			}
			b.end, b.batch = Start(c.Count, len(c.Sum)+1), b.batch[:0]
		}
	}
	if b.seen == b.column.Count {
		if b.inHisto > 0 {
			b.closeHistogram()
		}
		b.tally, b.batch = tally{}, nil
	}
	b.seen += int64(len(values)) // too many, which Column reports
}

// Column returns the summary, or an error if the builder has seen more or fewer samples than it was made for.
func (b *Builder) Column() (Column, error) {
	if b.seen != b.column.Count {
		return Column{}, fmt.Errorf("%d samples instead of %d", b.seen, b.column.Count)
	}
	if c := &b.column; c.Count == 0 { // an empty list in JSON, not null
		c.Sum, c.SS, c.Min, c.Max = []float64{}, []float64{}, []int64{}, []int64{}
	}
	return b.column, b.err
}

// closeHistogram adds a histogram of the batches since the last one, and empties the tally.
func (b *Builder) closeHistogram() {
	h, t := Histogram{packed: hdrhistogram.NewPacked(1, math.MaxInt64, digits)}, &b.tally
	for at := t.lo; at <= t.hi; at++ {
		if t.n[at] == 0 {
			continue
		}
		if err := h.packed.RecordValues(lowestOf(at), t.n[at]); err != nil {
			b.err = fmt.Errorf("recording %d: %w", lowestOf(at), err)
		}
		t.n[at] = 0
	}
	t.lo, t.hi = buckets, 0
	if h.packed.TotalCount() == 0 {
		h.packed = nil
	}
	if below := t.below; below.N > 0 {
		h.Below = &below
	}
	b.column.Histograms = append(b.column.Histograms, h)
	t.below, b.inHisto = Below{}, 0
}

// momentsOf returns the moments of at least one value. The sum is exact in 128 bits;
// squared deviations are summed in a second pass and corrected for their rounding (the
// corrected two-pass algorithm of Chan, Golub and LeVeque 1983).
func momentsOf(values []int64) Moments {
	var hi, lo uint64
	low, high := values[0], values[0]
	for _, v := range values {
		var carry uint64
		lo, carry = bits.Add64(lo, uint64(v), 0)
		hi += uint64(v>>63) + carry // sign extension
		low, high = min(low, v), max(high, v)
	}
	n, negative := float64(len(values)), int64(hi) < 0
	if negative {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	sum := math.Ldexp(float64(hi), 64) + float64(lo)
	if negative {
		sum = -sum
	}
	mean := sum / n
	var squares, rest float64
	for _, v := range values {
		d := float64(v) - mean
		squares += float64(d * d) // the conversion forbids fusing, so that all machines agree
		rest += d
	}
	return Moments{N: int64(len(values)), Sum: sum, ss: max(0, squares-rest*rest/n), Min: low, Max: high}
}
