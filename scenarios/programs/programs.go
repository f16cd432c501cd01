// Package programs is shared by scenarios whose fixture runs a program from start to end, any number of times.
// There is no warm-up: programs are measured as started, as in papers.
package programs

import (
	"context"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// round is the primary metric: one run of the program, from the start of its first thread to the end of its
// last one, in ns.
const round = results.SeriesRound

// Rounds is the parameter of the number of runs.
const Rounds = "rounds"

// negligibleShare of the baseline's time is the default of a negligible cost.
const negligibleShare = 0.01

// RoundsParameter returns the parameter of the number of runs in each JVM.
func RoundsParameter() results.Parameter {
	return results.Parameter{
		Name: Rounds, Type: results.TypeInt, Unit: "runs", Default: "1", Min: 1,
		About: "runs of the program in each JVM",
	}
}

// BusyWait returns the parameter that selects the kind of busy wait.
func BusyWait() results.Parameter {
	return results.Parameter{
		Name: "busy_wait", Type: results.TypeEnum, Default: "lazy",
		Values: []string{"lazy", "wall", "cpu"}, Factor: true,
		About: "how work is spent: wall clock, the thread's CPU time, or lazy: " +
			"wall clock, but no clock call when work is 0",
	}
}

// Metrics returns the common metrics of programs, with the program's own after the primary.
func Metrics(own ...results.Metric) []results.Metric {
	about := "one run of the program, from its first thread's start to its last one's end"
	time := run.Column(run.Timing(round, "ns", results.Lower, about), round, "t")
	time.Primary = true
	process := run.ProcessMetrics()
	for i, m := range process {
		process[i].Key = m.Key || m.Name == run.WrittenBytes // the size of a log is part of its price
	}
	return append(append([]results.Metric{time}, own...), process...)
}

// Drive runs the program with these parameters, and returns the number of monitored calls.
func Drive(
	ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder, parameters ...string,
) (ask *run.Asker, calls int64) {
	ask = run.StartFixture(ctx, s)
	setup := map[string]string{}
	for _, name := range append(parameters, Rounds, "busy_wait") {
		setup[name] = inv.Cell.Parameter(name)
	}
	ask.Last("setup", setup)
	return ask, ask.Int(run.Measure(ask, rec), "calls")
}

// Miscounted returns the failure of a fixture that did not make as many calls as ordered.
func Miscounted(made, ordered int64) error {
	return jvm.Failuref(run.KindCounts,
		"the fixture made %d monitored calls, %d were ordered: it lies, or ended early", made, ordered)
}

// Keep records the samples, and returns the total time of all runs; 0 if none are kept.
func Keep(ask *run.Asker, inv plan.Invocation, rec run.Recorder) (tookNS int64) {
	for _, series := range run.Samples(ask, inv.Profile, rec) {
		if series.Name != round {
			continue
		}
		for _, ns := range run.Columns(ask, rec.Dir(), series)["t"] {
			tookNS += ns
		}
	}
	return tookNS
}

// Costs asks the cost of every logger to the program.
func Costs(cells []results.Cell) []results.Question {
	return plan.Against(cells, func(*results.Cell) []results.Question {
		return []results.Question{{
			ID: "cost", Text: "How much longer does the program take with %s?", Metric: round,
			Margin: &results.Margin{Share: negligibleShare},
		}}
	})
}
