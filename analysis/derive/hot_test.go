package derive

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// stretch is a run of calls that take equally long.
type stretch struct {
	calls int
	ns    int64
}

func series(parts ...stretch) []int64 {
	var ns []int64
	for _, p := range parts {
		for range p.calls {
			ns = append(ns, p.ns)
		}
	}
	return ns
}

// every puts a slow batch into every n-th of a series.
func every(n int, ns []int64, slow int64) []int64 {
	for i := range ns {
		if i/batchCalls%n == n-1 {
			ns[i] = slow
		}
	}
	return ns
}

func TestBack(t *testing.T) {
	never := -1
	for _, c := range []struct {
		name          string
		ns            []int64
		calls20, call int // of 20 % and 5 %; never
		lost          float64
	}{
		{"flat", series(stretch{10_000, 100}), 0, 0, 0},
		{"one step", series(stretch{1_000, 900}, stretch{9_000, 100}), 1_000, 1_000, 1_000 * 800},
		{"two steps", series(stretch{1_000, 900}, stretch{1_000, 115}, stretch{18_000, 100}), 1_000, 2_000, 1_000*800 + 1_000*15},
		{"quicker first", series(stretch{1_000, 50}, stretch{9_000, 100}), 0, 0, 0},
		{"step within a batch", series(stretch{140, 900}, stretch{9_860, 100}), 100, 100, 100 * 800},
		{"most of a batch", series(stretch{170, 900}, stretch{9_830, 100}), 200, 200, 170 * 800},
		{"lucky batch", series(stretch{500, 900}, stretch{100, 100}, stretch{500, 900}, stretch{8_900, 100}), 1_100, 1_100, 1_000 * 800},
		{"plateau before a slow stretch", series(stretch{2_000, 100}, stretch{2_000, 900}, stretch{6_000, 100}), 4_000, 4_000, 2_000 * 800},
		{"one slow batch in eleven", every(11, series(stretch{11_000, 100}), 300), 0, 0, 0},
		{"one slow batch in five", every(5, series(stretch{10_000, 100}), 300), never, never, 0},
		{"slow until after the half", series(stretch{6_000, 900}, stretch{4_000, 100}), never, never, 0},
		{"ever quicker", falling(10_000), never, never, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := steadyLevel(c.ns)
			if !ok {
				t.Fatal("no steady state")
			}
			check(t, &got, roughly, c.calls20)
			check(t, &got, nearly, c.call)
			if c.call >= 0 && math.Abs(got.lost(c.call)-c.lost) > 1e-6 {
				t.Errorf("lost %v ns, want %v", got.lost(c.call), c.lost)
			}
		})
	}
}

// falling gets quicker all the time, at last by two thirds in the last half.
func falling(n int) []int64 {
	ns := make([]int64, n)
	for i := range ns {
		ns[i] = int64(10 * (n + n/4 - i))
	}
	return ns
}

func check(t *testing.T, c *hotCalls, share float64, want int) {
	t.Helper()
	calls, ok := c.back(share)
	if !ok {
		calls = -1
	}
	if calls != want {
		t.Errorf("back within %v after %d calls, want %d (-1 is never)", share, calls, want)
	}
}

func TestTooFewCallsHaveNoSteadyState(t *testing.T) {
	if _, ok := steadyLevel(series(stretch{fewestBatches*batchCalls - 1, 100})); ok {
		t.Error("a steady state was found in fewer than 2000 calls")
	}
	if _, ok := steadyLevel(series(stretch{fewestBatches * batchCalls, 0})); ok {
		t.Error("calls that take no time have a steady state")
	}
}

// TestBackLaws holds the rule against what must hold of any series: a wider
// share is reached no later, what is lost is no more than what was taken, and
// another unit of time changes nothing.
func TestBackLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slow := rapid.IntRange(0, 3_000).Draw(t, "slow")
		ns := series(stretch{slow, rapid.Int64Range(100, 5_000).Draw(t, "ns")}, stretch{10_000 - slow, 100})
		for i := range ns {
			ns[i] += rapid.Int64Range(0, 2).Draw(t, "noise")
			if i > 200 {
				break // noise on all would take long, and some is enough
			}
		}
		c, ok := steadyLevel(ns)
		if !ok {
			t.Fatal("no steady state")
		}
		wide, okWide := c.back(roughly)
		narrow, ok := c.back(nearly)
		if !ok || !okWide || wide > narrow || narrow > slow+2*batchCalls {
			t.Fatalf("back after %d and %d calls (%v, %v), %d were slow", wide, narrow, okWide, ok, slow)
		}
		if lost := c.lost(narrow); lost < 0 || lost > c.took(narrow) {
			t.Fatalf("lost %v of %v ns", lost, c.took(narrow))
		}
		scaled := make([]int64, len(ns))
		for i := range ns {
			scaled[i] = 8 * ns[i]
		}
		c8, _ := steadyLevel(scaled)
		if n, _ := c8.back(nearly); n != narrow || c8.lost(n) != 8*c.lost(n) {
			t.Fatalf("in another unit: back after %d calls instead of %d", n, narrow)
		}
	})
}
