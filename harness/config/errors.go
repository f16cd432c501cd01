package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is one thing wrong in a benchmarks.toml.
type Error struct {
	Path         string
	Line, Column int // from 1, the column in characters
	Msg          string
	Hint         string // what to do, or ""
}

// Error is, e.g., benchmarks.toml:14: unknown key "metod_time" (did you mean
// "method_time"?).
func (e *Error) Error() string {
	s := fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Msg)
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// Errors is everything wrong in a benchmarks.toml, sorted by position.
type Errors []*Error

// Error has one line for each error.
func (es Errors) Error() string {
	lines := make([]string, len(es))
	for i, e := range es {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// Sort sorts by position.
func (es Errors) Sort() {
	slices.SortStableFunc(es, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}

// At is where a key, a section or an element of a list stands, from 1: path
// holds the keys as strings and the places in lists as ints, such as
// "scenario", 0, "variants", 2. For what does not stand in the file it is the
// place of the nearest section around it.
func (f *File) At(path ...any) (line, column int) {
	for n := len(path); n > 0; n-- {
		if p, ok := f.positions[pathKey(path[:n])]; ok {
			return p.line, p.column
		}
	}
	return 1, 1
}

// Errorf returns an error at a path, which is as for At.
func (f *File) Errorf(path []any, hint, format string, args ...any) *Error {
	e := &Error{Path: f.Path, Msg: fmt.Sprintf(format, args...), Hint: hint}
	e.Line, e.Column = f.At(path...)
	return e
}
