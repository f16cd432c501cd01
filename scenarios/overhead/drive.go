package overhead

import (
	"context"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Drive sets the fixture up, swaps the probe in and out if the variant wants that, lets
// it run through its calls in silence, and records the samples.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	if err := s.Start(ctx); err != nil {
		return err
	}
	ask := run.AskerOf(ctx, s)
	setup := map[string]string{"target": inv.Cell.Launch.Target}
	for _, name := range []string{"calls", "depth", "threads", "method_time", "busy_wait", "batch"} {
		setup[name] = inv.Cell.Parameter(name)
	}
	if _, err := ask("setup", setup); err != nil {
		return err
	}
	w := swaps{ctx: ctx, subject: s, ask: ask, inv: inv}
	if err := w.prepare(rec); err != nil {
		return err
	}
	p := patterned{cell: inv.Cell, ask: ask}
	if err := p.open(); err != nil {
		return err
	}
	answer, err := run.Measure(ask, rec)
	if err != nil {
		return err
	}
	calls, err := answer.Int("calls")
	if err != nil {
		return err
	}
	if alloc, err := answer.Int("alloc_bytes"); err == nil && alloc >= 0 && calls > 0 {
		rec.Scalar(allocBytes, float64(alloc)/float64(calls))
	}
	if err := w.silent(); err != nil {
		return err
	}
	if err := p.close(rec); err != nil {
		return err
	}
	all, err := run.Samples(ask, inv.Profile, rec)
	if err != nil || all == nil {
		return err
	}
	return counts(&inv.Cell, all)
}

// counts checks that as many calls were timed as were ordered. A last sample may cover
// fewer than a batch.
func counts(c *plan.Cell, all []results.Series) error {
	var timed int64
	for _, s := range all {
		timed += s.Count * s.Batch
	}
	if want := c.Calls(); timed < want || timed >= want+c.Work.Batch*c.Work.Threads {
		return jvm.Failuref(run.KindCounts, "the fixture timed %d calls, %d were ordered: it lies, or ended early", timed, want)
	}
	return nil
}
