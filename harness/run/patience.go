package run

import (
	"fmt"
	"time"

	"moobench/harness/plan"
	"moobench/results"
)

const (
	timesBaseline = 10               // factor by which a command may take longer than without an agent
	spare         = 30 * time.Second // added to that
	// rehearsedWithin bounds the start-up of a server in its trial run, as long as it keeps working, if there is
	// no other limit.
	rehearsedWithin = 15 * time.Minute
)

// patience derives an invocation's time limit from its baseline's duration, unless the user sets a limit: ten
// times for a command, five times for the start-up of a server.
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

// baselineTook returns the longest time that the baseline of a cell has taken: to be up if it is a server, else to
// its end; 0 if unknown or if the cell is not a user's own program.
func (r *Runner) baselineTook(c *plan.Cell) time.Duration {
	if c.Program == nil || r.state.campaign == nil {
		return r.Tried.took
	}
	scalar, took := WallNS, r.Tried.took
	if c.Program.IsServer() {
		scalar = ServerStartup
	}
	for _, inv := range r.state.current() {
		isBaseline := inv.Cell == c.Baseline || inv.Cell == c.ID && c.Role == results.RoleBaseline
		if inv.Status == results.StatusOK && isBaseline {
			took = max(took, time.Duration(inv.Scalars[scalar]))
		}
	}
	return took
}

// kindAlive is the failure of a command whose program has ended while its JVM lives on.
const kindAlive = "alive"

// tooLong says how long a command was awaited.
func (a *attempt) tooLong(took time.Duration) string {
	c := &a.inv.Cell
	if c.Derived && c.Role == results.RoleVariant && c.Program != nil && !c.Program.IsServer() && took > 0 {
		return fmt.Sprintf("not done after %s, and killed: without an agent it takes %s", round(c.Timeout), round(took))
	}
	return fmt.Sprintf("not done after %s, and killed", round(c.Timeout))
}

// round rounds a time for messages.
func round(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(time.Second / 10)
	}
	return d.Round(time.Millisecond)
}
