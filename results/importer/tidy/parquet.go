package tidy

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/parquet-go/parquet-go"

	"moobench/results"
)

// groupRows is the number of rows of a table that are written at a time.
const groupRows = 1 << 16

// The types of columns. Every column is optional.
var (
	text    = parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
	number  = parquet.Optional(parquet.Leaf(parquet.DoubleType))
	integer = parquet.Optional(parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.DeltaBinaryPacked))
	truth   = parquet.Optional(parquet.Leaf(parquet.BooleanType))
	instant = parquet.Optional(parquet.Timestamp(parquet.Microsecond))
)

// value returns the value of a column, null for nil.
func value(v any, column int) parquet.Value {
	level := 1
	switch t := v.(type) {
	case nil:
		level = 0
	case time.Time:
		v = t.UnixMicro()
	}
	return parquet.ValueOf(v).Level(0, level, column)
}

// writeParquet writes a table, groupRows rows at a time.
func writeParquet(w io.Writer, t table) error {
	out := results.NewParquetWriter(w, t.name, t.columns)
	columns := make([][]parquet.Value, len(t.columns))
	flush := func() {
		for i := range columns {
			out.WriteColumn(i, columns[i])
			columns[i] = columns[i][:0]
		}
		out.Flush()
	}
	t.rows(func(row ...any) {
		for i, v := range row {
			columns[i] = append(columns[i], value(v, i))
		}
		if len(columns[0]) == groupRows {
			flush()
		}
	})
	if len(columns[0]) > 0 {
		flush()
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("writing %s: %w", t.name, err)
	}
	return nil
}

// sampleNumber is the column that counts the samples of a series.
const sampleNumber = "sample"

// sampleWriter writes the samples of all invocations into one file. Sample files are read column by column, and
// written in the same order: rows are never in memory.
type sampleWriter struct {
	columns []results.ParquetColumn
	index   map[string]int // by column name of a series
	out     *results.ParquetWriter
	buf     []parquet.Value

	invocation string
	series     results.Series
	last       int   // last written column, -1 at the beginning of a row group
	rows       int64 // in the current row group
	done       int64 // rows of the series in earlier row groups
}

// writeSamples writes the samples of all current invocations. Each row group has one
// series and thread of one invocation.
func (e *export) writeSamples(ctx context.Context, w io.Writer) error {
	columns := append(named(text, "invocation", "series"), named(integer, "thread", sampleNumber)...)
	s := &sampleWriter{columns: columns, index: map[string]int{}}
	e.eachColumn(func(_ *results.Invocation, _ results.Series, c results.Column) {
		if _, known := s.index[c.Name]; known {
			return
		}
		name := c.Name // renamed if the name is taken
		for slices.ContainsFunc(s.columns, func(c results.ParquetColumn) bool { return c.Name == name }) {
			name += "_"
		}
		s.index[c.Name] = len(s.columns)
		s.columns = append(s.columns, results.ParquetColumn{Name: name, Node: integer})
	})
	s.out = results.NewParquetWriter(w, "samples", s.columns)
	for _, inv := range e.list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if inv.Superseded {
			continue
		}
		if err := s.add(e.store, inv); err != nil {
			return fmt.Errorf("writing samples of %s: %w", inv.Identity, err)
		}
	}
	if err := s.out.Close(); err != nil {
		return fmt.Errorf("writing samples: %w", err)
	}
	return nil
}

// add writes the samples of an invocation.
func (s *sampleWriter) add(store *results.Store, inv *results.Invocation) error {
	s.invocation, s.series, s.done = inv.Identity.String(), results.Series{}, 0
	s.begin()
	err := store.Samples(inv, func(series results.Series, column int, values []int64) error {
		another := series.Name != s.series.Name || series.Thread != s.series.Thread
		if another || column < s.last {
			s.end()
		}
		if another {
			s.series, s.done = series, 0
		}
		if s.last = column; column == 0 {
			s.rows += int64(len(values))
		}
		at := s.index[series.Columns[column].Name]
		s.put(at, len(values), func(i int) parquet.Value { return parquet.Int64Value(values[i]).Level(0, 1, at) })
		return s.out.Err()
	})
	s.end()
	return cmp.Or(err, s.out.Err())
}

// begin begins a row group.
func (s *sampleWriter) begin() { s.last, s.rows = -1, 0 }

// end writes the columns that the series lacks, which are constant or count the rows, and ends the row group.
func (s *sampleWriter) end() {
	defer s.begin()
	if s.rows == 0 {
		return
	}
	same := make([]any, len(s.columns)) // nil in a column of another series
	copy(same, []any{s.invocation, s.series.Name, int64(s.series.Thread)})
	for at, c := range s.columns {
		if slices.ContainsFunc(s.series.Columns, func(c results.Column) bool { return s.index[c.Name] == at }) {
			continue
		}
		constant := value(same[at], at)
		const step = 1 << 16 // rows
		for from := int64(0); from < s.rows; from += step {
			s.put(at, int(min(step, s.rows-from)), func(i int) parquet.Value {
				if c.Name == sampleNumber {
					return value(s.done+from+int64(i), at)
				}
				return constant
			})
		}
	}
	s.done += s.rows
	s.out.Flush()
}

// put writes n values of a column.
func (s *sampleWriter) put(at, n int, value func(i int) parquet.Value) {
	s.buf = slices.Grow(s.buf[:0], n)[:n]
	for i := range s.buf {
		s.buf[i] = value(i)
	}
	s.out.WriteColumn(at, s.buf)
}
