// Package locks measures the cost of logging when threads take and release a lock, and how long each execution
// holds it: with the micro benchmarks of Shah and Guyer 2018, and with threads that contend for one lock.
package locks

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/programs"
)

// throughput is the number of executions per second of all threads of contended.
const throughput = "throughput"

// Parameters that are also read here.
const (
	program = "program"
	runs    = "runs" // also the count for variants that log sections instead of calls
	threads = "threads"
	locks   = "locks"
)

// The special programs: a fast and a slow way, nested locks, and contending threads.
const fastSlow, nested, contended = "random_fast_slow", "nested_synchronized", "contended"

// takes is the rough time of an execution of each program in ns, with its parts, while most of it is
// interpreted.
var takes = map[string]float64{
	"arithmetic":               7e3,
	"append_to_list":           2e3,
	"hashmap":                  7e3,
	"allocation":               80e3,
	"string":                   10e3,
	"sort_linked_list":         400e3,
	"sort_array_list":          500e3,
	"stack":                    30e3,
	"array_data_locality":      2.6e6,
	"array_list_of_array_list": 12e6,
	"growing_integer_list":     20e3,
	"sort_random_list":         35e3,
	"network_reachable":        30e3,
	fastSlow:                   17e6, // both ways
	nested:                     15e3,
	contended:                  1e3,
}

// Limits of the fixture.
const (
	mostRuns    = 1 << 20
	mostThreads = 1024
	mostKept    = 1 << 25 // times of executions
)

// Scenario is the locks scenario.
type Scenario struct{ plan.Plain }

// Schema has a program and the number of its executions. The window is the whole run, since the first
// executions may take longest.
func (Scenario) Schema() plan.Schema {
	return plan.Schema{Name: "locks", Fixture: "fixture", Window: results.WindowAll, Parameters: []results.Parameter{
		{Name: "fixture", Type: results.TypeString, Default: "locks", About: "the Java program that is driven"},
		{
			Name: "pattern", Type: results.TypePattern, Default: "* moobench.locks..*.*(..) throws ..", Factor: true,
			About: "signature pattern of the methods whose locks are logged, with their blocks",
		},
		{
			Name: program, Type: results.TypeEnum, Default: "array_list_of_array_list",
			Values: slices.Sorted(maps.Keys(takes)), Factor: true,
			About: "what is executed over and over with a lock held: micro benchmarks on one thread, or contended, " +
				"in which threads want the same lock",
		},
		{
			Name: runs, Type: results.TypeInt, Unit: "executions", Default: "50", Min: 1, Factor: true,
			About: "executions in one run of the program: of each thread of contended, " +
				"and of each way of random_fast_slow",
		},
		programs.RoundsParameter(),
		{
			Name: threads, Type: results.TypeInt, Unit: "threads", Default: "1", Min: 1, Factor: true,
			About: "threads of contended",
		},
		{
			Name: locks, Type: results.TypeInt, Unit: "locks", Default: "1", Min: 1, Factor: true,
			About: "locks of contended, for its threads by turns: as many as threads give each its own",
		},
		{
			Name: "work", Type: results.TypeDuration, Default: "0ns", Factor: true,
			About: "how long each execution of contended is busy with the lock held",
		},
		{
			Name: "outside", Type: results.TypeDuration, Default: "0ns", Factor: true,
			About: "how long its threads are busy without it after each",
		},
		programs.BusyWait(),
	}, Metrics: programs.Metrics(metrics()...)}
}

func metrics() []results.Metric {
	times := func(series, about string) results.Metric {
		return run.Column(run.Timing(series, "ns", results.Lower, about), series, "t")
	}
	one := func(name, about string) results.Metric { return run.Timing(name, "1", results.Neither, about) }
	share := func(name, about string) results.Metric { return run.Share(one(name, about)) }
	const bySD = "further than a standard deviation from the line through all"
	const byTail = "beyond the tail of the others, once the program is warm"
	return []results.Metric{
		run.Key(times(results.SeriesExecution,
			"one execution, from before its lock is asked for until it is given back; "+
				"of contended those of one thread, of random_fast_slow the fast ones")),
		run.Timing(results.DerivedExecutionSD, "ns", results.Lower,
			"standard deviation of the executions of a run, that of a population"),
		run.Timing(results.DerivedExecutionLongest, "ns", results.Lower, "longest execution of a run"),
		share(results.DerivedDivergentSD, "share of the executions of a run that took "+bySD),
		share(results.DerivedDivergentTail,
			"share of the executions of a run that took times "+byTail+"; none where there are fewer than 20"),
		share(results.DerivedFirstDiverges, "1 where the first execution of a run is "+bySD),
		one(results.DerivedExecutions, "executions of a run"),
		times(results.SeriesSlow, "one execution that goes the slow way of random_fast_slow"),
		share(results.DerivedSlowDivergentSD, "share of the slow ones that took "+bySD),
		share(results.DerivedSlowDivergentTail, "share of the slow ones that took times "+byTail),
		run.Key(run.Timing(throughput, "1/s", results.Higher,
			"executions per second of contended, of all its threads together")),
	}
}

// sections returns how often a run of the program takes a lock: once per execution, or more often.
func sections(c *results.Cell) int64 {
	n := c.Int(runs)
	switch c.Parameter(program) {
	case contended:
		return n * c.Int(threads)
	case nested:
		return 4 * n
	case fastSlow:
		return 2 * n
	}
	return n
}

// Work returns the runs of the program.
func (Scenario) Work(c *results.Cell) plan.Work {
	rounds, n := c.Int(programs.Rounds), c.Int(runs)
	w := plan.Work{Pattern: plan.Signature(c.Parameter("pattern")), Values: rounds * (1 + n)}
	ns := float64(n) * takes[c.Parameter(program)]
	switch c.Parameter(program) {
	case contended: // locked parts run one after the other, the others possibly too
		ns = float64(n*c.Int(threads)) * (takes[contended] + float64(c.Int("work")+c.Int("outside")))
	case fastSlow:
		w.Values += rounds * n
	}
	w.TakesNS = float64(rounds) * ns
	w.MayTakeNS = slowest * w.TakesNS
	return w
}

// slowest is the factor by which the slowest loggers may exceed the estimate.
const slowest = 20

// Check refuses parameters that the fixture would refuse when it runs.
func (Scenario) Check(c *plan.Cell) []plan.Refusal {
	n, rounds := c.Int(runs), c.Int(programs.Rounds)
	switch {
	case n > mostRuns:
		why := fmt.Sprintf("runs = %d: the fixture makes at most %d", n, mostRuns)
		return plan.Refuse(runs, why, "make rounds larger")
	case rounds > mostKept/(n+1):
		why := fmt.Sprintf("runs = %d and rounds = %d: the fixture keeps the times of at most %d executions",
			n, rounds, mostKept)
		return plan.Refuse(programs.Rounds, why, "make one of them smaller")
	case c.Int(threads) > mostThreads:
		why := fmt.Sprintf("threads = %d: the fixture has at most %d", c.Int(threads), mostThreads)
		return plan.Refuse(threads, why, "make it smaller")
	case c.Int(locks) > c.Int(threads) && c.Parameter(program) == contended:
		why := fmt.Sprintf("locks = %d: there are %d threads, and each has one", c.Int(locks), c.Int(threads))
		return plan.Refuse(locks, why, "make it smaller, or threads larger")
	}
	return nil
}

// Drive runs the program, and records the times of its runs and executions.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	c := &inv.Cell
	ask, made := programs.Drive(ctx, inv, s, rec, program, runs, threads, locks, "work", "outside")
	if want := c.Int(programs.Rounds) * sections(&c.Cell); ask.Err == nil && made != want {
		return programs.Miscounted(made, want)
	}
	// otherwise the variant logs methods, with or without a lock
	if c.Proof.Kind == results.ProofCount && c.Recipe.Proof.PerCall == runs {
		rec.Expected(made)
	}
	if took := programs.Keep(ask, inv, rec); took > 0 && c.Parameter(program) == contended {
		rec.Scalar(throughput, 1e9*float64(made)/float64(took))
	}
	return ask.Err
}

// Questions asks the cost of every logger to the program.
func (Scenario) Questions(cells []results.Cell) []results.Question { return programs.Costs(cells) }
