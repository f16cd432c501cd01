// Package events reads what the agent's probe of events writes (moobench.probes.events):
// who entered and left which method, of which object, when. The format is told in
// jvm-fixtures/protocol/README.md.
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

// Kind is what happened.
type Kind uint8

// The kinds of events. Missing stands where events of a thread were lost.
const (
	Enter   Kind = 0
	Exit    Kind = 1
	Thrown  Kind = 2 // left by an exception
	Wait    Kind = 3 // a thread in the method begins to wait for others, until its next event
	Awake   Kind = 4
	Request Kind = 5 // a thread asks for a lock, and waits until its next event: Enter if it got it
	Caller  Kind = 6 // of the execution that has just begun; Method is a place
	Missing Kind = 14

	begins Kind = 15 // another thread uses the ring from here on
)

// Event is one event of one thread.
type Event struct {
	TimeNS int64 // of the JVM's System.nanoTime()
	Thread int   // number, in Log.Threads
	Kind   Kind
	Method int    // number, in Log.Methods
	Object uint32 // identity hash; 0: there is none
	N      int64  // of Missing: how many are
}

// eventOf reads the second half of an event: what happened.
func eventOf(ns int64, what uint64, thread int) Event {
	e := Event{TimeNS: ns, Thread: thread, Kind: Kind(what >> 60)}
	if e.Kind == Missing {
		e.N = int64(what & (1<<60 - 1))
		return e
	}
	e.Method, e.Object = int(what>>32&(1<<28-1)), uint32(what)
	return e
}

// what is the second half of an event, as it stands in a file.
func (e *Event) what() uint64 {
	return uint64(e.Kind)<<60 | uint64(e.Method)<<32 | uint64(e.Object) | uint64(e.N)
}

// Log is what a file says about its events.
type Log struct {
	Methods []string // signatures, by number
	Threads []string // names, by number; a name may stand there twice
	Events  int64    // that are in the file
	// Whole says that the file has its end; without one, the JVM was killed, and nobody knows
	// what was not yet written.
	Whole  bool
	Lost   int64 // for which there was no room in memory
	Unkept int64 // for which there was no room in the file, or on the disk
	// BeganNS and EndedNS are the times of the log itself; 0 where they are not known.
	BeganNS, EndedNS int64
	PricePS          int64 // what an event took, where that was measured
	// MadeNS and WovenNS are what threads of the program took to begin their logs, and to have
	// their classes instrumented; 0 where that is not known.
	MadeNS, WovenNS int64
	Objects         map[uint32]string // classes of objects, by hash; of locks alone
	Collections     []Collection      // of garbage; of logs of locks alone
	Notes           []string          // what of the program is not logged, and why
	Beyond          Beyond
}

// Beyond is what a log names beyond the names that are kept of it: a forged log, or a program that
// makes classes without end, may name more than there is memory for.
type Beyond struct {
	// Names are of methods, threads, objects and notes, and Collections of those, that are not kept.
	Names int64
	// Events are those of methods and threads among them. They are in Log.Events, and not handed on.
	Events int64
}

// Collection is garbage that was collected, once or more often, between two looks.
type Collection struct {
	FromNS, ToNS int64 // of the JVM's System.nanoTime()
	TookNS       int64 // all together
}

// What a block holds.
const (
	blockMethod = 1
	blockThread = 2
	blockEvents = 3
	blockEnd    = 4
	blockObject = 5
	blockGC     = 6
	blockNote   = 7
	blockTurn   = 8
)

// SectionMark stands between the signature of a method and what a section of it that holds a
// lock is: names with one are of sections, others of methods and of places.
const SectionMark = "\t"

// PlainSection is what stands behind the mark of a method that is looked at like a section, and
// holds no lock.
const PlainSection = "plain"

// IsSection says whether a name is that of a section that holds a lock, and not of a wait in one
// nor of a method that holds none.
func IsSection(name string) bool {
	_, what, is := strings.Cut(name, SectionMark)
	return is && !strings.HasPrefix(what, "wait") && !IsPlain(name)
}

// IsPlain says whether a name is that of a method that is looked at like a section.
func IsPlain(name string) bool {
	_, what, _ := strings.Cut(name, SectionMark)
	kind, _, _ := strings.Cut(what, SectionMark)
	return kind == PlainSection
}

const header = "moobench-events 1 event=16\n"

// HeaderBytes is how long a file is that holds nothing yet.
const HeaderBytes = int64(len(header))

const (
	eventBytes = 16
	mostBytes  = 1 << 20 // of a block; the writer makes none that is longer
)

var fileName = regexp.MustCompile(`^events-(\d+)\.bin$`)

// Files are the files of events in a folder, one for each JVM that logged.
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

// PID is the process that a file of events is of, by its name.
func PID(path string) (int, bool) {
	m := fileName.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return 0, false
	}
	pid, err := strconv.Atoi(m[1])
	return pid, err == nil
}

// Scan reads a file, and hands on its events: those of one thread in their order, those of
// several threads by turns. What an event names is in the log by then. A file that was cut
// off is no error; one that says what can't be is.
func Scan(r io.Reader, each func(l *Log, e Event) error) (*Log, error) {
	return follow(r, each, func(int64) error { return nil })
}

// follow tells turn of the times before which all events have been handed on.
func follow(r io.Reader, each func(l *Log, e Event) error, turn func(ns int64) error) (*Log, error) {
	return newScanner(r, each, turn).read()
}

type scanner struct {
	in    *bufio.Reader
	log   *Log
	each  func(l *Log, e Event) error
	turn  func(ns int64) error
	names names
	owner map[uint32]int // the thread that uses a ring
	bytes []byte
	first int64 // the first time that is told
	begun bool  // whether one was
}

func newScanner(r io.Reader, each func(l *Log, e Event) error, turn func(ns int64) error) *scanner {
	return &scanner{in: bufio.NewReaderSize(r, mostBytes), log: &Log{}, each: each, turn: turn, owner: map[uint32]int{}, names: newNames(mostNames)}
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

// longestNS is how far apart two times of a log may be: ten years. What a log says is not
// trusted, and differences of what lies further apart could not be computed.
const longestNS = 10 * 366 * 24 * int64(time.Hour)

// time refuses what can't be a time of the same program as the others are.
func (s *scanner) time(ns int64) error {
	if !s.begun {
		s.first, s.begun = ns, true
	}
	if s.first > math.MaxInt64/2 || s.first < -math.MaxInt64/2 || ns < s.first-longestNS || ns > s.first+longestNS {
		return fmt.Errorf("the time %d ns is years from the first one, %d ns", ns, s.first)
	}
	return nil
}

// length refuses what can't be a length of time.
func length(n int64) error {
	if n < 0 || n > longestNS {
		return fmt.Errorf("%d is no length of time", n)
	}
	return nil
}

func (s *scanner) block() error {
	var head [12]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		return err
	}
	kind, id, length := binary.LittleEndian.Uint32(head[0:]), binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint32(head[8:])
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
		if kind == blockEvents { // those that are there
			s.bytes = s.bytes[:n/eventBytes*eventBytes]
			return cmp.Or(s.events(id), err)
		}
		return err
	}
	switch kind {
	case blockMethod:
		return s.names.add(&s.log.Methods, &s.names.methods, "method", id, s.bytes)
	case blockThread:
		return s.names.add(&s.log.Threads, &s.names.threads, "thread", id, s.bytes)
	case blockEvents:
		return s.events(id)
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

// clean makes visible what does not print in a name: a program calls its threads and classes as it
// likes, and names go into pages, tables and files of other tools. A tab parts what is said of a section.
func clean(text []byte) string {
	hides := func(c rune) bool { return c != '\t' && !unicode.IsPrint(c) }
	name := strings.ToValidUTF8(string(text), string(unicode.ReplacementChar))
	if strings.IndexFunc(name, hides) < 0 {
		return name
	}
	var b strings.Builder
	for _, c := range name {
		if hides(c) {
			fmt.Fprintf(&b, `\u%04x`, c) // as signatures have it
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// numbers reads a block that holds nothing but numbers.
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
	case kind == blockEnd && (len(n) == 3 || len(n) == 6 || len(n) == 8): // the first ones had no times
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
