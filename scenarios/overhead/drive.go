package overhead

import (
	"context"
	"errors"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/scenarios/calling"
)

// moobench doctor --calibrate FILE measures scenarios whose loop runs in short pieces: this one must.
var _ run.Turner = Scenario{}

// ready starts the fixture and sets it up.
func ready(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) calling.Probe {
	more := map[string]string{}
	for _, name := range []string{"calls", "batch", rate} {
		more[name] = inv.Cell.Parameter(name)
	}
	return calling.Ready(ctx, inv, s, rec, more)
}

// Ready makes the fixture ready for turns of its loop.
func (Scenario) Ready(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	return ready(ctx, inv, s, rec).Ask.Err
}

// Drive makes the fixture ready, lets it run through its calls in silence, and records the samples.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	p := ready(ctx, inv, s, rec)
	ask := p.Ask
	p.Open()
	watched := func() {}
	if inv.Cell.Work.Rate > 0 {
		watched = watchCPU(s, rec)
	}
	answer := run.Measure(ask, rec)
	watched()
	calls := ask.Int(answer, "calls")
	if alloc, err := answer.Int("alloc_bytes"); err == nil && alloc >= 0 && calls > 0 {
		rec.Scalar(allocBytes, float64(alloc)/float64(calls))
	}
	atRate(inv.Cell.Work, calls, answer, rec)
	p.Close(rec)
	all := run.Samples(ask, inv.Profile, rec)
	if all == nil {
		return ask.Err
	}
	var timed int64 // a last sample may cover fewer calls than a batch
	for _, s := range all {
		if s.Name == Duration {
			timed += s.Count * s.Batch
		}
	}
	if w, want := inv.Cell.Work, inv.Cell.Calls(); timed < want || timed >= want+w.Batch*w.Threads {
		return jvm.Failuref(run.KindCounts,
			"the fixture timed %d calls, %d were ordered: it lies, or ended early", timed, want)
	}
	return nil
}

// keeps is the share of the calls of a rate that must be made to keep it.
const keeps = 0.99

// atRate records the actual rate of calls at a rate, and their delay.
func atRate(w plan.Work, calls int64, answer jvm.Message, rec run.Recorder) {
	late, err := answer.Int("late_ns")
	begin, errBegin := answer.Int("begin_ns")
	end, errEnd := answer.Int("end_ns")
	if w.Rate == 0 || calls == 0 || errors.Join(err, errBegin, errEnd) != nil || end <= begin {
		return
	}
	// The time includes half an interval before the first call and after the last one.
	called := float64(calls) / (float64(end-begin)/1e9 + float64(w.Threads)/float64(w.Rate))
	rec.Scalar(offered, called)
	rec.Scalar(lateNS, float64(late)/float64(calls))
	if called < keeps*float64(w.Rate) {
		rec.Warn("%.0f calls per second were made, where rate = %d: calls take too long for more", called, w.Rate)
	}
}

// everyCPU is the interval between readings of the CPU time of a process that is called at a rate. A reading
// takes a millisecond of a CPU, which is not the fixture's if there are two.
const everyCPU = time.Second

// watchCPU starts to sample the CPU time of the process. The returned function stops it, and records the mean
// and the busiest second; nothing if the loop was shorter than that.
func watchCPU(s run.Subject, rec run.Recorder) (end func()) {
	stop, ended := make(chan struct{}), make(chan struct{})
	var all []jvm.Snapshot
	look := func() {
		if one, err := s.Snapshot(); err == nil {
			all = append(all, one)
		}
	}
	look()
	go func() {
		defer close(ended)
		for tick := time.NewTicker(everyCPU); ; {
			select {
			case <-tick.C:
				look()
			case <-stop:
				tick.Stop()
				return
			}
		}
	}()
	return func() {
		close(stop)
		<-ended
		if mean, peak := cpuShares(all); peak > 0 {
			rec.Scalar(cpuShare, mean)
			rec.Scalar(cpuPeak, peak)
		}
	}
}

// cpuShares returns the CPU time between the first and the last snapshot, and the maximum between successive
// ones, in per cent of the time.
func cpuShares(all []jvm.Snapshot) (mean, peak float64) {
	if len(all) < 2 {
		return 0, 0
	}
	share := func(a, b jvm.Snapshot) float64 {
		return 100 * (b.CPUNS - a.CPUNS) / float64(b.MonotonicNS-a.MonotonicNS)
	}
	for i := range len(all) - 1 {
		peak = max(peak, share(all[i], all[i+1]))
	}
	return share(all[0], all[len(all)-1]), peak
}
