package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"moobench/harness/strict"
	"moobench/refusal"
)

// complain prints an error in our voice, and what to do about it.
func complain(w io.Writer, err error) {
	var mistakes strict.Errors
	if errors.As(err, &mistakes) {
		first, more := mistakes.First()
		for _, m := range first {
			fmt.Fprintf(w, "moobench: error: %s\n", visibleLines(m.Error()))
		}
		if more > 0 {
			fmt.Fprintf(w, "moobench: error: and %d more\n", more)
		}
		return
	}
	for i, line := range refusal.Lines(err) {
		switch text := visibleLines(line.Text); {
		case text == "":
		case line.Do:
			hint(w, text)
		case i == 0:
			fmt.Fprintf(w, "moobench: error: %s\n", text)
		default:
			fmt.Fprintf(w, "  %s\n", text)
		}
	}
	if statusOf(err) == exitUsage {
		hint(w, "moobench help lists the verbs, moobench VERB --help what each one takes")
	}
}

// hint says what to do about what was printed before it.
func hint(w io.Writer, do string) { fmt.Fprintf(w, "moobench: hint: %s\n", do) }

// warn says what is wrong, though the work goes on, and what to do about it.
func warn(w io.Writer, text, do string) {
	fmt.Fprintf(w, "moobench: warning: %s\n", visible(text))
	if do != "" {
		hint(w, visible(do))
	}
}

// visibleLines is visible for a text of several lines, with tabs.
func visibleLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		fields := strings.Split(line, "\t")
		for j := range fields {
			fields[j] = visible(fields[j])
		}
		lines[i] = strings.Join(fields, "\t")
	}
	return strings.Join(lines, "\n")
}
