package locks

import (
	"testing"

	"moobench/analysis/internal/testevents"
	"moobench/results/events"
)

// TestBeyond: executions for which there is no room are counted, with those in them; those around them and after them are
// followed as ever.
func TestBeyond(t *testing.T) {
	var held []int64
	f := newFollower(func(e ended) { held = append(held, e.heldNS()) }, nil)
	f.mostOpen = 2
	log := testevents.File(t, `1 t + run#method 7
2 t + m#method 7
3 t + m#method 7
4 t r m#method 7
5 t + m#method 7
6 t c Main.run 7
7 t ! m#method 7
8 t - m#method 7
9 t - m#method 7
10 t + m#method 7
11 t - m#method 7
12 t - run#method 7`)
	if _, err := events.InOrder(log, f.event); err != nil {
		t.Fatal(err)
	}
	if len(held) != 3 || held[0] != 7 || held[1] != 1 || held[2] != 11 {
		t.Errorf("held for %v ns, want 7, 1 and 11", held)
	}
	if f.deeper != 2 || f.unmatched != 0 || f.open != 0 {
		t.Errorf("%d deeper, %d unmatched, %d open", f.deeper, f.unmatched, f.open)
	}
}

// TestForget: where locks for which somebody waited are too many as well, those go for which they waited least.
func TestForget(t *testing.T) {
	f := newFollower(nil, func(uint32, *lock) {})
	gone := 0
	f.idle = func(_ uint32, l *lock) {
		if gone++; l.seen.WaitNS > 150 {
			t.Errorf("a lock with %d ns of waits is forgotten", l.seen.WaitNS)
		}
	}
	f.most, f.room = 100, 100
	for i := range uint32(200) {
		f.lock(i).seen.WaitNS = int64(i) + 1
	}
	if len(f.locks) > 151 || gone < 49 {
		t.Errorf("%d locks are left, %d gone", len(f.locks), gone)
	}
}
