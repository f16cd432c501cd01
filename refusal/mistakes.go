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

// Mistakes is everything wrong in what was given, such as files, in the order of reading:
// the first twenty, and their total number.
type Mistakes struct {
	first []string // none.jtl:1204: elapsed "12ms" is no number
	Count int
}

// Mistake returns the single mistake of a choice that can't be carried out.
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

// At adds a mistake in a line of a file; line 0 is the file as a whole, and without a
// file it is a mistake of no particular place. The text of a mistake is on one line,
// whatever the file contains.
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

// Add adds an error, or all mistakes that it stands for; nil is none.
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

// Visible returns a text from a file as an error can show it: on one line, and without
// characters that control a terminal or change the direction of writing.
func Visible(text string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return unicode.ReplacementChar
		}
		return c
	}, OneLine(text))
}

// OneLine returns a text with a blank for each control character, so that names and
// labels from files are shown on one line.
func OneLine(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text)
}
