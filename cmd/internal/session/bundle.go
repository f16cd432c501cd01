package session

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/harness/fixture"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/fleet"
	"moobench/results/safefile"
)

// Fetch fetches everything that a plan needs, and packs it into one file: hosts with the file need
// no network.
func (s *Session) Fetch(ctx context.Context, file string) error {
	dir, err := os.MkdirTemp("", "moobench-fetch-*")
	if err != nil {
		return fmt.Errorf("fetching: %w", err)
	}
	defer os.RemoveAll(dir)
	plan := filepath.Join(dir, fleet.PlanName)
	if s.frozen == nil {
		if err := s.freeze(""); err != nil {
			return err
		}
	}
	if err := s.savePlan(plan); err != nil {
		return err
	}
	var bundle *fleet.Bundle
	gather := phase{name: "gather", run: func(m *measuring, ctx context.Context) (undo func() error, err error) {
		bundle, err = m.gather(ctx, plan, file)
		return nil, err
	}}
	m := &measuring{Session: s}
	if err := m.carry(ctx, append(between("java", "prepare"), gather)); err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("fetching: %w", err)
	}
	const text = "%s: %s, %d MB; hosts need moobench and JDK %s, and no network: moobench run --shard 1/N %s\n"
	name, artifacts := console.Visible(file), figure.Plural(len(bundle.Artifacts), "artifact", "artifacts")
	_, err = fmt.Fprintf(s.lab.Out, text, name, artifacts, info.Size()>>20+1, bundle.JDK, name)
	return err
}

// gather writes the fetched files into a bundle.
func (m *measuring) gather(ctx context.Context, plan, file string) (*fleet.Bundle, error) {
	from := map[string]string{fleet.PlanName: plan}
	for name, where := range m.runner.Fixtures.Files() {
		from[path.Join(fleet.FixturesDir, name)] = where
	}
	b := &fleet.Bundle{JDK: javaVersions(m.runner)}
	for key, where := range m.resolver.Found() {
		if err := b.Bring(m.portable(key), where, from); err != nil {
			return nil, err
		}
	}
	return b, b.Write(ctx, file, from)
}

// portable returns an artifact's coordinates, or its path relative to the folder of
// benchmarks.toml, because that folder is elsewhere on other hosts.
func (s *Session) portable(key string) string {
	folder, err := filepath.Abs(filepath.Dir(s.File.Path))
	if err != nil || !filepath.IsAbs(key) {
		return key
	}
	if rel, err := filepath.Rel(folder, key); err == nil {
		return filepath.ToSlash(rel)
	}
	return key
}

// openBundle opens the plan in a bundle, with all files that it needs.
func (l *Lab) openBundle(o Options, file string) (*Session, error) {
	cache, err := safefile.CacheFolder()
	if err != nil {
		return nil, err
	}
	in := filepath.Join(cache, "bundles")
	if err := safefile.MakeCache(in); err != nil {
		return nil, err
	}
	b, dir, err := fleet.Unbundle(context.Background(), file, in)
	if err != nil {
		return nil, err
	}
	s := &Session{Options: o, lab: l, bundle: b, bundleFolder: dir}
	return s, s.openPlan(filepath.Join(dir, fleet.PlanName), file)
}

// brought returns a function that finds a file in the bundle by its coordinates or path; nil
// without a bundle.
func (s *Session) brought() func(key string) string {
	if s.bundle == nil {
		return nil
	}
	return func(key string) string { return s.bundle.Path(s.bundleFolder, s.portable(key)) }
}

// fits refuses a machine with another JDK than the bundle's.
func (m *measuring) fits() error {
	if got := javaVersions(m.runner); m.bundle != nil && m.bundle.JDK != got {
		return refusal.New(fmt.Errorf("the bundle was made with JDK %s, and this is %s", m.bundle.JDK, got),
			"install that one, or make the bundle with this one")
	}
	return nil
}

// built finds the fixtures in the bundle.
func (m *measuring) built(b *fixture.Builder) (fixture.Built, error) {
	b.Cache = filepath.Join(m.bundleFolder, fleet.FixturesDir)
	found, there, err := b.Find()
	if err == nil && !there {
		why := cmp.Or(found.Damage, "they were built from other sources")
		err = refusal.New(fmt.Errorf("the bundle does not hold the fixtures of this moobench: %s", why),
			"make it with this moobench: moobench fetch")
	}
	return found, err
}

// freeze freezes the plan with the pilots' decisions in an earlier campaign, if pilot names one.
func (s *Session) freeze(pilot string) error {
	var decided []results.FrozenScenario
	if pilot != "" {
		store, err := results.Open(pilot)
		if err != nil {
			return err
		}
		decided = store.Campaign().Decided()
	}
	err := s.Plan.Freeze(decided)
	if err != nil && pilot != "" {
		return outcome.Usage(refusal.New(fmt.Errorf("%s does not decide all: %w", pilot, err),
			"name a campaign of this benchmarks.toml that is finished"))
	}
	if err != nil {
		s.lab.Warn(fmt.Sprintf("%v: it can be run as a whole, and not in shards", err),
			"moobench run it once, and plan again with --pilot DIR")
	}
	return nil
}

// savePlan writes the plan to a file.
func (s *Session) savePlan(name string) error {
	origin := s.File.Path
	if !filepath.IsAbs(origin) {
		rel, err := filepath.Rel(filepath.Dir(name), origin)
		if err == nil {
			origin = rel
		} else if origin, err = filepath.Abs(origin); err != nil {
			return fmt.Errorf("planning: %w", err)
		}
	}
	p := results.Planned{Moobench: s.lab.Moobench, TOML: string(s.File.Text), Origin: origin, Campaign: s.Plan.Campaign}
	return p.Write(name)
}
