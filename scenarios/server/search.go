package server

import (
	"context"
	"fmt"
	"slices"
	"time"

	"moobench/harness/load"
	"moobench/harness/run"
	"moobench/results"
	"moobench/results/summary"
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
	ours := "" // a rate at which the load generator, perhaps not the server, was saturated
	// A refused rate is tried again, because a pause of the machine is not the server's limit.
	found, err := load.Capacity(ctx, first, mostRate, func(ctx context.Context, rate float64) (bool, error) {
		for range 2 {
			l.Rate = rate
			l.Seed++ // each trial has its own
			r, err := load.Run(ctx, l)
			if err != nil || takes(r, limit) {
				return err == nil, err
			}
			if r.Own.CPUShare >= nearlyAll {
				ours = fmt.Sprintf("%.0f/s, where it used %.0f %% of its CPUs", rate, 100*r.Own.CPUShare)
			}
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	if found == 0 {
		rec.Warn("no load was found that the server takes within p99_limit = %s: not even %.0f/s", limit, first)
		return nil
	}
	rec.Scalar(run.CapacityScalar, found)
	if ours != "" {
		rec.Warn("capacity may be that of the load generator, which had enough at %s", ours)
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
