package results

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// maxGroupRows is the largest number of rows of one series and thread in a row group.
// It bounds the memory of the writer, which keeps the encoded pages of one row group.
const maxGroupRows = 4 << 20

// Metadata keys of a sample file.
const (
	metaSeries = "moobench.series"
	metaFormat = "moobench.format"
)

// layout is the columns of a sample file: series, thread, and the union of the columns of all series. A column
// that some series lack is optional.
type layout struct {
	columns []ParquetColumn
	index   map[string]int
}

func newLayout(list []Series) layout {
	integer := parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.DeltaBinaryPacked)
	l := layout{columns: []ParquetColumn{{"series", integer}, {"thread", integer}}, index: map[string]int{}}
	uses := map[string]int{}
	for _, s := range list {
		for _, c := range s.Columns {
			if uses[c.Name]++; uses[c.Name] == 1 {
				l.index[c.Name] = len(l.columns)
				l.columns = append(l.columns, ParquetColumn{c.Name, integer})
			}
		}
	}
	for name, i := range l.index {
		if uses[name] < len(list) {
			l.columns[i].Node = parquet.Optional(integer)
		}
	}
	return l
}

// sampleWriter writes samples.parquet.
type sampleWriter struct {
	layout
	series []Series
	w      *ParquetWriter
	rows   int64 // in the current row group
	buf    []parquet.Value
}

func newSampleWriter(w io.Writer, list []Series) *sampleWriter {
	l := newLayout(list)
	format := parquet.KeyValueMetadata(metaFormat, strconv.Itoa(Format))
	meta := parquet.KeyValueMetadata(metaSeries, described(list))
	return &sampleWriter{layout: l, series: list, w: NewParquetWriter(w, "samples", l.columns, format, meta)}
}

// described returns the value of metaSeries.
func described(list []Series) string {
	text, _ := json.Marshal(list) // names and integers always have a form in JSON
	return string(text)
}

// write appends rows of series i: columns[c][r].
func (w *sampleWriter) write(i int, columns [][]int64) error {
	s, n := w.series[i], len(columns[0])
	same := map[int]parquet.Value{0: parquet.Int64Value(int64(i)), 1: parquet.Int64Value(int64(s.Thread))}
	for at := 0; at < n; {
		m := int(min(int64(n-at), maxGroupRows-w.rows)) // rows that fit into the row group
		values := make([][]int64, len(w.columns))
		for c, col := range s.Columns {
			values[w.index[col.Name]] = columns[c][at : at+m]
		}
		w.buf = slices.Grow(w.buf[:0], m)[:m]
		for c, column := range w.columns {
			level := 0
			if column.Node.Optional() {
				level = 1
			}
			for r, v := range values[c] {
				w.buf[r] = parquet.Int64Value(v).Level(0, level, c)
			}
			if values[c] == nil { // series, thread, or a column that this series does not have
				for r := range w.buf {
					w.buf[r] = same[c]
				}
			}
			w.w.WriteColumn(c, w.buf)
		}
		at += m
		if w.rows += int64(m); w.rows == maxGroupRows {
			w.endSeries()
		}
	}
	return w.w.Err()
}

// endSeries ends the row group.
func (w *sampleWriter) endSeries() error {
	w.rows = 0
	return w.w.Flush()
}

// readSamples streams a sample file, page by page of each column. The series must be the ones that it was
// written with.
func readSamples(
	r io.ReaderAt, size int64, list []Series, fn func(series, column int, values []int64) error,
) (err error) {
	// parquet-go panics on some damaged pages.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged: %v", p)
		}
	}()
	// It also allocates as many bytes as the footer claims.
	var tail [8]byte // length of the footer, PAR1
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return fmt.Errorf("its end: %w", err)
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:])); n > size-int64(len(tail)) {
		return fmt.Errorf("its footer has %d bytes, the file %d", n, size)
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	if got, _ := f.Lookup(metaSeries); got != described(list) {
		return errors.New("its series are not those of the invocation")
	}
	l := newLayout(list)
	if len(f.Root().Columns()) != len(l.columns) {
		return fmt.Errorf("it has %d columns instead of %d", len(f.Root().Columns()), len(l.columns))
	}
	rows := make([]int64, len(list))
	for _, g := range f.RowGroups() {
		if err := l.readGroup(g, list, rows, fn); err != nil {
			return err
		}
	}
	for i, s := range list {
		if rows[i] != s.Count {
			why := fmt.Errorf("series %s, thread %d has %d samples instead of %d", s.Name, s.Thread, rows[i], s.Count)
			return &Error{problemCounts, "reading", samplesFile, why, ""}
		}
	}
	return nil
}

// readGroup streams a row group, and counts its rows.
func (l layout) readGroup(
	g parquet.RowGroup, list []Series, rows []int64, fn func(series, column int, values []int64) error,
) error {
	chunks := g.ColumnChunks()
	series, err := constant(chunks[0])
	if err != nil {
		return err
	}
	if series < 0 || series >= int64(len(list)) {
		return fmt.Errorf("a row group is of series %d, and there are %d", series, len(list))
	}
	for c, col := range list[series].Columns {
		n := int64(0)
		for values, err := range pages(chunks[l.index[col.Name]]) {
			if err == nil {
				err = fn(int(series), c, values)
			}
			if err != nil {
				return err
			}
			n += int64(len(values))
		}
		if n != g.NumRows() {
			return fmt.Errorf("column %s has %d values in a row group of %d rows", col.Name, n, g.NumRows())
		}
	}
	rows[series] += g.NumRows()
	return nil
}

// constant returns the value of a column that is constant in a row group.
func constant(c parquet.ColumnChunk) (int64, error) {
	for values, err := range pages(c) {
		if err != nil {
			return 0, err
		}
		return values[0], nil
	}
	return 0, errors.New("an empty row group")
}

// pages yields the values that are not null, page by page, and an error, if there is one, at the end.
func pages(c parquet.ColumnChunk) iter.Seq2[[]int64, error] {
	return func(yield func([]int64, error) bool) {
		all := c.Pages()
		defer all.Close()
		for {
			p, err := all.ReadPage()
			if err != nil {
				if err != io.EOF {
					yield(nil, err)
				}
				return
			}
			data := p.Data()
			values := data.Int64()
			goOn := len(values) == 0 || yield(values, nil)
			parquet.Release(p)
			if !goOn {
				return
			}
		}
	}
}

// ParquetColumn is a column of a Parquet file.
type ParquetColumn struct {
	Name string
	Node parquet.Node
}

// ParquetWriter writes a Parquet file. It takes whole slices of values: a row at a time
// takes ten times as long. It remembers its first error, and writes nothing after it.
type ParquetWriter struct {
	*parquet.GenericWriter[any]
	columns []ParquetColumn
	err     error
}

// NewParquetWriter returns a writer of rows with these columns in their order.
func NewParquetWriter(w io.Writer, name string, columns []ParquetColumn, meta ...parquet.WriterOption) *ParquetWriter {
	group, place := parquet.Group{}, map[string]int{}
	for i, c := range columns {
		group[c.Name], place[c.Name] = c.Node, i
	}
	schema := parquet.NewSchema(name, ordered{group, place})
	options := append(meta, schema, parquet.Compression(&parquet.Uncompressed), parquet.CreatedBy("moobench", "1", ""))
	return &ParquetWriter{GenericWriter: parquet.NewGenericWriter[any](w, options...), columns: columns}
}

// WriteColumn appends values to column i of the row group, which Flush ends.
func (w *ParquetWriter) WriteColumn(i int, values []parquet.Value) {
	w.unlessFailed(func() error {
		if _, err := w.ColumnWriters()[i].WriteRowValues(values); err != nil {
			return fmt.Errorf("column %s: %w", w.columns[i].Name, err)
		}
		return nil
	})
}

// Flush ends the row group, and returns the first error so far.
func (w *ParquetWriter) Flush() error { return w.unlessFailed(w.GenericWriter.Flush) }

// Close ends the file, and returns the first error.
func (w *ParquetWriter) Close() error { return w.unlessFailed(w.GenericWriter.Close) }

// Err returns the first error so far.
func (w *ParquetWriter) Err() error { return w.err }

func (w *ParquetWriter) unlessFailed(step func() error) error {
	if w.err == nil {
		w.err = step()
	}
	return w.err
}

// ordered is a parquet.Group whose columns keep their order; Group sorts them
// by name.
type ordered struct {
	parquet.Group
	place map[string]int
}

// Fields returns the columns.
func (o ordered) Fields() []parquet.Field {
	return slices.SortedFunc(slices.Values(o.Group.Fields()), func(a, b parquet.Field) int {
		return o.place[a.Name()] - o.place[b.Name()]
	})
}
