package jtl

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

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
	w := bufio.NewWriter(f)
	for i := range s.rows {
		if err := binary.Write(w, binary.LittleEndian, s.rows[i][:]); err != nil {
			return err
		}
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
func (s *sorter) each(fn func(row) error) error {
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
		var least *head
		for _, h := range heads {
			if !h.done && (least == nil || compareRows(h.row, least.row) < 0) {
				least = h
			}
		}
		if least == nil {
			return nil
		}
		if err := errors.Join(fn(least.row), least.next()); err != nil {
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
