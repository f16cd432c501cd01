package refusal

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// mistakesShown is the number of mistakes that are listed; a file of the wrong kind has
// one on every line.
const mistakesShown = 20

// Mistakes has the mistakes in an input, such as files, in order of reading: the first twenty, and their total
// number.
type Mistakes struct {
	first []string // none.jtl:1204: elapsed "12ms" is not a number
	Count int
}

// Mistake returns the single mistake of a choice that is impossible.
func Mistake(format string, args ...any) *Mistakes {
	return &Mistakes{first: []string{Visible(fmt.Sprintf(format, args...))}, Count: 1}
}

// Error returns a line for each of the first mistakes, and counts the rest.
func (m *Mistakes) Error() string {
	text := strings.Join(m.first, "\n")
	if rest := m.Count - len(m.first); rest > 0 {
		text += fmt.Sprintf("\nand %d more", rest)
	}
	return text
}

// Err returns the mistakes as an error, nil without any.
func (m *Mistakes) Err() error {
	if m.Count == 0 {
		return nil
	}
	return m
}

// At adds a mistake in a line of a file. Line 0 is the whole file; without a file the mistake has no particular
// place. The text is put on one line, whatever the file contains.
func (m *Mistakes) At(file string, line int, format string, args ...any) {
	if m.Count++; len(m.first) >= mistakesShown {
		return
	}
	where := ""
	switch {
	case line > 0:
		where = fmt.Sprintf("%s:%d: ", OneLine(file), line)
	case file != "":
		where = OneLine(file) + ": "
	}
	m.first = append(m.first, Visible(where+fmt.Sprintf(format, args...)))
}

// Add adds an error, or all mistakes that it contains; nil adds nothing.
func (m *Mistakes) Add(err error) {
	var more *Mistakes
	switch {
	case err == nil:
		return
	case !errors.As(err, &more):
		more = &Mistakes{[]string{err.Error()}, 1}
	}
	m.first = append(m.first, more.first[:min(len(more.first), mistakesShown-len(m.first))]...)
	m.Count += more.Count
}

// Visible makes a text from a file safe to show: on one line, and without characters that control a terminal or
// change the direction of writing.
func Visible(text string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return unicode.ReplacementChar
		}
		return c
	}, OneLine(text))
}

// OneLine replaces control characters by blanks, so that names and labels from files are shown on one line.
func OneLine(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text)
}
