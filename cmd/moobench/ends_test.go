package main

import (
	"context"
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

func TestStreamKeepsTheFirstError(t *testing.T) {
	for _, c := range []struct {
		err  error
		ends bool
	}{{syscall.ENOSPC, false}, {syscall.EPIPE, true}} {
		ctx, gone := context.WithCancel(t.Context())
		s := &stream{w: &failing{4, c.err}, gone: gone}
		for range 3 {
			_, _ = s.Write([]byte("abc"))
		}
		if got := s.failed; !errors.Is(got, c.err) || (ctx.Err() != nil) != c.ends {
			t.Errorf("%v: kept %v, ended %v", c.err, got, ctx.Err())
		}
		gone()
	}
}
