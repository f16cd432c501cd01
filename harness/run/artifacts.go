package run

import (
	"context"
	"errors"
	"fmt"

	"moobench/harness/framework"
	"moobench/harness/plan"
)

// Artifacts are the files of a plan's variants, all of them on this machine.
type Artifacts struct {
	paths map[string]map[string]string // variant → artifact alias → path
	wrong map[string]error             // variant → a file that is not the pinned one
}

// ResolveArtifacts finds or fetches every artifact of the plan, before anything
// is written or started. A jar whose checksum differs stops its variant only;
// anything else is an error, all of it at once.
func ResolveArtifacts(ctx context.Context, r *framework.Resolver, p *plan.Plan) (*Artifacts, error) {
	all := &Artifacts{paths: map[string]map[string]string{}, wrong: map[string]error{}}
	var errs []error
	for _, c := range p.Cells {
		if all.paths[c.Variant.Name] == nil {
			all.paths[c.Variant.Name] = map[string]string{}
		}
		if err := all.resolve(ctx, r, c.Variant); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Variant.Name, err))
		}
	}
	return all, errors.Join(errs...)
}

func (all *Artifacts) resolve(ctx context.Context, r *framework.Resolver, v framework.Variant) error {
	for _, a := range v.Artifacts {
		if all.paths[v.Name][a.Name] != "" {
			continue // another cell has it too
		}
		path, err := r.Resolve(ctx, a)
		var sum *framework.ChecksumError
		switch {
		case errors.As(err, &sum):
			all.wrong[v.Name] = err
		case err != nil:
			return err
		}
		all.paths[v.Name][a.Name] = path
	}
	return nil
}

// stopWrong gives up the variants whose files are not the pinned ones.
func (r *Runner) stopWrong() error {
	for variant, why := range r.Artifacts.wrong {
		for _, c := range r.campaign().Cells {
			if c.Variant == variant {
				r.giveUp(c.ID, 0, why.Error())
			}
		}
		r.Progress.Note("%s: given up before the first JVM: %v", variant, why)
	}
	if len(r.Artifacts.wrong) == 0 {
		return nil
	}
	return r.Store.SaveCampaign()
}
