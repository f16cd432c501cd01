package importer

import (
	"fmt"
	"strings"
	"unicode"
)

// mistakesShown is the number of mistakes that are listed; a file of the wrong kind has
// one on every line.
const mistakesShown = 20

// Mistakes is everything wrong in imported files, in the order of reading: the first
// twenty, and their total number.
type Mistakes struct {
	First []string // none.jtl:1204: elapsed "12ms" is no number
	Count int
}

// Refuse returns the single mistake of a choice that can't be carried out.
func Refuse(format string, args ...any) *Mistakes {
	return &Mistakes{First: []string{Visible(fmt.Sprintf(format, args...))}, Count: 1}
}

// Error returns a line for each of the first mistakes, and counts the rest.
func (m *Mistakes) Error() string {
	text := strings.Join(m.First, "\n")
	if rest := m.Count - len(m.First); rest > 0 {
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

// Add adds a mistake in a line of a file; line 0 is the file as a whole. The text of a
// mistake is on one line, whatever the file contains.
func (m *Mistakes) Add(file string, line int, format string, args ...any) {
	if m.Count++; len(m.First) >= mistakesShown {
		return
	}
	where := OneLine(file)
	if line > 0 {
		where = fmt.Sprintf("%s:%d", where, line)
	}
	m.First = append(m.First, Visible(where+": "+fmt.Sprintf(format, args...)))
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
