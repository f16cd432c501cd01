package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// Artifacts are the files of a plan's variants, all on this machine.
type Artifacts struct {
	paths map[string]map[string]string // variant → alias, or FixtureName of a replaced jar → path
	wrong map[string]error             // variant → error of a file that differs from the pinned one

	prepared map[[3]string]prepared // by preparedFor
	digests  *safefile.Digests      // of all files
}

// ResolveArtifacts finds or fetches every artifact of the plan before anything is written or started, and records
// in the plan the digests of unpinned ones. A jar with a wrong checksum only stops its variant; all other errors
// are returned at once.
func ResolveArtifacts(ctx context.Context, r *framework.Resolver, p *plan.Plan) (*Artifacts, error) {
	all := &Artifacts{
		paths: map[string]map[string]string{}, wrong: map[string]error{},
		prepared: map[[3]string]prepared{}, digests: &r.Digests,
	}
	var errs []error
	for i := range p.Cells {
		if err := all.resolve(ctx, r, p, &p.Cells[i]); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.Cells[i].Variant, err))
		}
	}
	return all, errors.Join(errs...)
}

// resolve finds or fetches the artifacts of a cell, and records them in the plan.
func (all *Artifacts) resolve(ctx context.Context, r *framework.Resolver, p *plan.Plan, c *plan.Cell) error {
	paths := all.paths[c.Variant]
	if paths == nil {
		paths = map[string]string{}
		all.paths[c.Variant] = paths
	}
	for i, a := range slices.Concat(c.Recipe.Artifacts, c.Recipe.Fixtures) {
		alias := a.Name
		if i >= len(c.Recipe.Artifacts) {
			alias = framework.FixtureName(a.Name)
		}
		if paths[alias] != "" {
			continue // another cell has it too
		}
		var err error
		if paths[alias], err = r.Resolve(ctx, a, c.Recipe.License); errors.As(err, new(*framework.ChecksumError)) {
			all.wrong[c.Variant] = err
		} else if err != nil {
			return err
		}
	}
	if all.wrong[c.Variant] != nil {
		return nil
	}
	for alias, path := range paths {
		if c.Recipe.IsAgent(alias) {
			if err := framework.CheckAgent(path); err != nil {
				return err
			}
		}
	}
	// A snapshot may be a different file tomorrow, so its present digest is recorded.
	c.Recipe.Artifacts = slices.Clone(c.Recipe.Artifacts)
	for i := range c.Recipe.Artifacts {
		if a := &c.Recipe.Artifacts[i]; a.SHA256 == "" {
			var err error
			if a.SHA256, err = r.Digest(paths[a.Name]); err != nil {
				return err
			}
		}
	}
	return record(p, c, c.Recipe.Launch().Artifacts)
}

// record records the files of a cell in the plan. If a campaign is resumed, they must be the same as at its start.
func record(p *plan.Plan, c *plan.Cell, artifacts []results.Artifact) error {
	planned := p.Campaign.Cell(c.ID)
	if planned == nil {
		return fmt.Errorf("the campaign has no cell %q", c.ID)
	}
	isPrepared := func(a results.Artifact) bool { return a.Name == framework.PreparedName }
	at := slices.IndexFunc(planned.Launch.Artifacts, isPrepared)
	if at >= 0 && !slices.ContainsFunc(artifacts, isPrepared) {
		artifacts = append(artifacts, planned.Launch.Artifacts[at]) // until it is prepared again
	}
	for _, old := range planned.Launch.Artifacts {
		differs := func(a results.Artifact) bool { return a.Name == old.Name && a.SHA256 != old.SHA256 }
		i := slices.IndexFunc(artifacts, differs)
		same := slices.Contains(artifacts, old)
		if i >= 0 && !same && old.SHA256 != "" {
			other := fmt.Errorf("the campaign was started with another %s: it had the SHA-256 %s, now it has %s",
				old.Name, old.SHA256, artifacts[i].SHA256)
			return refusal.New(other, "start a new campaign: moobench run without --resume")
		}
	}
	c.Launch.Artifacts, planned.Launch.Artifacts = artifacts, artifacts
	return nil
}

// Wrong returns the error of a variant's file that differs from the pinned one; nil: none differs.
func (all *Artifacts) Wrong(variant string) error { return all.wrong[variant] }

// Path returns the path of a variant's artifact; "" if a file of the variant differs from the pinned one, so that
// the variant is not started.
func (all *Artifacts) Path(variant, alias string) string {
	if all.wrong[variant] != nil {
		return ""
	}
	return all.paths[variant][alias]
}

// jar returns the path of a fixture's jar for a variant: its replacement, or the built one.
func (all *Artifacts) jar(built fixture.Built, variant, module string) string {
	if path := all.paths[variant][framework.FixtureName(module)]; path != "" {
		return path
	}
	return built.Jar(module)
}

// NoteFixtures records in the plan which fixture jars each cell contains. digest returns the digest of a module's
// built jar.
func NoteFixtures(p *plan.Plan, digest func(module string) (string, error)) error {
	for i := range p.Cells {
		c := &p.Cells[i]
		artifacts := slices.Clone(c.Launch.Artifacts)
		modules := c.Recipe.Modules()
		if c.Launch.Fixture != "" {
			modules = append(modules, "kernel", c.Launch.Fixture)
		}
		slices.Sort(modules)
		for _, m := range slices.Compact(modules) {
			isModule := func(a results.Artifact) bool { return a.Name == framework.FixtureName(m) }
			if slices.ContainsFunc(artifacts, isModule) {
				continue // a replacement, or already recorded
			}
			sum, err := digest(m)
			if err != nil {
				return err
			}
			artifacts = append(artifacts, results.Artifact{Name: framework.FixtureName(m), SHA256: sum})
		}
		if err := record(p, c, artifacts); err != nil {
			return fmt.Errorf("%s: %w", c.Variant, err)
		}
	}
	return nil
}
