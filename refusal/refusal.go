// Package refusal has errors with advice: why moobench refuses a request, what helps, and who can do that.
// Whoever shows an error assembles the text.
package refusal

import (
	"errors"
	"reflect"
	"strings"
)

// Error is a refusal. Its text says why, without the advice.
type Error struct {
	Why  error
	Do   string // advice, in the imperative; "" if nothing helps
	Need Need
}

// Need is the privilege that the advice requires.
type Need int

// Privileges: only the user's own, root's, or those of the host of this container or virtual machine, which
// nobody inside has.
const (
	None Need = iota
	Root
	Host
)

func (e *Error) Error() string { return e.Why.Error() }
func (e *Error) Unwrap() error { return e.Why }

// New adds advice to an error; "" adds none.
func New(why error, do string) error {
	if do == "" {
		return why
	}
	return &Error{Why: why, Do: do}
}

// NeedOf returns the missing privilege.
func NeedOf(err error) Need {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Need
	}
	return None
}

// Do returns the advice in an error, or "".
func Do(err error) string {
	var all []string
	for _, l := range Lines(err) {
		if l.Do {
			all = append(all, l.Text)
		}
	}
	return strings.Join(all, "; ")
}

// Line is one line of the text about an error.
type Line struct {
	Text string
	Do   bool // it is advice on the lines before it
}

// mark is the prefix of lines of advice while a text is assembled.
const mark = "\x00"

// Lines returns the lines of an error's text, with the advice of each refusal in it after the refusal's text.
// In errors from other packages a newline is part of a name: it becomes U+FFFD, so that no name looks like our
// advice.
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
		// otherwise the outer error paraphrases it
		if before, after, ok := strings.Cut(text, strings.ReplaceAll(e.Error(), mark, "\uFFFD")); ok {
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

// isOurs reports whether an error's type belongs to moobench, fmt or errors.
func isOurs(err error) bool {
	t := reflect.TypeOf(err)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	from := t.PkgPath()
	return from == "fmt" || from == "errors" || from == "main" || strings.HasPrefix(from, "moobench/")
}

// Text returns all lines about an error, for a record of it, with lines of advice marked.
func Text(err error) string {
	return join(err, "\n", "hint: ")
}

// Inline returns all lines about an error on one line, separated by sep.
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
