package receiver

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestArrivalsAreExactAtTheMark(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := &arrivals{recent: make([]arrival, 0, 4)}
		var all []arrival
		at := int64(1)
		endNS := int64(0)
		n := rapid.IntRange(0, 200).Draw(t, "reads")
		markAfter := rapid.IntRange(0, n).Draw(t, "mark after")
		for i := range n {
			if i == markAfter {
				// The mark comes up to exactNS after the end of the loop.
				endNS = max(0, at-rapid.Int64Range(0, exactNS).Draw(t, "late"))
				a.Mark(endNS)
			}
			at += rapid.Int64Range(0, exactNS/20).Draw(t, "step")
			// Connections stamp by themselves, so stamps may go back a little.
			x := arrival{max(1, at-rapid.Int64Range(0, 10).Draw(t, "back")), rapid.Int64Range(0, 9).Draw(t, "records")}
			all = append(all, x)
			a.add(x.atNS, x.records)
		}
		if markAfter == n {
			endNS = at
			a.Mark(endNS)
		}
		var want Tally
		for _, x := range all {
			if x.records == 0 {
				continue
			}
			want.LastNS = max(want.LastNS, x.atNS)
			want.Records += x.records
			if x.atNS <= endNS {
				want.ByLoopEnd += x.records
			}
		}
		if got := a.snapshot(); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	})
}

// What was read before the end of the loop may be counted after the mark, and what came at the end is of the loop.
func TestArrivalsAfterTheMark(t *testing.T) {
	a := newArrivals()
	a.add(5, 1)
	a.add(11, 8)
	a.Mark(10)
	for _, late := range []arrival{{9, 2}, {10, 4}, {11, 16}, {12, 0}} {
		a.add(late.atNS, late.records)
	}
	if got, want := a.snapshot(), (Tally{Records: 31, ByLoopEnd: 7, LastNS: 11}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestArrivalsStayBounded(t *testing.T) {
	a := &arrivals{recent: make([]arrival, 0, 64)}
	for i := range int64(100_000) {
		a.add(i*exactNS/32, 1) // 32 reads in the time that stays exact
	}
	if cap(a.recent) > 256 {
		t.Errorf("%d arrivals remembered after 100,000 reads", cap(a.recent))
	}
	var sum int64
	for _, x := range a.recent {
		sum += x.records
	}
	if sum != 100_000 || !slices.IsSortedFunc(a.recent, func(x, y arrival) int { return int(x.atNS - y.atNS) }) {
		t.Errorf("thinning lost records or their order: sum %d", sum)
	}
}

func TestSecondMarkIsIgnored(t *testing.T) {
	a := newArrivals()
	a.add(5, 3)
	a.Mark(5)
	a.Mark(1)
	if got := a.snapshot().ByLoopEnd; got != 3 {
		t.Errorf("by loop end %d, want 3", got)
	}
}
