package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"
)

// ends are the signals that ask a process to end. Each of them puts the machine
// back; kill -9 leaves that to the journal.
func ends() []os.Signal {
	return []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT}
}

// doubled is how long a signal counts as the same as the one before: timeout(1),
// and a terminal that is closed, send theirs twice.
const doubled = time.Second

// untilAsked is done when the process is asked to end. The next time that it is
// asked it ends at once, whatever it is doing.
func untilAsked() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, ends()...)
	// Else a write to a pipe that nobody reads any more would kill the process. It
	// is not ignored, because the JVMs would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		<-asked
		cancel()
		time.Sleep(doubled)
		signal.Reset(ends()...)
		fmt.Fprintln(os.Stderr, "moobench: ending in order; another Ctrl-C ends it at once")
	}()
	return ctx
}

// stream is where a verb writes. It keeps the first error, because what can't be
// written is a failure of every verb, and few look at each line that they print.
type stream struct {
	w io.Writer
	// gone is called when nobody reads what is written, as after | head: the work
	// ends in order.
	gone context.CancelFunc

	mu  sync.Mutex
	err error
}

func (s *stream) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	if err != nil {
		s.mu.Lock()
		if s.err == nil {
			s.err = err
		}
		s.mu.Unlock()
		if errors.Is(err, syscall.EPIPE) {
			s.gone()
		}
	}
	return n, err
}

// failed is the first error, nil if all could be written.
func (s *stream) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

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
