package strict

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of the report on a file full of mistakes: the number of mistakes listed, and the bytes
// printed of each message.
const errorsShown, errorMost = 20, 1000

// Error is one mistake in a document.
type Error struct {
	Path         string
	Line, Column int // counted from 1; the column is in characters
	Msg          string
	Hint         string // suggested fix, or ""
}

// Error formats the mistake, e.g. benchmarks.toml:14: unknown key "metod_time" (did you mean
// "method_time"?). Long messages are cut: a value quoted in one may be as long as the file.
func (e *Error) Error() string {
	msg := e.Msg
	if len(msg) > errorMost {
		n := errorMost
		for !utf8.RuneStart(msg[n]) {
			n--
		}
		msg = msg[:n] + "…"
	}
	s := fmt.Sprintf("%s:%d: %s", e.Path, e.Line, msg)
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// Errors are all mistakes in a document, sorted by position.
type Errors []*Error

// First returns the mistakes to list, and the number of those left out.
func (es Errors) First() (first Errors, more int) {
	n := min(len(es), errorsShown)
	return es[:n], len(es) - n
}

// Error returns one line for each of the first mistakes, and the number of those left out.
func (es Errors) Error() string {
	first, more := es.First()
	var lines []string
	for _, e := range first {
		lines = append(lines, e.Error())
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}
