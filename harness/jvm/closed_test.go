package jvm

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"testing"
)

// A channel is closed for each of the reasons that a kernel gives, and for no other.
func TestIsClosed(t *testing.T) {
	for err, want := range map[error]bool{
		io.EOF: true, syscall.ECONNRESET: true, syscall.EPIPE: true,
		nil: false, io.ErrUnexpectedEOF: false, syscall.ETIMEDOUT: false, errors.New("EOF"): false,
	} {
		if got := isClosed(err); got != want {
			t.Errorf("%v: %t", err, got)
		}
		if err != nil && isClosed(fmt.Errorf("reading: %w", err)) != want {
			t.Errorf("%v, wrapped: not %t", err, want)
		}
	}
}
