package console

import (
	"errors"
	"fmt"

	"moobench/harness/strict"
	"moobench/refusal"
)

// Warn says what is wrong, though the work goes on, and what to do about it; "" is
// nothing.
func (c Console) Warn(text, do string) {
	fmt.Fprintf(c.Err, "moobench: warning: %s\n", Visible(text))
	if do != "" {
		c.Hint(Visible(do))
	}
}

// Hint says what to do about what was printed before it.
func (c Console) Hint(do string) { fmt.Fprintf(c.Err, "moobench: hint: %s\n", do) }

// Complain says what an error says, and what to do about it.
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
