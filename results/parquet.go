package results

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// maxGroupRows is the largest number of rows of one series and thread in a row group.
// It bounds the memory of the writer, which keeps the encoded pages of one row group.
const maxGroupRows = 4 << 20

// The keys of the metadata of a sample file.
const (
	metaSeries = "moobench.series"
	metaFormat = "moobench.format"
)

// layout is the columns of a sample file: series, thread, and the union of the columns
// of all series. A column that not every series has is optional.
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
	format, meta := parquet.KeyValueMetadata(metaFormat, strconv.Itoa(Format)), parquet.KeyValueMetadata(metaSeries, described(list))
	return &sampleWriter{layout: l, series: list, w: NewParquetWriter(w, "samples", l.columns, format, meta)}
}

// described returns the metadata metaSeries.
func described(list []Series) string {
	text, _ := json.Marshal(list) // names and whole numbers have a form in JSON
	return string(text)
}

// write appends rows of series i: columns[c][r].
func (w *sampleWriter) write(i int, columns [][]int64) error {
	n := len(columns[0])
	for at := 0; at < n; {
		m := int(min(int64(n-at), maxGroupRows-w.rows))
		if err := w.writeRows(i, columns, at, at+m); err != nil {
			return err
		}
		at += m
		if w.rows += int64(m); w.rows == maxGroupRows {
			if err := w.endSeries(); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeRows appends the rows [from, to), which fit into the row group.
func (w *sampleWriter) writeRows(i int, columns [][]int64, from, to int) error {
	s := w.series[i]
	values := make([][]int64, len(w.columns))
	for c, col := range s.Columns {
		values[w.index[col.Name]] = columns[c][from:to]
	}
	same := map[int]parquet.Value{0: parquet.Int64Value(int64(i)), 1: parquet.Int64Value(int64(s.Thread))}
	w.buf = slices.Grow(w.buf[:0], to-from)[:to-from]
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
		if err := w.w.WriteColumn(c, w.buf); err != nil {
			return err
		}
	}
	return nil
}

// endSeries ends the row group.
func (w *sampleWriter) endSeries() error {
	w.rows = 0
	return w.w.Flush()
}

// readSamples streams a sample file, column page by column page. The series
// must be those it was written with.
func readSamples(r io.ReaderAt, size int64, list []Series, fn func(series, column int, values []int64) error) (err error) {
	// parquet-go panics on some damaged pages.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged: %v", p)
		}
	}()
	// It also allocates the length that a footer claims.
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
func (l layout) readGroup(g parquet.RowGroup, list []Series, rows []int64, fn func(series, column int, values []int64) error) error {
	chunks := g.ColumnChunks()
	series, err := constant(chunks[0])
	if err != nil {
		return err
	}
	if series < 0 || series >= int64(len(list)) {
		return fmt.Errorf("a row group is of series %d, and there are %d", series, len(list))
	}
	for c, col := range list[series].Columns {
		n, err := readChunk(chunks[l.index[col.Name]], func(values []int64) error { return fn(int(series), c, values) })
		if err != nil {
			return err
		}
		if n != g.NumRows() {
			return fmt.Errorf("column %s has %d values in a row group of %d rows", col.Name, n, g.NumRows())
		}
	}
	rows[series] += g.NumRows()
	return nil
}

var errDone = errors.New("done")

// constant returns the value of a column that has the same one in a whole row group.
func constant(c parquet.ColumnChunk) (v int64, err error) {
	_, err = readChunk(c, func(values []int64) error {
		v = values[0]
		return errDone
	})
	switch {
	case errors.Is(err, errDone):
		err = nil
	case err == nil:
		err = errors.New("an empty row group")
	}
	return v, err
}

// readChunk streams the values that are not null, and returns their number.
func readChunk(c parquet.ColumnChunk, fn func([]int64) error) (n int64, err error) {
	pages := c.Pages()
	defer func() { err = errors.Join(err, pages.Close()) }()
	for {
		p, err := pages.ReadPage()
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		data := p.Data()
		if values := data.Int64(); len(values) > 0 {
			n += int64(len(values))
			err = fn(values)
		}
		parquet.Release(p)
		if err != nil {
			return n, err
		}
	}
}

// ParquetColumn is a column of a Parquet file.
type ParquetColumn struct {
	Name string
	Node parquet.Node
}

// ParquetWriter writes a Parquet file. It takes whole slices of values: a row at a time
// takes ten times as long.
type ParquetWriter struct {
	*parquet.GenericWriter[any]
	columns []ParquetColumn
}

// NewParquetWriter returns a writer of rows with these columns in their order.
func NewParquetWriter(w io.Writer, name string, columns []ParquetColumn, meta ...parquet.WriterOption) *ParquetWriter {
	group := parquet.Group{}
	for _, c := range columns {
		group[c.Name] = c.Node
	}
	schema := parquet.NewSchema(name, ordered{group, columns})
	options := append(meta, schema, parquet.Compression(&parquet.Uncompressed), parquet.CreatedBy("moobench", "1", ""))
	return &ParquetWriter{parquet.NewGenericWriter[any](w, options...), columns}
}

// WriteColumn appends values to column i of the row group, which Flush ends.
func (w *ParquetWriter) WriteColumn(i int, values []parquet.Value) error {
	if _, err := w.ColumnWriters()[i].WriteRowValues(values); err != nil {
		return fmt.Errorf("column %s: %w", w.columns[i].Name, err)
	}
	return nil
}

// ordered is a parquet.Group whose columns keep their order; Group sorts them
// by name.
type ordered struct {
	parquet.Group
	columns []ParquetColumn
}

// Fields returns the columns.
func (o ordered) Fields() []parquet.Field {
	fields := o.Group.Fields()
	place := func(f parquet.Field) int {
		return slices.IndexFunc(o.columns, func(c ParquetColumn) bool { return c.Name == f.Name() })
	}
	slices.SortFunc(fields, func(a, b parquet.Field) int { return place(a) - place(b) })
	return fields
}
