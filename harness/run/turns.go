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

// Turner is a Scenario whose subject can be asked for short pieces of the loop that it times.
type Turner interface {
	Scenario
	// Ready starts the subject, and does all that comes before its loop is timed.
	Ready(ctx context.Context, inv plan.Invocation, s Subject, rec Recorder) error
}

// Turns measures by turns how much longer the reference takes beside a cell than beside its
// baseline: a JVM of each lives at the same time on the same CPUs, and they are asked in turn
// for a short piece of the loop that campaigns time. Both find the same neighbours, which
// blocks of a campaign do not.
type Turns struct {
	Pairs   int    // pairs of JVMs for each of the comparisons
	Couples int    // adjacent turns of each pair, a turn of each JVM in random order
	Seed    uint64 // of that order, and of the order in which JVMs are started
	Dir     string // a folder where JVMs run; nothing is left in it
	// Begin is told of a pair before it is started; nil: nobody is.
	Begin func(t *Turned, pair int)
}

// Turned is a comparison of two cells by turns.
type Turned struct {
	Cell, Baseline string // IDs
	// Ratios has a value for each pair of JVMs: the mean over its couples of
	// ln(the reference's time beside the cell / that beside the baseline).
	Ratios   []float64
	Failures []string  // in words, why other pairs have none
	Done     time.Time // when the last pair with a value ended
}

const (
	// turnNS is how long a turn takes: short against what neighbours do, and long against what a
	// JVM takes to be warm again (the first fifth of a turn is as fast as the last). Four times as
	// many turns of 5 ms scatter as much.
	turnNS = 20e6
	// mostPace is by how much the number of calls changes at most from one turn to the next
	// while it is looked for, and paces how often.
	mostPace, paces = 10, 3
	// turnPatience is how long a turn may take at most before its JVM counts as hanging.
	turnPatience = 10 * time.Second
	// What a JVM does by itself after its turn, such as emptying a queue, must not fall into
	// the turn of the other one: it is at rest once it has used less than restNS of CPU time in
	// restSpan, and waited for no longer than mostRest.
	restSpan, mostRest = time.Millisecond, 30 * time.Millisecond
	restNS             = 50e3
	// fewestFailures is after how many failed pairs no more of a comparison are started.
	fewestFailures = 3
	// unsettledCalls are made in place of a number that a pilot would have to find.
	unsettledCalls = 500_000
)

// TakesTurns says whether a cell can be asked for turns: it is compared with a baseline, and its
// scenario is a Turner that starts a fixture.
func TakesTurns(scenarios []Scenario, c *plan.Cell) bool {
	_, is := scenarioOf(scenarios, c.Use).(Turner)
	return is && c.Baseline != "" && c.Role != results.RoleProof && c.Launch.Fixture != ""
}

// scenarioOf is the scenario of a name, or nil.
func scenarioOf(scenarios []Scenario, name string) Scenario {
	if i := slices.IndexFunc(scenarios, func(s Scenario) bool { return s.Schema().Name == name }); i >= 0 {
		return scenarios[i]
	}
	return nil
}

// TakeTurns fills in all comparisons, a pair of JVMs of each before the second one of any. A
// pair that fails costs itself alone. The error is that of a machine or a folder that can't be
// used, or the end of ctx; no JVM is left running.
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

// pair starts a JVM of each cell and has them take turns.
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
	calls int64 // of each thread in a turn
}

// turner starts a JVM of a cell, has it make the calls of a campaign, and finds how many of
// them are a turn. After an error it may be running.
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

// turning is the invocation of a cell that takes turns.
func (r *Runner) turning(id string, pair, slot int) (plan.Invocation, error) {
	block := results.Block{Number: pair, Profile: results.ProfileTiming, Order: make([]string, slot+1)}
	block.Order[slot] = id
	if s := r.Plan.Campaign.Scenario(r.Plan.Cell(id).Scenario); s.Settling.Undecided() {
		block.Calls = unsettledCalls
	}
	return r.Plan.Invocation(block, slot, 0)
}

// pace has the JVM take a turn, the first of which has the calls of a campaign, and makes the
// next ones about as long as they are to be.
func (t *turner) pace(ctx context.Context) error {
	got, err := t.ask(ctx)
	if err == nil {
		pace := max(1.0/mostPace, min(turnNS/got.tookNS, mostPace))
		t.calls = max(1, int64(float64(t.calls)*pace))
	}
	return err
}

// turned is what a JVM says of a turn.
type turned struct {
	tookNS      float64
	referenceNS float64 // the mean of its times
}

// ask has the JVM take a turn.
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

// turn has the JVM take a turn and waits until it is at rest again. It returns how long the
// reference took in it, in ns.
func (t *turner) turn(ctx context.Context) (referenceNS float64, err error) {
	patience, cancel := context.WithTimeout(ctx, min(t.inv.Cell.Timeout, turnPatience*time.Duration(t.inv.Cell.Slower())))
	defer cancel()
	got, err := t.ask(patience)
	if err == nil {
		t.rest(ctx)
	}
	return got.referenceNS, err
}

// rest waits until the JVM does nothing any more.
func (t *turner) rest(ctx context.Context) {
	for end := time.Now().Add(mostRest); time.Now().Before(end) && ctx.Err() == nil; {
		before := proc.CPUNS(t.subject.PID())
		time.Sleep(restSpan)
		if used := proc.CPUNS(t.subject.PID()) - before; !(used >= restNS) { // NaN: the kernel doesn't tell
			return
		}
	}
}

// finish ends the JVM, and returns an error where it was not instrumented.
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

// kill ends what is left of it.
func (t *turner) kill() {
	if t == nil {
		return
	}
	if t.subject != nil && t.subject.Process != nil {
		t.subject.Kill()
		_ = t.subject.stop(context.Background()) // after Kill it only tells how the subject ended
	}
	t.closeSources()
}

// explained adds to an error what the JVM's log gives as its cause, before the log is removed.
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
