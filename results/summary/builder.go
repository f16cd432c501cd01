package summary

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Builder summarises one column from a stream of its samples. The result
// depends on the samples and their order alone, not on how the stream is cut.
type Builder struct {
	column  Column
	end     int64 // the number of the first sample after the current batch
	seen    int64
	batch   []int64 // samples of the current batch
	hdr     *hdrhistogram.Histogram
	below   Below
	inHisto int // batches in hdr
	err     error
}

// NewBuilder returns a builder for count samples.
func NewBuilder(count int64) *Builder {
	return &Builder{column: Column{Count: count}, end: Start(count, 1), hdr: newHDR()}
}

// Add takes the next samples.
func (b *Builder) Add(values []int64) {
	for len(values) > 0 && b.seen < b.column.Count {
		n := int(min(int64(len(values)), b.end-b.seen))
		b.batch = append(b.batch, values[:n]...)
		b.seen += int64(n)
		values = values[n:]
		if b.seen == b.end {
			b.closeBatch()
		}
	}
	b.seen += int64(len(values)) // too many: Column says so
}

// Column returns the summary; it is an error if the builder has seen more or
// fewer samples than it was made for.
func (b *Builder) Column() (Column, error) {
	if b.seen != b.column.Count {
		return Column{}, fmt.Errorf("%d samples instead of %d", b.seen, b.column.Count)
	}
	if b.inHisto > 0 {
		b.closeHistogram()
	}
	return b.column, b.err
}

func (b *Builder) closeBatch() {
	c := &b.column
	m := momentsOf(b.batch)
	c.Sum, c.SS = append(c.Sum, m.Sum), append(c.SS, m.SS)
	c.Min, c.Max = append(c.Min, m.Min), append(c.Max, m.Max)
	for _, v := range b.batch {
		if v < 0 {
			b.addBelow(v)
		} else if err := b.hdr.RecordValue(v); err != nil {
			b.err = fmt.Errorf("recording %d: %w", v, err)
		}
	}
	b.batch = b.batch[:0]
	b.inHisto++
	if b.inHisto == PerHistogram {
		b.closeHistogram()
	}
	b.end = Start(c.Count, len(c.Sum)+1)
}

func (b *Builder) addBelow(v int64) {
	if b.below.N == 0 {
		b.below = Below{0, v, v}
	}
	b.below = Below{b.below.N + 1, min(b.below.Min, v), max(b.below.Max, v)}
}

func (b *Builder) closeHistogram() {
	var h Histogram
	if b.hdr.TotalCount() > 0 {
		data, err := b.hdr.EncodeV2()
		if err != nil {
			b.err = fmt.Errorf("encoding histogram: %w", err)
		}
		h.HDR = string(data)
	}
	if b.below.N > 0 {
		below := b.below
		h.Below = &below
	}
	b.column.Histograms = append(b.column.Histograms, h)
	b.hdr.Reset()
	b.below, b.inHisto = Below{}, 0
}

// momentsOf needs at least one value. The sum is exact in 128 bits; deviations
// are summed in a second pass, less the square of what their rounding left over
// (the corrected two-pass algorithm of Chan, Golub and LeVeque 1983).
func momentsOf(values []int64) Moments {
	m := Moments{N: int64(len(values)), Min: values[0], Max: values[0]}
	var hi, lo uint64
	for _, v := range values {
		var carry uint64
		lo, carry = bits.Add64(lo, uint64(v), 0)
		hi += uint64(v>>63) + carry // sign extension
		m.Min, m.Max = min(m.Min, v), max(m.Max, v)
	}
	m.Sum = float128(hi, lo)
	mean := m.Sum / float64(m.N)
	var rest float64
	for _, v := range values {
		d := float64(v) - mean
		m.SS += float64(d * d) // the conversion forbids fusing, so that all machines agree
		rest += d
	}
	m.SS = max(0, m.SS-rest*rest/float64(m.N))
	return m
}

// float128 rounds a 128-bit two's complement integer.
func float128(hi, lo uint64) float64 {
	if int64(hi) >= 0 {
		return math.Ldexp(float64(hi), 64) + float64(lo)
	}
	lo, borrow := bits.Sub64(0, lo, 0)
	hi, _ = bits.Sub64(0, hi, borrow)
	return -(math.Ldexp(float64(hi), 64) + float64(lo))
}
