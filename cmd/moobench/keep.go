package main

import (
	"cmp"
	"fmt"

	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/refusal"
	"moobench/results"
)

// keptDir is where the jars of past nights are kept, unless a flag says.
const keptDir = "results/artifacts"

// keep keeps the jars that may be others tomorrow, so that moobench confirm can
// measure today's again. It does so before anything is measured: what is rebuilt
// meanwhile is not what ran. Campaigns without a gate keep nothing, unless told
// where to.
func (s *sitting) keep(r *run.Runner) error {
	if s.plan.Campaign.Gate == nil && s.o.kept == "" {
		return nil
	}
	kept := results.OpenKept(cmp.Or(s.o.kept, keptDir))
	for i := range s.plan.Cells {
		if err := keepCell(kept, &s.plan.Cells[i], r.Artifacts); err != nil {
			return err
		}
	}
	if err := run.NoteFixtures(s.plan, keepFixture(kept, r)); err != nil {
		return fmt.Errorf("keeping the fixtures: %w", err)
	}
	return nil
}

// keepCell keeps the artifacts of a cell's variant that may change.
func keepCell(kept *results.Kept, c *plan.Cell, found *run.Artifacts) error {
	for _, a := range c.Recipe.Artifacts {
		path := found.Path(c.Variant, a.Name)
		if path == "" || !a.Moves() {
			continue
		}
		got, err := kept.Keep(path)
		if err != nil {
			return refusal.New(fmt.Errorf("keeping %s of %s: %w", a, c.Variant, err), "choose another folder with --artifacts")
		}
		if got.SHA256 != a.SHA256 {
			return refusal.New(fmt.Errorf("keeping %s of %s: %s was rebuilt just now", a, c.Variant, path), "start again when the build is done")
		}
	}
	return nil
}

// keepFixture keeps the jar of a fixture's module, once, and returns its digest.
func keepFixture(kept *results.Kept, r *run.Runner) func(module string) (string, error) {
	digests := map[string]string{}
	return func(module string) (string, error) {
		if sum, done := digests[module]; done {
			return sum, nil
		}
		a, err := kept.Keep(r.Fixtures.Jar(module))
		digests[module] = a.SHA256
		return a.SHA256, err
	}
}
