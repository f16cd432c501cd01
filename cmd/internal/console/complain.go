package console

import (
	"errors"
	"fmt"

	"moobench/harness/strict"
	"moobench/refusal"
)

// Warn prints a warning, for a problem that does not stop the work, and a hint unless do is "".
func (c Console) Warn(text, do string) {
	fmt.Fprintf(c.Err, "moobench: warning: %s\n", Visible(text))
	if do != "" {
		c.Hint(Visible(do))
	}
}

// Hint prints what to do about the message printed before it.
func (c Console) Hint(do string) { fmt.Fprintf(c.Err, "moobench: hint: %s\n", do) }

// Complain prints an error and its hints.
func (c Console) Complain(err error) {
	if mistakes, ok := errors.AsType[strict.Errors](err); ok {
		first, more := mistakes.First()
		for _, m := range first {
			fmt.Fprintf(c.Err, "moobench: error: %s\n", VisibleLines(m.Error()))
		}
		if more > 0 {
			fmt.Fprintf(c.Err, "moobench: error: and %d more\n", more)
		}
		return
	}
	for i, line := range refusal.Lines(err) {
		switch text := VisibleLines(line.Text); {
		case text == "":
		case line.Do:
			c.Hint(text)
		case i == 0:
			fmt.Fprintf(c.Err, "moobench: error: %s\n", text)
		default:
			fmt.Fprintf(c.Err, "  %s\n", text)
		}
	}
}
