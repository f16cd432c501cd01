// Package serving is shared by scenarios whose subject answers requests: it puts a load on the subject,
// observes it, and records the outcomes of the requests.
package serving

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"moobench/harness/load"
	"moobench/harness/run"
	"moobench/results"
)

// ErrDied says that the server process is gone.
var ErrDied = errors.New("the server has ended while requests were sent to it")

// WhileAlive returns a context that ends, with ErrDied, when the subject does.
func WhileAlive(ctx context.Context, s run.Subject) (context.Context, context.CancelFunc) {
	alive, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-s.Done():
			cancel(ErrDied)
		case <-alive.Done():
		}
	}()
	return alive, func() { cancel(nil) }
}

// Put puts a load on a subject, observes it, and records the outcomes of the requests. The observed window, and
// with it the CPU time per request, covers the whole load: ramp and hold, and the wait for the last answers.
// bound is the limit of the lag. The end of ctx ends the load early, with an error.
func Put(ctx context.Context, l load.Load, s run.Subject, rec run.Recorder, bound time.Duration) (*load.Result, error) {
	if err := rec.Begin(); err != nil {
		return nil, err
	}
	before := cpuNS(s)
	r, err := load.Run(ctx, l)
	if err != nil {
		return nil, fmt.Errorf("sending requests: %w", err)
	}
	after := cpuNS(s)
	if err := rec.End(r.EndNS); err != nil {
		return nil, err
	}
	rec.Scalar(run.LoopNS, float64(r.EndNS-r.BeginNS))
	if all, _ := r.Counts(); all.Total() > 0 {
		rec.Scalar(CPUPerRequest, (after-before)/float64(all.Total()))
	}
	return r, record(rec, l, r, bound)
}

// cpuNS returns the CPU time that the subject has used, NaN if it is unknown.
func cpuNS(s run.Subject) float64 {
	snapshot, err := s.Snapshot()
	if err != nil {
		return math.NaN()
	}
	return snapshot.CPUNS
}

// Answered returns the number of answers per second while the load was held, right or wrong, in time or late.
// Under too high a load it is the capacity of the server.
func Answered(r *load.Result) float64 {
	n := 0
	for _, s := range slices.Concat(r.Ramp, r.Hold) {
		answer := s.Outcome == load.Right || s.Outcome == load.Wrong || s.Outcome == load.Late
		if answer && s.SentNS > 0 && s.DoneNS > r.HoldNS && s.DoneNS <= r.EndNS {
			n++
		}
	}
	return float64(n) / (float64(r.EndNS-r.HoldNS) / 1e9)
}

// slowMost is the share of requests that may be late or lost at a rate that a server bears.
const slowMost = 0.05

// NotBorne explains that a server does not bear the rate of the requests. It returns "" if it does, or if the
// loop is closed.
func NotBorne(l load.Load, r *load.Result) string {
	_, hold := r.Counts()
	total, inTime := hold.Total(), hold[load.Right]+hold[load.Wrong]
	if l.Arrival == load.Closed || float64(total-inTime) <= slowMost*float64(total) {
		return ""
	}
	return fmt.Sprintf("the server answered %d of %d requests in time at %g/s, and handles about %.2g/s: "+
		"latencies are those of a growing queue; "+
		"lower rate in its [[scenario]] (moobench cost: --rate)", inTime, total, l.Rate, Answered(r))
}

// record records the outcomes of the requests of a load: the scalars and the series of Metrics, the timeline,
// and the first wrong answers as warnings. If 1 % of the requests or more were sent later than bound, latencies
// don't count, unless the server kept all clients busy. Requests that the server itself stalled are lost or
// late, never left out.
func record(rec run.Recorder, l load.Load, r *load.Result, bound time.Duration) error {
	if len(r.Hold) == 0 {
		// If all clients waited for the server during the whole hold, the requests that they waited for count
		// as the hold's: they show what the server did in that time, which is its worst case.
		h := *r
		waited := func(s load.Sample) bool { return s.DoneNS > r.HoldNS }
		h.Ramp = slices.DeleteFunc(slices.Clone(r.Ramp), waited)
		h.Hold = slices.DeleteFunc(slices.Clone(r.Ramp), func(s load.Sample) bool { return !waited(s) })
		if len(h.Hold) > 0 {
			rec.Warn("no request could be sent while the load was held: "+
				"all clients waited for the answers of %d sent before, which count as its requests", len(h.Hold))
		}
		r = &h
	}
	all, hold := r.Counts()
	rec.Scalar(requests, float64(hold.Total()))
	rec.Scalar(Lost, float64(hold.Lost()))
	rec.Scalar(requestsAll, float64(all.Total()))
	rec.Scalar(lostAll, float64(all.Lost()))
	for outcome, m := range outcomes() {
		rec.Scalar(m.Name, float64(hold[outcome]))
	}
	rec.Scalar(throughput, float64(hold[load.Right])/l.Hold.Seconds())
	rec.Scalar(lagP99, float64(r.Own.LagP99NS))
	rec.Scalar(loadCPU, r.Own.CPUShare)
	for _, w := range r.Wrong {
		at := time.Duration(w.AtNS - r.BeginNS).Round(time.Millisecond)
		rec.Warn("a wrong answer to %s, %s after the load began: %s; status %d, body %q",
			w.Request, at, w.Why, w.Status, w.Body)
	}
	judge(rec, r, bound)
	request, broken := load.Rows(r.Hold)
	ramp, rampBroken := load.Rows(r.Ramp)
	series := func(name string, columns []results.Column, rows [][]int64) error {
		if len(rows[0]) == 0 { // left out
			return nil
		}
		return rec.Rows(results.Series{Name: name, Columns: columns, Batch: 1}, rows...)
	}
	return cmp.Or(
		series(results.SeriesRequest, results.RequestColumns(), request),
		series(results.SeriesBroken, results.RequestColumns(), broken),
		series(results.SeriesRamp, results.RequestColumns(), ramp),
		series(results.SeriesRampBroken, results.RequestColumns(), rampBroken),
		series(results.SeriesTimeline, results.TimelineColumns(), r.Timeline(timelineStep)),
	)
}

// Limits that separate our own lateness from the server's.
const (
	nearlyAll   = 0.9  // of our CPUs: above it we are late ourselves, whatever the server does
	waitedShare = 0.01 // of the requests: if fewer waited for the server, the p99 of the lag is ours
)

// OwnLag reports whether requests were sent later than bound because the load generator could not keep up.
// Requests that waited because the server kept all clients busy were late through the server: their latency
// counts from when they were due.
func OwnLag(r *load.Result, bound time.Duration) bool {
	waited := float64(r.Own.Waited + r.Own.Unsent)
	theirs := waited > waitedShare*float64(len(r.Hold)) && r.Own.CPUShare < nearlyAll
	return r.Own.LagP99NS > int64(bound) && !theirs
}

// Timed are the metrics that don't count if requests were sent late: the actual load was not the planned one,
// and these times belong to it. Start-up, CPU time, memory and losses don't depend on that.
var Timed = []string{Latency, service, throughput, outcomeLate, results.DerivedSettled}

// judge checks that the load was as planned.
func judge(rec run.Recorder, r *load.Result, bound time.Duration) {
	const hint = "lower rate or clients in its [[scenario]] (moobench cost: --rate), or leave moobench more CPUs: [machine] pin.housekeeping"
	if len(r.Hold) == 0 {
		rec.Invalid("no request was due while the load was held; make hold longer, or the load higher")
	}
	if OwnLag(r, bound) {
		rec.Void(Timed, "1 %% of the requests were sent %s late or more, and lag_bound is %s: "+
			"the load generator could not keep up; %s",
			time.Duration(r.Own.LagP99NS).Round(100*time.Microsecond), bound, hint)
	}
	for _, words := range r.Own.Words {
		rec.Warn("%s; %s", words, hint)
	}
}

// timelineStep is the length of a step of the timeline, unless there would be too many.
const timelineStep = 100 * time.Millisecond
