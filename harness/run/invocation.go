package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/proc"
	"moobench/harness/receiver"
	"moobench/refusal"
	"moobench/results"
)

// attempt is one invocation while it is under way.
type attempt struct {
	inv     plan.Invocation
	dir     string
	got     *results.Invocation
	rec     *recorder
	source  receiver.Source // nil when nobody counts
	life    life
	knobs   *results.Disturbance // those that were changed meanwhile
	given   int64                // bytes of the files that it was given
	written int64                // bytes of the files that the variant left
	// redefinitions counts redefined and retransformed classes; -1: unknown.
	redefinitions int
}

// invoke runs one invocation and seals it, whatever its outcome. It returns an error only
// when nothing can be sealed: ctx ended, or the results folder can't be written.
func (r *Runner) invoke(ctx context.Context, inv plan.Invocation) (*results.Invocation, error) {
	begin := proc.MonotonicNS()
	draft, err := r.Store.Begin(inv.Identity)
	if err != nil {
		return nil, err
	}
	a := &attempt{inv: inv, dir: draft.Dir(), got: &results.Invocation{
		Format: results.Format, Identity: inv.Identity, Cell: inv.Cell.ID, Profile: inv.Profile,
		Status: results.StatusOK, Session: r.Session, Machine: r.Host.ID, Start: time.Now().UTC(), EnvPad: inv.EnvPad,
	}}
	before, err := r.prepare(inv)
	if err == nil {
		err = r.measure(ctx, a)
	}
	a.knobs = r.changed(before)
	r.settings(a, before)
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), draft.Discard())
	}
	a.got.End = time.Now().UTC()
	if err == nil {
		var lost string
		if lost, err = repairFolder(a.dir); err != nil {
			err = fmt.Errorf("looking at the invocation's folder: %w", err)
		} else if lost != "" {
			err = jvm.Failuref(kindFolder, "the subject %s, %s, and its log with it: have it write and remove elsewhere", lost, a.dir)
		}
	}
	if err == nil {
		a.redefinitions = redefinitions(a.dir)
		a.written, err = sweep(a.dir, ".log", ".i64") // sealing turns raw dumps into samples
		a.written -= a.given
	}
	if err == nil {
		a.finish(proc.MonotonicNS() - begin)
		err = draft.Seal(a.got)
	}
	if err == nil {
		return a.got, nil
	}
	return r.sealFailed(draft, a, err)
}

// settings merges the machine's settings with those read back from the living subject. A
// wish for the subject that was not met is a warning.
func (r *Runner) settings(a *attempt, before settings) {
	if len(before.all)+len(a.life.settings) == 0 {
		return
	}
	a.got.Settings = map[string]string{}
	maps.Copy(a.got.Settings, a.life.settings)
	maps.Copy(a.got.Settings, before.all)
	for _, w := range r.Host.Wishes {
		got, known := a.life.settings[w.Knob]
		if known && w.Value != "" && got != w.Value && a.rec != nil { // else it failed before anything was measured
			a.rec.Warn("%s: %s was wanted, and the living process had %s", w.Knob, w.Value, got)
		}
	}
}

// sealFailed keeps the logs of an invocation that gave no numbers.
func (r *Runner) sealFailed(draft *results.Draft, a *attempt, cause error) (*results.Invocation, error) {
	failed := a.got
	failed.Status, failed.Failure = results.StatusFailed, &results.Failure{Kind: "error", Message: refusal.Text(cause)}
	var ofSubject *jvm.Failure
	var ofResults *results.Error
	if errors.As(cause, &ofSubject) {
		*failed.Failure = results.Failure{Kind: ofSubject.Kind, Message: ofSubject.Message, LogTail: ofSubject.Tail}
	} else if errors.As(cause, &ofResults) {
		failed.Failure.Kind = results.FailureKind(cause)
	}
	// Messages about the draft's folder must still be true when it is sealed.
	sealed := filepath.Join(filepath.Dir(a.dir), a.inv.Identity.String())
	failed.Failure.Message = strings.ReplaceAll(failed.Failure.Message, a.dir, sealed)
	failed.Proof, failed.Disturbed = results.Proof{}, nil
	_, err := repairFolder(a.dir)
	if err == nil {
		_, err = sweep(a.dir, ".log")
	}
	if err == nil {
		err = draft.Seal(failed)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("keeping the failed %s (%w)", a.inv.Identity, cause), err, draft.Discard())
	}
	return failed, nil
}

// measure starts the subject, lets the scenario drive it, waits until it is gone, and
// counts what arrived. The subject is gone when it returns.
func (r *Runner) measure(ctx context.Context, a *attempt) error {
	var err error
	if a.inv.Capacity, err = r.capacity(a.inv); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, a.inv.Cell.Timeout)
	defer cancel()
	var ports map[string]string
	if name := cmp.Or(a.inv.Cell.Recipe.Receiver, a.inv.Cell.Proof.Source); name != "" { // who counts the records of this variant
		if a.source, err = receiver.Open(ctx, name, a.dir); err != nil {
			return fmt.Errorf("starting the receiver %s: %w", name, err)
		}
		defer a.source.Close()
		ports, a.got.Proof.Source = a.source.Vars(), name
	}
	if a.inv.Cell.Program() != nil {
		if a.inv.Port, err = freePort(); err != nil {
			return err
		}
		a.inv.Jars = r.Artifacts.paths[a.inv.Cell.Variant]
	}
	placement := r.Host.Placement
	if n := a.inv.Cell.Int(results.FactorCPUs); n > 0 {
		if placement, err = placement.Take(int(n)); err != nil {
			return err
		}
	}
	subject, err := r.subject(a.inv, a.dir, ports, placement.Fixture)
	if err != nil {
		return err
	}
	a.given = size(a.dir)
	a.rec = &recorder{dir: a.dir, subject: subject, source: a.source, cpus: placement.Fixture, scalars: map[string]float64{}}
	if both := placement.Common(); len(both) > 0 {
		a.rec.Warn("the fixture shared CPU %s with moobench and its receivers, because cpus asks for more than are its own", both)
	}
	if a.inv.Cell.ByToolOptions() {
		a.rec.Warn("its agent got in by %s, which the baseline's environment has not: each JVM that the program starts has the agent, and says so on its standard error", jvm.ToolOptionsName)
	}
	if i := slices.IndexFunc(r.Scenarios, func(s Scenario) bool { return s.Name() == a.inv.Cell.Use }); i < 0 {
		err = fmt.Errorf("no scenario is called %q", a.inv.Cell.Use)
	} else if err = r.Scenarios[i].Drive(ctx, a.inv, subject, a.rec); err == nil {
		err = subject.Stop(ctx)
	}
	a.life = subject.end()
	a.got.Artifacts, a.got.Env = a.inv.Cell.Launch.Artifacts, subject.env
	if a.inv.Cell.NeedsJava() {
		a.got.Runtime = r.java(a.inv.Cell).Version // the exact JDK build
	}
	a.got.Command, a.got.CPUs, a.got.Exit = a.life.command, a.life.cpus, a.life.exit.Status
	if err != nil {
		return a.outOfTime(ctx, err)
	}
	a.count(ctx)
	return nil
}

// outOfTime explains an error that only means the end of the invocation's time.
func (a *attempt) outOfTime(ctx context.Context, err error) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	f := &jvm.Failure{
		Kind: jvm.KindTimeout, Err: err,
		Message: fmt.Sprintf("not done after %s, and killed (%v); where it only needs longer, set timeout in its [[scenario]]", a.inv.Cell.Timeout, err),
	}
	var inner *jvm.Failure
	if errors.As(err, &inner) {
		f.Tail = inner.Tail
	}
	return f
}

// count records how many of the variant's records arrived.
func (a *attempt) count(ctx context.Context) {
	p := &a.got.Proof
	p.Expected = cmp.Or(a.rec.expected, a.inv.Cell.Proof.Expected)
	if a.source == nil {
		return
	}
	tally, err := a.source.Finish(ctx)
	if err != nil {
		a.rec.Warn("counting the records: %v", err)
	}
	p.ByExit, p.ByLoopEnd, p.Bytes, p.LoopEndFromBytes = tally.Records, tally.ByLoopEnd, tally.Bytes, tally.LoopEndFromBytes
	if a.rec.hasRecorded && tally.LastNS == 0 && !tally.LoopEndFromBytes {
		p.ByLoopEnd = min(a.rec.recorded, p.ByExit) // counted inside the JVM: arrivals have no time stamps
	}
	if a.rec.endNS > 0 { // else the scenario opened no window, and nothing is late
		p.DrainNS = max(0, tally.LastNS-a.rec.endNS)
	}
}
