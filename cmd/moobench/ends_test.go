package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
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

// TestLeave: a verb that only reads has a second to end in order; others have all the time that they take.
func TestLeave(t *testing.T) {
	for _, test := range []struct {
		name     string
		returns  time.Duration // 0: never
		asked    bool
		want     int
		sentence string
	}{
		{"in time", patience / 2, true, 0, ""},
		{"not asked", 10 * patience, false, 0, ""},
		{"too late", 3 * patience, true, exitError, "moobench: ended, as asked\n"},
		{"never", 0, true, exitError, "moobench: ended, as asked\n"},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			returned := make(chan struct{})
			if test.returns > 0 {
				time.AfterFunc(test.returns, func() { close(returned) })
			}
			if test.asked {
				cancel()
			}
			var said bytes.Buffer
			status := 0
			leave(ctx, returned, &said, func(with int) { status = with })
			if status != test.want || said.String() != test.sentence {
				t.Errorf("%s: status %d, %q", test.name, status, said.String())
			}
		})
	}
	for path, want := range map[string]bool{"moobench verify": true, "moobench history show": true, "moobench run": false, "moobench history check": false, "moobench": false} {
		if leaves(path) != want {
			t.Errorf("%s leaves: %v", path, !want)
		}
	}
}

// TestEnds: each signal that would end us where we stand asks us to end in order instead, whoever sent it.
func TestEnds(t *testing.T) {
	survived := []syscall.Signal{ // Go's runtime ignores them, or they stop a process and let it go on
		syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGPIPE, syscall.SIGALRM, syscall.SIGCHLD, syscall.SIGCONT, syscall.SIGSTOP, syscall.SIGTSTP,
		syscall.SIGTTIN, syscall.SIGTTOU, syscall.SIGURG, syscall.SIGXCPU, syscall.SIGXFSZ, syscall.SIGVTALRM, syscall.SIGPROF, syscall.SIGWINCH,
		syscall.SIGIO, syscall.SIGPWR,
	}
	for s := syscall.Signal(1); s < 32; s++ {
		if s == syscall.SIGKILL || slices.Contains(survived, s) {
			continue
		}
		if !slices.Contains(ends(), os.Signal(s)) {
			t.Errorf("nobody is asked to end by %s", s)
			continue
		}
		ctx, stop := signal.NotifyContext(t.Context(), ends()...)
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		<-ctx.Done()
		if !errors.Is(ctx.Err(), context.Canceled) || t.Context().Err() != nil {
			t.Errorf("%s: %v", s, ctx.Err())
		}
		stop()
	}
}
