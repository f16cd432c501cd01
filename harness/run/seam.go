// Package run carries out a plan: it starts every planned invocation in its
// order, lets the scenario drive it, and seals what was measured. It owns the
// Scenario seam, and never asks a scenario for its name to decide something.
package run

import (
	"context"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// Scenario is what is done to a subject while we watch.
type Scenario interface {
	plan.Scenario
	// Drive does it: it starts the subject, measures, and hands what it
	// measured to rec. The subject is stopped by the caller. An error costs
	// this invocation, never the campaign.
	Drive(ctx context.Context, inv plan.Invocation, s Subject, rec Recorder) error
}

// Subject is what runs: a fixture JVM or a plain process.
type Subject interface {
	Start(ctx context.Context) error
	// Stop ends it, waiting as long as it may need to export what it holds.
	Stop(ctx context.Context) error
	// PID is the process ID once started.
	PID() int
	// Done is closed when it is gone; nil until it is started.
	Done() <-chan struct{}
	// Snapshot is what it has used so far, seen from outside.
	Snapshot() (jvm.Snapshot, error)
	// Log is the path of its standard output and error.
	Log() string
}

// Fixture is a Subject that speaks the fixture protocol. A scenario that needs
// one asserts it.
type Fixture interface {
	Subject
	// Ask sends one request and returns the lines of its answer, the terminal
	// one last. It is killed when ctx ends.
	Ask(ctx context.Context, request jvm.Message) ([]jvm.Message, error)
	// Attach loads the variant's late agent into the running JVM, and returns
	// when it has started; it does nothing where the variant has none.
	Attach(ctx context.Context) error
}

// Process is a Subject that doesn't speak our protocol: a plain command, looked
// at from outside.
type Process interface {
	Subject
	// Wait returns when it has ended by itself.
	Wait(ctx context.Context) (jvm.Exit, error)
	// Output is the path of its standard output, which is the log as well unless
	// the program is the user's own.
	Output() string
}

// Recorder takes down one invocation. Begin and End bracket the measured
// window; the harness is idle in between. A process may be started and have
// ended by itself between them: then its whole life is the window.
type Recorder interface {
	Begin() error
	// End closes the window; endNS is the CLOCK_MONOTONIC time in ns at which
	// the last measured call returned.
	End(endNS int64) error
	// Dumped names a raw dump that the subject left in Dir.
	Dumped(s results.Series)
	// Rows records samples that the scenario took itself: one slice for each
	// column of s.
	Rows(s results.Series, columns ...[]int64) error
	// Scalar records the value of the metric of this name, in its unit.
	Scalar(name string, value float64)
	// Recorded is the number of records that the probe in the JVM had made
	// when the window closed.
	Recorded(n int64)
	// Expected is the number of records that this invocation must yield, where
	// the plan can't know it.
	Expected(n int64)
	// Invalid says why no number of this invocation counts: our own load was not
	// what it was to be, say.
	Invalid(format string, args ...any)
	// Warn stands wherever the number of this invocation stands.
	Warn(format string, args ...any)
	// Dir is the invocation's folder.
	Dir() string
}

// Progress is told what happens, between invocations only: a display that
// wakes up while a JVM is timed disturbs it.
type Progress interface {
	// Planned is called once, before the first invocation; there are those that
	// earlier sessions sealed. Blocks are added to the campaign on the way.
	Planned(c *results.Campaign, there []*results.Invocation, total int)
	// Begin is called before an invocation is started.
	Begin(inv plan.Invocation, done, total int)
	// End is called after it was sealed.
	End(inv plan.Invocation, got *results.Invocation, done, total int)
	// Decided is called when a scenario's number of blocks was decided on, or
	// cut: the campaign's blocks and the total have changed.
	Decided(s results.Scenario, total int)
	// Note is something the user should know: cause, consequence, what to do.
	Note(format string, args ...any)
}
