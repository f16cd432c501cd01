package watch

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"moobench/harness/machine/internal/kernel"
	"moobench/harness/proc"
)

// BenchmarkWaiting waits as moobench does while a JVM measures in silence: for
// an answer on a connection that does not come, with a deadline, a goroutine
// that waits for the process to end, and one for signals. It reports how often
// moobench wakes then, which must stay below twice a second, and what share of
// a CPU it takes. An operation is 5 s.
func BenchmarkWaiting(b *testing.B) {
	const span = 5 * time.Second
	ctx, stop := signal.NotifyContext(context.Background(), unix.SIGUSR2)
	defer stop()
	subject := exec.CommandContext(ctx, "sleep", "1d")
	if err := subject.Start(); err != nil {
		b.Skipf("needs sleep: %v", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- subject.Wait() }()
	defer func() { subject.Process.Kill(); <-ended }()
	conn := silence(b)
	time.Sleep(100 * time.Millisecond) // what starting has stirred up

	wakeups, cpu, written := 0.0, 0.0, 0.0
	for b.Loop() {
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		cpuBefore := proc.CPUNS(os.Getpid())
		writtenBefore, wakeupsBefore := ownWrittenBytes(kernel.Root()), ownWakeups()
		if err := conn.SetReadDeadline(time.Now().Add(span)); err != nil {
			b.Fatal(err)
		}
		if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) || ctx.Err() != nil {
			b.Fatal(err, ctx.Err())
		}
		wakeups += ownWakeups() - wakeupsBefore
		written += ownWrittenBytes(kernel.Root()) - writtenBefore
		cpu += proc.CPUNS(os.Getpid()) - cpuBefore
		cancel()
	}
	seconds := float64(b.N) * span.Seconds()
	b.ReportMetric(wakeups/seconds, "wakeups/s")
	b.ReportMetric(written/seconds, "written-B/s")
	b.ReportMetric(cpu/seconds/1e7, "%CPU")
}

// silence is one end of a loopback connection whose other end says nothing.
func silence(b *testing.B) net.Conn {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		b.Skipf("needs loopback: %v", err)
	}
	defer ln.Close()
	peer, err := net.Dial("tcp4", ln.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	conn, err := ln.Accept()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close(); peer.Close() })
	return conn
}

func TestOwnWakeups(t *testing.T) {
	before := ownWakeups()
	time.Sleep(time.Millisecond)
	if n := ownWakeups() - before; !(n > 0) {
		t.Errorf("slept, and was woken %v times", n)
	}
}
