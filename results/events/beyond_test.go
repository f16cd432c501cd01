package events

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNamesBeyond: names are kept while there is room for them, the first ones; events of the others are counted, and
// the log is read to its end.
func TestNamesBeyond(t *testing.T) {
	f := begun()
	f.block(blockThread, 0, []byte("main")).block(blockEvents, 0, event(0, begins, 0, 0))
	for i := range uint32(100) {
		f.block(blockMethod, i, fmt.Appendf(nil, "void a.B.m%d()", i)).block(blockObject, i, []byte("a.Store"))
		f.block(blockGC, 0, longs(uint64(i), uint64(i), 1)).block(blockNote, 0, []byte("a note"))
		f.block(blockEvents, 0, event(int64(i), Enter, int(i), i))
	}
	f.block(blockThread, 1, []byte("late")).block(blockEvents, 0, append(event(100, begins, 0, 1), event(101, Exit, 0, 0)...))
	f.block(blockEnd, 0, longs(101, 0, 0))
	handed := 0
	s := newScanner(&f.Buffer, func(l *Log, e Event) error {
		handed++
		if e.Method >= len(l.Methods) || e.Thread >= len(l.Threads) {
			t.Errorf("%+v is handed on without its name", e)
		}
		return nil
	}, func(int64) error { return nil })
	s.names.left = 10 * 4 * (nameBytes + 10)
	l, err := s.read()
	if err != nil {
		t.Fatal(err)
	}
	kept := len(l.Methods) + len(l.Objects) + len(l.Collections) + len(l.Notes) + len(l.Threads)
	if want := (Beyond{Names: 402 - int64(kept), Events: 101 - int64(handed)}); l.Beyond != want || kept > 45 || handed > 11 || handed < 9 {
		t.Errorf("%d names are kept and %d events handed on; beyond are %+v, want %+v", kept, handed, l.Beyond, want)
	}
	if !l.Whole || l.Events != 101 {
		t.Errorf("the log has %d events, whole: %v", l.Events, l.Whole)
	}
}

// TestObjectsShareTheirClass: what many objects cost is not the name of their class, and a hash that is named again
// is of another object.
func TestObjectsShareTheirClass(t *testing.T) {
	f := begun()
	long := strings.Repeat("x", 1000)
	for i := range uint32(100) {
		f.block(blockObject, i, []byte(long))
	}
	f.block(blockObject, 7, []byte("a.Other")).block(blockObject, 8, []byte(strings.Repeat("y", 5000)))
	s := newScanner(&f.Buffer, nil, nil)
	s.names.left = 1000 + 102*nameBytes + 7
	l, err := s.read()
	if err != nil {
		t.Fatal(err)
	}
	if _, known := l.Objects[8]; known || l.Beyond.Names != 1 {
		t.Errorf("the class of another object is kept: %v, %+v", known, l.Beyond)
	}
	if len(l.Objects) != 99 || l.Objects[7] != "a.Other" || l.Objects[99] != long {
		t.Errorf("%d objects, one of %q", len(l.Objects), l.Objects[7])
	}
}

// TestQueue: events that wait for others come in their order and as they were, and there is a most of them.
func TestQueue(t *testing.T) {
	read := func(most int, f *file) (all []Event, err error) {
		q := queue{most: most, each: func(_ *Log, e Event) error { all = append(all, e); return nil }}
		_, err = q.read(&f.Buffer)
		return all, err
	}
	_, plain, err := scan(two())
	if err != nil {
		t.Fatal(err)
	}
	all, err := read(len(plain), two())
	if diff := cmp.Diff(plain, all); err != nil || diff != "" {
		t.Errorf("%v, other events than without a queue: %s", err, diff)
	}
	if _, err := read(len(plain)-1, two()); err == nil || !strings.Contains(err.Error(), "it does not say of 3 events whether those before them are there") {
		t.Errorf("too many wait: %v", err)
	}
	turned := two().block(blockTurn, 0, longs(1000))
	turned.block(blockEvents, 5, event(2000, Exit, 0, 0))
	if all, err := read(len(plain), turned); err != nil || len(all) != len(plain)+1 {
		t.Errorf("behind a turn: %d events, %v", len(all), err)
	}
	if _, err := InOrder(strings.NewReader("no log"), func(*Log, Event) error { return io.EOF }); err == nil {
		t.Error("no log is read")
	}
}
