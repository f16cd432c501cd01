package jtl

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"

	"moobench/results"
)

var errStopped = errors.New("stopped")

// columnReader yields the values of one column of an invocation, series after series. Sample files store values
// by column, so that rows need one reader per column.
type columnReader struct {
	next func() ([]int64, bool)
	stop func()
	page []int64
	err  error
}

func openColumn(s *results.Store, inv *results.Invocation, name string) *columnReader {
	c := &columnReader{}
	c.next, c.stop = iter.Pull(func(yield func([]int64) bool) {
		err := s.Samples(inv, func(series results.Series, i int, values []int64) error {
			if isRequests(series.Name) && series.Columns[i].Name == name && !yield(values) {
				return errStopped
			}
			return nil
		})
		if !errors.Is(err, errStopped) {
			c.err = err
		}
	})
	return c
}

// value returns the next value.
func (c *columnReader) value() (int64, error) {
	for len(c.page) == 0 {
		var ok bool
		if c.page, ok = c.next(); !ok {
			return 0, errors.Join(c.err, errors.New("a column of requests is too short"))
		}
	}
	v := c.page[0]
	c.page = c.page[1:]
	return v, nil
}

// addRows adds the requests of an invocation to the sorter, and returns the names of its requests by rowLabels.
// A request was sent at its intended time plus its lag, unless a column has the time itself.
func addRows(s *results.Store, inv *results.Invocation, into *sorter, c *clock) (labels [][]string, err error) {
	// fields of a row by column name; values of several columns are summed
	known := map[string]int{"intended": rowSent, "lag": rowSent}
	for i, c := range columns {
		known[c.name] = i
	}
	open := map[string]*columnReader{}
	defer func() {
		for _, c := range open {
			c.stop()
		}
	}()
	for _, series := range inv.Series {
		if !isRequests(series.Name) {
			continue
		}
		fields, names := map[string]int{}, []string(nil)
		for _, c := range series.Columns {
			if field, ok := known[c.Name]; ok {
				fields[c.Name] = field
			}
			if c.Name == columns[rowRequest].name {
				names = c.Dict
			}
		}
		if _, ok := fields[columns[rowSent].name]; ok {
			delete(fields, "intended")
			delete(fields, "lag")
		}
		for name := range fields {
			if open[name] == nil {
				open[name] = openColumn(s, inv, name)
			}
		}
		for range series.Count {
			r := row{rowLabels: int64(len(labels))}
			for name, field := range fields {
				v, err := open[name].value()
				if err != nil {
					return nil, fmt.Errorf("reading requests of %s: %w", inv.Identity, err)
				}
				r[field] += v
			}
			c.add(r)
			if err := into.add(r); err != nil {
				return nil, err
			}
		}
		labels = append(labels, names)
	}
	return labels, nil
}

// runRows is the number of rows sorted in memory: 14 MiB.
const runRows = 1 << 18

// sorter sorts more rows than fit into memory, by writing sorted runs to unlinked files.
type sorter struct {
	most int
	rows []row
	runs []*os.File
}

func (s *sorter) add(r row) error {
	if len(s.rows) == s.most {
		if err := s.spill(); err != nil {
			return fmt.Errorf("sorting requests: %w", err)
		}
	}
	s.rows = append(s.rows, r)
	return nil
}

// spill moves the rows in memory to a file.
func (s *sorter) spill() error {
	slices.SortFunc(s.rows, compareRows)
	f, err := os.CreateTemp("", "moobench-sort-")
	if err != nil {
		return err
	}
	s.runs = append(s.runs, f)
	if err := os.Remove(f.Name()); err != nil {
		return err
	}
	w := bufio.NewWriter(f) // it keeps the first error
	for i := range s.rows {
		binary.Write(w, binary.LittleEndian, s.rows[i][:])
	}
	s.rows = s.rows[:0]
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

func compareRows(a, b row) int { return slices.Compare(a[:], b[:]) }

// each passes all rows to fn, in order. It can be called once.
func (s *sorter) each(fn func(row)) error {
	slices.SortFunc(s.rows, compareRows)
	heads := []*head{{rest: s.rows}}
	for _, f := range s.runs {
		heads = append(heads, &head{file: bufio.NewReader(f)})
	}
	for _, h := range heads {
		if err := h.next(); err != nil {
			return err
		}
	}
	for {
		heads = slices.DeleteFunc(heads, func(h *head) bool { return h.done })
		if len(heads) == 0 {
			return nil
		}
		least := slices.MinFunc(heads, func(a, b *head) int { return compareRows(a.row, b.row) })
		fn(least.row)
		if err := least.next(); err != nil {
			return err
		}
	}
}

// head is the first unread row of a run.
type head struct {
	file *bufio.Reader // nil: the rest is in memory
	rest []row
	row  row
	done bool
}

// next advances to the next row of the run.
func (h *head) next() error {
	if h.file == nil {
		if h.done = len(h.rest) == 0; !h.done {
			h.row, h.rest = h.rest[0], h.rest[1:]
		}
		return nil
	}
	err := binary.Read(h.file, binary.LittleEndian, h.row[:])
	if h.done = err == io.EOF; err != nil && !h.done {
		return fmt.Errorf("sorting requests: %w", err)
	}
	return nil
}
