package history

import (
	"math"
	"testing"
)

func TestBlocksFor(t *testing.T) {
	// night has nine blocks that scatter by sd.
	night := func(sd float64) Night { return Night{SE: sd / 3, N: 9} }
	for _, c := range []struct {
		alarm  float64
		nights []Night
		blocks int
	}{
		{0.10, []Night{night(0)}, 15},                   // nobody knows
		{0, []Night{night(0.02)}, 15},                   // nor here
		{0.10, []Night{night(0.01)}, 10},                // five would do, the A/A wants more
		{-0.10, []Night{night(0.01)}, 10},               // either way
		{0.05, []Night{night(0.02)}, 13},                // between two builds, half of the alarm is 1.25 standard deviations
		{0.05, []Night{night(0.02), {SE: 1, N: 1}}, 13}, // one block says nothing of others
		{0.05, []Night{night(0.02), night(0), {}}, 13},
		{0.05, []Night{{SE: 0.01, N: 4}, {SE: 0.02, N: 4}}, 28}, // of 0.02 and 0.04 it is the root of the mean square
		{0.02, []Night{night(0.05)}, 40},                        // hopeless
		{0.10, []Night{night(math.Inf(1))}, 15},
		{0.10, nil, 15},
	} {
		if n := blocksFor(c.alarm, c.nights...); n != c.blocks {
			t.Errorf("alarm %v, nights %+v: %d blocks, want %d", c.alarm, c.nights, n, c.blocks)
		}
	}
}
