package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// ends are the signals that ask a process to end, and those that end it because of its own mistakes, which
// others may send as well: then they are no mistake, and Go's runtime hands them on. Each of them puts the machine
// back; kill -9 leaves that to the journal.
func ends() []os.Signal {
	return []os.Signal{
		syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT,
		syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL, syscall.SIGTRAP, syscall.SIGSTKFLT, syscall.SIGSYS,
	}
}

// doubled is the time in which a second signal counts as the first one again: timeout(1),
// and a terminal that is closed, send theirs twice.
const doubled = time.Second

// untilAsked is done when the process is told to end. The next time that it is
// told to, it ends at once, whatever it is doing.
func untilAsked() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), ends()...)
	// Else a write to a pipe that nobody reads any more would kill the process. It
	// is not ignored, because the JVMs would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		<-ctx.Done()
		time.Sleep(doubled)
		stop()
		fmt.Fprintln(os.Stderr, "moobench: ending in order; another Ctrl-C ends it at once")
	}()
	return ctx
}
