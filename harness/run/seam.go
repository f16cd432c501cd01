// Package run runs a plan: it starts every planned invocation in its order, lets the
// scenario drive it, and seals what was measured. It owns the interface Scenario, and
// never decides by a scenario's name.
package run

import (
	"context"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// Scenario is what is done to a subject while it is watched.
type Scenario interface {
	plan.Scenario
	// Drive starts the subject, measures it, and hands what it measured to rec. The
	// caller stops the subject. An error costs this invocation, never the campaign.
	Drive(ctx context.Context, inv plan.Invocation, s Subject, rec Recorder) error
}

// Subject is the program that is measured: a fixture JVM, or a plain process, which
// answers Ask with an error and has nothing to attach.
type Subject interface {
	Start(ctx context.Context) error
	// Stop ends the subject, and waits as long as it may need to export what it holds.
	Stop(ctx context.Context) error
	// Wait returns when the subject has ended by itself.
	Wait(ctx context.Context) (jvm.Exit, error)
	// Ask sends one request and returns the lines of its answer, the terminal one
	// last. The subject is killed when ctx ends.
	Ask(ctx context.Context, request jvm.Message) ([]jvm.Message, error)
	// Attach loads the variant's late agent into the running JVM, and returns when
	// the agent has started. It does nothing where the variant has none.
	Attach(ctx context.Context) error
	// PID is the process ID, 0 before the start.
	PID() int
	// Done is closed when the subject is gone; it is nil before the start.
	Done() <-chan struct{}
	// Answering makes sure that what listens on a port of this machine is the subject, or of
	// its family: else what is measured would be something else. Its errors are *jvm.Failure.
	Answering(port int) error
	// Snapshot is what the subject has used so far, seen from outside.
	Snapshot() (jvm.Snapshot, error)
	// Log is the path of its standard output and error.
	Log() string
	// Output is the path of its standard output: that of Log, unless the program is
	// the user's own.
	Output() string
}

// Recorder records one invocation. Begin and End bracket the measured window; the harness
// is idle in between. A process may be started and end by itself between them: then its
// whole life is the window.
type Recorder interface {
	Begin() error
	// End closes the window; endNS is the CLOCK_MONOTONIC time in ns at which the last
	// measured call returned.
	End(endNS int64) error
	// Dumped names a raw dump that the subject left in Dir.
	Dumped(s results.Series)
	// Rows records samples that the scenario took itself: one slice for each column of s.
	Rows(s results.Series, columns ...[]int64) error
	// Scalar records the value of the metric of this name, in its unit.
	Scalar(name string, value float64)
	// Recorded is the number of records that the probe in the JVM had made
	// when the window closed.
	Recorded(n int64)
	// Arrived is how many records have arrived until now of each that is in the subject's JVM, in
	// the order of Cell.Proofs; -1 of those that are counted only when the subject is gone.
	Arrived() []int64
	// Expected is the number of records that this invocation must make, where the plan
	// can't know it.
	Expected(n int64)
	// AtLeast records that the value of a metric is larger than this, in its unit, and that
	// nothing else of this invocation is known. Its subject is killed.
	AtLeast(name string, value float64)
	// Printed is what a program of the user's own has printed, which is compared with what its
	// baseline did.
	Printed(o *results.Output)
	// Invalid means that no number of this invocation counts, and why: our own load was
	// not as intended, say.
	Invalid(format string, args ...any)
	// Void means that this invocation's values of some metrics don't count, and why; its others
	// do.
	Void(metrics []string, format string, args ...any)
	// Warn adds a warning, which is shown wherever this invocation's numbers are.
	Warn(format string, args ...any)
	// Dir is the invocation's folder.
	Dir() string
}

// Progress is told what happens, only between invocations: a display that wakes up while
// a JVM is timed disturbs it.
type Progress interface {
	// Planned is called once, before the first invocation; there are those sealed by
	// earlier sessions. Blocks may be added to the campaign later.
	Planned(c *results.Campaign, there []*results.Invocation, total int)
	// Begin is called before an invocation is started.
	Begin(inv plan.Invocation, done, total int)
	// End is called after it was sealed.
	End(inv plan.Invocation, got *results.Invocation, done, total int)
	// Decided is called when a scenario's number of blocks was decided on, or cut: the
	// campaign's blocks and the total have changed.
	Decided(s results.Scenario, total int)
	// Note is something that the user should know: cause, consequence, what to do.
	Note(format string, args ...any)
}
