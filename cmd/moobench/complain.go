package main

import (
	"errors"
	"fmt"
	"io"

	"moobench/cmd/internal/console"
	"moobench/harness/strict"
	"moobench/refusal"
)

// complain prints an error in our voice, and what to do about it.
func complain(w io.Writer, err error) {
	hint := console.Console{Err: w}.Hint
	var mistakes strict.Errors
	if errors.As(err, &mistakes) {
		first, more := mistakes.First()
		for _, m := range first {
			fmt.Fprintf(w, "moobench: error: %s\n", console.VisibleLines(m.Error()))
		}
		if more > 0 {
			fmt.Fprintf(w, "moobench: error: and %d more\n", more)
		}
		return
	}
	for i, line := range refusal.Lines(err) {
		switch text := console.VisibleLines(line.Text); {
		case text == "":
		case line.Do:
			hint(text)
		case i == 0:
			fmt.Fprintf(w, "moobench: error: %s\n", text)
		default:
			fmt.Fprintf(w, "  %s\n", text)
		}
	}
	if statusOf(err) == exitUsage {
		hint("moobench help lists the verbs, moobench VERB --help what each one takes")
	}
}
