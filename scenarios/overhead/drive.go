package overhead

import (
	"context"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
)

// Its loop can be asked for short pieces; were it not so, moobench doctor --calibrate FILE would
// find nothing to measure.
var _ run.Turner = Scenario{}

// ready starts the fixture and sets it up, and swaps the probe in and out if the variant wants
// that.
func ready(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) probe {
	ask := run.StartFixture(ctx, s)
	setup := map[string]string{"target": inv.Cell.Launch.Target}
	for _, name := range []string{"calls", "depth", "threads", "method_time", "busy_wait", "batch"} {
		setup[name] = inv.Cell.Parameter(name)
	}
	ask.Last("setup", setup)
	p := probe{ask: ask, inv: inv}
	p.prepare(rec)
	return p
}

// Ready makes the fixture ready for turns of its loop.
func (Scenario) Ready(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	return ready(ctx, inv, s, rec).ask.Err
}

// Drive makes the fixture ready, lets it run through its calls in silence, and records the
// samples.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	p := ready(ctx, inv, s, rec)
	ask := p.ask
	p.open()
	answer := run.Measure(ask, rec)
	calls := ask.Int(answer, "calls")
	if alloc, err := answer.Int("alloc_bytes"); err == nil && alloc >= 0 && calls > 0 {
		rec.Scalar(allocBytes, float64(alloc)/float64(calls))
	}
	p.close(rec)
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
		return jvm.Failuref(run.KindCounts, "the fixture timed %d calls, %d were ordered: it lies, or ended early", timed, want)
	}
	return nil
}
