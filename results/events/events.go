// Package events reads the logs of the agent's event probe (moobench.probes.events): which thread entered and
// left which method of which object, and when. jvm-fixtures/protocol/README.md describes the format.
package events

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Kind is the kind of an event.
type Kind uint8

// The kinds of events. Missing stands in for lost events of a thread.
const (
	Enter   Kind = 0
	Exit    Kind = 1
	Thrown  Kind = 2 // left by an exception
	Wait    Kind = 3 // a thread in the method begins to wait for others, until its next event
	Awake   Kind = 4
	Request Kind = 5 // a thread asks for a lock, and waits until its next event: Enter if it got it
	Caller  Kind = 6 // caller of the execution that has just begun; Method is a call site
	Missing Kind = 14

	begins Kind = 15 // from here on another thread uses the ring
)

// Event is one event of one thread.
type Event struct {
	TimeNS int64 // of the JVM's System.nanoTime()
	Thread int   // number, in Log.Threads
	Kind   Kind
	Method int    // number, in Log.Methods
	Object uint32 // identity hash; 0: no object
	N      int64  // for Missing: number of lost events
}

// eventOf decodes an event; what is its second half as it is stored.
func eventOf(ns int64, what uint64, thread int) Event {
	e := Event{TimeNS: ns, Thread: thread, Kind: Kind(what >> 60)}
	if e.Kind == Missing {
		e.N = int64(what & (1<<60 - 1))
		return e
	}
	e.Method, e.Object = int(what>>32&(1<<28-1)), uint32(what)
	return e
}

// what encodes the second half of an event as it is stored.
func (e *Event) what() uint64 {
	return uint64(e.Kind)<<60 | uint64(e.Method)<<32 | uint64(e.Object) | uint64(e.N)
}

// Log is the content of a file except its events.
type Log struct {
	Methods []string // signatures, by number; a method may have several sections
	// Sections describes the numbers that are sections of a method; only in logs of locks.
	Sections map[int]Section
	Threads  []string // names, by number; several threads may have the same name
	Events   int64    // number of events in the file
	// Whole says that the file has its end. Without it the JVM was killed, and the unwritten events are
	// unknown.
	Whole  bool
	Lost   int64 // events for which memory had no room
	Unkept int64 // events for which the file or the disk had no room
	// BeganNS and EndedNS are the times of the log itself; 0: unknown.
	BeganNS, EndedNS int64
	PricePS          int64 // time per event in ps, if it was measured
	// MadeNS and WovenNS are the times that threads of the program took to begin their logs, and to have their
	// classes instrumented; 0: unknown.
	MadeNS, WovenNS int64
	Objects         map[uint32]string // classes of objects by hash; of locks alone
	Collections     []Collection      // garbage collections; only in logs of locks
	Notes           []string          // parts of the program that are not logged, and why
	Beyond          Beyond
}

// Beyond counts the names of a log that were not kept: a forged log, or a program that makes classes without
// end, may have more names than fit into memory.
type Beyond struct {
	// Names counts dropped names of methods, threads and objects, dropped notes and dropped Collections.
	Names int64
	// Events counts the events of dropped methods and threads. They count in Log.Events, but are not handed on.
	Events int64
}

// Collection is one or more garbage collections between two polls.
type Collection struct {
	FromNS, ToNS int64 // of the JVM's System.nanoTime()
	TookNS       int64 // total of these collections
}

// Kinds of blocks.
const (
	blockMethod  = 1
	blockThread  = 2
	blockEvents  = 3
	blockEnd     = 4
	blockObject  = 5
	blockGC      = 6
	blockNote    = 7
	blockTurn    = 8
	blockSection = 9
)

const header = "moobench-events 1 event=16\n"

// HeaderBytes is the length of an empty log.
const HeaderBytes = int64(len(header))

const (
	eventBytes = 16
	mostBytes  = 1 << 20 // of a block; the writer makes no longer ones
)

var fileName = regexp.MustCompile(`^events-(\d+)\.bin$`)

// Files returns the event files in a folder, one for each JVM that logged.
func Files(dir string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(dir, "events-*.bin"))
	files := all[:0]
	for _, path := range all {
		if _, ok := PID(path); ok {
			files = append(files, path)
		}
	}
	return files, err
}

// PID returns the process of an event file, taken from its name.
func PID(path string) (int, bool) {
	m := fileName.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return 0, false
	}
	pid, err := strconv.Atoi(m[1])
	return pid, err == nil
}

// Scan reads a file and passes on its events: each thread's in order, the threads interleaved. The names of an
// event are in the log by then. A truncated file is not an error, an impossible one is.
func Scan(r io.Reader, each func(l *Log, e Event) error) (*Log, error) {
	return follow(r, each, func(int64) error { return nil })
}

// follow is Scan, and calls turn with the times before which all events have been passed on.
func follow(r io.Reader, each func(l *Log, e Event) error, turn func(ns int64) error) (*Log, error) {
	return newScanner(r, each, turn).read()
}

type scanner struct {
	in    *bufio.Reader
	log   *Log
	each  func(l *Log, e Event) error
	turn  func(ns int64) error
	names names
	owner map[uint32]int // ring to thread
	bytes []byte
	first int64 // first time in the log
	begun bool  // whether first is set
}

func newScanner(r io.Reader, each func(l *Log, e Event) error, turn func(ns int64) error) *scanner {
	return &scanner{
		in: bufio.NewReaderSize(r, mostBytes), log: &Log{}, each: each, turn: turn,
		owner: map[uint32]int{}, names: newNames(mostNames),
	}
}

func (s *scanner) read() (*Log, error) {
	first := make([]byte, len(header))
	if _, err := io.ReadFull(s.in, first); err != nil || string(first) != header {
		return nil, fmt.Errorf("reading events: it begins with %q, not with %q", first, header)
	}
	for {
		err := s.block()
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			s.log.Beyond.Names = s.names.beyond
			return s.log, nil
		case err != nil:
			return nil, fmt.Errorf("reading events: %w", err)
		}
	}
}

// longestNS is the largest distance between two times of a log: ten years. A log is untrusted, and differences
// of more distant times could overflow.
const longestNS = 10 * 366 * 24 * int64(time.Hour)

// time refuses a time that cannot be of the same program as the first one.
func (s *scanner) time(ns int64) error {
	if !s.begun {
		s.first, s.begun = ns, true
	}
	if s.first > math.MaxInt64/2 || s.first < -math.MaxInt64/2 || ns < s.first-longestNS || ns > s.first+longestNS {
		return fmt.Errorf("the time %d ns is years from the first one, %d ns", ns, s.first)
	}
	return nil
}

// length refuses an impossible duration.
func length(n int64) error {
	if n < 0 || n > longestNS {
		return fmt.Errorf("%d is not a length of time", n)
	}
	return nil
}

func (s *scanner) block() error {
	var head [12]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		return err
	}
	kind := binary.LittleEndian.Uint32(head[0:])
	id := binary.LittleEndian.Uint32(head[4:])
	length := binary.LittleEndian.Uint32(head[8:])
	if s.log.Whole {
		return errors.New("it goes on after its end")
	}
	if length > mostBytes {
		return fmt.Errorf("a block of %d bytes", length)
	}
	if uint32(cap(s.bytes)) < length {
		s.bytes = make([]byte, length)
	}
	s.bytes = s.bytes[:length]
	if n, err := io.ReadFull(s.in, s.bytes); err != nil {
		if kind == blockEvents { // keep the complete events
			s.bytes = s.bytes[:n/eventBytes*eventBytes]
			return cmp.Or(s.events(id), err)
		}
		return err
	}
	switch kind {
	case blockMethod:
		return s.method(id)
	case blockThread:
		return s.names.add(&s.log.Threads, &s.names.threads, "thread", id, s.bytes)
	case blockEvents:
		return s.events(id)
	case blockSection:
		return s.section(id)
	case blockObject:
		s.object(id)
		return nil
	case blockNote:
		if s.names.room(len(s.bytes)) {
			s.log.Notes = append(s.log.Notes, clean(s.bytes))
		}
		return nil
	}
	return s.numbers(kind)
}

// clean escapes the unprintable characters of a name: a program names its threads and classes as it likes, and
// names go into pages, tables and files of other tools.
func clean(text []byte) string {
	hides := func(c rune) bool { return !unicode.IsPrint(c) }
	name := strings.ToValidUTF8(string(text), string(unicode.ReplacementChar))
	if strings.IndexFunc(name, hides) < 0 {
		return name
	}
	var b strings.Builder
	for _, c := range name {
		if hides(c) {
			fmt.Fprintf(&b, `\u%04x`, c) // as in signatures
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// numbers reads a block that holds only numbers.
func (s *scanner) numbers(kind uint32) error {
	var n []int64
	for at := 0; at+8 <= len(s.bytes); at += 8 {
		n = append(n, int64(binary.LittleEndian.Uint64(s.bytes[at:])))
	}
	switch {
	case kind == blockTurn && len(n) == 1:
		if err := s.time(n[0]); err != nil {
			return err
		}
		return s.turn(n[0])
	case kind == blockGC && len(n) == 3:
		if s.names.room(0) {
			s.log.Collections = append(s.log.Collections, Collection{n[0], n[1], n[2]})
		}
		return cmp.Or(s.time(n[0]), s.time(n[1]), length(n[2]))
	case kind == blockEnd && (len(n) == 3 || len(n) == 6 || len(n) == 8): // early logs lack the times
		s.log.Whole, s.log.Lost, s.log.Unkept = true, n[1], n[2]
		if n = append(n, 0, 0, 0, 0, 0); n[0] != s.log.Events {
			return fmt.Errorf("it ends with %d events, and holds %d", n[0], s.log.Events)
		}
		s.log.MadeNS, s.log.WovenNS = n[6], n[7]
		if s.log.BeganNS, s.log.EndedNS, s.log.PricePS = n[3], n[4], n[5]; n[3] == 0 && n[4] == 0 {
			return nil
		}
		return cmp.Or(s.time(n[3]), s.time(n[4]), length(n[5]), length(n[6]), length(n[7]))
	}
	return fmt.Errorf("a block of kind %d with %d bytes", kind, len(s.bytes))
}

func (s *scanner) events(ring uint32) error {
	if len(s.bytes)%eventBytes != 0 {
		return fmt.Errorf("%d bytes of events", len(s.bytes))
	}
	thread, known := s.owner[ring]
	for at := 0; at < len(s.bytes); at += eventBytes {
		what := binary.LittleEndian.Uint64(s.bytes[at+8:])
		e := eventOf(int64(binary.LittleEndian.Uint64(s.bytes[at:])), what, thread)
		switch {
		case e.Kind == begins:
			thread, known = int(uint32(what)), true
			if thread >= s.names.threads {
				return fmt.Errorf("thread %d has no name", thread)
			}
			s.owner[ring] = thread
			continue
		case e.Kind > Caller && e.Kind != Missing:
			return fmt.Errorf("an event of kind %d", e.Kind)
		case e.Kind != Missing:
			if e.Method >= s.names.methods {
				return fmt.Errorf("method %d has no name", e.Method)
			}
			s.log.Events++
		}
		if !known && e.Kind != Missing {
			return fmt.Errorf("events of ring %d before the name of its thread", ring)
		}
		if err := s.time(e.TimeNS); err != nil {
			return err
		}
		if e.Kind != Missing && e.Method >= len(s.log.Methods) || known && e.Thread >= len(s.log.Threads) {
			s.log.Beyond.Events++
			continue
		}
		if err := s.each(s.log, e); err != nil {
			return err
		}
	}
	return nil
}
