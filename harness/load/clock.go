package load

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"moobench/harness/proc"
)

// clock reads CLOCK_MONOTONIC without a system call. Its value is the time at which CLOCK_MONOTONIC was 0.
type clock time.Time

func newClock() clock { return clock(time.Now().Add(-time.Duration(proc.MonotonicNS()))) }

// now returns CLOCK_MONOTONIC in ns.
func (c clock) now() int64 { return int64(time.Since(time.Time(c))) }

// alarm wakes a goroutine at a given time. Go's own timers are up to 1 ms late on an idle process, since the
// poller waits in whole milliseconds; yielding in a loop instead would keep answers from being read on a single
// CPU. A kernel timer is read like a connection, and fires within microseconds.
type alarm struct {
	clock
	fd   int
	file *os.File
	ring [8]byte
	stop func() bool
}

// alarm returns an alarm that stops firing when the load ends. If it can't make one, it ends the load and returns
// nil.
func (s *sender) alarm() *alarm {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		s.fail(fmt.Errorf("making a timer: %w", err))
		return nil
	}
	a := &alarm{clock: s.clock, fd: fd, file: os.NewFile(uintptr(fd), "timerfd")}
	if err := a.file.SetReadDeadline(time.Time{}); err != nil {
		a.file.Close()
		s.fail(fmt.Errorf("making a timer: %w", err))
		return nil
	}
	a.stop = context.AfterFunc(s.ctx, func() { a.file.SetReadDeadline(time.Unix(1, 0)) })
	return a
}

// until blocks until ns, a time of CLOCK_MONOTONIC, and returns true; it returns false if the context has ended. A
// nil alarm never fires.
func (a *alarm) until(ns int64) bool {
	for a != nil && a.now() < ns {
		when := unix.ItimerSpec{Value: unix.NsecToTimespec(ns)}
		if err := unix.TimerfdSettime(a.fd, unix.TFD_TIMER_ABSTIME, &when, nil); err != nil {
			return false
		}
		n, err := a.file.Read(a.ring[:])
		if err != nil || n != len(a.ring) || binary.NativeEndian.Uint64(a.ring[:]) == 0 {
			return false
		}
	}
	return a != nil
}

func (a *alarm) close() {
	if a != nil {
		a.stop()
		a.file.Close()
	}
}
