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
	// Untimed means that nobody knows when records were made: ByLoopEnd says nothing.
	Untimed bool
	// LastNS is the arrival of the last record in ns of CLOCK_MONOTONIC; 0 when unknown. Of
	// files it is their modification time, a few ms coarse.
	LastNS int64
	// Bytes were received from the sockets or written to the files.
	Bytes int64
	// RecordBytes of these are the records alone; 0 where only Bytes is known.
	RecordBytes int64
	// Missing is why records may be missing, such as what a file says of its own losses; "" where
	// the source knows of nothing.
	Missing string
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

// Asker is a source that asks the subject itself, and so has to while that still runs:
// once, after the loop.
type Asker interface {
	Ask(ctx context.Context) error
}

// Format is a way in which records leave a monitored program: receive, read or told is
// set.
type Format struct {
	Name    string                  // of the source that counts them
	About   string                  // what is counted, as a clause
	receive func(n *network) Source // where the program sends to a port of ours
	read    func(dir string) Source // where the program leaves files in a folder

	// told opens a source that has to be told what to look at, by these keys; the first
	// one is called as the format.
	told func(dir string, t Told) (Source, error)
	Keys []Key
	Asks bool // what it opens is an Asker
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
		{Name: "probe-events", read: openProbeEvents, About: "executions in the log of moobench's probe of events, or of locks: then those that held one"},
		{Name: "fixture", read: openFixtureCount, About: "records that a probe or bridge of moobench's has counted inside the JVM"},
		{Name: "file", told: tellFile, Keys: fileKeys, About: "records in files that the agent writes"},
		{Name: "log", told: tellLog, Keys: logKeys, About: "records of which the program's own output speaks"},
		{Name: "jfr", told: tellJFR, Keys: jfrKeys, About: "events in the files of JDK Flight Recorder, or of what writes such files"},
		{
			Name: "http", told: tellScrape, Keys: scrapeKeys, Asks: true,
			About: "a metric that the program serves in the text format of Prometheus",
		},
		{Name: "command", told: tellCommand, Keys: commandKeys, About: "the number that a command prints once the program has ended"},
	}
}

// FormatNamed returns the format of this name.
func FormatNamed(name string) (Format, error) {
	var known []string
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
		known = append(known, f.Name)
	}
	slices.Sort(known)
	return Format{}, fmt.Errorf("unknown receiver %q (known: %s)", name, strings.Join(known, ", "))
}

// Open starts the source of the named format. Sources that listen do so on a free port of
// 127.0.0.1; the others read from dir, where the subject writes, or look at what they are
// told.
func Open(ctx context.Context, name, dir string, told Told) (Source, error) {
	f, err := FormatNamed(name)
	switch {
	case err != nil:
		return nil, err
	case f.told != nil:
		return f.told(dir, told)
	case f.read != nil:
		return f.read(dir), nil
	}
	n, err := listen(ctx, anyPort)
	if err != nil {
		return nil, fmt.Errorf("open receiver %s: %w", name, err)
	}
	return f.receive(n), nil
}

// passive is a source that does nothing before the subject is gone.
type passive struct{}

// Vars implements Source.
func (passive) Vars() map[string]string { return nil }

// Mark implements Source.
func (passive) Mark(int64) {}

// Close implements Source.
func (passive) Close() error { return nil }
