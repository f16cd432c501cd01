// Package console prints moobench's output: results to stdout or a file; warnings, hints and
// progress to stderr. It adapts to the terminal's width and colours.
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

// Console is a pair of output streams.
type Console struct {
	Out io.Writer // results
	Err io.Writer // progress and messages
}

// Gate prints the gate's sentence if it does not pass: if the report went to a file, the exit
// status alone would not explain it.
func (c Console) Gate(a *analysis.Answers) {
	if a.Gate.Worse() || a.Gate.Open() {
		fmt.Fprintf(c.Err, "moobench: gate: %s\n", Visible(a.Gate.Sentence.String()))
	}
}

// Visible makes control characters and the like in a label visible, so that they can't act on the
// terminal.
func Visible(s string) string { return doc.Clean(s) }

// VisibleLines is Visible, but keeps newlines and tabs.
func VisibleLines(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' {
			r, _ = utf8.DecodeRuneInString(Visible(string(r)))
		}
		return r
	}, s)
}

// Screen returns the terminal that w writes to, or nil if there is no terminal. It unwraps a writer
// that has a method Unwrap.
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

// width returns the terminal's columns, or other if f is nil or its size is unknown.
func width(f *os.File, other int) int {
	if f == nil {
		return other
	}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		return w
	}
	return other
}

// Width returns the number of columns for results.
func (c Console) Width() int { return width(Screen(c.Out), 80) }
