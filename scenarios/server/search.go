package server

import (
	"context"
	"slices"
	"time"

	"moobench/harness/load"
	"moobench/harness/run"
	"moobench/results"
	"moobench/results/summary"
	"moobench/scenarios/serving"
)

const (
	searchFrom = 8                      // the first load tried is the hold's divided by this
	leastRate  = 1                      // per second
	mostRate   = 1_000_000              // per second
	searchRamp = 500 * time.Millisecond // of each load tried
	nearlyAll  = 0.8                    // of our own CPUs: then slowness may be ours
)

// search records the highest rate, to 5 %, at which the server answers within the limit and loses nothing.
// Rates belong to an open loop, whatever sent the load: clients that wait for their answers would spare a slow
// server. The search begins below the throughput of the hold.
func search(ctx context.Context, l load.Load, limit, step time.Duration, held *load.Result, rec run.Recorder) error {
	_, hold := held.Counts()
	seen := float64(hold[load.Right]) / l.Hold.Seconds()
	l.Ramp, l.Hold, l.Think, l.Aside = min(l.Ramp, searchRamp), step, 0, nil
	if l.Arrival == load.Closed {
		l.Arrival = load.Constant
	}
	first := max(leastRate, seen/searchFrom)
	trials := serving.Search{
		Send: load.Run,
		At: func(rate float64) load.Load {
			l.Rate = rate
			l.Seed++ // each trial has its own
			return l
		},
		Takes: func(r *load.Result) bool { return takes(r, limit) },
		Ours:  func(r *load.Result) bool { return r.Own.CPUShare >= nearlyAll },
		Tries: 2,
	}
	found, err := trials.Highest(ctx, first, mostRate)
	if err != nil {
		return err
	}
	if found == 0 {
		rec.Warn("no load was found that the server takes within p99_limit = %s: not even %.0f/s", limit, first)
		return nil
	}
	rec.Scalar(run.CapacityScalar, found)
	if refused := trials.Limit(); refused != nil && refused.Ours {
		rec.Warn("capacity may be that of the load generator, which had enough at %.0f/s, where it used %.0f %% of its CPUs",
			refused.Height, 100*refused.Result.Own.CPUShare)
	}
	return nil
}

// takes reports whether everything was answered correctly, and 99 of 100 requests within the limit. Times count
// from when a request was due.
func takes(r *load.Result, limit time.Duration) bool {
	all, _ := r.Counts()
	if all.Lost() > 0 || r.Own.Unsent > 0 || len(r.Hold) == 0 {
		return false
	}
	latencies := results.Each(r.Hold, load.Sample.LatencyNS)
	slices.Sort(latencies)
	return summary.NearestRank(latencies, 0.99) <= int64(limit)
}
