// Package receiver counts the records that a monitored program really
// delivers: as the peer it sends to on loopback, or as the reader of what it
// wrote.
//
// Receivers run beside a measured JVM. They reuse their buffers, wake once
// per read of a socket, allocate nothing per record and log nothing.
//
// What they read is not trusted. Only connections of processes that descend
// from moobench are read, as far as that can be told; nothing is allocated
// because a length was announced, and what is kept of a connection is bounded.
package receiver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Tally is what a source has counted.
type Tally struct {
	// Records arrived, or were written, until the subject was gone.
	Records int64
	// ByLoopEnd of them had arrived at the end of the loop given to Mark.
	// Without Mark it is 0; the source "fixture" doesn't know it and always
	// leaves it 0.
	ByLoopEnd int64
	// LoopEndFromBytes says that records had no stamps: ByLoopEnd was
	// inferred from the share of the bytes that stood in the files at Mark.
	LoopEndFromBytes bool
	// FirstNS and LastNS are the arrivals of the first and the last record,
	// in ns of CLOCK_MONOTONIC; 0 when not known. Files have no first, and
	// their last is their time of modification, a few ms coarse.
	FirstNS, LastNS int64
	// Bytes were received from the sockets or written to the files.
	Bytes int64
}

// Source counts the records of one subject.
type Source interface {
	// Vars returns the placeholders that the source defines for the command
	// line of the subject: "port" for those that listen, else none.
	Vars() map[string]string
	// Mark says when the loop ended, in ns of CLOCK_MONOTONIC. Call it soon
	// after; up to 10 s later the count at endNS is still exact, unless there were
	// more than a million reads in them: then it may be a few records too low.
	Mark(endNS int64)
	// Finish counts to the end. Call it when the subject is gone. With an
	// error, the tally holds what was counted nevertheless.
	Finish(ctx context.Context) (Tally, error)
	// Close gives everything back. It may be called at any time and again.
	Close() error
}

// Open starts the named source. Sources that listen do so on a free port of
// 127.0.0.1; the others read from dir, where the subject writes. A name that
// Names doesn't list is an error.
func Open(ctx context.Context, name, dir string) (Source, error) {
	open, ok := sources()[name]
	if !ok {
		return nil, fmt.Errorf("unknown receiver %q (known: %s)", name, strings.Join(Names(), ", "))
	}
	s, err := open(ctx, dir)
	if err != nil {
		return nil, fmt.Errorf("open receiver %s: %w", name, err)
	}
	return s, nil
}

// Names lists the sources that Open knows, sorted.
func Names() []string {
	var names []string
	for name := range sources() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func sources() map[string]func(ctx context.Context, dir string) (Source, error) {
	return map[string]func(context.Context, string) (Source, error){
		"kieker-tcp":    func(ctx context.Context, _ string) (Source, error) { return openKiekerTCP(ctx, anyPort) },
		"otlp":          func(ctx context.Context, _ string) (Source, error) { return openOTLP(ctx, anyPort) },
		"kieker-text":   func(_ context.Context, dir string) (Source, error) { return openKiekerText(dir), nil },
		"kieker-binary": func(_ context.Context, dir string) (Source, error) { return openKiekerBinary(dir), nil },
		"probe-file":    func(_ context.Context, dir string) (Source, error) { return openProbeFile(dir), nil },
		"fixture":       func(_ context.Context, dir string) (Source, error) { return fixtureCount{dir}, nil },
	}
}

// Monotonic is the time in ns of CLOCK_MONOTONIC, the clock that a JVM on
// Linux calls System.nanoTime.
func Monotonic() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		return 0 // Linux always has this clock
	}
	return ts.Nano()
}
