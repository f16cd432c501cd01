package jtl

import (
	"errors"
	"fmt"
	"iter"
	"maps"

	"moobench/results"
)

var errStopped = errors.New("stopped")

// column hands out the values of one column of an invocation, series after
// series, a page at a time: the sample file stores them by column, and rows are
// put together from as many readers as there are columns.
type column struct {
	next func() ([]int64, bool)
	stop func()
	page []int64
	err  error
}

func openColumn(s *results.Store, inv *results.Invocation, name string) *column {
	c := &column{}
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

func (c *column) value() (int64, error) {
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

// columns are the open columns of an invocation by name.
type columns map[string]*column

func openColumns(s *results.Store, inv *results.Invocation) columns {
	open := columns{}
	for _, series := range inv.Series {
		if !isRequests(series.Name) {
			continue
		}
		for name := range fieldsOf(series.Columns) {
			if open[name] == nil {
				open[name] = openColumn(s, inv, name)
			}
		}
	}
	return open
}

func (cs columns) close() {
	for _, c := range cs {
		c.stop()
	}
}

// addRows puts the requests of an invocation into the sorter, and returns the
// names of its requests by rowLabels.
func addRows(s *results.Store, inv *results.Invocation, into *sorter, c *clock) (labels [][]string, err error) {
	open := openColumns(s, inv)
	defer open.close()
	for _, series := range inv.Series {
		if !isRequests(series.Name) {
			continue
		}
		from := fieldsOf(series.Columns)
		for range series.Count {
			r, err := open.row(from)
			if err != nil {
				return nil, fmt.Errorf("reading requests of %s: %w", inv.Identity, err)
			}
			r[rowLabels] = int64(len(labels))
			c.add(r)
			if err := into.add(r); err != nil {
				return nil, err
			}
		}
		labels = append(labels, names(series.Columns))
	}
	return labels, nil
}

// names returns the names of a series' requests.
func names(columns []results.Column) []string {
	for _, c := range columns {
		if c.Name == columnRequest {
			return c.Dict
		}
	}
	return nil
}

// fieldsOf says which columns of a series make which field of a row. A request
// was sent at its intended time and its lag, unless the time itself is known.
func fieldsOf(of []results.Column) map[string]int {
	fields := map[string]int{
		columnIntended: rowSent, columnLag: rowSent, columnSent: rowSent, columnService: rowTook,
		columnFirstByte: rowFirstByte, columnConnect: rowConnect, columnOutcome: rowOutcome, columnRequest: rowRequest,
	}
	has := map[string]bool{}
	for _, c := range of {
		has[c.Name] = true
	}
	maps.DeleteFunc(fields, func(name string, field int) bool {
		return !has[name] || field == rowSent && name != columnSent && has[columnSent]
	})
	return fields
}

// row puts the next row together.
func (cs columns) row(from map[string]int) (row, error) {
	var r row
	for name, field := range from {
		v, err := cs[name].value()
		if err != nil {
			return r, err
		}
		r[field] += v
	}
	return r, nil
}
