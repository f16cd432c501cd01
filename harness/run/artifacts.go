package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/refusal"
	"moobench/results"
)

// Artifacts are the files of a plan's variants, all of them on this machine.
type Artifacts struct {
	paths    map[string]map[string]string // variant → artifact alias → path
	fixtures map[string]map[string]string // variant → module → path of the jar that replaces the built one
	wrong    map[string]error             // variant → a file that differs from the pinned one
}

// ResolveArtifacts finds or fetches every artifact of the plan before anything is written
// or started, and records in the plan the content of those that were not pinned. A jar
// with another checksum stops only its variant; all other errors are returned at once.
func ResolveArtifacts(ctx context.Context, r *framework.Resolver, p *plan.Plan) (*Artifacts, error) {
	all := &Artifacts{paths: map[string]map[string]string{}, fixtures: map[string]map[string]string{}, wrong: map[string]error{}}
	var errs []error
	for i := range p.Cells {
		c := &p.Cells[i]
		if all.paths[c.Variant] == nil {
			all.paths[c.Variant], all.fixtures[c.Variant] = map[string]string{}, map[string]string{}
		}
		err := all.find(ctx, r, c.Variant, c.Recipe.Artifacts, all.paths[c.Variant])
		if err == nil {
			err = all.find(ctx, r, c.Variant, c.Recipe.Fixtures, all.fixtures[c.Variant])
		}
		if err == nil && all.wrong[c.Variant] == nil {
			// A snapshot may be another file tomorrow: it gets the digest of what was
			// found.
			c.Recipe.Artifacts = slices.Clone(c.Recipe.Artifacts)
			for i := range c.Recipe.Artifacts {
				if a := &c.Recipe.Artifacts[i]; a.SHA256 == "" && err == nil {
					a.SHA256, err = r.Digest(all.paths[c.Variant][a.Name])
				}
			}
			if err == nil {
				err = record(p, c, c.Recipe.Launch().Artifacts)
			}
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.Variant, err))
		}
	}
	return all, errors.Join(errs...)
}

func (all *Artifacts) find(ctx context.Context, r *framework.Resolver, variant string, artifacts []framework.Artifact, paths map[string]string) error {
	for _, a := range artifacts {
		if paths[a.Name] != "" {
			continue // another cell has it too
		}
		path, err := r.Resolve(ctx, a)
		var sum *framework.ChecksumError
		switch {
		case errors.As(err, &sum):
			all.wrong[variant] = err
		case err != nil:
			return err
		}
		paths[a.Name] = path
	}
	return nil
}

// record records in the plan what goes into a cell. A resumed campaign must have begun with
// the same.
func record(p *plan.Plan, c *plan.Cell, artifacts []results.Artifact) error {
	planned := p.Campaign.Cell(c.ID)
	if planned == nil {
		return fmt.Errorf("the campaign has no cell %q", c.ID)
	}
	for _, old := range planned.Launch.Artifacts {
		i := slices.IndexFunc(artifacts, func(a results.Artifact) bool { return a.Name == old.Name && a.SHA256 != old.SHA256 })
		same := slices.Contains(artifacts, old)
		if i >= 0 && !same && old.SHA256 != "" {
			return refusal.New(fmt.Errorf("the campaign was started with another %s: it had the SHA-256 %s, now it has %s", old.Name, old.SHA256, artifacts[i].SHA256),
				"start a new campaign without --resume")
		}
	}
	c.Launch.Artifacts, planned.Launch.Artifacts = artifacts, artifacts
	return nil
}

// Path is where an artifact of a variant was found; "" when it differs from the pinned
// one, so that nothing of the variant is started.
func (all *Artifacts) Path(variant, alias string) string {
	if all.wrong[variant] != nil {
		return ""
	}
	return all.paths[variant][alias]
}

// jar is the path of a fixture's jar for a variant: its replacement, or the built one.
func (all *Artifacts) jar(built fixture.Built, variant, module string) string {
	if path := all.fixtures[variant][module]; path != "" {
		return path
	}
	return built.Jar(module)
}

// NoteFixtures records in the plan which jars of the fixtures go into each cell. digest
// returns that of a module's built jar.
func NoteFixtures(p *plan.Plan, digest func(module string) (string, error)) error {
	for i := range p.Cells {
		c := &p.Cells[i]
		artifacts := slices.Clone(c.Launch.Artifacts)
		for _, m := range fixturesOf(c) {
			if slices.ContainsFunc(artifacts, func(a results.Artifact) bool { return a.Name == framework.FixtureName(m) }) {
				continue // a replacement, or recorded before
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

// fixturesOf are the modules of the fixtures whose jars a cell needs: the one that drives
// it, and those that its variant adds.
func fixturesOf(c *plan.Cell) []string {
	var modules []string
	if c.Launch.Fixture != "" {
		modules = append(modules, "kernel", c.Launch.Fixture)
	}
	v := c.Recipe
	templates := slices.Concat(v.Args, v.Env, v.ClassPath, []string{v.Attach})
	for _, f := range v.Files {
		templates = append(templates, f.Template)
	}
	for _, t := range templates {
		for _, rest := range strings.Split(t, framework.FixturePrefix)[1:] {
			if module, _, closed := strings.Cut(rest, "}"); closed {
				modules = append(modules, module)
			}
		}
	}
	slices.Sort(modules)
	return slices.Compact(modules)
}
