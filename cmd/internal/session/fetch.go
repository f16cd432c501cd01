package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"moobench/harness/config"
	"moobench/harness/fixture"
	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/harness/run"
	jvmfixtures "moobench/jvm-fixtures"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// java finds the JDKs.
func (m *measuring) java(context.Context) (undo func() error, err error) {
	r := &run.Runner{
		Plan: m.Plan, Scenarios: m.lab.Scenarios, Args: m.File.JVM.Args, Javas: map[string]jvm.Java{},
		Session: machine.SessionID(), KeepGoing: m.Going,
	}
	m.resolver, m.runner = &framework.Resolver{Log: m.lab.Err, Brought: m.brought()}, r
	if r.Java, err = m.suited(); err != nil {
		return nil, err
	}
	for _, c := range m.Plan.Cells {
		if home := c.JDK.Home; home != "" && r.Javas[home] == (jvm.Java{}) {
			if r.Javas[home], err = jvm.Find(home); err != nil {
				return nil, err
			}
		}
	}
	return nil, m.fits()
}

// needsFixtures reports whether any cell starts a fixture.
func (s *Session) needsFixtures() bool {
	return slices.ContainsFunc(s.Plan.Cells, func(c plan.Cell) bool { return c.NeedsFixtures() })
}

// fixtures builds the fixtures.
func (m *measuring) fixtures(ctx context.Context) (undo func() error, err error) {
	b, err := m.lab.Fixtures(m.runner.Java.Home)
	if err != nil {
		return nil, err
	}
	b.Digests = &m.resolver.Digests
	if m.bundle != nil {
		m.runner.Fixtures, err = m.built(b)
		return nil, err
	}
	m.runner.Fixtures, err = b.Build(ctx)
	return nil, err
}

// artifacts gets the files of the frameworks.
func (m *measuring) artifacts(ctx context.Context) (undo func() error, err error) {
	m.runner.Artifacts, err = run.ResolveArtifacts(ctx, m.resolver, m.Plan)
	return nil, missingFiles(m.File, err)
}

// prepares reports whether a tool processes the classes of any variant before the start.
func (s *Session) prepares() bool {
	return slices.ContainsFunc(s.Plan.Cells, func(c plan.Cell) bool { return c.Recipe.Prepare.Of != "" })
}

// prepare runs the tools that process classes, for the variants that need it.
func (m *measuring) prepare(ctx context.Context) (undo func() error, err error) {
	cache, err := safefile.CacheFolder()
	if err != nil {
		return nil, err
	}
	r := m.runner
	p := &run.Preparer{
		Cache: filepath.Join(cache, "prepared"), Fixtures: r.Fixtures, Resolver: m.resolver, Log: m.lab.Err,
	}
	return nil, r.Artifacts.Prepare(ctx, m.Plan, p, r.JavaOf)
}

// needsJava reports whether the campaign's JDK is needed to start or build anything.
func (s *Session) needsJava() bool {
	return slices.ContainsFunc(s.Plan.Cells, func(c plan.Cell) bool { return c.NeedsFixtures() || c.NeedsJava() })
}

// chooseJava finds the campaign's JDK, the first if there are several.
func (s *Session) chooseJava() (jvm.Java, error) {
	home := s.File.JVM.Home
	if homes := s.File.JVM.Homes; len(homes) > 0 {
		home = homes[0]
	}
	return findJava(s.File, home)
}

// suited returns the campaign's JDK, if it needs one. The error lists the variants that can't run
// on it.
func (s *Session) suited() (java jvm.Java, err error) {
	if !s.needsJava() {
		return java, nil
	}
	if java, err = s.chooseJava(); err != nil {
		return java, err
	}
	return java, errors.Join(s.unsuited(java)...)
}

// unsuited returns an error for each variant that can't run on this JDK. If there are several JDKs,
// the plan has already checked that all variants run on all of them.
func (s *Session) unsuited(java jvm.Java) (errs []error) {
	seen := map[string]bool{}
	for _, c := range s.Plan.Cells {
		v := c.Recipe
		if err := v.Suits(java.Home, java.Major); err != nil && !seen[v.Name] && len(s.File.JVM.Homes) == 0 {
			errs = append(errs, refusal.New(err, "name another JDK: home in [jvm] (moobench cost: --jdk)"))
		}
		seen[v.Name] = true
	}
	return errs
}

// Fixtures returns a builder of the fixtures in the user's cache.
func (l *Lab) Fixtures(javaHome string) (*fixture.Builder, error) {
	cache, err := safefile.CacheFolder()
	if err != nil {
		return nil, err
	}
	return &fixture.Builder{
		Sources: jvmfixtures.Sources, Cache: filepath.Join(cache, "fixtures"), JavaHome: javaHome, Log: l.Err,
	}, nil
}

// missingFiles turns an error about the user's missing files into mistakes at the places that name
// them. If the error contains anything else, it is returned unchanged, so that nothing is lost.
func missingFiles(file *config.File, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	all := file.Fresh() // several cells may need the file, but it is named once
	for _, e := range joined.Unwrap() {
		var missing *framework.MissingError
		if !errors.As(e, &missing) {
			return err
		}
		all.Fail(missing.Artifact.Key, missing.Hint(), "%s", missing.Reason())
	}
	return all.Err()
}

// KeptFolder is the default folder for the jars of past nights.
const KeptFolder = "results/artifacts"

// keeps reports whether to keep jars: there is a gate, or a folder for them.
func (s *Session) keeps() bool { return s.Plan.Campaign.Gate != nil || s.Kept != "" }

// keep keeps the jars that may change by tomorrow, so that moobench confirm can measure today's
// again. It does so before the measurement: a jar rebuilt meanwhile is not the one that ran.
func (m *measuring) keep(context.Context) (undo func() error, err error) {
	r, kept := m.runner, results.OpenKept(cmp.Or(m.Kept, KeptFolder))
	for _, c := range m.Plan.Cells {
		for _, a := range c.Recipe.Artifacts {
			path := r.Artifacts.Path(c.Variant, a.Name)
			if path == "" || !a.Moves() {
				continue
			}
			got, err := kept.Keep(path)
			if err != nil {
				return nil, refusal.New(fmt.Errorf("keeping %s of %s: %w", a, c.Variant, err),
					"choose another folder with --artifacts")
			}
			if got.SHA256 != a.SHA256 {
				return nil, refusal.New(fmt.Errorf("keeping %s of %s: %s was rebuilt just now", a, c.Variant, path),
					"start again when the build is done")
			}
		}
	}
	digests := map[string]string{} // of the modules kept so far
	err = run.NoteFixtures(m.Plan, func(module string) (string, error) {
		if sum, done := digests[module]; done {
			return sum, nil
		}
		a, err := kept.Keep(r.Fixtures.Jar(module))
		digests[module] = a.SHA256
		return a.SHA256, err
	})
	if err != nil {
		return nil, fmt.Errorf("keeping the fixtures: %w", err)
	}
	return nil, nil
}
