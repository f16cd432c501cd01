package numbers

import (
	"errors"
	"fmt"
	"strings"
)

// shown is how many mistakes are listed; a file of the wrong kind has one on
// every line.
const shown = 20

// Mistake is one thing wrong in what was given, and where it stands.
type Mistake struct {
	File string
	Line int // 0: no particular one
	Text string
}

func (m Mistake) String() string {
	switch {
	case m.File == "":
		return m.Text
	case m.Line == 0:
		return m.File + ": " + m.Text
	}
	return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.Text)
}

// Mistakes is everything wrong at once, in the order of reading.
type Mistakes []Mistake

// Error has a line for each of the first twenty mistakes, and counts the rest.
func (ms Mistakes) Error() string {
	lines := make([]string, 0, min(len(ms), shown)+1)
	for _, m := range ms[:min(len(ms), shown)] {
		lines = append(lines, m.String())
	}
	if rest := len(ms) - shown; rest > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(lines, "\n")
}

// Add keeps err, with its places if it has any.
func (ms *Mistakes) Add(err error) {
	var more Mistakes
	switch {
	case err == nil:
	case errors.As(err, &more):
		*ms = append(*ms, more...)
	default:
		*ms = append(*ms, Mistake{Text: err.Error()})
	}
}

// Err is nil when nothing is wrong.
func (ms Mistakes) Err() error {
	if len(ms) == 0 {
		return nil
	}
	return ms
}

func (ms *Mistakes) at(file string, line int, err error) {
	*ms = append(*ms, Mistake{file, line, err.Error()})
}
