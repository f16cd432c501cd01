package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/watch"
	"moobench/harness/plan"
	"moobench/harness/proc"
	"moobench/harness/receiver"
	"moobench/refusal"
	"moobench/results"
)

// attempt is one invocation in progress, and its Recorder.
type attempt struct {
	inv     plan.Invocation
	dir     string
	got     *results.Invocation
	subject *subject          // nil until it is composed
	sources []receiver.Source // one for each counted part of its JVM; nil: not counted
	sinks   []receiver.Source // receivers of records that another source counts
	cpus    []int             // measured CPUs
	given   int64             // total size of the files it started with

	window     *watch.Window
	usage      watch.Usage     // of window
	begin, end jvm.Snapshot    // at the start and end of window
	endNS      int64           // 0: the scenario opened no window
	selfNS     float64         // our own CPU time in window
	ctx        context.Context // ends with the invocation's time
	followed   bool            // its JVM takes rows of its own counters
	course     *course         // of its process in window; nil: none is taken
	recorded   int64           // records made by the probe by endNS
}

// invoke runs one invocation and seals it, whatever its outcome. It returns an error only if nothing can be
// sealed: ctx ended, or the results folder can't be written.
func (r *Runner) invoke(ctx context.Context, inv plan.Invocation) (*results.Invocation, error) {
	begin := proc.MonotonicNS()
	draft, err := r.Store.Begin(inv.Identity)
	if err != nil {
		return nil, err
	}
	a := &attempt{inv: inv, dir: draft.Dir(), got: &results.Invocation{
		Format: results.Format, Identity: inv.Identity, Cell: inv.Cell.ID, Profile: inv.Profile,
		Status: results.StatusOK, Session: r.Session, Machine: r.Host.ID, Boot: r.Host.Boot,
		Start: time.Now().UTC(), EnvPad: inv.EnvPad,
		Scalars: map[string]float64{},
	}}
	draft.Fits = a.fits
	before, err := r.prepare(inv)
	if err == nil {
		err = r.measure(ctx, a)
	}
	knobs := r.changed(before)
	// The machine's settings, and those read back from the living subject.
	a.got.Settings = map[string]string{}
	r.moved(a)
	if a.subject != nil {
		maps.Copy(a.got.Settings, a.subject.settings)
	}
	for _, w := range r.Host.Wishes {
		if got, known := a.got.Settings[w.Knob]; known && w.Value != "" && got != w.Value {
			a.Warn("%s: %s was wanted, and the living process had %s", w.Knob, w.Value, got)
		}
	}
	maps.Copy(a.got.Settings, before.all)
	if ctx.Err() != nil {
		return nil, errors.Join(ctx.Err(), draft.Discard())
	}
	a.got.End = time.Now().UTC()
	if err == nil {
		r.complain(a)
		err = a.finish()
	}
	if err == nil {
		a.Scalar(WallNS, float64(proc.MonotonicNS()-begin))
		a.got.Disturbed = disturbance(a.got.Disturbed, knobs)
		err = draft.Seal(a.got)
	}
	if err == nil {
		return a.got, nil
	}
	return r.sealFailed(draft, a, err)
}

// complain looks in the agent's own log for the reason why no records arrived: the first error in it that a
// baseline's log does not have.
func (r *Runner) complain(a *attempt) {
	silent := a.got.Silent(&a.inv.Cell.Cell)
	if silent == nil || silent.Missing != "" {
		return
	}
	var others []string
	for _, inv := range r.state.current() {
		c := r.campaign().Cell(inv.Cell)
		if c != nil && c.Role == results.RoleBaseline && inv.Status == results.StatusOK {
			others = logsIn(filepath.Join(filepath.Dir(a.dir), inv.Identity.String()))
			break
		}
	}
	if said := jvm.Complaint(logsIn(a.dir), others); said != "" {
		silent.Missing = "its log says: " + said
	}
}

// logsIn returns the paths of a subject's logs in its folder.
func logsIn(dir string) []string {
	return []string{filepath.Join(dir, jvm.LogName), filepath.Join(dir, outputName)}
}

// sealFailed seals a failed invocation with its logs.
func (r *Runner) sealFailed(draft *results.Draft, a *attempt, cause error) (*results.Invocation, error) {
	failed := a.got
	failed.Status, failed.Failure = results.StatusFailed, &results.Failure{Kind: "error", Message: refusal.Text(cause)}
	if f, ok := errors.AsType[*jvm.Failure](cause); ok {
		*failed.Failure = results.Failure{
			Kind: f.Kind, Message: f.Message, LogTail: f.Tail,
			Cause: jvm.Cause(logsIn(a.dir)...),
		}
	} else if _, ok := errors.AsType[*results.Error](cause); ok {
		failed.Failure.Kind = results.FailureKind(cause)
	}
	// Messages about the draft's folder must still be true when it is sealed.
	sealed := filepath.Join(filepath.Dir(a.dir), a.inv.Identity.String())
	failed.Failure.Message = strings.ReplaceAll(failed.Failure.Message, a.dir, sealed)
	failed.Series, failed.Scalars, failed.Warnings = nil, nil, nil
	failed.Proof, failed.Beside = results.Proof{}, nil
	failed.Disturbed, failed.Invalid, failed.Void = nil, "", nil
	failed.AtLeast, failed.Output = nil, nil
	failed.Threads = nil
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

// measure starts the subject, lets the scenario drive it, waits until it is gone, and counts the records that
// arrived. The subject is gone when measure returns.
func (r *Runner) measure(ctx context.Context, a *attempt) error {
	var err error
	if a.inv.Capacity, err = r.capacity(a.inv); err != nil {
		return err
	}
	r.patience(&a.inv)
	ctx, cancel := context.WithTimeout(ctx, a.inv.Cell.Timeout)
	defer cancel()
	a.ctx = ctx
	err = r.compose(ctx, a)
	defer a.closeSources()
	defer func() { a.course.stop() }() // where the scenario did not get as far as End
	if err != nil {
		return err
	}
	a.given = size(a.dir)
	if a.inv.Cell.ByToolOptions() {
		a.Warn("its agent got in by %s, which the baseline's environment has not: each JVM that the program starts "+
			"has the agent, and says so on its standard error", jvm.ToolOptionsName)
	}
	if scenario := scenarioOf(r.Scenarios, a.inv.Cell.Use); scenario == nil {
		err = fmt.Errorf("no scenario is called %q", a.inv.Cell.Use)
	} else if err = scenario.Drive(ctx, a.inv, a.subject, a); err == nil {
		for _, source := range a.sources {
			if asker, ok := source.(receiver.Asker); ok {
				err = cmp.Or(err, asker.Ask(ctx))
			}
		}
		if len(a.got.AtLeast) == 0 { // otherwise it is still starting, and has nothing to export
			err = cmp.Or(err, a.subject.Stop(ctx))
		}
	}
	held := ""
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		held = a.subject.holding()
	}
	a.got.Artifacts, a.got.Env = a.inv.Cell.Launch.Artifacts, a.subject.env
	if a.subject.Process != nil {
		a.subject.Kill()
		_ = a.subject.stop(context.Background()) // after Kill it only reports how the subject ended
		a.got.Command, a.got.CPUs, a.got.Exit = a.subject.Command(), a.subject.CPUs(), a.subject.exit.Status
	}
	if a.inv.Cell.NeedsJava() {
		a.got.Runtime = r.JavaOf(a.inv.Cell).Version // the exact JDK build
	}
	if err != nil {
		return a.outOfTime(ctx, err, r.baselineTook(&a.inv.Cell), held)
	}
	if len(a.got.AtLeast) > 0 { // it was not tried for anything
		a.got.Proof, a.got.Beside = results.Proof{}, nil
		return nil
	}
	return a.count(ctx)
}

// compose opens the sources of an attempt, and composes its subject with its CPUs. The sources must be closed even
// after an error.
func (r *Runner) compose(ctx context.Context, a *attempt) (err error) {
	if a.inv.Cell.Program != nil {
		if a.inv.Port, err = freePort(); err != nil {
			return err
		}
	}
	ports, err := r.open(ctx, a)
	if err != nil {
		return err
	}
	placement := r.Host.Placement
	if a.inv.Profile != Rehearsal {
		if placement, err = r.placement(&a.inv.Cell); err != nil {
			return err
		}
	}
	a.cpus = placement.Fixture
	if both := placement.Common(); len(both) > 0 {
		a.Warn("the fixture shared CPU %s with moobench and its receivers, "+
			"because cpus asks for more than are its own", both)
	}
	a.subject, err = r.subject(a.inv, a.dir, ports, a.cpus)
	return err
}

// placement returns a cell's CPUs: as many as its factor cpus says, or those of the campaign.
func (r *Runner) placement(c *plan.Cell) (cpu.Placement, error) {
	if n := c.Int(results.FactorCPUs); n > 0 {
		return r.Host.Placement.Take(int(n))
	}
	return r.Host.Placement, nil
}

// open opens the sources that count the records of the invocation's JVM, if any, and returns their ports as
// placeholders.
func (r *Runner) open(ctx context.Context, a *attempt) (ports map[string]string, err error) {
	c := &a.inv.Cell
	ports = map[string]string{}
	for i, one := range c.Recipe.Recorded() {
		if i > 0 {
			a.got.Beside = append(a.got.Beside, results.Proof{})
		}
		name := cmp.Or(c.Proofs()[i].Source, one.Receiver)
		if one.Receiver != "" && one.Receiver != name {
			sink, err := receiver.Open(ctx, one.Receiver, a.dir, nil, one.Fault)
			if err != nil {
				return nil, fmt.Errorf("starting the receiver %s: %w", one.Receiver, err)
			}
			a.sinks = append(a.sinks, sink)
			ports[one.Port] = sink.Vars()["port"]
		}
		var source receiver.Source
		if name != "" {
			if source, err = r.openSource(ctx, a, one, name, ports); err != nil {
				return nil, fmt.Errorf("starting the receiver %s: %w", name, err)
			}
		}
		a.sources = append(a.sources, source)
		a.got.Proofs()[i].Source = name
	}
	return ports, nil
}

// openSource opens a source, and adds its port as a placeholder.
func (r *Runner) openSource(
	ctx context.Context, a *attempt, one framework.Recorded, name string, ports map[string]string,
) (receiver.Source, error) {
	if one.Proof.Told != nil && one.Receiver == "" { // the port is the agent's own, or else the server's
		port := a.inv.Port
		if port == 0 || a.inv.Cell.Recipe.Uses(one.Port) {
			var err error
			if port, err = freePort(); err != nil {
				return nil, err
			}
		}
		ports[one.Port] = strconv.Itoa(port)
	}
	told, err := one.Proof.Filled(r.vars(a.inv, a.dir, ports))
	if err != nil {
		return nil, err
	}
	source, err := receiver.Open(ctx, name, a.dir, told, one.Fault)
	if err == nil && source.Vars()["port"] != "" {
		ports[one.Port] = source.Vars()["port"]
	}
	return source, err
}

// closeSources closes all sources and sinks.
func (a *attempt) closeSources() {
	for _, source := range slices.Concat(a.sources, a.sinks) {
		if source != nil {
			source.Close()
		}
	}
}

// outOfTime explains an error that merely reports the end of the invocation's time. held describes the threads
// that keep a JVM alive although its program has ended; "": none known.
func (a *attempt) outOfTime(ctx context.Context, err error, took time.Duration, held string) error {
	if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return err
	}
	said := ""
	if why := err.Error(); !strings.Contains(why, context.DeadlineExceeded.Error()) { // which adds nothing
		said = " (" + why + ")"
	}
	f := jvm.Failuref(jvm.KindTimeout, "%s%s; where it only needs longer, "+
		"set timeout in its [[scenario]] (moobench cost: --within)", a.tooLong(took), said)
	if held != "" {
		f = jvm.Failuref(kindAlive, "%s; %s", a.tooLong(took), held)
	}
	f.Err = err
	if inner, ok := errors.AsType[*jvm.Failure](err); ok {
		f.Tail = inner.Tail
	}
	return f
}

// count records how many records arrived, for each counted part of the JVM.
func (a *attempt) count(ctx context.Context) error {
	var err error
	for i, one := range a.inv.Cell.Recipe.Recorded() {
		p, plan := a.got.Proofs()[i], a.inv.Cell.Proofs()[i]
		p.Expected = cmp.Or(p.Expected, plan.Expected)
		if a.sources[i] != nil {
			err = errors.Join(err, a.countOne(ctx, a.sources[i], one, p, *plan))
		}
	}
	return err
}

// countOne counts the records of one source. A user-defined source that can't count fails the invocation: the
// reason is the first thing that the user has to know.
func (a *attempt) countOne(
	ctx context.Context, source receiver.Source, one framework.Recorded, p *results.Proof, plan results.ProofPlan,
) error {
	tally, err := source.Finish(ctx)
	switch {
	case err != nil && one.Proof.Told != nil && one.Receiver == "" && plan.Kind == results.ProofCount:
		return fmt.Errorf("counting the records: %w", err)
	case err != nil:
		a.Warn("counting the records: %v", err)
	}
	if plan.Kind == results.ProofCount && (p.Expected == 0 || tally.Records < p.Expected) {
		p.Missing = tally.Missing
	}
	p.ByExit, p.ByLoopEnd, p.Bytes = tally.Records, tally.ByLoopEnd, tally.Bytes
	if bytes := cmp.Or(tally.RecordBytes, tally.Bytes); p == &a.got.Proof && bytes > 0 && a.counted() > 0 {
		a.Scalar(recordBytes, float64(bytes)/float64(a.counted()))
	}
	p.LoopEndFromBytes, p.LoopEndUnknown = tally.LoopEndFromBytes, tally.Untimed
	if tally.LastNS == 0 && !tally.LoopEndFromBytes && !tally.Untimed {
		p.ByLoopEnd = min(a.recorded, p.ByExit) // counted inside the JVM: arrivals have no time stamps
	}
	if a.endNS > 0 { // otherwise nothing is late
		p.DrainNS = max(0, tally.LastNS-a.endNS)
	}
	return nil
}
