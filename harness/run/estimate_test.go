package run

import (
	"math"
	"testing"
	"time"

	"moobench/harness/plan"
	"moobench/results"
)

// Cells with calls, with something else to do, with both and with neither are
// estimated by their work alone.
func TestEstimates(t *testing.T) {
	for name, c := range map[string]struct {
		work    plan.Work
		options string
		wall    time.Duration
		samples int64
	}{
		"neither":         {plan.Work{}, "", plainStart, 0},
		"calls":           {plan.Work{Calls: 1_000_000, Threads: 2, Batch: 10}, "", plainStart + 120*time.Millisecond, 200_000},
		"calls that wait": {plan.Work{Calls: 1000, WaitNS: 1_000_000}, "", plainStart + time.Second + 60*time.Microsecond, 1000},
		"interpreted":     {plan.Work{Calls: 1_000_000}, "-Da=1 -Xint", plainStart + 1200*time.Millisecond, 1_000_000},
		"something else":  {plan.Work{TakesNS: 4e9, Values: 900}, "", plainStart + 4*time.Second, 900},
		"both":            {plan.Work{Calls: 1_000_000, Phases: 3, TakesNS: 200e6, Values: 90}, "", plainStart + 380*time.Millisecond, 3_000_090},
		"far too many":    {plan.Work{Calls: math.MaxInt64, Threads: 2, TakesNS: 1e30, Values: 9_000_000_000}, "", plainStart + mostWall, plan.MostSamples + 9_000_000_000},
	} {
		inv := plan.Invocation{Cell: plan.Cell{Work: c.work}, Profile: results.ProfileTiming}
		if c.options != "" {
			inv.Cell.Parameters = []results.Value{{Name: results.FactorJVM, Value: c.options}}
		}
		if got := wallOf(inv); got != c.wall {
			t.Errorf("%s: %v, want %v", name, got, c.wall)
		}
		if got := samplesOf(inv); got != c.samples {
			t.Errorf("%s: %d samples, want %d", name, got, c.samples)
		}
		if stays, peak := staysOf(inv), peakOf(inv); stays < 0 || peak < 8*c.samples {
			t.Errorf("%s: %d bytes stay, %d at most", name, stays, peak)
		}
	}
}
