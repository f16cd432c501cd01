// Package receiver counts the records that a monitored program really delivers: as the
// peer that it sends to on loopback, or as the reader of what it wrote.
//
// Receivers run beside a measured JVM. They reuse their buffers, wake once per read of a
// socket, allocate nothing per record and log nothing.
//
// What they read is not trusted. Only connections of processes that descend from moobench
// are read, as far as that can be determined; nothing is allocated because a length was
// announced, and what is kept of a connection is bounded.
package receiver

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Tally is what a source has counted.
type Tally struct {
	// Records arrived, or were written, until the subject was gone.
	Records int64
	// ByLoopEnd of them had arrived at the end of the loop given to Mark. It is 0 without
	// Mark, and for the source "fixture", which doesn't know it.
	ByLoopEnd int64
	// LoopEndFromBytes means that records had no time stamps: ByLoopEnd was inferred from
	// the share of the bytes that were in the files at Mark.
	LoopEndFromBytes bool
	// firstNS and LastNS are the arrivals of the first and the last record in ns of
	// CLOCK_MONOTONIC; 0 when unknown. Files have no first, and their last is their
	// modification time, a few ms coarse.
	firstNS, LastNS int64
	// Bytes were received from the sockets or written to the files.
	Bytes int64
}

// Source counts the records of one subject.
type Source interface {
	// Vars returns the placeholders that the source defines for the subject's command
	// line: "port" for those that listen, else none.
	Vars() map[string]string
	// Mark sets when the loop ended, in ns of CLOCK_MONOTONIC. It is to be called soon
	// after; up to 10 s later the count at endNS is still exact, unless there were more
	// than a million reads in them: then it may be a few records too low.
	Mark(endNS int64)
	// Finish counts to the end. It is to be called when the subject is gone. With an
	// error, the tally holds what was counted nevertheless.
	Finish(ctx context.Context) (Tally, error)
	// Close releases everything. It may be called at any time and again.
	Close() error
}

// Format is a way in which records leave a monitored program: receive or read is set.
type Format struct {
	Name    string                  // of the source that counts them
	About   string                  // what is counted, as a clause
	receive func(n *network) Source // where the program sends to a port of ours
	read    func(dir string) Source // where the program leaves files in a folder
}

// Listens reports whether the program sends to a port of ours.
func (f Format) Listens() bool { return f.receive != nil }

// Formats are all that Open knows.
func Formats() []Format {
	return []Format{
		{Name: "kieker-tcp", receive: receiveKieker, About: "records that Kieker's SingleSocketTcpWriter sends"},
		{Name: "otlp", receive: receiveOTLP, About: "spans that are sent by OTLP over HTTP, as protobuf"},
		{Name: "kieker-binary", read: openKiekerFiles(".bin", "binary", countKiekerBinary), About: "records in the binary files of Kieker's FileWriter"},
		{Name: "kieker-text", read: openKiekerFiles(".dat", "text", countKiekerText), About: "records in the text files of Kieker's FileWriter"},
		{Name: "probe-file", read: openProbeFile, About: "records in the file of moobench's own probe"},
		{Name: "fixture", read: openFixtureCount, About: "records that a probe or bridge of moobench's has counted inside the JVM"},
	}
}

// Open starts the source of the named format. Sources that listen do so on a free port of
// 127.0.0.1; the others read from dir, where the subject writes.
func Open(ctx context.Context, name, dir string) (Source, error) {
	var known []string
	for _, f := range Formats() {
		known = append(known, f.Name)
		switch {
		case f.Name != name:
		case !f.Listens():
			return f.read(dir), nil
		default:
			n, err := listen(ctx, anyPort)
			if err != nil {
				return nil, fmt.Errorf("open receiver %s: %w", name, err)
			}
			return f.receive(n), nil
		}
	}
	slices.Sort(known)
	return nil, fmt.Errorf("unknown receiver %q (known: %s)", name, strings.Join(known, ", "))
}
