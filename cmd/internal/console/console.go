// Package console is where moobench's words go: results to one stream or to a file,
// warnings, hints and progress to the other, as wide and as coloured as fits.
package console

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"moobench/analysis"
	"moobench/analysis/report/doc"
)

// Console is a pair of streams.
type Console struct {
	Out io.Writer // results
	Err io.Writer // progress and messages
}

// Gate says what the gate says when it does not pass: the exit status alone is no
// answer where the report went elsewhere.
func (c Console) Gate(a *analysis.Answers) {
	if a.Gate.Worse() || a.Gate.Open() {
		fmt.Fprintf(c.Err, "moobench: gate: %s\n", Visible(a.Gate.Sentence.String()))
	}
}

// Visible keeps a label from doing anything but standing there.
func Visible(s string) string { return doc.Clean(s) }

// VisibleLines is Visible for a text of several lines, with tabs.
func VisibleLines(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' {
			r, _ = utf8.DecodeRuneInString(Visible(string(r)))
		}
		return r
	}, s)
}

// Screen is the terminal that something is written to, nil where it is none. It looks
// behind a writer that has a method Unwrap.
func Screen(w io.Writer) *os.File {
	if wrapper, ok := w.(interface{ Unwrap() io.Writer }); ok {
		w = wrapper.Unwrap()
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return f
}

// width is that of a terminal in columns; without a terminal, or when it does not tell, it is
// the other one.
func width(f *os.File, other int) int {
	if f == nil {
		return other
	}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		return w
	}
	return other
}

// Width is how many columns results have.
func (c Console) Width() int { return width(Screen(c.Out), 80) }
