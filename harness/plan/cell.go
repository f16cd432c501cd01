package plan

import (
	"math"
	"slices"
	"strconv"
	"time"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/results"
)

// method is the monitored method of every target class.
const method = "monitoredMethod"

// Cell is a cell with everything that is needed to run it.
type Cell struct {
	results.Cell
	Recipe      framework.Variant // how the variant gets into a JVM
	Use         string            // the scenario's name
	Work        Work
	Timeout     time.Duration   // of one invocation
	Derived     bool            // Timeout is not the user's own
	MaxFailures int             // failed invocations until the variant is given up
	Resources   int             // blocks of the resources profile
	JDK         JDK             // zero value: the campaign's only one
	Program     *config.Program // the user's own; nil: none
}

// Calls is the number of timed calls of one invocation, over all threads; 0 when the
// scenario counts none.
func (c *Cell) Calls() int64 { return times(c.Work.Calls, max(1, c.Work.Threads)) }

// countless is more than can be counted.
const countless = math.MaxInt64

// times is a × b for a, b ≥ 0.
func times(a, b int64) int64 {
	if b != 0 && a > countless/b {
		return countless
	}
	return a * b
}

// PacedNS is how long its calls take at their rate; 0 where they have none.
func (c *Cell) PacedNS() float64 {
	if c.Work.Rate == 0 {
		return 0
	}
	return float64(c.Calls()) / float64(c.Work.Rate) * 1e9
}

// Records is the number of records that one of the agents in its JVM, as Proofs counts them,
// must make in an invocation in which the probe saw so many calls; 0 when it is unknown, or
// something else than their count is the proof.
func (c *Cell) Records(i int, calls int64) int64 {
	n, known := c.records(c.Recipe.Recorded()[i].Proof, calls)
	if !known || n == countless || c.Work.Pattern != "" || c.Proofs()[i].Kind != results.ProofCount {
		return 0
	}
	return n
}

// records is the number of records that so many calls make, if it is known how many one of
// them makes: an integer, or the value of the parameter of that name.
func (c *Cell) records(proof framework.Proof, calls int64) (n int64, known bool) {
	perCall, known := results.Value{Value: proof.PerCall}.Int()
	if !known {
		perCall, known = results.Value{Value: c.Parameter(proof.PerCall)}.Int()
	}
	n = times(calls, perCall)
	return n + min(proof.Extra, countless-n), known
}

// Limits of a derived timeout. A JVM with the slowest of agents needs seconds to start
// and to export what it holds, and no monitored execution takes 20 us unless something
// hangs. A pattern may name everything in an application, and a command may do anything.
const (
	startAllowance      = 120 * time.Second
	executionAllowance  = 20 * time.Microsecond
	patternedExecutions = 1000
	commandAllowance    = 10 * time.Minute
	longestAllowance    = 30 * 24 * time.Hour
)

// allowance is the derived timeout of a cell: 120 s + calls × threads × (20 us × depth +
// 2 × busy wait) + the time of calls at a rate + what else it may take, to the second, at most 30 days; 20 times 20 us
// where JVM options keep code from being compiled. Depth counts as 1 where there is none,
// and a call is allowed a thousand executions where a pattern says what is monitored.
// Threads count as if they ran one after the other, because they may, and a busy wait
// twice, because the CPU-time kind waits longer when others have the CPU. A command of
// the user's own has 10 minutes, and a server what it may take to be up.
func (c *Cell) allowance() time.Duration {
	if c.Program != nil && !c.Program.IsServer() {
		return commandAllowance
	}
	executions := max(1, c.Work.Depth)
	if c.Work.Pattern != "" {
		executions = max(executions, patternedExecutions)
	}
	perCall := float64(c.Slower())*float64(executionAllowance)*float64(executions) + 2*float64(c.Work.WaitNS)
	ns := float64(c.Calls())*perCall + c.PacedNS() + c.Work.MayTakeNS
	if c.Program != nil {
		ns += float64(c.Program.Limit(0))
	}
	ns = min(ns, float64(longestAllowance-startAllowance))
	return startAllowance + time.Duration(ns).Round(time.Second)
}

// JVMOptions are the user's options of the cell's JVM: args, those of [jvm], followed by
// those of the factor jvm.
func (c *Cell) JVMOptions(args []string) []string {
	return slices.Concat(args, optionsOf(c.Parameter(results.FactorJVM)))
}

// interpretedSlower is how many times longer code may take that is never compiled: rough,
// and generous.
const interpretedSlower = 20

// Slower is how many times longer than usual the cell's code may take because of its JVM
// options: 1 where it is compiled.
func (c *Cell) Slower() int64 {
	options := optionsOf(c.Parameter(results.FactorJVM))
	if slices.Contains(options, "-Xint") || slices.Contains(options, "-XX:TieredStopAtLevel=0") {
		return interpretedSlower
	}
	return 1
}

// Invocation is one start of a cell.
type Invocation struct {
	results.Identity
	Cell    Cell
	Profile results.Profile
	EnvPad  int // bytes of random environment
	// Capacity is the load that the cell's baseline can take, as calibration found it; 0:
	// unknown, or not asked for.
	Capacity float64
	// Port is a free port of 127.0.0.1 for the user's own program, its {port}, chosen as
	// the invocation starts; 0 where there is no such program.
	Port int
	// Within is how long a server of the user's own may take to be up; 0: as its section says.
	Within time.Duration
}

// Vars are the placeholders that are known before the invocation starts: what is
// monitored, calls, depth and threads. With a pattern, what is monitored is given by
// signature and classes; else these are of the target's own method, and class and method
// are defined too.
func (i Invocation) Vars() map[string]string {
	vars, work, class := map[string]string{}, i.Cell.Work, i.Cell.Launch.Target
	switch {
	case work.Pattern != "":
		vars["signature"], vars["classes"] = work.Pattern, classes(work.Pattern)
	case class != "":
		vars["class"], vars["method"], vars["classes"] = class, method, class
		vars["signature"] = "public long " + class + "." + method + "(long, int)"
	}
	if work.Counted {
		vars["calls"] = strconv.FormatInt(work.Calls, 10)
	}
	for name, n := range map[string]int64{"depth": work.Depth, "threads": work.Threads} {
		if n > 0 {
			vars[name] = strconv.FormatInt(n, 10)
		}
	}
	return vars
}

// Swaps are the pattern that swaps the probe into the running class, "" when nothing is
// swapped, and the one that takes it out again once it has run, "" when it stays.
func (i Invocation) Swaps() (in, out string, err error) {
	if in, err = framework.Expand(i.Cell.Recipe.Activate, i.Vars()); err == nil {
		out, err = framework.Expand(i.Cell.Recipe.Deactivate, i.Vars())
	}
	return in, out, err
}
