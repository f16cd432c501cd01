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

// method is the name of the monitored method in every target class.
const method = "monitoredMethod"

// Cell is a results.Cell with everything needed to run it.
type Cell struct {
	results.Cell
	Recipe      framework.Variant // recipe for bringing the variant into a JVM
	Use         string            // the scenario's name
	Work        Work
	Timeout     time.Duration   // limit of one invocation
	Derived     bool            // Timeout is derived, not set by the user
	MaxFailures int             // failed invocations after which the variant is given up
	Resources   int             // resource blocks
	JDK         JDK             // zero value: the campaign has a single JDK
	Program     *config.Program // the user's program; nil: none
}

// Calls returns the number of timed calls of one invocation, over all threads; 0 if the
// scenario does not count calls.
func (c *Cell) Calls() int64 { return times(c.Work.Calls, max(1, c.Work.Threads)) }

// countless is the result of times on overflow.
const countless = math.MaxInt64

// times returns a × b for a, b ≥ 0, or countless.
func times(a, b int64) int64 {
	if b != 0 && a > countless/b {
		return countless
	}
	return a * b
}

// PacedNS returns the time, in ns, that the calls take at their rate; 0 if the rate is unlimited.
func (c *Cell) PacedNS() float64 {
	if c.Work.Rate == 0 {
		return 0
	}
	return float64(c.Calls()) / float64(c.Work.Rate) * 1e9
}

// Records returns the number of records that agent i of the cell's JVM, in the order of Proofs,
// must make in an invocation whose probe saw this many calls. It returns 0 if the number is
// unknown or the proof is not a count.
func (c *Cell) Records(i int, calls int64) int64 {
	n, known := c.records(c.Recipe.Recorded()[i].Proof, calls)
	if !known || n == countless || c.Work.Pattern != "" || c.Proofs()[i].Kind != results.ProofCount {
		return 0
	}
	return n
}

// records returns the number of records that this many calls make. known is false if the number
// per call is unknown; proof.PerCall is an integer or names a parameter.
func (c *Cell) records(proof framework.Proof, calls int64) (n int64, known bool) {
	perCall, known := results.Value{Value: proof.PerCall}.Int()
	if !known {
		perCall, known = results.Value{Value: c.Parameter(proof.PerCall)}.Int()
	}
	n = times(calls, perCall)
	return n + min(proof.Extra, countless-n), known
}

// Limits of a derived timeout. A JVM with the slowest of agents needs seconds to start and to
// export its records. No monitored execution takes 20 us unless something hangs. A pattern may
// match every method of an application, and a command may do anything.
const (
	startAllowance      = 120 * time.Second
	executionAllowance  = 20 * time.Microsecond
	patternedExecutions = 1000
	commandAllowance    = 10 * time.Minute
	longestAllowance    = 30 * 24 * time.Hour
)

// allowance returns the derived timeout of a cell, rounded to seconds: 120 s + calls × threads
// × (20 us × depth + 2 × busy wait) + the time of calls at a rate + Work.MayTakeNS, at most 30
// days. It allows 20 times 20 us if JVM options disable compilation. A missing depth counts as
// 1, and if a pattern selects the monitored methods, a call counts as at least 1000 executions.
// Threads count as if they ran one after the other, because they may. Busy waits count twice,
// because the CPU-time kind takes longer when other processes use the CPU. A user's command
// gets 10 minutes instead. For a server, the limit of its start is added.
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

// JVMOptions returns the user's options for the cell's JVM: args, which come from [jvm], and
// those of the factor jvm.
func (c *Cell) JVMOptions(args []string) []string {
	return slices.Concat(args, optionsOf(c.Parameter(results.FactorJVM)))
}

// interpretedSlower is a rough, generous bound on the slowdown of code that is never compiled.
const interpretedSlower = 20

// Slower returns the factor by which the cell's JVM options may slow its code down: 1 if code
// is compiled.
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
	EnvPad  int // bytes of environment padding
	// Capacity is the calibrated load limit of the cell's baseline; 0: unknown, or not needed.
	Capacity float64
	// Port is a free port of 127.0.0.1 for {port} of the user's program, chosen when the
	// invocation starts; 0 if there is no such program.
	Port int
	// Within limits the start of the user's server; 0: the limit of its section applies.
	Within time.Duration
}

// Vars returns the placeholders that are known before the invocation starts: what to monitor,
// calls, depth and threads. A pattern sets signature and classes only. Without one, signature
// and classes describe the target's own method, and class and method are set too.
func (i Invocation) Vars() map[string]string {
	vars := map[string]string{}
	work := i.Cell.Work
	class := i.Cell.Launch.Target
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

// Swaps returns the pattern that swaps the probe into the running class, "" if nothing is
// swapped, and the pattern that takes it out again once it has run, "" if it stays.
func (i Invocation) Swaps() (in, out string, err error) {
	if in, err = framework.Expand(i.Cell.Recipe.Activate, i.Vars()); err == nil {
		out, err = framework.Expand(i.Cell.Recipe.Deactivate, i.Vars())
	}
	return in, out, err
}
