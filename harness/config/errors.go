package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Bounds of what is said of a file in which everything is wrong: how many
// mistakes are listed, and how many characters each of them has.
const (
	errorsShown = 20
	errorMost   = 1000
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
	s := fmt.Sprintf("%s:%d: %s", e.Path, e.Line, abridged(e.Msg))
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// abridged is a text, or its beginning: a value that stands in it may be as long
// as the file.
func abridged(text string) string {
	if len(text) <= errorMost {
		return text
	}
	n := errorMost
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// Errors is everything wrong in a benchmarks.toml, sorted by position.
type Errors []*Error

// First is those that are listed, and how many more there are.
func (es Errors) First() (first Errors, more int) {
	n := min(len(es), errorsShown)
	return es[:n], len(es) - n
}

// Error has one line for each of the first errors, and counts the rest.
func (es Errors) Error() string {
	first, more := es.First()
	lines := make([]string, len(first))
	for i, e := range first {
		lines[i] = e.Error()
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
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
	if f.places == nil {
		return 1, 1
	}
	at := f.places.nearest(path)
	return at.line, at.column
}

// Errorf returns an error at a path, which is as for At.
func (f *File) Errorf(path []any, hint, format string, args ...any) *Error {
	e := &Error{Path: f.Path, Msg: fmt.Sprintf(format, args...), Hint: hint}
	e.Line, e.Column = f.At(path...)
	return e
}
