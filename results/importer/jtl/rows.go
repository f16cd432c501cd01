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

// columnReader hands out the values of one column of an invocation, series after series.
// A sample file stores values by column, so that rows are made with as many readers as
// there are columns.
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

// addRows puts the requests of an invocation into the sorter, and returns the names of
// its requests by rowLabels. A request was sent at its intended time plus its lag, unless
// there is a column with the time itself.
func addRows(s *results.Store, inv *results.Invocation, into *sorter, c *clock) (labels [][]string, err error) {
	known := map[string]int{"intended": rowSent, "lag": rowSent} // fields of a row, by the names of columns that are added to them
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

// runRows is the number of rows that are sorted in memory: 14 MiB.
const runRows = 1 << 18

// sorter sorts more rows than fit into memory: sorted runs of them go to unnamed files.
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
	w := bufio.NewWriter(f) // it remembers the first error
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

// each hands out all rows in order, once.
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

// head is the first row of a run that was not yet handed out.
type head struct {
	file *bufio.Reader // nil: the rest is in memory
	rest []row
	row  row
	done bool
}

// next goes on to the next row of the run.
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
