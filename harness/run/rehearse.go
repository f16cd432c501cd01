package run

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/results"
)

// Rehearsal is the profile of an invocation that is never sealed: it only tries whether
// the subject does what it is asked to.
const Rehearsal results.Profile = "rehearsal"

// Rehearse starts the baseline of a server of the user's own once, before anything is
// measured or written, and returns why all that would be measured of it would mean nothing,
// with what its log says.
func (r *Runner) Rehearse(ctx context.Context) error {
	for _, c := range r.Plan.Cells {
		if !c.Program.IsServer() || c.Role != results.RoleBaseline {
			continue
		}
		dir, err := os.MkdirTemp("", "moobench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		a := &attempt{dir: dir, inv: plan.Invocation{Cell: c, Profile: Rehearsal}, got: &results.Invocation{Scalars: map[string]float64{}}}
		if err = r.measure(ctx, a); err == nil {
			return nil
		}
		f, is := errors.AsType[*jvm.Failure](err)
		if !is {
			return err
		}
		why, logs := f.Message, []string{filepath.Join(dir, jvm.LogName), filepath.Join(dir, outputName)}
		for _, log := range logs { // they are gone in a moment
			why = strings.ReplaceAll(why, "; see "+log, "")
		}
		if said := cmp.Or(jvm.Cause(logs...), f.Tail); said != "" {
			why += strings.ReplaceAll("\n"+said, "\n", "\n| ")
		}
		return errors.New(why)
	}
	return nil
}
