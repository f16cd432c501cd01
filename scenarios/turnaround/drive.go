package turnaround

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// The hot method is called before anything else, so that it is compiled when its
// first phase begins: ten times as often as it is timed, because a call is then
// a tenth of one with a probe; long ones less often, because the compiler has
// the more time meanwhile.
const (
	primesPerCall = 10
	primeTime     = 5 * time.Second // of the busy wait alone
)

// primes is how often the hot method is called before it is timed.
func primes(c *plan.Cell) int64 {
	n := primesPerCall * c.Int(calls)
	if ns := c.Int("method_time"); ns > 0 {
		n = min(n, max(1, int64(primeTime)/ns))
	}
	return n
}

// Drive does a turnaround.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	return Drive(ctx, inv, s, rec)
}

// Drive has a fixture make its changes, and takes down what they took, for any
// scenario with the parameters of Changes. Those that it lacks, such as the hot
// method's, are left to the fixture; without calls there is no hot method.
func Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	fixture, ok := s.(run.Fixture)
	if !ok {
		return fmt.Errorf("swapping probes needs a fixture, and %s is none", inv.Cell.Parameter("fixture"))
	}
	if err := feasible(&inv.Cell); err != nil {
		return err
	}
	if err := fixture.Start(ctx); err != nil {
		return err
	}
	ask := func(verb string, args map[string]string) ([]jvm.Message, error) {
		return fixture.Ask(ctx, jvm.Message{Verb: verb, Args: args})
	}
	if err := setUp(ask, &inv.Cell); err != nil {
		return err
	}
	if err := fixture.Attach(ctx); err != nil {
		return err
	}
	if err := rec.Begin(); err != nil {
		return err
	}
	answer, err := ask("measure", nil)
	if err != nil {
		return err
	}
	if err := run.Measured(answer[len(answer)-1], rec); err != nil {
		return err
	}
	if inv.Cell.Proof.Kind == results.ProofCount {
		rec.Expected(expected(&inv.Cell))
	}
	switch inv.Profile {
	case results.ProfileProof:
		return nil
	case results.ProfileResources:
		return run.Heap(ask, rec)
	}
	return dump(ask, inv, rec)
}

// feasible refuses a cell that can't be before its JVM starts.
func feasible(c *plan.Cell) error {
	if c.Int(atOnce) > c.Int(loaded) {
		return fmt.Errorf("%s: at_once = %d classes can't change where only loaded = %d are there: make loaded larger, or two scenarios of this one", c.Label(), c.Int(atOnce), c.Int(loaded))
	}
	return nil
}

func setUp(ask run.Asker, c *plan.Cell) error {
	setup := map[string]string{"target": c.Launch.Target}
	for _, p := range c.Parameters {
		switch p.Name {
		case samples, atOnce, "one_by_one", atLoad, loaded, "methods", "patterns", "bare", "watcher", calls, depth, "method_time", "busy_wait":
			setup[p.Name] = p.Value
		}
	}
	if _, err := ask("setup", setup); err != nil {
		return err
	}
	if c.Int(calls) == 0 {
		return nil
	}
	_, err := ask("prime", map[string]string{"calls": strconv.FormatInt(primes(c), 10)})
	return err
}

// dump takes the samples down and checks them.
func dump(ask run.Asker, inv plan.Invocation, rec run.Recorder) error {
	all, err := run.Dump(ask, rec)
	if err != nil {
		return err
	}
	d := dumps{dir: rec.Dir(), series: map[string]results.Series{}}
	for _, s := range all {
		d.series[s.Name] = s
	}
	if err := d.check(&inv.Cell); err != nil {
		return err
	}
	if err := d.checkHot(&inv.Cell); err != nil {
		return err
	}
	ns, ok, err := safepoint(rec.Dir())
	if ok {
		rec.Scalar(Safepoint, ns)
	}
	return err
}
