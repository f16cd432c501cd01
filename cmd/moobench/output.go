package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"golang.org/x/term"

	"moobench/refusal"
	"moobench/results/safefile"
)

// writeWhole writes a file whole or not at all, or to out where it has no name.
func writeWhole(out io.Writer, name string, write func(io.Writer) error) error {
	if name == "" {
		return write(out)
	}
	var content error
	err := safefile.Replace(name, func(w io.Writer) error {
		content = write(w)
		return content
	})
	switch {
	case content != nil:
		return fmt.Errorf("writing the output: %w", err)
	case err != nil:
		return refusal.New(fmt.Errorf("writing the output: %w", err), "choose another file with -o")
	}
	return nil
}

// stream is where a verb writes. It keeps the first error, because most verbs print
// line by line and look at none.
type stream struct {
	w io.Writer
	// gone is called when nobody reads on, as after | head: the work ends in order.
	gone context.CancelFunc

	mu     sync.Mutex
	failed error
}

func (s *stream) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	if err != nil {
		s.mu.Lock()
		s.failed = cmp.Or(s.failed, err)
		s.mu.Unlock()
		if errors.Is(err, syscall.EPIPE) {
			s.gone()
		}
	}
	return n, err
}

// judge is what a verb ends with whose results may not have arrived: a verb that
// ended well has not, then.
func (s *stream) judge(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		return err
	}
	well := err == nil || errors.Is(err, errIncomplete) || errors.Is(err, errWorse)
	if well || errors.Is(err, s.failed) {
		return &unwrittenError{s.failed}
	}
	return err
}

// unwrittenError says that results did not arrive on standard output.
type unwrittenError struct{ err error }

func (e *unwrittenError) Error() string { return "writing to standard output: " + e.err.Error() }
func (e *unwrittenError) Unwrap() error { return e.err }

// quietly says that there is nobody to tell: who read the output has gone, as head
// does, and knows.
func (e *unwrittenError) quietly() bool { return errors.Is(e.err, syscall.EPIPE) }

// screen is the terminal that something is written to, nil if it is none.
func screen(w io.Writer) *os.File {
	if s, ok := w.(*stream); ok {
		w = s.w
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return f
}

// width is that of the terminal that results go to, or 80.
func (t *terminal) width() int {
	f := screen(t.out)
	if f == nil {
		return 80
	}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		return w
	}
	return 80
}
