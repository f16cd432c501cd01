package run

import (
	"context"
	"errors"
	"fmt"

	"moobench/harness/fixture"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// Runner runs one plan on this machine. All fields but Args, Javas, KeepGoing, More, Settle, Turn and Finish are
// required.
type Runner struct {
	Store     *results.Store
	Plan      *plan.Plan
	Scenarios []Scenario
	Java      jvm.Java
	Javas     map[string]jvm.Java // by home, if the JDK is a factor
	Args      []string            // [jvm] args of benchmarks.toml
	Fixtures  fixture.Built
	Artifacts *Artifacts
	Progress  Progress
	Session   string // this run of moobench on this boot
	Host      Host
	KeepGoing bool // also with variants that record nothing
	// Tried holds the results of Rehearse.
	Tried Rehearsed
	// More decides how many timing blocks a scenario gets in total, given the results of its pilot. It is called
	// once per scenario, and required if a scenario has a precision.
	More func(c *results.Campaign, scenario string) (*results.Decision, error)
	// Settle returns the next step of the pilot for a number of calls, given its results so far. It is called
	// after each invocation until it decides, and required if a scenario has such a pilot.
	Settle func(c *results.Campaign, scenario string) (Pilot, error)
	// Turn waits until this lane of the machine may measure a block, alone if requested, and returns the number of
	// the turn and how many other lanes measure in it; nil: nothing else is measured at the same time.
	Turn func(ctx context.Context, alone bool) (number int64, others int, err error)
	// Finish is called after all measurements, before the campaign is sealed; nil: nothing to do.
	Finish func() error

	state     ledger
	around    machineState
	exhausted map[string]bool // scenarios whose unusable invocations are no longer repeated
	guard     guard
	own       own
}

// Pilot is the next step of a pilot for a number of calls: a decision, or else a number of calls to try with a
// cell.
type Pilot struct {
	Cell     string // ID
	Calls    int64  // per thread
	Decision *results.SettlingDecision
}

// ErrGivenUp means that a planned cell has no answer.
var ErrGivenUp = errors.New("a planned cell has no answer")

// Run runs the missing invocations of the plan, block by block, and seals the campaign when it is complete. After
// an error the campaign can be resumed. When ctx ends, the invocation in progress is discarded.
func (r *Runner) Run(ctx context.Context) error {
	for i := range r.campaign().Scenarios { // fail before a pilot is measured in vain
		if s := &r.campaign().Scenarios[i]; sized(s) && r.More == nil || s.Settling.Undecided() && r.Settle == nil {
			return fmt.Errorf("scenario %s: %w", s.Label, errNobodyDecides)
		}
	}
	if err := r.load(); err != nil {
		return err
	}
	var err error
	if r.guard, err = newGuard(ctx, r.Artifacts.digests, r.runs()); err != nil {
		return err
	}
	r.own = readOwn()
	if err := r.measureCalm(ctx); err != nil {
		return err
	}
	_, total := r.state.count()
	r.Progress.Planned(r.campaign(), r.state.current(), total)
	for {
		block, ok, err := r.next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := r.await(ctx, block); err != nil {
			return err
		}
		if err := r.block(ctx, block); err != nil {
			return err
		}
	}
	if r.Finish != nil {
		if err := r.Finish(); err != nil {
			return err
		}
	}
	if err := r.Store.Seal(); err != nil {
		return err
	}
	if n := len(r.campaign().GivenUp); n > 0 {
		return fmt.Errorf("%w: %d given up", ErrGivenUp, n)
	}
	return nil
}

// await waits for the lane's turn to measure a block, and records the turn.
func (r *Runner) await(ctx context.Context, b results.Block) error {
	if r.Turn == nil {
		return nil
	}
	planned := results.Find(r.campaign().Blocks, func(o *results.Block) bool { return o.Number == b.Number })
	turn := results.Turn{}
	if planned.Turn != nil { // nil for a block that repeats failures
		turn = *planned.Turn
	}
	var err error
	if turn.Number, turn.Others, err = r.Turn(ctx, turn.Alone); err != nil {
		return err
	}
	planned.Turn = &turn
	return r.Store.SaveCampaign()
}

// next returns the block to start now, after updating the plan: failures are repeated, a pilot decides, and time
// limits cut.
func (r *Runner) next() (results.Block, bool, error) {
	for {
		if err := r.scheduleRepeats(); err != nil {
			return results.Block{}, false, err
		}
		if err := r.decide(); err != nil {
			return results.Block{}, false, err
		}
		block, ok := r.state.next()
		if !ok {
			return block, false, nil
		}
		if block.Kind == results.BlockPlanned {
			if pilot, err := r.pilot(); err != nil || pilot.Calls > 0 {
				return pilot, err == nil, err
			}
		}
		if cut, err := r.cut(block); err != nil || !cut {
			return block, true, err
		}
	}
}

func (r *Runner) campaign() *results.Campaign { return r.Store.Campaign() }

// load reads the invocations sealed by earlier sessions, and gives up variants that can't be started.
func (r *Runner) load() error {
	if removed, err := r.Store.Recover(); err != nil {
		return err
	} else if len(removed) > 0 {
		r.Progress.Note("%d unfinished invocation(s) of an earlier session were removed: their block starts again",
			len(removed))
	}
	sealed, err := r.Store.Invocations()
	if err != nil {
		return fmt.Errorf("reading what is there: %w", err)
	}
	r.state, r.exhausted = newLedger(r.campaign(), sealed), map[string]bool{}
	for variant, why := range r.Artifacts.wrong { // files that differ from the pinned ones
		r.giveUp(0, why.Error(), func(c results.Cell) bool { return c.Variant == variant })
		r.Progress.Note("%s: given up before the first JVM: %v", variant, why)
	}
	if len(r.Artifacts.wrong) == 0 {
		return nil
	}
	return r.Store.SaveCampaign()
}

// block starts every cell of a block once, and gives a variant up when it has failed too often. All invocations of
// the block belong to this session: those left by an earlier session are superseded.
func (r *Runner) block(ctx context.Context, b results.Block) error {
	repeat := r.state.nextRepeat(b.Number)
	wait := true // before the block, and after a disturbed invocation
	for slot, id := range b.Order {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.state.givenUp(id, b.Number) {
			continue
		}
		inv, err := r.Plan.Invocation(b, slot, repeat)
		if err != nil {
			return err
		}
		if wait {
			if err := r.waitForQuiet(ctx); err != nil {
				return err
			}
		}
		if err := Room(r.Store.Dir(), peakOf(inv)+staysOf(inv), "starting "+inv.Identity.String()); err != nil {
			return err
		}
		if err := r.guard.check(ctx); err != nil {
			return err
		}
		done, total := r.state.count()
		r.Progress.Begin(inv, done, total)
		got, err := r.invoke(ctx, inv)
		if err != nil {
			return err
		}
		r.state.add(got)
		if got.Status == results.StatusFailed {
			err = r.countFailure(inv, got)
		} else {
			err = r.countUnproven(inv, got)
		}
		if err != nil {
			return err
		}
		done, total = r.state.count()
		r.Progress.End(inv, got, done, total)
		wait = got.Disturbed != nil
	}
	return nil
}
