package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"moobench/analysis"
	"moobench/analysis/report"
	"moobench/cmd/internal/demand"
	"moobench/harness/fixture"
	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/harness/run"
	jvmfixtures "moobench/jvm-fixtures"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/safefile"
)

// carryOut measures the plan, prints the answers, and says how to go on when
// it was interrupted.
func (s *sitting) carryOut(ctx context.Context) error {
	dir := s.dir()
	release, err := s.t.lockMachine(dir)
	if err != nil {
		return err
	}
	defer release()
	store, err := s.measure(ctx, dir, "nothing sealed is lost; go on with: moobench run --resume "+dir)
	if err != nil {
		return err
	}
	return s.answer(store)
}

// measure carries the plan out on a machine that is locked already; the hint
// says what to do when it ends early. What it changes on the machine is put
// back however it ends, by a panic as well.
func (s *sitting) measure(ctx context.Context, dir, hint string) (store *results.Store, err error) {
	s.t.endOrphans()
	runner, err := s.ready(ctx)
	if err != nil {
		return nil, err
	}
	quiet, host, err := s.quieten(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.putBack(quiet)) }()
	if err := s.canVary(quiet); err != nil {
		return nil, err
	}
	release, err := s.begin(runner, dir, quiet, host)
	if err != nil {
		return nil, err
	}
	defer release()
	s.announce(runner, host)
	err = runner.Run(ctx)
	if err != nil && !errors.Is(err, run.ErrGivenUp) {
		return nil, refusal.New(interrupted(ctx, err), hint)
	}
	return runner.Store, nil
}

// endOrphans ends what a killed moobench's subjects have started and left running,
// which would take its share of everything that is measured now.
func (t *terminal) endOrphans() {
	if names := jvm.EndOrphans(); len(names) > 0 {
		fmt.Fprintf(t.err, "moobench: warning: a moobench that was killed had left behind %s: ended, because it would disturb what is measured now\n", visible(strings.Join(names, ", ")))
	}
}

// announce says on standard error what is about to happen, and where.
func (s *sitting) announce(r *run.Runner, host results.Machine) {
	if s.o.quiet {
		return
	}
	c, e := r.Store.Campaign(), run.EstimateOf(s.plan)
	w := s.t.err
	fmt.Fprintf(w, "%s · %d invocations%s · about %s · seed %d\n", visible(c.Name), e.Invocations, pilotOnly(c), roughly(e.Wall), c.Seed)
	printSizing(w, c)
	if version := s.javaVersions(r); version != "" { // a program of the user's own brings its own, or needs none
		fmt.Fprintf(w, "JDK %s · ", version)
	}
	fmt.Fprintln(w, r.Host.Placement)
	printQuiet(w, host.Knobs)
	if r.Host.Placement.Remark != "" {
		fmt.Fprintf(w, "  !       %s\n", r.Host.Placement.Remark)
	}
	fmt.Fprintf(w, "results in %s\n", r.Store.Dir())
}

// progress fits what standard error is.
func (s *sitting) progress(store *results.Store) run.Progress {
	g := func(inv *results.Invocation) (float64, string, bool) { return analysis.PrimaryMean(store, inv) }
	if s.o.quiet {
		return &lines{w: io.Discard, notes: s.t.err, gauge: g, pace: newPace()}
	}
	f := screen(s.t.err)
	if f == nil || os.Getenv("TERM") == "dumb" || os.Getenv("CI") != "" {
		return &lines{w: s.t.err, notes: s.t.err, gauge: g, pace: newPace()}
	}
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width, height = 80, 0
	}
	return &live{w: s.t.err, width: width, height: height, gauge: g, pace: newPace()}
}

func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errors.New("interrupted: the invocation under way was discarded")
	}
	return err
}

// dir is the campaign's folder.
func (s *sitting) dir() string {
	switch {
	case s.resumed != "":
		return s.resumed
	case s.o.dir != "":
		return s.o.dir
	}
	return filepath.Join("results", "runs", time.Now().UTC().Format("2006-01-02T150405Z")+"-"+s.file.Name)
}

// ready gets what can be had without touching the machine or the disk: JDKs,
// fixtures, frameworks. What can fail here fails before anything is changed.
func (s *sitting) ready(ctx context.Context) (*run.Runner, error) {
	r := &run.Runner{
		Plan: s.plan, Scenarios: s.t.scenarios, Args: s.file.JVM.Args, Session: machine.SessionID(),
	}
	var err error
	if r.Java, r.Fixtures, err = s.jvm(ctx); err != nil {
		return nil, err
	}
	if r.Javas, err = s.javas(); err != nil {
		return nil, err
	}
	if r.Artifacts, err = s.artifacts(ctx); err != nil {
		return nil, err
	}
	return r, s.keep(r)
}

// begin opens the campaign's folder for the machine as it is now. Nobody else writes
// to it until release is called.
func (s *sitting) begin(r *run.Runner, dir string, quiet *machine.Quiet, host results.Machine) (release func(), err error) {
	store, err := s.store(dir, map[string]string{
		"moobench": build(), "jdk": s.javaVersions(r), "fixtures": r.Fixtures.Hash, fixtureJars: r.Fixtures.Jars, "machine": host.ID,
	})
	if err != nil {
		return nil, err
	}
	if release, err = store.Own(); err != nil {
		return nil, err
	}
	if err := errors.Join(store.AddMachine(host), quiet.Placement.TakeOurs()); err != nil {
		release()
		return nil, err
	}
	r.Store, r.Progress = store, s.progress(store)
	r.Host = run.Host{Tree: s.t.tree, ID: host.ID, Placement: quiet.Placement, Wishes: met(demand.Wishes(s.file.Machine), quiet.States()), Quiet: quiet}
	r.More = func(_ *results.Campaign, scenario string) (*results.Decision, error) {
		return analysis.Size(store, scenario)
	}
	return release, nil
}

// javas are the JDKs of cells that have one of their own, by home.
func (s *sitting) javas() (map[string]jvm.Java, error) {
	all := map[string]jvm.Java{}
	for _, c := range s.plan.Cells {
		home := c.JDK.Home
		if _, known := all[home]; known || home == "" {
			continue
		}
		java, err := jvm.Find(home)
		if err != nil {
			return nil, err
		}
		all[home] = java
	}
	return all, nil
}

// javaVersions are the exact versions of all JDKs that are measured.
func (s *sitting) javaVersions(r *run.Runner) string {
	if len(r.Javas) == 0 {
		return r.Java.Version
	}
	var versions []string
	for _, j := range r.Javas {
		versions = append(versions, j.Version)
	}
	slices.Sort(versions)
	return strings.Join(versions, ", ")
}

// jvm finds the JDK and builds the fixtures, when the plan has a cell that
// wants them. Maven needs a JDK too.
func (s *sitting) jvm(ctx context.Context) (java jvm.Java, built fixture.Built, err error) {
	wanted := slices.ContainsFunc(s.plan.Cells, func(c plan.Cell) bool { return c.NeedsJava() })
	fixtures := slices.ContainsFunc(s.plan.Cells, func(c plan.Cell) bool { return c.NeedsFixtures() })
	if !wanted && !fixtures {
		return java, built, nil
	}
	home := s.file.JVM.Home
	if several := s.file.JVM.Homes; len(several) > 0 {
		home = several[0] // the plan has made sure that all of them suit
	}
	if home, err = fromFile(s.file, home); err != nil {
		return java, built, err
	}
	if java, err = jvm.Find(home); err != nil {
		return java, built, err
	}
	if err := s.suits(java); err != nil && len(s.file.JVM.Homes) == 0 {
		return java, built, err
	}
	if fixtures {
		built, err = buildFixtures(ctx, s.t, java.Home)
	}
	return java, built, err
}

// suits says which variants can't run on this JDK.
func (s *sitting) suits(java jvm.Java) error {
	var errs []error
	seen := map[string]bool{}
	for _, c := range s.plan.Cells {
		v := c.Recipe
		if seen[v.Name] {
			continue
		}
		seen[v.Name] = true
		if err := v.Suits(java.Home, java.Major); err != nil {
			errs = append(errs, refusal.New(err, `name another JDK: [jvm] home = "…"`))
		}
	}
	return errors.Join(errs...)
}

// store makes the campaign's folder, or opens the one that is resumed: again,
// now that nobody else can be writing to it.
func (s *sitting) store(dir string, versions map[string]string) (*results.Store, error) {
	if s.resumed != "" {
		store, err := results.Open(dir)
		if err != nil {
			return nil, err
		}
		if err := sameSetting(store.Campaign().Versions, versions); err != nil {
			return nil, fmt.Errorf("resuming %s: %w", dir, err)
		}
		s.plan.Campaign = store.Campaign()
		return store, nil
	}
	c := s.plan.Campaign
	c.Created, c.Versions, c.Origin = time.Now().UTC(), versions, s.file.Path
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return nil, refusal.New(fmt.Errorf("making the results folder: %w", err), "choose another folder with -o")
	}
	e := run.EstimateOf(s.plan)
	if err := run.Room(parent, e.StayBytes+e.PeakBytes, "planning the campaign"); err != nil {
		return nil, err
	}
	return results.Create(dir, c, s.file.Text)
}

// answer prints the answers and writes the page beside the samples.
func (s *sitting) answer(store *results.Store) error {
	answers, err := analysis.Analyse(store)
	if err != nil {
		return err
	}
	if err := report.Text(s.t.out, answers, s.t.options()); err != nil {
		return err
	}
	page := filepath.Join(store.Dir(), "report.html")
	if err := s.t.page(answers, page); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	fmt.Fprintf(s.t.out, "\nreport: %s\n", page)
	return ended(answers)
}

// builder builds the fixtures into the user's cache.
func builder(t *terminal, javaHome string) (*fixture.Builder, error) {
	cache, err := safefile.CacheFolder()
	if err != nil {
		return nil, err
	}
	return &fixture.Builder{Sources: jvmfixtures.Sources, Cache: filepath.Join(cache, "fixtures"), JavaHome: javaHome, Log: t.err}, nil
}

// buildFixtures returns the fixtures, which are built if they have to be.
func buildFixtures(ctx context.Context, t *terminal, javaHome string) (fixture.Built, error) {
	b, err := builder(t, javaHome)
	if err != nil {
		return fixture.Built{}, err
	}
	return b.Build(ctx)
}
