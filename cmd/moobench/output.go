package main

import (
	"errors"
	"io"
	"sync"
	"syscall"

	"moobench/cmd/internal/outcome"
)

// stream is a verb's output. It keeps the first write error, because most verbs print line by line
// without checking errors. After an error it writes nothing more, so that the output has no gap.
type stream struct {
	w io.Writer
	// missed means that writers get the error. It is false for messages: if nobody reads them any
	// more, as after 2>&1 | head, the work goes on.
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

// Unwrap returns the underlying writer.
func (s *stream) Unwrap() io.Writer { return s.w }

// judge returns the verb's error, given its own error err: a successful verb fails if its results
// were not written.
func (s *stream) judge(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		return err
	}
	well := err == nil || outcome.Said(err)
	// Every write to a closed pipe fails with an error value of its own.
	closed := errors.Is(err, syscall.EPIPE) && errors.Is(s.failed, syscall.EPIPE)
	if well || closed || errors.Is(err, s.failed) {
		return &unwrittenError{s.failed}
	}
	return err
}

// unwrittenError means that results were not written to standard output.
type unwrittenError struct{ err error }

func (e *unwrittenError) Error() string { return "writing to standard output: " + e.err.Error() }
func (e *unwrittenError) Unwrap() error { return e.err }
