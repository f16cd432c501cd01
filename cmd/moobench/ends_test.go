package main

import (
	"bytes"
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
		if got := s.failed(); !errors.Is(got, c.err) || (ctx.Err() != nil) != c.ends {
			t.Errorf("%v: kept %v, ended %v", c.err, got, ctx.Err())
		}
		gone()
	}
}

// What an error quotes reaches the terminal as text, and its lines are no hints
// of ours unless we wrote them.
func TestComplaintsAreClean(t *testing.T) {
	var b bytes.Buffer
	complain(&b, errors.New("it is \x1b[31mred\x1b]0;title\a\tthere"))
	if got, want := b.String(), "moobench: error: it is �[31mred�]0;title�    there\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
