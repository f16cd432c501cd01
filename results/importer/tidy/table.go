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

// table is one file: a name, columns, and rows with a value for each column, nil where it
// is unknown.
type table struct {
	name    string
	columns []column
	rows    iter.Seq[[]any]
}

// known returns a text, nil if it is empty.
func known(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// at returns a time in UTC, nil if it is zero.
func at(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC()
}
