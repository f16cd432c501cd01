package run

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// Rehearsal is the profile of an invocation that is never sealed: it only checks whether the subject works as
// intended.
const Rehearsal results.Profile = "rehearsal"

// Rehearsed holds the results of a trial run of a user's own program without an agent. Anything not tried is 0.
type Rehearsed struct {
	took     time.Duration // until the server was up, or the command had ended
	Capacity float64       // maximum requests per second that the server answered
}

// Rehearses returns the baseline to try before anything is measured, or nil: that of a server, whose answers may
// be wrong; or that of a command if a block begins with a variant, since the variant's time limit is derived from
// the baseline's time.
func Rehearses(p *plan.Plan) *plan.Cell {
	for i := range p.Cells {
		cell := &p.Cells[i]
		if cell.Program == nil || cell.Role != results.RoleBaseline {
			continue
		}
		if cell.Program.IsServer() {
			return cell
		}
		first := func(b results.Block) bool { return b.Profile == results.ProfileTiming && isFirstIn(p, b, cell) }
		if slices.ContainsFunc(p.Campaign.Blocks, first) && cell.Derived {
			return cell
		}
	}
	return nil
}

// isFirstIn reports whether a block contains a variant of a baseline before the baseline itself.
func isFirstIn(p *plan.Plan, b results.Block, baseline *plan.Cell) bool {
	for _, id := range b.Order {
		if cell := p.Cell(id); cell != nil && cell.Baseline == baseline.ID && cell.Role == results.RoleVariant {
			return true
		} else if id == baseline.ID {
			return false
		}
	}
	return false
}

// Rehearse starts a user's own baseline once, before anything is measured or written. Its error says why
// measurements would be meaningless, with the cause from the log. Without an error, Tried holds the results.
func (r *Runner) Rehearse(ctx context.Context, c plan.Cell) error {
	dir, err := os.MkdirTemp("", "moobench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	a := &attempt{
		dir: dir, inv: plan.Invocation{Cell: c, Profile: Rehearsal},
		got: &results.Invocation{Scalars: map[string]float64{}},
	}
	begin := time.Now()
	if err = r.measure(ctx, a); err == nil {
		r.Tried = Rehearsed{took: time.Since(begin), Capacity: a.got.Scalars[CapacityScalar]}
		if ns := a.got.Scalars[ServerStartup]; ns > 0 {
			r.Tried.took = time.Duration(ns)
		}
		return nil
	}
	f, is := errors.AsType[*jvm.Failure](err)
	if !is {
		return err
	}
	why, logs := f.Message, logsIn(dir)
	for _, log := range logs { // the logs are gone in a moment
		why = strings.ReplaceAll(why, "; see "+log, "")
	}
	if said := cmp.Or(jvm.Cause(logs...), f.Tail); said != "" {
		why += strings.ReplaceAll("\n"+said, "\n", "\n| ")
	}
	return errors.New(why)
}
