package overhead

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// primeCalls are made before a probe is swapped into the running class, so
// that the class is loaded, running and compiled when it happens.
const primeCalls = 20_000

// Drive sets the fixture up, swaps the probe in if the variant wants that,
// lets it run through its calls in silence, and takes the samples down.
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
	switch inv.Profile {
	case results.ProfileProof:
		return nil
	case results.ProfileResources:
		return heap(ask, rec)
	}
	return dump(ask, inv, rec)
}

type asker func(verb string, args map[string]string) ([]jvm.Message, error)

func setUp(ask asker, inv plan.Invocation) error {
	setup := map[string]string{"target": inv.Cell.Launch.Target}
	for _, name := range []string{"calls", "depth", "threads", "method_time", "busy_wait", "batch"} {
		setup[name] = inv.Cell.Parameter(name)
	}
	if _, err := ask("setup", setup); err != nil {
		return err
	}
	pattern, err := inv.Activate()
	if err != nil || pattern == "" {
		return err
	}
	if _, err := ask("prime", map[string]string{"calls": strconv.Itoa(primeCalls)}); err != nil {
		return err
	}
	_, err = ask("activate", map[string]string{"pattern": pattern})
	return err
}

func measured(m jvm.Message, rec run.Recorder) error {
	end, err := m.Int("end_ns")
	if err != nil {
		return err
	}
	if err := rec.End(end); err != nil {
		return err
	}
	begin, err := m.Int("begin_ns")
	if err != nil {
		return err
	}
	calls, err := m.Int("calls")
	if err != nil {
		return err
	}
	rec.Scalar(run.LoopNS, float64(end-begin))
	if alloc, err := m.Int("alloc_bytes"); err == nil && alloc >= 0 && calls > 0 {
		rec.Scalar(AllocBytes, float64(alloc)/float64(calls))
	}
	if delay, err := m.Int("delay_ns"); err == nil && delay >= 0 {
		rec.Scalar(run.RunDelayNS, float64(delay))
	}
	if n, err := m.Int("recorded"); err == nil {
		rec.Recorded(n)
	}
	return nil
}

func heap(ask asker, rec run.Recorder) error {
	answer, err := ask("gc", nil)
	if err != nil {
		return err
	}
	used, err := answer[len(answer)-1].Int("heap_used_bytes")
	if err != nil {
		return err
	}
	rec.Scalar(run.HeapAfterGC, float64(used))
	return nil
}

func dump(ask asker, inv plan.Invocation, rec run.Recorder) error {
	answer, err := ask("dump", nil)
	if err != nil {
		return err
	}
	var total int64
	for _, m := range answer[:len(answer)-1] {
		s, err := series(m)
		if err != nil {
			return err
		}
		total += s.Count * s.Batch
		rec.Dumped(s)
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

// series reads the fixture's description of a dump.
func series(m jvm.Message) (results.Series, error) {
	s := results.Series{Name: m.String("name"), Dump: m.String("file")}
	thread, err := m.Int("thread")
	if err != nil {
		return s, err
	}
	s.Thread = int(thread)
	if s.Count, err = m.Int("count"); err != nil {
		return s, err
	}
	if s.Batch, err = m.Int("batch"); err != nil {
		return s, err
	}
	for _, c := range strings.Split(m.String("columns"), ",") {
		part := strings.Split(c, ":")
		if len(part) != 3 {
			return s, &jvm.Failure{Kind: "garbage", Message: fmt.Sprintf("the fixture describes a column as %q (want name:unit:kind)", c)}
		}
		s.Columns = append(s.Columns, results.Column{Name: part[0], Unit: part[1], Kind: results.Kind(part[2])})
	}
	return s, nil
}
