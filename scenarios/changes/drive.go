package changes

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

// The hot method is called before anything else, so that it is compiled when its first
// phase begins: ten times as often as it is timed, because a call then costs a tenth of
// one with a probe; slow ones less often, because the compiler has more time meanwhile.
const (
	primesPerCall = 10
	primeTime     = 5 * time.Second // of the busy wait alone
)

// Drive has a fixture make its changes, and records what they took, for any
// scenario with these Parameters. Those that it lacks, such as the hot
// method's, are left to the fixture; without calls there is no hot method.
func (Kit) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	c := &inv.Cell
	ordered := settingsOf(&c.Cell)
	if ordered.atOnce > ordered.loaded {
		return fmt.Errorf("%s: at_once = %d classes can't change where only loaded = %d are there: make loaded larger, or two scenarios of this one", c.Label(), ordered.atOnce, ordered.loaded)
	}
	if err := s.Start(ctx); err != nil {
		return err
	}
	ask := run.AskerOf(ctx, s)
	if err := setUp(ask, c); err != nil {
		return err
	}
	if err := s.Attach(ctx); err != nil {
		return err
	}
	if _, err := run.Measure(ask, rec); err != nil {
		return err
	}
	// One record for the first call of each class of each sample, and one for each
	// execution of the hot method while its probe is in. Neither the calls before and
	// after nor the warm-up calls are monitored.
	if c.Proof.Kind == results.ProofCount {
		rec.Expected(ordered.samples*ordered.atOnce + c.Work.Calls*c.Work.Depth)
	}
	all, err := run.Samples(ask, inv.Profile, rec)
	if err != nil || all == nil {
		return err
	}
	d := dumps{dir: rec.Dir(), series: map[string]results.Series{}}
	for _, s := range all {
		d.series[s.Name] = s
	}
	if err := d.check(ordered.samples, ordered.atOnce, c.Proof.Kind == results.ProofCount); err != nil {
		return err
	}
	if err := d.checkHot(c.Work.Calls); err != nil {
		return err
	}
	ns, ok, err := safepoint(rec.Dir())
	if ok {
		rec.Scalar(Safepoint, ns)
	}
	return err
}

func setUp(ask run.Asker, c *plan.Cell) error {
	setup := map[string]string{"target": c.Launch.Target}
	for _, p := range c.Parameters {
		switch p.Name {
		case samples, atOnce, oneByOne, atLoad, loaded, "methods", "patterns", bare, "watcher", calls, depth, methodTime, "busy_wait":
			setup[p.Name] = p.Value
		}
	}
	if _, err := ask("setup", setup); err != nil || c.Work.Calls == 0 {
		return err
	}
	primes := primesPerCall * c.Work.Calls
	if wait := c.Work.WaitNS; wait > 0 {
		primes = min(primes, max(1, int64(primeTime)/wait))
	}
	_, err := ask("prime", map[string]string{"calls": strconv.FormatInt(primes, 10)})
	return err
}

// dumps are the raw dumps of a fixture, read before they are sealed.
type dumps struct {
	dir    string
	series map[string]results.Series
}

// read returns the columns of a series by name; nil where there is no such series.
func (d *dumps) read(name string) (map[string][]int64, error) {
	s, ok := d.series[name]
	if !ok {
		return nil, nil
	}
	return run.Columns(d.dir, s)
}

// check reads the samples, of which the first has a series of its own, and checks that
// there are as many as were ordered. Where records prove that each was monitored, the
// first call of every class of every sample must have left one: a change that missed a
// class looks quick.
func (d *dumps) check(ordered, atOnce int64, counted bool) error {
	all := map[string][]int64{}
	for _, name := range []string{first, Turnaround} {
		columns, err := d.read(name)
		if err != nil {
			return err
		}
		for name, values := range columns {
			all[name] = append(all[name], values...)
		}
	}
	total, recorded := all["total"], all["recorded"]
	switch {
	case int64(len(total)) != ordered:
		return jvm.Failuref(run.KindCounts, "the fixture timed %d changes, %d were ordered: it lies, or ended early", len(total), ordered)
	case !counted:
		return nil
	case len(recorded) != len(total):
		return jvm.Failuref(run.KindCounts, "the fixture doesn't say how many records each change yielded: are fixture and moobench of the same version?")
	}
	classes := fmt.Sprintf("%d classes", atOnce)
	if atOnce == 1 {
		classes = "1 class"
	}
	for i, n := range recorded {
		if n != atOnce {
			return jvm.Failuref(run.KindCounts, "sample %d: %d first calls of %s left %d records: not all were instrumented, or more than those", i+1, atOnce, classes, n)
		}
	}
	return nil
}

// checkHot checks that each phase of the hot method has as many calls as were ordered.
func (d *dumps) checkHot(ordered int64) error {
	if ordered == 0 {
		return nil
	}
	for _, phase := range []string{results.SeriesBefore, results.SeriesDuring, results.SeriesAfter} {
		columns, err := d.read(phase)
		if err != nil {
			return err
		}
		if n := int64(len(columns["t"])); n != ordered {
			return jvm.Failuref(run.KindCounts, "the fixture timed %d calls of the hot method in phase %s, %d were ordered: it lies, or ended early", n, phase, ordered)
		}
	}
	return nil
}
