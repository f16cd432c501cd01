// Package refusal has errors that know what to do about them: why moobench does
// not do what it was asked to, what helps, and who can do that. The words are
// put together by whoever shows them.
package refusal

import (
	"errors"
	"reflect"
	"strings"
)

// Error is a refusal. Its text says why, and not what to do.
type Error struct {
	Why  error
	Do   string // what to do about it, in the imperative; "" where nothing helps
	Need Need
}

// Need is whose rights it takes to do what a refusal is about.
type Need int

// The needs: none but those of whoever asked, those of root, or those of the host of
// this container or virtual machine, which nobody in it has.
const (
	None Need = iota
	Root
	Host
)

func (e *Error) Error() string { return e.Why.Error() }
func (e *Error) Unwrap() error { return e.Why }

// New adds to an error what to do about it; "" adds nothing.
func New(why error, do string) error {
	if do == "" {
		return why
	}
	return &Error{Why: why, Do: do}
}

// NeedOf is whose rights are missing.
func NeedOf(err error) Need {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Need
	}
	return None
}

// Do returns what to do about an error, "" where nothing says so.
func Do(err error) string {
	var all []string
	for _, l := range Lines(err) {
		if l.Do {
			all = append(all, l.Text)
		}
	}
	return strings.Join(all, "; ")
}

// Line is one line of what is said of an error.
type Line struct {
	Text string
	Do   bool // it says what to do about the lines before it
}

// mark begins the lines that say what to do, while they are put together.
const mark = "\x00"

// Lines are the lines of an error's text, with what to do behind the text of
// each refusal in it. In an error of another's a newline is part of a name: it
// becomes U+FFFD, so that no name reads as advice of ours.
func Lines(err error) []Line {
	if err == nil {
		return nil
	}
	var all []Line
	for text := range strings.SplitSeq(strings.TrimSpace(marked(err)), "\n") {
		text, do := strings.CutPrefix(text, mark)
		all = append(all, Line{text, do})
	}
	return all
}

func marked(err error) string {
	text := strings.ReplaceAll(err.Error(), mark, "\uFFFD")
	if !isOurs(err) {
		return strings.ReplaceAll(text, "\n", "\uFFFD")
	}
	var inner []error
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		inner = []error{e.Unwrap()}
	case interface{ Unwrap() []error }:
		inner = e.Unwrap()
	}
	var all strings.Builder
	for _, e := range inner {
		if e == nil {
			continue
		}
		if before, after, ok := strings.Cut(text, strings.ReplaceAll(e.Error(), mark, "\uFFFD")); ok { // else it is told in other words
			all.WriteString(before + marked(e))
			text = after
		}
	}
	all.WriteString(text)
	if e, ok := err.(*Error); ok && e.Do != "" {
		all.WriteString("\n" + mark + e.Do)
	}
	return all.String()
}

// isOurs reports that an error is of one of moobench's own types, or a sentence.
func isOurs(err error) bool {
	t := reflect.TypeOf(err)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	from := t.PkgPath()
	return from == "fmt" || from == "errors" || from == "main" || strings.HasPrefix(from, "moobench/")
}

// Text is all that is said of an error, for a record of it: what to do is in
// lines that say so.
func Text(err error) string {
	return join(err, "\n", "hint: ")
}

// Inline is all that is said of an error in one line, with sep between what
// would be lines.
func Inline(err error, sep string) string {
	return join(err, sep, "")
}

func join(err error, sep, lead string) string {
	var all []string
	for _, l := range Lines(err) {
		if l.Do {
			l.Text = lead + l.Text
		}
		all = append(all, l.Text)
	}
	return strings.Join(all, sep)
}
