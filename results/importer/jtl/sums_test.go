package jtl

import "testing"

// TestAddsUp: a transaction's time is the sum of its samples', but for the rounding of each; those of other
// transactions and those that were dropped are none of it, and the first one begins within it.
func TestAddsUp(t *testing.T) {
	of := func(from, took int64, steps int32) (s sample) {
		s.values[rowSent], s.values[rowTook], s.steps = from, took, steps
		return s
	}
	for name, c := range map[string]struct {
		samples []sample // the first one is the transaction
		dropped int      // index; 0: none
		want    bool
	}{
		"the sum":           {[]sample{of(0, 30*ms, 2), of(0, 10*ms, 0), of(10*ms, 20*ms, 0)}, 0, true},
		"just too long":     {[]sample{of(0, 30*ms, 2), of(0, 10*ms, 0), of(10*ms, 22*ms, 0)}, 0, true},
		"too long":          {[]sample{of(0, 30*ms, 2), of(0, 10*ms, 0), of(10*ms, 22*ms+1, 0)}, 0, false},
		"just too short":    {[]sample{of(0, 30*ms, 2), of(0, 10*ms, 0), of(10*ms, 18*ms, 0)}, 0, true},
		"too short":         {[]sample{of(0, 30*ms, 2), of(0, 10*ms, 0), of(10*ms, 18*ms-1, 0)}, 0, false},
		"one lacks":         {[]sample{of(0, 30*ms, 3), of(0, 10*ms, 0), of(10*ms, 20*ms, 0)}, 0, false},
		"after a pause":     {[]sample{of(0, 30*ms, 2), of(0, 10*ms, 0), of(99*ms, 20*ms, 0)}, 0, true},
		"begins at its end": {[]sample{of(0, 30*ms, 1), of(30*ms, 30*ms, 0)}, 0, true},
		"begins behind it":  {[]sample{of(0, 30*ms, 1), of(30*ms+1, 30*ms, 0)}, 0, false},
		"of another": {
			[]sample{of(0, 30*ms, 2), of(0, 10*ms, 0), of(10*ms, 9*ms, 1), of(20*ms, 20*ms, 0)}, 0, true,
		},
		"one was dropped": {
			[]sample{of(0, 30*ms, 2), of(0, 10*ms, 0), of(10*ms, 9*ms, 0), of(20*ms, 20*ms, 0)}, 2, true,
		},
		"one too many": {
			[]sample{of(0, 30*ms, 2), of(0, 10*ms, 0), of(10*ms, 20*ms, 0), of(30*ms, 20*ms, 0)}, 0, true,
		},
	} {
		all := make([]int, len(c.samples))
		for i := range all {
			all[i] = i
		}
		tree := &tree{samples: c.samples, drop: make([]bool, len(all)), threads: map[int32][]int{0: all}}
		tree.drop[c.dropped] = c.dropped > 0
		if got := tree.addsUp(0); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
