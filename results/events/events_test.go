package events

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// file is what a writer writes.
type file struct{ bytes.Buffer }

func begun() *file {
	f := &file{}
	f.WriteString(header)
	return f
}

func (f *file) block(kind, id uint32, content []byte) *file {
	f.Write(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, kind), id), uint32(len(content))))
	f.Write(content)
	return f
}

func event(time int64, kind Kind, method int, object uint32) []byte {
	return longs(uint64(time), uint64(kind)<<60|uint64(method)<<32|uint64(object))
}

func longs(values ...uint64) (b []byte) {
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

func scan(f *file) (*Log, []Event, error) {
	var all []Event
	l, err := Scan(&f.Buffer, func(_ *Log, e Event) error { all = append(all, e); return nil })
	return l, all, err
}

// two threads use one ring, one after the other; one of them lost events.
func two() *file {
	f := begun()
	f.block(blockMethod, 0, []byte("void a.B.run()")).block(blockThread, 0, []byte("first"))
	f.block(blockEvents, 5, append(event(0, begins, 0, 0), event(10, Enter, 0, 77)...))
	f.block(blockThread, 1, []byte("zweiter, größer"))
	f.block(blockEvents, 5, bytes.Join([][]byte{event(20, Thrown, 0, 77), event(30, begins, 0, 1), longs(40, uint64(Missing)<<60|9), event(50, Enter, 0, 0)}, nil))
	return f
}

func TestScan(t *testing.T) {
	f := two()
	f.block(blockEnd, 0, longs(3, 9, 2))
	l, all, err := scan(f)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&Log{Methods: []string{"void a.B.run()"}, Threads: []string{"first", "zweiter, größer"}, Events: 3, Whole: true, Lost: 9, Unkept: 2}, l); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := []Event{{10, 0, Enter, 0, 77, 0}, {20, 0, Thrown, 0, 77, 0}, {40, 1, Missing, 0, 0, 9}, {50, 1, Enter, 0, 0, 0}}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCutOff: wherever a JVM was killed, what was written until then is read.
func TestCutOff(t *testing.T) {
	whole := two()
	whole.block(blockEnd, 0, longs(3, 9, 2))
	text, most := whole.Bytes(), 0
	for n := len(header); n < len(text); n++ {
		cut := &file{}
		cut.Write(text[:n])
		l, all, err := scan(cut)
		if err != nil || l.Whole || len(all) < most {
			t.Fatalf("%d of %d bytes: %v, %+v, %d events", n, len(text), err, l, len(all))
		}
		most = len(all)
	}
	if most != 4 {
		t.Errorf("%d events without the end", most)
	}
}

func TestWrongFiles(t *testing.T) {
	owned := func() *file {
		return begun().block(blockMethod, 0, []byte("void a.B.run()")).block(blockThread, 0, []byte("first")).block(blockEvents, 0, event(0, begins, 0, 0))
	}
	for want, f := range map[string]*file{
		"it begins with":                    {},
		"a block of kind 10":                begun().block(10, 0, nil),
		"a section of 0 bytes of name 0":    owned().block(blockSection, 0, nil),
		"a section of 28 bytes of name 1":   owned().block(blockSection, 1, append(make([]byte, 24), 0, 0, 0, 0)),
		"a section of kind 0":               owned().block(blockSection, 0, append(make([]byte, 24), 0, 0, 0, 0)),
		"method 1 comes after 0":            begun().block(blockMethod, 1, nil),
		"thread 2 comes after 0":            begun().block(blockThread, 2, nil),
		"a block of 1048577 bytes":          begun().block(blockEvents, 0, make([]byte, mostBytes+1)),
		"17 bytes of events":                begun().block(blockEvents, 0, make([]byte, 17)),
		"before the name of its":            begun().block(blockMethod, 0, nil).block(blockEvents, 0, event(1, Enter, 0, 1)),
		"thread 1 has no name":              owned().block(blockEvents, 0, event(1, begins, 0, 1)),
		"thread 3 has no name":              owned().block(blockEvents, 0, event(1, begins, 0, 3)),
		"method 4 has no name":              owned().block(blockEvents, 0, event(1, Enter, 4, 1)),
		"method 1 has no name":              owned().block(blockEvents, 0, event(1, Enter, 1, 1)),
		"an event of kind 7":                owned().block(blockEvents, 0, event(1, 7, 0, 1)),
		"ends with 5 events, and 0":         owned().block(blockEnd, 0, longs(5, 0, 0)),
		"a block of kind 4 with 8 bytes":    owned().block(blockEnd, 0, longs(5)),
		"9223372036854775807 ns is years":   owned().block(blockEvents, 0, event(math.MaxInt64, Enter, 0, 1)),
		"-9223372036854775808 ns is years":  owned().block(blockTurn, 0, longs(1<<63)),
		"years from the first one, 5 ns":    owned().block(blockEvents, 0, slices.Concat(event(5, Enter, 0, 1), event(1<<62, Exit, 0, 1))),
		"is years from the first one, 7":    owned().block(blockGC, 0, longs(7, 1<<61, 0)),
		"first one, -6917529027641081856":   begun().block(blockTurn, 0, longs(0xa000<<48)),
		"first one, 6917529027641081856 ":   begun().block(blockTurn, 0, longs(0x6000<<48)),
		"-1 is not a length of time":        owned().block(blockGC, 0, longs(7, 9, math.MaxUint64)),
		"4611686018427387904 is not a leng": owned().block(blockEnd, 0, longs(0, 0, 0, 1, 2, 1<<62)),
		"goes on after its end":             owned().block(blockEnd, 0, longs(0, 0, 0)).block(blockThread, 1, nil),
	} {
		if want == "ends with 5 events, and 0" {
			want = "it ends with 5 events, and holds 0"
		}
		if _, _, err := scan(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestYears: a program may run for ten years, and not be of another decade.
func TestYears(t *testing.T) {
	const year = int64(366*24) * int64(time.Hour)
	for _, test := range []struct {
		at int64
		ok bool
	}{{0, true}, {year, true}, {10 * year, true}, {10*year + 1, false}, {-10 * year, true}, {-10*year - 1, false}} {
		f := begun().block(blockMethod, 0, []byte("void a.B.run()")).block(blockThread, 0, []byte("first"))
		f.block(blockEvents, 0, slices.Concat(event(0, begins, 0, 0), event(0, Enter, 0, 1), event(test.at, Exit, 0, 1)))
		if _, _, err := scan(f); (err == nil) != test.ok {
			t.Errorf("%d ns after the first: %v", test.at, err)
		}
	}
}

func TestPID(t *testing.T) {
	for name, want := range map[string]int{"a/events-17.bin": 17, "events-.bin": 0, "events-17.bin.part": 0, "events-17.0.txt": 0} {
		if pid, ok := PID(name); pid != want || ok != (want > 0) {
			t.Errorf("%s: %d, %v", name, pid, ok)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add(two().Bytes())
	f.Add(two().block(blockEnd, 0, longs(3, 9, 2)).Bytes())
	f.Fuzz(func(t *testing.T, text []byte) {
		events := int64(0)
		l, err := Scan(bytes.NewReader(text), func(l *Log, e Event) error {
			if e.Kind != Missing {
				events++
				_, _ = l.Methods[e.Method], l.Threads[e.Thread]
			}
			return nil
		})
		if err == nil && l.Events != events {
			t.Errorf("%d events, told %d", l.Events, events)
		}
	})
}

// TestNamesPrint: a program calls its threads and classes as it likes.
func TestNamesPrint(t *testing.T) {
	f := begun().block(blockMethod, 0, []byte("void a.B\x1b[31m.run()\tblock=7")).block(blockThread, 0, []byte("t\n1\u202e")).block(blockObject, 7, []byte("a.\x00B")).block(blockNote, 0, []byte("class \x9b"))
	l, _, err := scan(f)
	if err != nil {
		t.Fatal(err)
	}
	want := &Log{Methods: []string{"void a.B\\u001b[31m.run()"}, Sections: map[int]Section{0: {Kind: SectionBlock, Line: 7}}, Threads: []string{`t\u000a1\u202e`}, Objects: map[uint32]string{7: `a.\u0000B`}, Notes: []string{"class \ufffd"}}
	if d := cmp.Diff(want, l); d != "" {
		t.Error("(-want +got):\n" + d)
	}
}

// TestLocks: what a log of locks says besides.
func TestLocks(t *testing.T) {
	f := begun()
	f.block(blockMethod, 0, []byte("void a.B.run()\tmethod")).block(blockMethod, 1, []byte("at a.C.go(C.java:7)")).block(blockThread, 0, []byte("t"))
	f.block(blockObject, 77, []byte("a.B")).block(blockNote, 0, []byte("class a.D: too new")).block(blockGC, 0, longs(5, 15, 3))
	f.block(blockEvents, 0, bytes.Join([][]byte{event(0, begins, 0, 0), event(10, Request, 0, 77), event(11, Enter, 0, 77), event(11, Caller, 1, 77), event(12, Exit, 0, 77)}, nil))
	f.block(blockTurn, 0, longs(9)).block(blockEnd, 0, longs(4, 0, 0, 1, 20, 26_000))
	l, all, err := scan(f)
	if err != nil || len(all) != 4 || all[2].Method != 1 {
		t.Fatal(all, err)
	}
	want := &Log{
		Methods: []string{"void a.B.run()", "at a.C.go(C.java:7)"}, Sections: map[int]Section{0: {Kind: SectionMethod}}, Threads: []string{"t"}, Events: 4, Whole: true, BeganNS: 1, EndedNS: 20, PricePS: 26_000,
		Objects: map[uint32]string{77: "a.B"}, Collections: []Collection{{5, 15, 3}}, Notes: []string{"class a.D: too new"},
	}
	if d := cmp.Diff(want, l); d != "" {
		t.Error("(-want +got):\n" + d)
	}
}

// TestInOrder: whatever the writer's turns are, events come in the order of their times, and
// those of a thread in theirs.
func TestInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		threads := rapid.IntRange(1, 4).Draw(t, "threads")
		f := begun()
		f.block(blockMethod, 0, []byte("void a.B.run()"))
		for i := range threads {
			f.block(blockThread, uint32(i), []byte("t"))
		}
		now, made := int64(0), 0
		pending := make([][]byte, threads)
		for i := range threads {
			pending[i] = event(0, begins, 0, uint32(i))
		}
		for range rapid.IntRange(0, 8).Draw(t, "turns") {
			for range rapid.IntRange(0, 5).Draw(t, "events") {
				now += rapid.Int64Range(0, 2).Draw(t, "ns")
				i := rapid.IntRange(0, threads-1).Draw(t, "thread")
				pending[i] = append(pending[i], event(now, Enter, 0, uint32(made))...)
				made++
			}
			begin := now + 1
			for i := range threads {
				f.block(blockEvents, uint32(i), pending[i])
				pending[i] = nil
			}
			f.block(blockTurn, 0, longs(uint64(begin)))
		}
		var last Event
		seen, of := 0, map[int]uint32{}
		if _, err := InOrder(&f.Buffer, func(_ *Log, e Event) error {
			if e.TimeNS < last.TimeNS || of[e.Thread] > e.Object {
				t.Errorf("%+v comes after %+v", e, last)
			}
			last, of[e.Thread] = e, e.Object
			seen++
			return nil
		}); err != nil || seen != made {
			t.Errorf("%d events of %d, %v", seen, made, err)
		}
	})
}

// TestSections: what a section is stands in a block of its own, and stood in its name before.
func TestSections(t *testing.T) {
	numbers := func(values ...uint32) (b []byte) {
		for _, v := range values {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return b
	}
	f := begun().block(blockMethod, 0, []byte("void a.B.run()")).block(blockSection, 0, append(numbers(2, 17, 20, 1, 2, 3), "a.Io.read\x00\x00a.L\tist.get\x00\x00"...))
	f.block(blockMethod, 1, []byte("void a.B.run()\tblock=17\tsize=20\tbranches=1\tallocations=2\tcalls=3\tio=a.Io.read\treads=a.L.get"))
	f.block(blockMethod, 2, []byte("void a.B.run()\twait=18")).block(blockMethod, 3, []byte("void a.B.run()\tplain\tsize=4")).block(blockMethod, 4, []byte("void a.B.run()\tother"))
	l, _, err := scan(f)
	if err != nil {
		t.Fatal(err)
	}
	code := Code{Size: 20, Branches: 1, Allocations: 2, Calls: 3, IO: "a.Io.read", Reads: "a.L.get"}
	want := map[int]Section{0: {SectionBlock, 17, code}, 1: {SectionBlock, 17, code}, 2: {Kind: SectionWait, Line: 18}, 3: {Kind: SectionPlain, Code: Code{Size: 4}}}
	first := want[0]
	first.Code.Reads = `a.L\u0009ist.get`
	want[0] = first
	if d := cmp.Diff(want, l.Sections); d != "" {
		t.Error("(-want +got):\n" + d)
	}
	for number, name := range l.Methods {
		if name != "void a.B.run()" || l.IsSection(number) != (number < 2) {
			t.Errorf("%d: %q, %t", number, name, l.IsSection(number))
		}
	}
	if !l.OfLocks() || (&Log{Sections: map[int]Section{2: want[2], 3: want[3]}}).OfLocks() {
		t.Error("what holds a lock makes it a log of locks")
	}
}
