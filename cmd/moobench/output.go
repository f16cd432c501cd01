package main

import (
	"errors"
	"io"
	"sync"
	"syscall"

	"moobench/cmd/internal/outcome"
)

// stream is where a verb writes. It keeps the first error, because most verbs print
// line by line and look at none; what comes after it would leave a gap, and is not
// written.
type stream struct {
	w io.Writer
	// missed says that what was not written is an error of whoever writes. Where nobody reads
	// messages any more, as after 2>&1 | head, the work goes on.
	missed bool

	mu     sync.Mutex
	failed error
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	if s.failed == nil {
		n, s.failed = s.w.Write(p)
	}
	if !s.missed {
		return len(p), nil
	}
	return n, s.failed
}

// Unwrap returns the writer that is written to.
func (s *stream) Unwrap() io.Writer { return s.w }

// judge returns the error that a verb ends with, err being its own: where its results
// did not arrive, a verb that ended well has failed.
func (s *stream) judge(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		return err
	}
	well := err == nil || outcome.Said(err)
	// A pipe that was closed fails each write with an error of its own.
	closed := errors.Is(err, syscall.EPIPE) && errors.Is(s.failed, syscall.EPIPE)
	if well || closed || errors.Is(err, s.failed) {
		return &unwrittenError{s.failed}
	}
	return err
}

// unwrittenError says that results did not arrive on standard output.
type unwrittenError struct{ err error }

func (e *unwrittenError) Error() string { return "writing to standard output: " + e.err.Error() }
func (e *unwrittenError) Unwrap() error { return e.err }
