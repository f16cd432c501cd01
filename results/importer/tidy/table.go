package tidy

import (
	"iter"
	"time"
)

// kind is the type of a column.
type kind int

const (
	text    kind = iota // string
	number              // float64
	integer             // int64
	truth               // bool
	instant             // time.Time
)

// column is a column of a table.
type column struct {
	name string
	kind kind
}

// table is one file: a name, columns, and rows of as many values, each of its
// column's type, or nil where it is not known.
type table struct {
	name    string
	columns []column
	rows    iter.Seq[[]any]
}

// known is a text, or nil without one.
func known(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// at is a time, or nil without one.
func at(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC()
}
