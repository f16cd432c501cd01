// Package receiver counts the records that a monitored program actually delivers: as the peer that it sends to on
// loopback, or as the reader of its files.
//
// Receivers run beside a measured JVM. They reuse their buffers, wake once per read of a socket, allocate nothing
// per record and log nothing.
//
// Their input is not trusted. They read only connections of processes that descend from moobench, as far as that
// can be determined. An announced length never makes them allocate memory, and they keep a bounded amount of data
// per connection.
package receiver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

// Tally is the count of a source.
type Tally struct {
	// Records is the number that arrived, or were written, until the subject was gone.
	Records int64
	// ByLoopEnd is the number of these that had arrived by the end of the loop, as given to Mark. It is 0 without
	// Mark, and for the source "fixture", which doesn't know it.
	ByLoopEnd int64
	// LoopEndFromBytes means that records have no time stamps: ByLoopEnd is inferred from the share of bytes that
	// the files held at Mark.
	LoopEndFromBytes bool
	// Untimed means that nobody knows when records were made: ByLoopEnd is meaningless.
	Untimed bool
	// LastNS is the arrival time of the last record in ns of CLOCK_MONOTONIC; 0: unknown. For files it is the
	// modification time, accurate to a few ms.
	LastNS int64
	// Bytes is the number of bytes received from sockets or written to files.
	Bytes int64
	// RecordBytes is the part of Bytes in records; 0: unknown.
	RecordBytes int64
	// Missing says why records may be missing, such as losses recorded in the file itself; "" if the source knows
	// of none.
	Missing string
}

// Source counts the records of one subject.
type Source interface {
	// Vars returns the placeholders that the source defines for the subject's command line: "port" if it listens,
	// else none.
	Vars() map[string]string
	// Mark sets the end of the loop, in ns of CLOCK_MONOTONIC, and is to be called soon after it. Up to 10 s later
	// the count at endNS is still exact, unless there were more than a million reads since: then it may be a few
	// records too low.
	Mark(endNS int64)
	// Finish counts to the end. It is to be called when the subject is gone. With an error, the tally holds what
	// could still be counted.
	Finish(ctx context.Context) (Tally, error)
	// Close releases everything. It may be called at any time, and more than once.
	Close() error
}

// Live is a source that counts while the subject runs.
type Live interface {
	// Arrived returns the number of records so far.
	Arrived() int64
}

// Keeper is a source with files that pictures are drawn from.
type Keeper interface {
	// Keep returns the names of these files, and the size in bytes above which they are not worth keeping.
	Keep() (files []string, most int64)
}

// Asker is a source that queries the subject itself, and so must do it while the subject runs: once, after the
// loop.
type Asker interface {
	Ask(ctx context.Context) error
}

// beginner is a source that is active while the subject runs, from its start.
type beginner interface {
	begin(ctx context.Context)
}

// Format is a way in which records leave a monitored program. One of receive, read and told is set.
type Format struct {
	Name  string // of the source that counts its records
	About string // the records counted, as a clause
	count string // its name in the key count, if different

	// receive opens a source that listens on a port for the program. check returns the error in its settings; it
	// may be nil.
	receive func(n *network, t Told) Source
	check   func(t Told) error
	http    bool // the program sends HTTP requests

	read func(dir string) Source // for programs that leave files in a folder

	// told opens a source that needs settings to find the records. The first of the keys stands for the format.
	told func(dir string, t Told) (Source, error)
	Asks bool // nothing is counted before its source, an Asker, has asked
	Port bool // its settings include a port on which the program listens

	Keys []Key // settings of the source
}

// Listens reports whether the program sends to a port of ours.
func (f Format) Listens() bool { return f.receive != nil }

// Key returns the key that stands for the format, if it needs settings to find the records, else "".
func (f Format) Key() string {
	if f.told == nil {
		return ""
	}
	return f.Keys[0].Name
}

// Count returns the format's name in a benchmarks.toml where that says who counts, or where the program sends; ""
// if a key of its own says so.
func (f Format) Count() string {
	if f.Key() != "" {
		return ""
	}
	return cmp.Or(f.count, f.Name)
}

// Can returns why the format's receiver can't have a fault, or nil.
func (f Format) Can(fault Fault) error {
	switch {
	case fault == "":
		return nil
	case !f.Listens():
		return fmt.Errorf("%s listens to nobody", f.Name)
	case fault == failing && !f.http:
		return fmt.Errorf("what comes to %s are no HTTP requests", f.Name)
	}
	return nil
}

// overHTTP returns the format of a protocol.
func overHTTP(p protocol, about string) Format {
	return Format{
		Name: p.name, About: about, http: true,
		receive: func(n *network, _ Told) Source { return receivePosts(n, p) },
	}
}

// Formats returns all formats that Open knows.
func Formats() []Format {
	return []Format{
		{Name: "kieker-tcp", receive: receiveKieker, About: "records that Kieker's SingleSocketTcpWriter sends"},
		overHTTP(otlp, "spans that are sent by OTLP over HTTP, as protobuf or JSON, or by gRPC"),
		overHTTP(zipkin, "spans that are sent to Zipkin, version 2, in JSON"),
		overHTTP(elastic, "transactions and spans that are sent to Elastic's intake, version 2"),
		overHTTP(datadog, "spans that are sent to Datadog's agent, versions 0.3 to 0.5"),
		overHTTP(appInsights, "requests and dependencies that are sent to Application Insights"),
		overHTTP(skyWalking, "spans of the segments that are sent to SkyWalking, version 3, by gRPC"),
		overHTTP(profiles, "profiles that are uploaded"),
		{
			Name: "posts", count: "http", Keys: postKeys, http: true,
			About: "requests that are posted, or what is in the arrays of their JSON",
			check: func(t Told) error { _, err := anyPost(t); return err },
			receive: func(n *network, t Told) Source {
				p, _ := anyPost(t) // check has validated it
				return receivePosts(n, p)
			},
		},
		{
			Name: "kieker-binary", read: openKiekerFiles(".bin", "binary", countKiekerBinary),
			About: "records in the binary files of Kieker's FileWriter",
		},
		{
			Name: "kieker-text", read: openKiekerFiles(".dat", "text", countKiekerText),
			About: "records in the text files of Kieker's FileWriter",
		},
		{Name: "probe-file", read: openProbeFile, About: "records in the file of moobench's own probe"},
		{
			Name: "probe-events", read: openProbeEvents,
			About: "executions in the log of moobench's probe of events, or of locks: then those that held one",
		},
		{
			Name: "fixture", read: openFixtureCount,
			About: "records that a probe or bridge of moobench's has counted inside the JVM",
		},
		{Name: "file", told: tellFile, Keys: fileKeys, About: "records in files that the agent writes"},
		{Name: "log", told: tellLog, Keys: logKeys, About: "records of which the program's own output speaks"},
		{
			Name: "jfr", told: tellJFR, Keys: jfrKeys,
			About: "events in files of JDK Flight Recorder, or of an agent that writes them",
		},
		{
			Name: "http", told: tellScrape, Keys: scrapeKeys, Asks: true, Port: true,
			About: "a metric that the program serves in the text format of Prometheus",
		},
		{
			Name: "scrape", told: tellScrapes, Keys: scrapesKeys, Port: true,
			About: "answers of the program to questions that it is asked while it runs",
		},
		{
			Name: "command", told: tellCommand, Keys: commandKeys,
			About: "the number that a command prints once the program has ended",
		},
	}
}

// FormatNamed returns the format with this name.
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

// Open starts the source of the named format. Sources that listen do so on a free port of 127.0.0.1, with the
// given fault, if any. The others read from dir, where the subject writes, or follow their settings.
func Open(ctx context.Context, name, dir string, told Told, fault Fault) (Source, error) {
	f, err := FormatNamed(name)
	if err == nil {
		err = f.Can(fault)
	}
	switch {
	case err != nil:
		return nil, err
	case f.told != nil:
		s, err := f.told(dir, told)
		if b, is := s.(beginner); is && err == nil {
			b.begin(ctx)
		}
		return s, err
	case f.read != nil:
		return f.read(dir), nil
	case f.check != nil:
		err = f.check(told)
	}
	var n *network
	switch {
	case err != nil:
	case fault == refused:
		return refuse()
	default:
		n, err = listen(ctx, anyPort, fault)
	}
	if err != nil {
		return nil, fmt.Errorf("open receiver %s: %w", name, err)
	}
	return f.receive(n, told), nil
}

// passive is a source that does nothing until the subject is gone.
type passive struct{}

// Vars implements Source.
func (passive) Vars() map[string]string { return nil }

// Mark implements Source.
func (passive) Mark(int64) {}

// Close implements Source.
func (passive) Close() error { return nil }
