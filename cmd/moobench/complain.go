package main

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"moobench/harness/strict"
)

// complain prints an error in our voice: a line "hint: …" inside it becomes a
// hint of its own.
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
	for i, line := range strings.Split(visibleLines(strings.TrimSpace(ourLines(err))), "\n") {
		switch hint, ok := strings.CutPrefix(line, "hint: "); {
		case line == "":
		case ok:
			fmt.Fprintf(w, "moobench: hint: %s\n", hint)
		case i == 0:
			fmt.Fprintf(w, "moobench: error: %s\n", line)
		default:
			fmt.Fprintf(w, "  %s\n", line)
		}
	}
	if statusOf(err) == exitUsage {
		fmt.Fprintln(w, "moobench: hint: moobench help lists the verbs, moobench VERB --help what each one takes")
	}
}

// ourLines is the text of an error in which every line is ours. In an error of the
// system's a newline is part of a name, and what follows it no hint of ours.
func ourLines(err error) string {
	text := err.Error()
	if !madeHere(err) {
		return strings.ReplaceAll(text, "\n", "\uFFFD")
	}
	var inner []error
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		inner = []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		inner = e.Unwrap()
	}
	for _, e := range inner {
		if e != nil {
			text = strings.Replace(text, e.Error(), ourLines(e), 1)
		}
	}
	return text
}

// madeHere says that an error is of our own kinds, or a sentence.
func madeHere(err error) bool {
	t := reflect.TypeOf(err)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	from := t.PkgPath()
	return from == "fmt" || from == "errors" || from == "main" || strings.HasPrefix(from, "moobench/")
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
