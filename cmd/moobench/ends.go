package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// ends returns the signals that ask a process to end, and those for fatal errors. Another process
// may also send the latter; then Go's runtime delivers them. The machine is restored after each of
// them; after kill -9 the journal allows that later.
func ends() []os.Signal {
	return []os.Signal{
		syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT,
		syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGILL,
		syscall.SIGTRAP, syscall.SIGSTKFLT, syscall.SIGSYS,
	}
}

// doubled is the time in which a repeated signal is ignored: timeout(1), and a terminal that is
// closed, send theirs twice.
const doubled = time.Second

// untilAsked returns a context that is done when the process is asked to end. A later signal ends
// the process at once.
func untilAsked() context.Context {
	ctx, stop := signal.NotifyContext(context.Background(), ends()...)
	// Otherwise writing to a closed pipe would kill the process. The signal is not ignored, because
	// the JVMs would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	go func() {
		<-ctx.Done()
		time.Sleep(doubled)
		stop()
		fmt.Fprintln(os.Stderr, "moobench: ending in order; another Ctrl-C ends it at once")
	}()
	return ctx
}
