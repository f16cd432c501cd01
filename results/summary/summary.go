// Package summary condenses the samples of an invocation: per series, thread
// and column the moments of 1,000 batches and 20 mergeable histograms of 50 batches
// each. It is pure and infers nothing; a summary is a cache of samples, small enough that
// a report of a hundred invocations opens no sample file.
//
// Batch i of N samples holds the samples [i*N/1000, (i+1)*N/1000) in order of
// recording; fewer than 1,000 samples are one batch each. Windows are ranges of
// whole histograms, so that moments and quantiles are of the same samples.
package summary

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/bits"
)

const (
	// Version is the version of the summariser. A stored summary with another version is stale, and is computed
	// anew from the samples.
	Version = 1
	// format is the format of the results folder, which is not imported here.
	format = 2
	// MaxBatches is the number of batches of a column with at least that many samples.
	MaxBatches = 1000
	// perHistogram is the number of batches of a histogram.
	perHistogram = 50
)

// Summary is summary.json: the summarised columns of one invocation.
type Summary struct {
	Format  int    `json:"format"`  // of the results folder: 2
	Version int    `json:"version"` // of the summariser: 1
	Samples string `json:"samples"` // SHA-256 of the samples.parquet it was made from, in hex
	// Columns has one element for each series, thread and column of kind duration or count.
	Columns []Column `json:"columns"`
	// Anew says why the summary was computed from the samples although one is stored; otherwise "".
	Anew string `json:"-"`
}

// Column is one column of kind duration or count of one series and thread.
// Sum, SS, Min and Max have one entry per batch; the sizes of the batches
// follow from Count. Values are in the column's unit.
//
// SS is the sum of squared deviations from the batch's own mean, not the sum of squares:
// the latter loses the variance to cancellation as soon as the mean is large compared
// with the spread (a spread of a nanosecond around 10^9 ns needs 20 digits), while
// deviations keep it, also when batches are merged (see Moments).
type Column struct {
	Series string    `json:"series"` // name
	Thread int       `json:"thread"` // number
	Name   string    `json:"column"` // name of the column
	Count  int64     `json:"count"`  // samples
	Sum    []float64 `json:"sum"`    // sum of each batch's samples
	SS     []float64 `json:"ss"`     // sum of squared deviations from the batch's own mean
	Min    []int64   `json:"min"`    // smallest sample of each batch
	Max    []int64   `json:"max"`    // largest sample of each batch
	// Histograms hold 50 batches each, in order.
	Histograms []Histogram `json:"histograms"`
}

// Encode renders a summary as summary.json with the current Version. Its format is the current one, unless the
// summary names an older one, whose keys are the same.
func Encode(s *Summary) ([]byte, error) {
	s.Format, s.Version = cmp.Or(s.Format, format), Version
	for i := range s.Columns {
		for j := range s.Columns[i].Histograms {
			h := &s.Columns[i].Histograms[j]
			if h.HDR != "" || h.packed == nil {
				continue
			}
			data, err := h.packed.Encode()
			if err != nil {
				return nil, fmt.Errorf("encoding summary: series %s, column %s: encoding histogram: %w",
					s.Columns[i].Series, s.Columns[i].Name, err)
			}
			h.HDR = string(data)
		}
	}
	data, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encoding summary: %w", err)
	}
	return append(data, '\n'), nil
}

// Decode reads summary.json. A summary of another Version is returned unchecked, so that the reader can see
// that it is stale.
func Decode(data []byte) (*Summary, error) {
	s := new(Summary)
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("decoding summary: %w", err)
	}
	if s.Version != Version {
		return s, nil
	}
	for i := range s.Columns {
		if err := s.Columns[i].check(); err != nil {
			return nil, fmt.Errorf("decoding summary: series %s, column %s: %w",
				s.Columns[i].Series, s.Columns[i].Name, err)
		}
	}
	return s, nil
}

// check returns an error if no samples could have this summary.
func (c *Column) check() error {
	n := c.Batches()
	if c.Count < 0 || len(c.Sum) != n || len(c.SS) != n || len(c.Min) != n || len(c.Max) != n {
		return fmt.Errorf("%d samples need %d batches, found %d, %d, %d and %d",
			c.Count, n, len(c.Sum), len(c.SS), len(c.Min), len(c.Max))
	}
	if want := (n + perHistogram - 1) / perHistogram; len(c.Histograms) != want {
		return fmt.Errorf("%d batches need %d histograms, found %d", n, want, len(c.Histograms))
	}
	for i := range n {
		if m := c.Batch(i); !m.possible() {
			return fmt.Errorf("batch %d: no %d samples have the sum %g, "+
				"the squared deviations %g and lie from %d to %d", i, m.N, m.Sum, m.ss, m.Min, m.Max)
		}
	}
	for i, h := range c.Histograms {
		if b := h.Below; b != nil && (b.N < 1 || b.Min > b.Max || b.Max >= 0) {
			return fmt.Errorf("histogram %d: %d samples below 0, from %d to %d", i, b.N, b.Min, b.Max)
		}
	}
	return nil
}

// Find returns the columns of this series and name, one per thread.
func (s *Summary) Find(series, column string) []*Column {
	var found []*Column
	for i := range s.Columns {
		if c := &s.Columns[i]; c.Series == series && c.Name == column {
			found = append(found, c)
		}
	}
	return found
}

// Batches is the number of batches of the column.
func (c *Column) Batches() int { return int(min(max(c.Count, 0), MaxBatches)) }

// Start returns the number of the first sample of batch i of n samples; for batch MaxBatches it is n.
func Start(n int64, i int) int64 {
	if n <= MaxBatches {
		return min(int64(i), n)
	}
	hi, lo := bits.Mul64(uint64(n), uint64(i)) // n may be near 2^63
	q, _ := bits.Div64(hi, lo, MaxBatches)
	return int64(q)
}
