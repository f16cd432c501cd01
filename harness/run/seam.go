// Package run executes a plan: it starts every planned invocation in order, lets the scenario drive it, and seals
// the measurements. It owns the interface Scenario, and never decides by a scenario's name.
package run

import (
	"context"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// Scenario drives a subject while it is being measured.
type Scenario interface {
	plan.Scenario
	// Drive starts the subject, measures it, and passes the measurements to rec. The caller stops the subject. An
	// error costs this invocation, never the campaign.
	Drive(ctx context.Context, inv plan.Invocation, s Subject, rec Recorder) error
}

// Subject is the measured program: a fixture JVM, or a plain process, for which Ask returns an error and Attach
// does nothing.
type Subject interface {
	Start(ctx context.Context) error
	// Stop ends the subject, and waits as long as it may need to export its data.
	Stop(ctx context.Context) error
	// Wait returns when the subject has ended by itself.
	Wait(ctx context.Context) (jvm.Exit, error)
	// Ask sends one request and returns the lines of its answer, the terminal one
	// last. The subject is killed when ctx ends.
	Ask(ctx context.Context, request jvm.Message) ([]jvm.Message, error)
	// Attach loads the variant's late agent into the running JVM, and returns when the agent has started. Without
	// a late agent it does nothing.
	Attach(ctx context.Context) error
	// PID returns the process ID, or 0 before the start.
	PID() int
	// Done returns a channel that is closed when the subject is gone; nil before the start.
	Done() <-chan struct{}
	// Answering checks that the listener on a port of this machine is the subject or belongs to its family:
	// otherwise some other program would be measured. Its errors are *jvm.Failure.
	Answering(port int) error
	// Snapshot returns the subject's resource usage so far, as observed from outside.
	Snapshot() (jvm.Snapshot, error)
	// Log returns the path of its standard output and error.
	Log() string
	// Output returns the path of its standard output: the same as Log, unless the program is the user's own.
	Output() string
}

// Recorder records one invocation. Begin and End bracket the measured window; the harness is idle in between. A
// process may start and end by itself between them: then the window covers its whole life.
type Recorder interface {
	Begin() error
	// End closes the window; endNS is the CLOCK_MONOTONIC time in ns at which the last measured call returned.
	End(endNS int64) error
	// Dumped registers a raw dump that the subject left in Dir.
	Dumped(s results.Series)
	// Rows records samples that the scenario took itself: one slice per column of s.
	Rows(s results.Series, columns ...[]int64) error
	// Scalar records the value of the metric with this name, in the metric's unit.
	Scalar(name string, value float64)
	// Recorded records the number of records that the probe in the JVM had made when the window closed.
	Recorded(n int64)
	// Arrived returns how many records have arrived so far, for each counted part of the subject's JVM, in the
	// order of Cell.Proofs; -1 if its records are counted only when the subject is gone.
	Arrived() []int64
	// Expected records the number of records that this invocation must make, if the plan can't know it.
	Expected(n int64)
	// AtLeast records that a metric's value exceeds this one, in the metric's unit, and that nothing else is known
	// of this invocation. Its subject is killed.
	AtLeast(name string, value float64)
	// Printed records the output of a user's own program, which is compared with its baseline's.
	Printed(o *results.Output)
	// Invalid means that no number of this invocation counts, and why: our own load was not as intended, say.
	Invalid(format string, args ...any)
	// Void means that this invocation's values of some metrics don't count, and why; the others do.
	Void(metrics []string, format string, args ...any)
	// Warn adds a warning, which is shown wherever this invocation's numbers are.
	Warn(format string, args ...any)
	// Dir returns the path of the invocation's folder.
	Dir() string
}

// Progress receives events, but only between invocations: a display that wakes up while a JVM is timed disturbs
// it.
type Progress interface {
	// Planned is called once, before the first invocation; there are the invocations sealed by earlier sessions.
	// Blocks may be added to the campaign later.
	Planned(c *results.Campaign, there []*results.Invocation, total int)
	// Begin is called before an invocation is started.
	Begin(inv plan.Invocation, done, total int)
	// End is called after it was sealed.
	End(inv plan.Invocation, got *results.Invocation, done, total int)
	// Decided is called when a scenario's number of blocks was decided or cut: the campaign's blocks and the total
	// have changed.
	Decided(s results.Scenario, total int)
	// Note reports something that the user should know: cause, consequence, and how to proceed.
	Note(format string, args ...any)
}
