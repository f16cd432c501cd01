package overhead

import (
	"context"
	"fmt"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Drive sets the fixture up, swaps the probe in and out if the variant wants
// that, lets it run through its calls in silence, and takes the samples down.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	fixture, ok := s.(run.Fixture)
	if !ok {
		return fmt.Errorf("the overhead scenario needs a fixture, and %s is none", inv.Cell.Parameter("fixture"))
	}
	if err := fixture.Start(ctx); err != nil {
		return err
	}
	ask := func(verb string, args map[string]string) ([]jvm.Message, error) {
		return fixture.Ask(ctx, jvm.Message{Verb: verb, Args: args})
	}
	if err := setUp(ask, inv); err != nil {
		return err
	}
	w := swaps{ctx: ctx, fixture: fixture, ask: ask, inv: inv}
	if err := w.prepare(rec); err != nil {
		return err
	}
	p := patterned{cell: inv.Cell, ask: ask}
	if err := p.open(); err != nil {
		return err
	}
	if err := rec.Begin(); err != nil {
		return err
	}
	answer, err := ask("measure", nil)
	if err != nil {
		return err
	}
	if err := measured(answer[len(answer)-1], rec); err != nil {
		return err
	}
	if err := w.silent(); err != nil {
		return err
	}
	if err := p.close(rec); err != nil {
		return err
	}
	switch inv.Profile {
	case results.ProfileProof:
		return nil
	case results.ProfileResources:
		return run.Heap(ask, rec)
	}
	return dump(ask, inv, rec)
}

func setUp(ask run.Asker, inv plan.Invocation) error {
	setup := map[string]string{"target": inv.Cell.Launch.Target}
	for _, name := range []string{"calls", "depth", "threads", "method_time", "busy_wait", "batch"} {
		setup[name] = inv.Cell.Parameter(name)
	}
	_, err := ask("setup", setup)
	return err
}

func measured(m jvm.Message, rec run.Recorder) error {
	if err := run.Measured(m, rec); err != nil {
		return err
	}
	calls, err := m.Int("calls")
	if err != nil {
		return err
	}
	if alloc, err := m.Int("alloc_bytes"); err == nil && alloc >= 0 && calls > 0 {
		rec.Scalar(AllocBytes, float64(alloc)/float64(calls))
	}
	return nil
}

func dump(ask run.Asker, inv plan.Invocation, rec run.Recorder) error {
	all, err := run.Dump(ask, rec)
	if err != nil {
		return err
	}
	var total int64
	for _, s := range all {
		total += s.Count * s.Batch
	}
	return counts(inv, total)
}

// counts checks that as many calls were timed as were ordered. A last sample
// may cover fewer than a batch.
func counts(inv plan.Invocation, timed int64) error {
	want, batch := inv.Cell.Int("calls")*inv.Cell.Int("threads"), inv.Cell.Int("batch")
	if timed < want || timed >= want+batch*inv.Cell.Int("threads") {
		return &jvm.Failure{Kind: "counts", Message: fmt.Sprintf("the fixture timed %d calls, %d were ordered: it lies, or ended early", timed, want)}
	}
	return nil
}
