package run

import (
	"fmt"
	"time"

	"moobench/harness/plan"
	"moobench/results"
)

const (
	timesBaseline = 10               // how much longer than without an agent a command may take
	spare         = 30 * time.Second // and this besides
	// rehearsedWithin is how long a server may take to be up when it is tried and nothing says
	// how long, as long as it works.
	rehearsedWithin = 15 * time.Minute
)

// patience bounds an invocation by what its baseline took, where the user gives no bound: a
// command may take ten times that, and a server five times to be up.
func (r *Runner) patience(inv *plan.Invocation) {
	c := &inv.Cell
	if c.Program == nil {
		return
	}
	took := r.baselineTook(c)
	switch {
	case c.Program.IsServer():
		inv.Within = c.Program.Limit(took)
		if inv.Profile == Rehearsal && c.Program.Within == 0 {
			inv.Within = rehearsedWithin
		}
		if c.Derived {
			c.Timeout += max(0, inv.Within-c.Program.Limit(0))
		}
	case c.Derived && c.Role == results.RoleVariant && took > 0:
		c.Timeout = timesBaseline*took + spare
	}
}

// baselineTook is the longest time that the baseline of a cell has needed, to be up where it is
// a server, else to its end; 0 where it is not known, or no program of the user's own.
func (r *Runner) baselineTook(c *plan.Cell) time.Duration {
	if c.Program == nil || r.state.campaign == nil {
		return r.Tried.took
	}
	scalar, took := WallNS, r.Tried.took
	if c.Program.IsServer() {
		scalar = ServerStartup
	}
	for _, inv := range r.state.current() {
		if inv.Status == results.StatusOK && (inv.Cell == c.Baseline || inv.Cell == c.ID && c.Role == results.RoleBaseline) {
			took = max(took, time.Duration(inv.Scalars[scalar]))
		}
	}
	return took
}

// kindAlive is the failure of a command whose program has ended, and whose JVM has not.
const kindAlive = "alive"

// tooLong says how long a command was waited for.
func (a *attempt) tooLong(took time.Duration) string {
	c := &a.inv.Cell
	if c.Derived && c.Role == results.RoleVariant && c.Program != nil && !c.Program.IsServer() && took > 0 {
		return fmt.Sprintf("not done after %s, and killed: without an agent it takes %s", round(c.Timeout), round(took))
	}
	return fmt.Sprintf("not done after %s, and killed", round(c.Timeout))
}

// round is a time as it is told.
func round(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(time.Second / 10)
	}
	return d.Round(time.Millisecond)
}
