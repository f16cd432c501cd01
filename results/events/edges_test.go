package events

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// named is a log with one method and one thread, which has ring 0.
func named() *file {
	f := begun().block(blockMethod, 0, []byte("void a.B.run()")).block(blockThread, 0, []byte("t"))
	return f.block(blockEvents, 0, event(0, begins, 0, 0))
}

// TestFiles: the logs of a folder are those that have the number of a process.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"events-17.bin", "events-9.bin", "events-x.bin", "events-.bin", "events-7.bin.part", "my-events-7.bin",
		"events-99999999999999999999.bin",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Files(dir)
	want := []string{filepath.Join(dir, "events-17.bin"), filepath.Join(dir, "events-9.bin")}
	if err != nil || !slices.Equal(files, want) {
		t.Errorf("%v, %v", files, err)
	}
	if files, err := Files(t.TempDir()); err != nil || len(files) != 0 {
		t.Errorf("of an empty folder: %v, %v", files, err)
	}
	if HeaderBytes != 27 {
		t.Errorf("an empty log has %d bytes", HeaderBytes)
	}
}

// TestEventsAsStored: an event is the same when it was stored, whatever its largest values are.
func TestEventsAsStored(t *testing.T) {
	for _, c := range []struct {
		what uint64
		want Event
	}{
		{0x0000_0000_0000_0000, Event{}},
		{0x1000_0000_0000_0001, Event{Kind: Exit, Object: 1}},
		{0x6fff_ffff_ffff_ffff, Event{Kind: Caller, Method: 1<<28 - 1, Object: math.MaxUint32}},
		{0x5000_0001_8000_0000, Event{Kind: Request, Method: 1, Object: 1 << 31}},
		{0xefff_ffff_ffff_ffff, Event{Kind: Missing, N: 1<<60 - 1}},
		{0xe000_0001_0000_0000, Event{Kind: Missing, N: 1 << 32}},
	} {
		c.want.TimeNS, c.want.Thread = 5, 3
		got := eventOf(5, c.what, 3)
		if got != c.want || got.what() != c.what {
			t.Errorf("%x: %+v, stored as %x; want %+v", c.what, got, got.what(), c.want)
		}
	}
}

// TestEnds: the end of a log says how much is lost, and since logs have times, when it began and what it took.
func TestEnds(t *testing.T) {
	const year10 = uint64(longestNS)
	for _, c := range []struct {
		name string
		end  []uint64
		want Log
		err  string
	}{
		{"an early one", []uint64{0, 3, 4}, Log{Lost: 3, Unkept: 4}, ""},
		{"with times", []uint64{0, 0, 0, 10, 90, 7}, Log{BeganNS: 10, EndedNS: 90, PricePS: 7}, ""},
		{
			"with all times",
			[]uint64{0, 0, 0, 10, 90, 7, 5, 6},
			Log{BeganNS: 10, EndedNS: 90, PricePS: 7, MadeNS: 5, WovenNS: 6},
			"",
		},
		{"of a clock that began at 0", []uint64{0, 0, 0, 0, 90, 7}, Log{EndedNS: 90, PricePS: 7}, ""},
		{"whose times are not known", []uint64{0, 0, 0, 0, 0, math.MaxUint64}, Log{PricePS: -1}, ""},
		{
			"of ten years",
			[]uint64{0, 0, 0, 10, 10 + year10, year10, year10, year10},
			Log{BeganNS: 10, EndedNS: 10 + longestNS, PricePS: longestNS, MadeNS: longestNS, WovenNS: longestNS},
			"",
		},
		{"that ends years later", []uint64{0, 0, 0, 10, 11 + year10, 0}, Log{}, "is years from the first one, 10 ns"},
		{"that began too late", []uint64{0, 0, 0, math.MaxInt64, 1, 0}, Log{}, "is years from the first one"},
		{"with too high a price", []uint64{0, 0, 0, 1, 2, year10 + 1}, Log{}, "is not a length of time"},
		{"begun for too long", []uint64{0, 0, 0, 1, 2, 0, year10 + 1, 0}, Log{}, "is not a length of time"},
		{"woven for too long", []uint64{0, 0, 0, 1, 2, 0, 0, year10 + 1}, Log{}, "is not a length of time"},
		{"that began, at a price", []uint64{0, 0, 0, 10, 0, year10 + 1}, Log{}, "is not a length of time"},
		{"with fewer events", []uint64{1, 0, 0}, Log{}, "it ends with 1 events, and holds 0"},
		{"of 7 numbers", make([]uint64, 7), Log{}, "a block of kind 4 with 56 bytes"},
	} {
		l, _, err := scan(begun().block(blockEnd, 0, longs(c.end...)))
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("a log %s: %v, want %s", c.name, err, c.err)
			}
			continue
		}
		c.want.Whole = true
		if d := cmp.Diff(&c.want, l); err != nil || d != "" {
			t.Errorf("a log %s: %v (-want +got):\n%s", c.name, err, d)
		}
	}
}

// TestFirstTimes: a clock may begin anywhere in the middle half of all times.
func TestFirstTimes(t *testing.T) {
	for _, c := range []struct {
		at int64
		ok bool
	}{
		{math.MaxInt64 / 2, true},
		{math.MaxInt64/2 + 1, false},
		{-math.MaxInt64 / 2, true},
		{-math.MaxInt64/2 - 1, false},
		{0, true},
	} {
		if _, _, err := scan(begun().block(blockTurn, 0, longs(uint64(c.at)))); (err == nil) != c.ok {
			t.Errorf("%d ns: %v", c.at, err)
		}
	}
	for _, c := range []struct {
		took uint64
		ok   bool
	}{{0, true}, {uint64(longestNS), true}, {uint64(longestNS) + 1, false}, {math.MaxUint64, false}} {
		if _, _, err := scan(begun().block(blockGC, 0, longs(1, 2, c.took))); (err == nil) != c.ok {
			t.Errorf("a collection of %d ns: %v", int64(c.took), err)
		}
	}
}

// TestNumbersHaveTheirLength: blocks of numbers with more or fewer of them are refused.
func TestNumbersHaveTheirLength(t *testing.T) {
	for _, c := range []struct {
		kind uint32
		n    []uint64
		ok   bool
	}{
		{blockTurn, longsOf(1), true},
		{blockTurn, longsOf(0), false},
		{blockTurn, longsOf(2), false},
		{blockGC, longsOf(3), true},
		{blockGC, longsOf(2), false},
		{blockGC, longsOf(4), false},
		{blockEnd, longsOf(3), true},
		{blockEnd, longsOf(2), false},
		{blockEnd, longsOf(6), true},
		{blockEnd, longsOf(8), true},
		{blockEnd, longsOf(9), false},
		{0, longsOf(1), false},
		{blockSection + 1, longsOf(3), false},
	} {
		if _, _, err := scan(begun().block(c.kind, 0, longs(c.n...))); (err == nil) != c.ok {
			t.Errorf("kind %d with %d numbers: %v", c.kind, len(c.n), err)
		}
	}
	if _, _, err := scan(begun().block(blockTurn, 0, append(longs(5), 1, 2, 3, 4, 5, 6, 7))); err != nil {
		t.Errorf("the rest of a number is refused: %v", err)
	}
	if _, _, err := scan(begun().block(blockNote, 0, make([]byte, mostBytes))); err != nil {
		t.Errorf("a block of the largest size is refused: %v", err)
	}
}

// longsOf are so many zeros.
func longsOf(n int) []uint64 { return make([]uint64, n) }

// TestMissingOfARing: events that a ring lost before its thread was known are handed on, and don't count as events.
func TestMissingOfARing(t *testing.T) {
	missing := longs(40, uint64(Missing)<<60|9)
	l, all, err := scan(begun().block(blockEvents, 3, missing))
	if want := []Event{{TimeNS: 40, Kind: Missing, N: 9}}; err != nil || !slices.Equal(all, want) || l.Events != 0 {
		t.Errorf("%v, %v", all, err)
	}
	if l.Beyond != (Beyond{}) {
		t.Errorf("beyond: %+v", l.Beyond)
	}
}

// TestOthersErrors: an error of who takes the events ends the reading, and is theirs.
func TestOthersErrors(t *testing.T) {
	mine := errors.New("mine")
	f := named().block(blockEvents, 0, event(1, Enter, 0, 1)).block(blockTurn, 0, longs(5)).Bytes()
	each := func(*Log, Event) error { return mine }
	if _, err := Scan(bytes.NewReader(f), each); !errors.Is(err, mine) {
		t.Errorf("Scan: %v", err)
	}
	if l, err := InOrder(bytes.NewReader(f), each); !errors.Is(err, mine) || l != nil {
		t.Errorf("InOrder: %v", err)
	}
	unturned := named().block(blockEvents, 0, event(1, Enter, 0, 1)).Bytes()
	if l, err := InOrder(bytes.NewReader(unturned), each); !errors.Is(err, mine) || l != nil {
		t.Errorf("InOrder, at the end: %v", err)
	}
	none := func(*Log, Event) error { return nil }
	if _, err := follow(bytes.NewReader(f), none, func(int64) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("turn: %v", err)
	}
}

// TestTurns: a turn passes on what is before it, and what is as late as it waits for the next one.
func TestTurns(t *testing.T) {
	var passed []uint32
	q := queue{most: 9, each: func(_ *Log, e Event) error { passed = append(passed, e.Object); return nil }}
	for object, ns := range []int64{30, 10, 20, 10, 20} {
		if err := q.add(&Log{}, Event{TimeNS: ns, Object: uint32(object)}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		before int64
		want   []uint32
	}{
		{10, nil},
		{20, []uint32{1, 3}},
		{21, []uint32{1, 3, 2, 4}},
		{30, []uint32{1, 3, 2, 4}},
		{31, []uint32{1, 3, 2, 4, 0}},
		{31, []uint32{1, 3, 2, 4, 0}},
	} {
		if err := q.turn(c.before); err != nil || !slices.Equal(passed, c.want) {
			t.Errorf("before %d: %v, %v; want %v", c.before, passed, err, c.want)
		}
	}
	// What waited keeps its place before what comes later with the same time.
	for object, ns := range []int64{10, 50, 50} {
		_ = q.add(&Log{}, Event{TimeNS: ns, Object: uint32(10 + object)})
	}
	if err := q.turn(20); err != nil {
		t.Fatal(err)
	}
	_ = q.add(&Log{}, Event{TimeNS: 50, Object: 20})
	if err := q.turn(60); err != nil || !slices.Equal(passed[5:], []uint32{10, 11, 12, 20}) {
		t.Errorf("%v, %v", passed[5:], err)
	}
}

// TestRoom: a name takes its bytes and some more; the first one that doesn't fit is the last that could.
func TestRoom(t *testing.T) {
	n := newNames(2*nameBytes + 10)
	for i, c := range []struct {
		length int
		fits   bool
		beyond int64
	}{{4, true, 0}, {6, true, 0}, {0, false, 1}, {0, false, 2}} {
		if got := n.room(c.length); got != c.fits || n.beyond != c.beyond {
			t.Errorf("name %d: %t, %d beyond", i, got, n.beyond)
		}
	}
	n = newNames(nameBytes)
	if n.room(1) || n.room(0) {
		t.Error("a shorter name is kept after one that had no room")
	}
	if mostNames != 67_108_864 || newScanner(&bytes.Buffer{}, nil, nil).names.left != mostNames {
		t.Error("64 MiB of names are kept")
	}
}

// TestSectionsHaveANameAndTexts: a section has a kind that is known, four texts, and a name that is kept.
func TestSectionsHaveANameAndTexts(t *testing.T) {
	section := func(kind byte, texts string) []byte {
		return append(append([]byte{kind}, make([]byte, 23)...), texts...)
	}
	for _, c := range []struct {
		name string
		id   uint32
		text []byte
		kind SectionKind // "": refused
	}{
		{"a method", 0, section(1, "\x00\x00\x00\x00"), SectionMethod},
		{"a block", 0, section(2, "\x00\x00\x00\x00"), SectionBlock},
		{"a lock", 0, section(3, "\x00\x00\x00\x00"), SectionExplicit},
		{"a wait", 0, section(4, "\x00\x00\x00\x00"), SectionWait},
		{"a plain method", 0, section(5, "\x00\x00\x00\x00"), SectionPlain},
		{"kind 6", 0, section(6, "\x00\x00\x00\x00"), ""},
		{"three texts", 0, section(1, "\x00\x00\x00"), ""},
		{"five texts", 0, section(1, "\x00\x00\x00\x00\x00"), ""},
		{"too few numbers", 0, section(1, "")[:23], ""},
		{"no name", 1, section(1, "\x00\x00\x00\x00"), ""},
	} {
		l, _, err := scan(named().block(blockSection, c.id, c.text))
		if (err == nil) != (c.kind != "") {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		holds := c.kind == SectionMethod || c.kind == SectionBlock || c.kind == SectionExplicit
		if c.kind != "" && (l.Sections[0].Kind != c.kind || l.IsSection(0) != holds || l.OfLocks() != holds) {
			t.Errorf("%s: %+v, %t, %t", c.name, l.Sections[0], l.IsSection(0), l.OfLocks())
		}
	}
	beyond := begun().block(blockMethod, 0, []byte("m")).block(blockSection, 0, section(1, "\x00\x00\x00\x00"))
	none := newScanner(&beyond.Buffer, nil, nil)
	none.names.left = nameBytes
	if l, err := none.read(); err != nil || l.Sections != nil || l.Beyond.Names != 1 {
		t.Errorf("of a name that is not kept: %+v, %v", l, err)
	}
	for _, text := range []string{"m", "m\tblock=3"} {
		if _, _, err := scan(begun().block(blockMethod, 1, []byte(text))); err == nil {
			t.Errorf("method 1 comes first: %q", text)
		}
	}
	s := newScanner(&named().block(blockSection, 0, section(1, "\x00\x00\x00\x00")).Buffer, nil, nil)
	s.names.left = nameBytes + len("void a.B.run()") + nameBytes + 1
	if l, err := s.read(); err != nil || l.Sections != nil || l.Beyond.Names != 1 {
		t.Errorf("without room: %v, %v", l, err)
	}
}

// TestTextsOfSections: each text of a section stands in its field, in new files and in older ones.
func TestTextsOfSections(t *testing.T) {
	f := named()
	f.block(blockSection, 0, append(longs(2|3<<32, 4|5<<32, 6|7<<32), "io\x00grows\x00reads\x00sorts\x00"...))
	f.block(blockMethod, 1, []byte("m\tblock=3\tsize=4\tbranches=5\tallocations=6\tcalls=7"+
		"\tio=io\tgrows=grows\treads=reads\tsorts=sorts\tother=9"))
	f.block(blockMethod, 2, []byte("m\tblock="))
	l, _, err := scan(f)
	if err != nil {
		t.Fatal(err)
	}
	one := Section{SectionBlock, 3, Code{
		Size: 4, Branches: 5, Allocations: 6, Calls: 7, IO: "io", Grows: "grows", Reads: "reads", Sorts: "sorts",
	}}
	if d := cmp.Diff(map[int]Section{0: one, 1: one, 2: {Kind: SectionBlock}}, l.Sections); d != "" {
		t.Error("(-want +got):\n" + d)
	}
}

// TestClean: what does not print is escaped, and what is no text is replaced.
func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"größer":      "größer",
		"a b":         "a b",
		"a\tb":        `a\u0009b`,
		"\x00":        `\u0000`,
		"\xff":        "\ufffd",
		"x\xff\n":     "x\ufffd" + `\u000a`,
		"\U000e0001x": `\ue0001x`,
		"":            "",
	} {
		if got := clean([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestCompleteEvents: of a block that is cut short its complete events are read.
func TestCompleteEvents(t *testing.T) {
	whole := named()
	before := whole.Len()
	var content []byte
	for i := range 40 {
		content = append(content, event(int64(i), Enter, 0, uint32(i))...)
	}
	text := whole.block(blockEvents, 0, content).Bytes()
	for cut, want := range map[int]int{0: 0, 12: 0, 27: 0, 28: 1, 43: 1, 44: 2, 12 + 39*16 + 15: 39, 12 + 40*16: 40} {
		f := &file{}
		f.Write(text[:before+cut])
		if l, all, err := scan(f); err != nil || len(all) != want || l.Events != int64(want) || l.Whole {
			t.Errorf("%d bytes of the block: %d events, %v; want %d", cut, len(all), err, want)
		}
	}
}

// TestQueueInMemory: the memory that waiting events would take of an agent is told in MiB.
func TestQueueInMemory(t *testing.T) {
	for most, want := range map[int]string{1 << 16: "in 1 MiB", 1<<16 - 1: "in 0 MiB", 3 << 16: "in 3 MiB"} {
		q := queue{most: most, waiting: make([]waiting, most)}
		if err := q.add(&Log{}, Event{}); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%d events: %v, want %s", most, err, want)
		}
	}
}

// TestHeader: a file that begins with anything but the header is not a log, however long it is.
func TestHeader(t *testing.T) {
	for text, want := range map[string]bool{
		header: true, strings.Replace(header, "1", "2", 1): false, header[:len(header)-1]: false, "": false,
		strings.Repeat("x", 100): false,
	} {
		if _, err := Scan(strings.NewReader(text), nil); (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}
