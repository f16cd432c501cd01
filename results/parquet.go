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
	names    []string
	optional []bool
	index    map[string]int
}

func newLayout(list []Series) layout {
	l := layout{names: []string{"series", "thread"}, index: map[string]int{}}
	uses := map[string]int{}
	for _, s := range list {
		for _, c := range s.Columns {
			if uses[c.Name]++; uses[c.Name] == 1 {
				l.index[c.Name] = len(l.names)
				l.names = append(l.names, c.Name)
			}
		}
	}
	l.optional = make([]bool, len(l.names))
	for name, i := range l.index {
		l.optional[i] = uses[name] < len(list)
	}
	return l
}

// sampleWriter writes samples.parquet. It hands whole slices of values to the
// column writers: a row at a time takes ten times as long.
type sampleWriter struct {
	layout
	series []Series
	w      *parquet.GenericWriter[any]
	rows   int64 // in the current row group
	buf    []parquet.Value
}

func newSampleWriter(w io.Writer, list []Series) (*sampleWriter, error) {
	meta, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("encoding series: %w", err)
	}
	l, group := newLayout(list), parquet.Group{}
	for i, name := range l.names {
		node := parquet.Encoded(parquet.Leaf(parquet.Int64Type), &parquet.DeltaBinaryPacked)
		if l.optional[i] {
			node = parquet.Optional(node)
		}
		group[name] = node
	}
	return &sampleWriter{layout: l, series: list, w: parquet.NewGenericWriter[any](w,
		parquet.NewSchema("samples", OrderedColumns(l.names, group)),
		parquet.Compression(&parquet.Uncompressed),
		parquet.CreatedBy("moobench", "1", ""),
		parquet.KeyValueMetadata(metaFormat, strconv.Itoa(Format)),
		parquet.KeyValueMetadata(metaSeries, string(meta)),
	)}, nil
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
	values := make([][]int64, len(w.names))
	for c, col := range s.Columns {
		values[w.index[col.Name]] = columns[c][from:to]
	}
	same := map[int]parquet.Value{0: parquet.Int64Value(int64(i)), 1: parquet.Int64Value(int64(s.Thread))}
	w.buf = slices.Grow(w.buf[:0], to-from)[:to-from]
	for c, leaf := range w.w.ColumnWriters() {
		level := 0
		if w.optional[c] {
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
		if _, err := leaf.WriteRowValues(w.buf); err != nil {
			return fmt.Errorf("column %s: %w", w.names[c], err)
		}
	}
	return nil
}

// endSeries ends the row group.
func (w *sampleWriter) endSeries() error {
	w.rows = 0
	return w.w.Flush()
}

func (w *sampleWriter) close() error { return w.w.Close() }

// readSamples streams a sample file, column page by column page. The series
// must be those it was written with.
func readSamples(r io.ReaderAt, size int64, list []Series, fn func(series, column int, values []int64) error) (err error) {
	// parquet-go panics on some damaged pages.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged: %v", p)
		}
	}()
	if err := checkFooter(r, size); err != nil {
		return err
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return err
	}
	want, err := json.Marshal(list)
	if err != nil {
		return err
	}
	if got, _ := f.Lookup(metaSeries); got != string(want) {
		return errors.New("its series are not those of the invocation")
	}
	l := newLayout(list)
	if len(f.Root().Columns()) != len(l.names) {
		return fmt.Errorf("it has %d columns instead of %d", len(f.Root().Columns()), len(l.names))
	}
	rows := make([]int64, len(list))
	for _, g := range f.RowGroups() {
		if err := l.readGroup(g, list, rows, fn); err != nil {
			return err
		}
	}
	for i, s := range list {
		if rows[i] != s.Count {
			return &Error{
				Problem: problemCounts, Op: "reading", Path: samplesFile,
				Err: fmt.Errorf("series %s, thread %d has %d samples instead of %d", s.Name, s.Thread, rows[i], s.Count),
			}
		}
	}
	return nil
}

// checkFooter returns an error if the footer claims to be longer than the file:
// parquet-go allocates the length it claims.
func checkFooter(r io.ReaderAt, size int64) error {
	var tail [8]byte // length of the footer, PAR1
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return fmt.Errorf("its end: %w", err)
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:])); n > size-int64(len(tail)) {
		return fmt.Errorf("its footer has %d bytes, the file %d", n, size)
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
	n, err := readChunk(c, func(values []int64) error {
		v = values[0]
		return errDone
	})
	if n == 0 && err == nil {
		err = errors.New("an empty row group")
	}
	if errors.Is(err, errDone) {
		err = nil
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

// ordered is a parquet.Group whose columns keep their order; Group sorts them
// by name.
type ordered struct {
	parquet.Group
	names []string
}

// OrderedColumns returns the root of a Parquet schema with the columns of group in the
// order of names.
func OrderedColumns(names []string, group parquet.Group) parquet.Node { return ordered{group, names} }

// Fields returns the columns.
func (o ordered) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range o.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(o.names))
	for i, name := range o.names {
		fields[i] = byName[name]
	}
	return fields
}
