package changes

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// The hot method is called before anything else, so that it is compiled when its first phase begins: ten times
// as often as it is timed, because a call then costs a tenth of a call with a probe. Slow methods get fewer
// calls, because the compiler has more time meanwhile.
const (
	primesPerCall = 10
	primeTime     = 5 * time.Second // of the busy wait alone
)

// Drive lets a fixture make its changes, and records their times, for any scenario with the parameters of its
// Schema. Missing parameters, such as the hot method's, are left to the fixture; without calls there is no hot
// method.
func (Kit) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	c := &inv.Cell
	ordered := settingsOf(&c.Cell)
	if ordered.atOnce > ordered.loaded {
		return fmt.Errorf("%s: at_once = %d classes can't change where only loaded = %d are there: "+
			"make loaded larger, or two scenarios of this one", c.Label(), ordered.atOnce, ordered.loaded)
	}
	ask := run.StartFixture(ctx, s)
	setUp(ask, c)
	ask.Attach()
	run.Measure(ask, rec)
	// One record for the first call of each class of each sample, and one for each execution of the hot method
	// while its probe is in. Calls before and after are not monitored, nor are warm-up calls.
	if c.Proof.Kind == results.ProofCount {
		rec.Expected(ordered.samples*ordered.atOnce + c.Work.Calls*c.Work.Depth)
	}
	all := run.Samples(ask, inv.Profile, rec)
	if all == nil {
		return ask.Err
	}
	columns := map[string]map[string][]int64{} // by series
	for _, s := range all {
		columns[s.Name] = run.Columns(ask, rec.Dir(), s)
	}
	if ask.Err != nil {
		return ask.Err
	}
	if err := check(columns, ordered.samples, ordered.atOnce, c.Proof.Kind == results.ProofCount); err != nil {
		return err
	}
	for _, phase := range []string{results.SeriesBefore, results.SeriesDuring, results.SeriesAfter} {
		if n := int64(len(columns[phase]["t"])); n != c.Work.Calls {
			return jvm.Failuref(run.KindCounts, "the fixture timed %d calls of the hot method in phase %s, "+
				"%d were ordered: it lies, or ended early", n, phase, c.Work.Calls)
		}
	}
	ns, ok, err := safepoint(rec.Dir())
	if ok {
		rec.Scalar(standstill, ns)
	}
	return err
}

// setUp sets the fixture up, which is told everything: a scenario without a hot method asks for no
// call of it.
func setUp(ask *run.Asker, c *plan.Cell) {
	setup := map[string]string{"target": c.Launch.Target, calls: "0", depth: "1", methodTime: "0", "busy_wait": "lazy"}
	for _, p := range c.Parameters {
		switch p.Name {
		case samples, atOnce, oneByOne, atLoad, loaded, "methods", "patterns", bare, "watcher",
			calls, depth, methodTime, "busy_wait":
			setup[p.Name] = p.Value
		}
	}
	if ask.Last("setup", setup); c.Work.Calls == 0 {
		return
	}
	primes := primesPerCall * c.Work.Calls
	if wait := c.Work.WaitNS; wait > 0 {
		primes = min(primes, max(1, int64(primeTime)/wait))
	}
	ask.Last("prime", map[string]string{"calls": strconv.FormatInt(primes, 10)})
}

// unknown is the number of records if nothing in the JVM counts them.
const unknown = -1

// check checks the samples, of which the first has a series of its own: there must be as many as ordered. If
// records prove each change, the first call of every class of every sample must have left one: a change that
// missed a class looks quick. If the JVM itself does not count them, all of them together are counted
// afterwards.
func check(columns map[string]map[string][]int64, ordered, atOnce int64, counted bool) error {
	total := slices.Concat(columns[first]["total"], columns[Turnaround]["total"])
	recorded := slices.Concat(columns[first]["recorded"], columns[Turnaround]["recorded"])
	if err := checkParts(columns); err != nil {
		return err
	}
	switch {
	case int64(len(total)) != ordered:
		return jvm.Failuref(run.KindCounts,
			"the fixture timed %d changes, %d were ordered: it lies, or ended early", len(total), ordered)
	case !counted:
		return nil
	case len(recorded) != len(total):
		return jvm.Failuref(run.KindCounts, "the fixture doesn't say how many records each change yielded: "+
			"are fixture and moobench of the same version?")
	}
	return checkRecords(recorded, atOnce)
}

// partsOff is the share by which the swapper's sum of the parts may exceed the time of a change.
const partsOff = 0.2

// checkParts checks that the parts of changes fit into the changes: the swapper reports the parts, the fixture
// times the whole.
func checkParts(columns map[string]map[string][]int64) error {
	for series, of := range columns {
		var whole, parts float64
		for _, ns := range of["total"] {
			whole += float64(ns)
		}
		for _, part := range []string{"match", "transform", "swap", "load", "first_call"} {
			for _, ns := range of[part] {
				parts += float64(ns)
			}
		}
		if parts > (1+partsOff)*whole {
			return jvm.Failuref(run.KindCounts,
				"the parts of the changes of series %s sum up to %s, and the changes took %s: one of the two is wrong",
				series, time.Duration(parts), time.Duration(whole))
		}
	}
	return nil
}

// checkRecords checks that the first calls of each change left as many records as classes were changed.
func checkRecords(recorded []int64, atOnce int64) error {
	classes := fmt.Sprintf("%d classes", atOnce)
	if atOnce == 1 {
		classes = "1 class"
	}
	for i, n := range recorded {
		if n != atOnce && n != unknown {
			return jvm.Failuref(run.KindCounts, "sample %d: %d first calls of %s left %d records: "+
				"not all were instrumented, or more than those", i+1, atOnce, classes, n)
		}
	}
	return nil
}
