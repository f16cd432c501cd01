package history

import (
	"math"
	"testing"
)

func TestBlocksFor(t *testing.T) {
	for _, c := range []struct {
		alarm, sd float64
		blocks    int
	}{
		{0.10, 0, 15},    // nobody knows
		{0, 0.02, 15},    // nor here
		{0.10, 0.01, 10},  // five would do, the A/A wants more
		{-0.10, 0.01, 10}, // either way
		{0.05, 0.02, 13},  // between two builds, half of the alarm is 1.25 standard deviations
		{0.02, 0.05, 40}, // hopeless
		{0.10, math.Inf(1), 15},
	} {
		if n := blocksFor(c.alarm, c.sd); n != c.blocks {
			t.Errorf("alarm %v, sd %v: %d blocks, want %d", c.alarm, c.sd, n, c.blocks)
		}
	}
}

func TestBlockSD(t *testing.T) {
	nights := []Night{{SE: 0.01, N: 4}, {SE: 0.02, N: 9}, {SE: 0, N: 9}, {SE: 1, N: 1}}
	if got, want := blockSD(nights...), math.Sqrt((0.0004+0.0036)/2); math.Abs(got-want) > 1e-12 {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := blockSD(Night{}); got != 0 {
		t.Errorf("nights that don't say: %v", got)
	}
}
