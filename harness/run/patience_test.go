package run

import (
	"testing"
	"time"

	"moobench/harness/plan"
	"moobench/results"
)

// TestPatience: a command with an agent may take ten times what it took without, and half a
// minute; a server may take five times as long to be up. What the user says is not touched.
func TestPatience(t *testing.T) {
	const said = 7 * time.Minute
	const (
		method = iota // of ours: no program
		command
		server
		hasty // a server with a limit of its own
	)
	for name, test := range map[string]struct {
		program             int
		role                results.Role
		derived             bool
		profile             results.Profile
		took                time.Duration
		wantEnd, wantWithin time.Duration
	}{
		"a command":                {command, results.RoleVariant, true, results.ProfileTiming, 2 * time.Second, 50 * time.Second, 0},
		"its baseline":             {command, results.RoleBaseline, true, results.ProfileTiming, 2 * time.Second, said, 0},
		"with a limit":             {command, results.RoleVariant, false, results.ProfileTiming, 2 * time.Second, said, 0},
		"of which nothing is seen": {command, results.RoleVariant, true, results.ProfileTiming, 0, said, 0},
		"a server":                 {server, results.RoleVariant, true, results.ProfileTiming, 20 * time.Second, said + 40*time.Second, 100 * time.Second},
		"a quick one":              {server, results.RoleVariant, true, results.ProfileTiming, time.Second, said, time.Minute},
		"the first try":            {server, results.RoleBaseline, true, Rehearsal, 0, said + 14*time.Minute, 15 * time.Minute},
		"with a limit of its own":  {hasty, results.RoleVariant, true, Rehearsal, 20 * time.Second, said, 9 * time.Second},
		"a method of ours":         {method, results.RoleVariant, true, results.ProfileTiming, time.Second, said, 0},
	} {
		r := &Runner{Tried: Rehearsed{took: test.took}}
		inv := &plan.Invocation{Profile: test.profile, Cell: plan.Cell{Cell: results.Cell{Role: test.role}, Derived: test.derived, Timeout: said}}
		if test.program != method {
			inv.Cell.Program = zero(inv.Cell.Program)
		}
		if test.program == server || test.program == hasty {
			inv.Cell.Program.Ready = "http://127.0.0.1/"
		}
		if test.program == hasty {
			inv.Cell.Program.Within = 9 * time.Second
		}
		if r.patience(inv); inv.Cell.Timeout != test.wantEnd || inv.Within != test.wantWithin {
			t.Errorf("%s: it may take %v, and %v to be up; want %v and %v", name, inv.Cell.Timeout, inv.Within, test.wantEnd, test.wantWithin)
		}
	}
}

// zero is a new value of what a pointer points to.
func zero[T any](*T) *T { return new(T) }
