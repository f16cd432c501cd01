// Package calling is shared by scenarios whose fixture calls one method over and over: its parameters, its
// set-up, and the probe that may have to get into the running JVM.
package calling

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"moobench/harness/fixture"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// Fixture is the parameter that names the program.
func Fixture() results.Parameter {
	return results.Parameter{
		Name: "fixture", Type: results.TypeString, Default: "calls",
		About: "the Java program that is driven",
	}
}

// Parameters returns the parameters of the calls.
func Parameters() []results.Parameter {
	return []results.Parameter{
		{
			Name: "depth", Type: results.TypeInt, Unit: "calls", Default: "10", Min: 1, Factor: true,
			About: "monitored executions per call: the depth of the recursion",
		},
		{
			Name: "threads", Type: results.TypeInt, Unit: "threads", Default: "1", Min: 1, Factor: true,
			About: "threads that call at the same time",
		},
		{
			Name: "method_time", Type: results.TypeDuration, Default: "0ns", Factor: true,
			About: "busy wait at the bottom of the recursion",
		},
		{
			Name: "busy_wait", Type: results.TypeEnum, Default: "lazy",
			Values: []string{"lazy", "wall", "cpu"}, Factor: true,
			About: "how it waits: wall clock (MooBench's), the thread's CPU time, or lazy: " +
				"wall clock, but no clock call when method_time is 0",
		},
	}
}

// Ready starts the fixture, sets it up with the parameters of a cell and more, and swaps the probe in and out
// if the variant does so.
func Ready(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder, more map[string]string) Probe {
	ask := run.StartFixture(ctx, s)
	setup := map[string]string{"target": inv.Cell.Launch.Target}
	for _, p := range Parameters() {
		setup[p.Name] = inv.Cell.Parameter(p.Name)
	}
	maps.Copy(setup, more)
	ask.Last("setup", setup)
	p := Probe{Ask: ask, inv: inv}
	p.prepare(rec)
	return p
}

// mostThreads is the number of threads that may call at the same time.
const mostThreads = 1 << 12

// Check refuses what no fixture has, and parameters and variants that make no sense for an application.
func Check(c *plan.Cell) []plan.Refusal {
	if n := c.Work.Threads; n > mostThreads {
		return plan.Refuse("threads", fmt.Sprintf("threads = %d: the fixture has at most %d", n, mostThreads), "make it smaller")
	}
	program := c.Launch.Fixture
	if !fixture.IsApplication(program) {
		return nil
	}
	about := "fixture " + program + " is an application, one call of which is one unit of its work: "
	switch {
	case c.Work.Depth != 1:
		return plan.Refuse("depth", about+"it does not call itself to depth "+c.Parameter("depth"), "depth = 1")
	case c.Work.WaitNS != 0:
		return plan.Refuse("method_time", about+"that takes the time it takes", "leave it out")
	case c.Parameter("busy_wait") != "lazy":
		return plan.Refuse("busy_wait", about+"it waits for nothing", "leave it out")
	case !strings.HasPrefix(c.Launch.Target, "moobench."+program+"."):
		why := fmt.Sprintf("%s is compiled into another program, %s, and fixture %s is an application",
			c.Variant, c.Launch.Target, program)
		return plan.Refuse("variants", why, "take it out")
	}
	return nil
}
