package plan

import (
	"math"
	"strconv"
	"time"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/results"
)

// The names of parameters that mean the same in every scenario that has them.
const (
	callsParameter      = "calls"       // timed calls of each thread
	threadsParameter    = "threads"     // threads that call at the same time
	batchParameter      = "batch"       // calls that one sample covers
	depthParameter      = "depth"       // monitored executions per call
	methodTimeParameter = "method_time" // busy wait per call, ns
	fixtureParameter    = "fixture"     // the Java program that is driven
	samplesParameter    = "samples"     // changes of what is monitored
	atOnceParameter     = "at_once"     // classes that one change is about
	loadedParameter     = "loaded"      // classes that are loaded beforehand
	rampParameter       = "ramp"        // while the load grows, ns
	holdParameter       = "hold"        // while it is held, ns
	p99LimitParameter   = "p99_limit"   // within which the highest load is searched, ns; 0: it is not
)

// method is the monitored method of every target class.
const method = "monitoredMethod"

// Cell is a cell with all that is needed to carry it out.
type Cell struct {
	results.Cell
	Variant     framework.Variant
	Use         string        // the scenario's name
	Timeout     time.Duration // of one invocation
	MaxFailures int           // failed invocations until the variant is given up
	JDK         JDK           // the zero value is the campaign's only one
	// Calibration is shared by the cells whose load is a share of the same; ""
	// is of a cell whose load is given.
	Calibration string
	Command     *config.Command // the user's own, that runs to its end; nil: none
	Server      *config.Server  // the user's own; nil: none
}

// Int is the value of an integer parameter, or of a duration in ns; 0 when
// the scenario has no such parameter.
func (c *Cell) Int(name string) int64 {
	n, err := strconv.ParseInt(c.Parameter(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Calls is the number of timed calls of one invocation, over all threads; 0
// when the scenario doesn't count calls.
func (c *Cell) Calls() int64 {
	n, ok := times(c.Int(callsParameter), max(1, c.Int(threadsParameter)))
	if !ok {
		return math.MaxInt64
	}
	return n
}

// Invocation is one start of a cell.
type Invocation struct {
	results.Identity
	Cell    Cell
	Profile results.Profile
	EnvPad  int // bytes of random environment
	// Capacity is the load that the cell's baseline takes, as its calibration
	// found; 0 is not known, or not asked for.
	Capacity float64
	// Port is a free port of 127.0.0.1 for the user's own program, chosen as the
	// invocation starts: its {port}. 0 where there is no such program.
	Port int
	// Jars are the paths of the artifacts of the user's own program, by name: its
	// {jar.name}. They are known as the invocation starts.
	Jars map[string]string
}

// Vars are the placeholders that are known before the invocation starts: class,
// method and signature of what is monitored, calls, depth and threads.
func (i Invocation) Vars() map[string]string {
	vars := i.Cell.monitored()
	for _, name := range []string{callsParameter, depthParameter, threadsParameter} {
		if v := i.Cell.Parameter(name); v != "" {
			vars[name] = v
		}
	}
	return vars
}

// Activate is the pattern that swaps the probe into the running class, ""
// when nothing is to be swapped.
func (i Invocation) Activate() (string, error) {
	return framework.Expand(i.Cell.Variant.Activate, i.Vars())
}

// Deactivate is the pattern that takes the probe out again once it has run, ""
// when it stays.
func (i Invocation) Deactivate() (string, error) {
	return framework.Expand(i.Cell.Variant.Deactivate, i.Vars())
}

// Limits of a derived timeout: a JVM with the slowest of agents needs seconds
// to start and to export what it holds, and no monitored execution takes 20 us
// unless something hangs.
const (
	startAllowance     = 120 * time.Second
	executionAllowance = 20 * time.Microsecond
	changeAllowance    = 200 * time.Millisecond
	loadAllowance      = 2 * time.Millisecond
	searchAllowance    = 10 * time.Minute
	longestAllowance   = 30 * 24 * time.Hour
)

// allowance is the derived timeout of a cell: 120 s + calls × threads ×
// (20 us × depth + 2 × method_time), to the second, at most 30 days; 20 times
// 20 us where JVM options keep code from being compiled. Depth counts as 1 and
// method_time as 0 where the scenario has none; a call is allowed a thousand
// executions where a pattern says what is monitored. Threads count
// as if they ran one after the other, because they may, and a busy wait twice,
// because the CPU-time kind waits longer when somebody else has the CPU. Where
// samples are changes, 200 ms for each class of each come on top, and 2 ms for
// each class that is loaded beforehand; where requests are sent, ramp and hold,
// and 10 minutes where what a server takes is to be found. A command of the
// user's own has 10 minutes; a server of theirs, what it may take to be up.
func allowance(c *Cell) time.Duration {
	if c.Command != nil {
		return commandAllowance
	}
	executions := max(1, c.Int(depthParameter))
	if c.Pattern() != "" {
		executions = max(executions, patternedExecutions)
	}
	perCall := float64(c.Slower())*float64(executionAllowance)*float64(executions) + 2*float64(c.Int(methodTimeParameter))
	work := float64(c.Calls()) * perCall
	work += float64(c.Int(samplesParameter)) * float64(max(1, c.Int(atOnceParameter))) * float64(changeAllowance)
	work += float64(c.Int(loadedParameter)) * float64(loadAllowance)
	work += float64(c.Int(rampParameter)) + float64(c.Int(holdParameter))
	if c.Server != nil {
		work += float64(c.Server.Within)
	}
	if c.Calibration != "" || c.Int(p99LimitParameter) > 0 {
		work += float64(searchAllowance)
	}
	work = min(work, float64(longestAllowance-startAllowance))
	return startAllowance + time.Duration(work).Round(time.Second)
}

// times is a × b for a, b ≥ 0, unless that is more than an int64 holds.
func times(a, b int64) (int64, bool) {
	if b != 0 && a > math.MaxInt64/b {
		return 0, false
	}
	return a * b, true
}
