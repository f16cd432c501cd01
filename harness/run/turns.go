package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/proc"
	"moobench/refusal"
	"moobench/results"
)

// Turner is a Scenario whose subject can run short pieces of its timed loop on request.
type Turner interface {
	Scenario
	// Ready starts the subject, and does everything that precedes its timed loop.
	Ready(ctx context.Context, inv plan.Invocation, s Subject, rec Recorder) error
}

// Turns measures how much longer the reference takes beside a cell than beside its baseline. Two JVMs, one of
// each, live at the same time on the same CPUs and take turns in running a short piece of the loop that campaigns
// time. Both meet the same neighbours, unlike the blocks of a campaign.
type Turns struct {
	Pairs   int    // pairs of JVMs per comparison
	Couples int    // adjacent turns per pair, one turn of each JVM in random order
	Seed    uint64 // of that order, and of the order in which the JVMs are started
	Dir     string // a folder in which the JVMs run; nothing is left in it
	// Begin is called before a pair is started; it may be nil.
	Begin func(t *Turned, pair int)
}

// Turned is a comparison of two cells by Turns.
type Turned struct {
	Cell, Baseline string // IDs
	// Ratios has one value per pair of JVMs: the mean over its couples of ln(the reference's time beside the cell
	// / that beside the baseline).
	Ratios   []float64
	Failures []string  // reasons why other pairs have no value
	Done     time.Time // when the last pair with a value ended
}

const (
	// turnNS is the duration of a turn: short compared with the neighbours' activity, and long compared with the
	// time in which a JVM warms up again (the first fifth of a turn is as fast as the last). Four times as many
	// turns of 5 ms have the same scatter.
	turnNS = 20e6
	// mostPace is the maximum factor by which the number of calls changes from one turn to the next during the
	// search for it, and paces the number of such changes.
	mostPace, paces = 10, 3
	// turnPatience is the time after which the JVM of an unfinished turn counts as hanging.
	turnPatience = 10 * time.Second
	// A JVM's own work after its turn, such as emptying a queue, must not overlap the other one's turn: it is at
	// rest once it has used less than restNS of CPU time in restSpan. The wait for that is at most mostRest.
	restSpan, mostRest = time.Millisecond, 30 * time.Millisecond
	restNS             = 50e3
	// fewestFailures is the number of failed pairs after which no more pairs of a comparison are started.
	fewestFailures = 3
	// unsettledCalls replaces a number of calls that a pilot has not found yet.
	unsettledCalls = 500_000
)

// TakesTurns reports whether a cell can be measured by turns: it has a baseline, and its scenario is a Turner that
// starts a fixture.
func TakesTurns(scenarios []Scenario, c *plan.Cell) bool {
	_, is := scenarioOf(scenarios, c.Use).(Turner)
	return is && c.Baseline != "" && c.Role != results.RoleProof && c.Launch.Fixture != ""
}

// scenarioOf returns the scenario with this name, or nil.
func scenarioOf(scenarios []Scenario, name string) Scenario {
	if i := slices.IndexFunc(scenarios, func(s Scenario) bool { return s.Schema().Name == name }); i >= 0 {
		return scenarios[i]
	}
	return nil
}

// TakeTurns fills in all comparisons; each gets its first pair of JVMs before any gets its second. A failed pair
// costs only itself. The error is ctx's, or that of a machine or folder that can't be used. No JVM is left
// running.
func (r *Runner) TakeTurns(ctx context.Context, with Turns, all []*Turned) error {
	rng := rand.New(rand.NewPCG(with.Seed, 0))
	for pair := 1; pair <= with.Pairs; pair++ {
		for _, i := range rng.Perm(len(all)) {
			t := all[i]
			if len(t.Failures) >= fewestFailures {
				continue
			}
			if with.Begin != nil {
				with.Begin(t, pair)
			}
			ratio, err := r.pair(ctx, with, t, pair, rng)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				t.Failures = append(t.Failures, fmt.Sprintf("pair %d: %s", pair, refusal.Text(err)))
				continue
			}
			t.Ratios, t.Done = append(t.Ratios, ratio), time.Now().UTC()
		}
	}
	return nil
}

// pair starts a JVM of each cell and lets them take turns.
func (r *Runner) pair(ctx context.Context, with Turns, t *Turned, pair int, rng *rand.Rand) (ratio float64, err error) {
	dir := filepath.Join(with.Dir, fmt.Sprintf("pair-%03d", pair))
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	both := [2]*turner{}
	defer func() {
		for _, one := range both {
			one.kill()
		}
	}()
	for _, slot := range rng.Perm(len(both)) {
		id := [2]string{t.Baseline, t.Cell}[slot]
		one, err := r.turner(ctx, dir, id, pair, slot)
		both[slot] = one
		if err != nil {
			return 0, fmt.Errorf("%s: %w", r.Plan.Cell(id).Label(), one.explained(err))
		}
	}
	var sum float64
	for range with.Couples {
		var took [2]float64
		for _, slot := range rng.Perm(len(both)) {
			if took[slot], err = both[slot].turn(ctx); err != nil {
				return 0, fmt.Errorf("%s: %w", both[slot].inv.Cell.Label(), both[slot].explained(err))
			}
		}
		sum += math.Log(took[1] / took[0])
	}
	for _, one := range both {
		if err := one.finish(ctx); err != nil {
			return 0, fmt.Errorf("%s: %w", one.inv.Cell.Label(), one.explained(err))
		}
	}
	return sum / float64(with.Couples), nil
}

// turner is a JVM that takes turns.
type turner struct {
	*attempt
	calls int64 // per thread and turn
}

// turner starts a JVM of a cell, makes the calls of a campaign, and finds the number of calls in a turn. After an
// error the JVM may still be running.
func (r *Runner) turner(ctx context.Context, dir, id string, pair, slot int) (*turner, error) {
	inv, err := r.turning(id, pair, slot)
	if err != nil {
		return nil, err
	}
	t := &turner{calls: inv.Cell.Work.Calls, attempt: &attempt{
		inv: inv, dir: filepath.Join(dir, strconv.Itoa(slot)),
		got: &results.Invocation{Identity: inv.Identity, Cell: id, Profile: inv.Profile, Scalars: map[string]float64{}},
	}}
	if err := os.MkdirAll(t.dir, 0o777); err != nil {
		return t, err
	}
	if _, err := r.prepare(inv); err != nil {
		return t, err
	}
	ctx, cancel := context.WithTimeout(ctx, inv.Cell.Timeout)
	defer cancel()
	if err = r.compose(ctx, t.attempt); err == nil {
		err = scenarioOf(r.Scenarios, inv.Cell.Use).(Turner).Ready(ctx, inv, t.subject, t.attempt)
	}
	for i := 0; err == nil && i < 1+paces; i++ {
		err = t.pace(ctx)
	}
	if err != nil {
		return t, t.outOfTime(ctx, err, 0, "")
	}
	return t, nil
}

// turning returns the invocation of a cell that takes turns.
func (r *Runner) turning(id string, pair, slot int) (plan.Invocation, error) {
	block := results.Block{Number: pair, Profile: results.ProfileTiming, Order: make([]string, slot+1)}
	block.Order[slot] = id
	if s := r.Plan.Campaign.Scenario(r.Plan.Cell(id).Scenario); s.Settling.Undecided() {
		block.Calls = unsettledCalls
	}
	return r.Plan.Invocation(block, slot, 0)
}

// pace runs a turn and adjusts the number of calls, initially that of a campaign, so that the next turn takes
// about turnNS.
func (t *turner) pace(ctx context.Context) error {
	got, err := t.ask(ctx)
	if err == nil {
		pace := max(1.0/mostPace, min(turnNS/got.tookNS, mostPace))
		t.calls = max(1, int64(float64(t.calls)*pace))
	}
	return err
}

// turned is a JVM's report of a turn.
type turned struct {
	tookNS      float64
	referenceNS float64 // the mean of its runs
}

// ask makes the JVM take a turn.
func (t *turner) ask(ctx context.Context) (turned, error) {
	ask := &Asker{ctx: ctx, subject: t.subject}
	m := ask.Last("turn", map[string]string{"calls": strconv.FormatInt(t.calls, 10)})
	took := ask.Int(m, "end_ns") - ask.Int(m, "begin_ns")
	sum, n := ask.Int(m, "reference_ns"), ask.Int(m, "references")
	if took <= 0 || sum <= 0 || n <= 0 {
		ask.Fail(KindCounts, "the fixture says that a turn of %d ns had %d references of %d ns", took, n, sum)
	}
	return turned{tookNS: float64(took), referenceNS: float64(sum) / float64(n)}, ask.Err
}

// turn makes the JVM take a turn, and waits until it is at rest again. It returns the reference's time in ns.
func (t *turner) turn(ctx context.Context) (referenceNS float64, err error) {
	limit := min(t.inv.Cell.Timeout, turnPatience*time.Duration(t.inv.Cell.Slower()))
	patience, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	got, err := t.ask(patience)
	if err == nil {
		t.rest(ctx)
	}
	return got.referenceNS, err
}

// rest waits until the JVM is idle.
func (t *turner) rest(ctx context.Context) {
	for end := time.Now().Add(mostRest); time.Now().Before(end) && ctx.Err() == nil; {
		before := proc.CPUNS(t.subject.PID())
		time.Sleep(restSpan)
		if used := proc.CPUNS(t.subject.PID()) - before; !(used >= restNS) { // NaN: the kernel doesn't tell
			return
		}
	}
}

// finish ends the JVM. It returns an error if the JVM was not instrumented.
func (t *turner) finish(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, t.inv.Cell.Timeout)
	defer cancel()
	if err := t.subject.Stop(ctx); err != nil {
		return t.outOfTime(ctx, err, 0, "")
	}
	if err := t.count(ctx); err != nil {
		return err
	}
	if t.got.Silent(&t.inv.Cell.Cell) != nil {
		return errors.New("not instrumented: no record arrived")
	}
	return nil
}

// kill ends the JVM and closes its sources.
func (t *turner) kill() {
	if t == nil {
		return
	}
	if t.subject != nil && t.subject.Process != nil {
		t.subject.Kill()
		_ = t.subject.stop(context.Background()) // after Kill it only reports how the subject ended
	}
	t.closeSources()
}

// explained adds to an error the cause found in the JVM's log, before the log is removed.
func (t *turner) explained(err error) error {
	if t == nil {
		return err
	}
	f, is := errors.AsType[*jvm.Failure](err)
	if !is {
		return err
	}
	log := filepath.Join(t.dir, jvm.LogName)
	why := strings.ReplaceAll(f.Message, "; see "+log, "")
	if said := cmp.Or(jvm.Cause(log), f.Tail); said != "" {
		why += strings.ReplaceAll("\n"+said, "\n", "\n| ")
	}
	return errors.New(why)
}
