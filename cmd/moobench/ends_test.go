package main

import (
	"errors"
	"syscall"
	"testing"
)

// failing fails with err after so many bytes.
type failing struct {
	left int
	err  error
}

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, f.err
	}
	return len(b), nil
}

// TestStreamKeepsTheFirstError: who writes results hears of it each time, who writes messages
// does not, and goes on.
func TestStreamKeepsTheFirstError(t *testing.T) {
	for _, missed := range []bool{true, false} {
		s := &stream{w: &failing{4, syscall.EPIPE}, missed: missed}
		var said []error
		for range 3 {
			_, err := s.Write([]byte("abc"))
			said = append(said, err)
		}
		if heard := said[1] != nil && said[2] != nil; said[0] != nil || heard != missed || !errors.Is(s.failed, syscall.EPIPE) {
			t.Errorf("missed %v: kept %v, said %v", missed, s.failed, said)
		}
	}
}
