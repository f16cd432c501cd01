package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"moobench/analysis"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/doctor"
	"moobench/cmd/internal/influence"
	"moobench/cmd/internal/outcome"
	"moobench/cmd/internal/progress"
	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/harness/run"
	jvmfixtures "moobench/jvm-fixtures"
	"moobench/refusal"
	"moobench/results"
)

// Size of the measurement per variant, which takes about a minute. The pairs are the replicates;
// ten of them give a standard error of about 0.1 % even if neighbours slow the CPU by up to 30 %.
const (
	PairsOfTurns   = 10 // default
	couplesOfTurns = 100

	// Limits of the number of pairs.
	FewestPairs, MostPairs = influence.FewestPairs, 1000
)

// subjects returns the plan's cells that turns can compare with their baselines, as influences
// without values. Cells with the same digest run the same programs.
func (s *Session) subjects(r *run.Runner, host results.Machine) ([]results.Influence, error) {
	resolver := &framework.Resolver{Log: s.lab.Err}
	var all []results.Influence
	for i := range s.Plan.Cells {
		c := &s.Plan.Cells[i]
		if !run.TakesTurns(s.lab.Scenarios, c) || s.wrong(r, c) != nil {
			continue
		}
		digest, err := r.PairDigest(c, s.Plan.Cell(c.Baseline), resolver.Digest)
		if err != nil {
			return nil, err
		}
		all = append(all, results.Influence{
			Cell: c.ID, Subject: digest, Variant: c.Label(), CPU: host.CPU, Stepping: host.Stepping, Core: host.Core,
			Runtime: r.JavaOf(*c).Version, Reference: jvmfixtures.ReferenceVersion,
		})
	}
	return all, nil
}

// beside holds the file of influences, and a campaign's variants as influences without values.
type beside struct {
	file     *influence.File
	variants []results.Influence
	machine  string // machine ID
}

// influences gives a new campaign the known influences of its variants on the reference. An
// unreadable file only causes a warning, because measuring does not need it.
func (s *Session) influences(r *run.Runner, host results.Machine) (known beside, err error) {
	if host.Core == results.MixedCores {
		return known, nil
	}
	file, err := influence.Read()
	if err != nil {
		s.lab.Warn(err.Error()+": verdicts allow for what this campaign alone shows", refusal.Do(err))
		return known, nil
	}
	all, err := s.subjects(r, host)
	if err != nil {
		return known, err
	}
	variants := slices.DeleteFunc(all, func(i results.Influence) bool {
		return s.Plan.Cell(i.Cell).Role != results.RoleVariant
	})
	if s.Resume == "" {
		s.Plan.Campaign.Influences = file.For(variants)
	}
	return beside{file, variants, host.ID}, nil
}

// tellInfluences stores, for later campaigns, how the reference changed beside this campaign's
// variants. This campaign does not need the file.
func (s *Session) tellInfluences(known beside, created time.Time, shifts []analysis.ReferenceShift) {
	if known.file == nil {
		return
	}
	now := time.Now()
	for _, i := range known.variants {
		here := func(x *analysis.ReferenceShift) bool {
			return x.Cell == i.Cell && x.Machine == known.machine && x.Runtime == i.Runtime
		}
		if x := results.Find(shifts, here); x != nil {
			known.file.Tell(created, i, x.LogRatio, now)
		}
	}
	s.untold = known.file.Save()
}

// Influences measures by turns how each variant of a benchmarks.toml influences the reference, and
// stores the results for campaigns with the same programs. If only storing fails, it returns both
// the results and an error.
func (l *Lab) Influences(ctx context.Context, o Options, named string) (*doctor.Influences, error) {
	s, err := l.Open(o, named)
	if err != nil {
		return nil, err
	}
	takesTurns := func(c plan.Cell) bool { return run.TakesTurns(l.Scenarios, &c) }
	if !slices.ContainsFunc(s.Plan.Cells, takesTurns) {
		err = fmt.Errorf("%s has no variant beside which a reference is taken", s.File.Path)
		return nil, outcome.Usage(refusal.New(err, `a [[scenario]] with use = "overhead" has some`))
	}
	known, err := influence.Read()
	if err != nil {
		return nil, err
	}
	place, err := l.scratch(ctx, "turns", o.Wait)
	if err != nil {
		return nil, err
	}
	defer place.release()
	defer os.RemoveAll(place.dir)
	var v *doctor.Influences
	turns := phase{name: "turns", run: func(m *measuring, ctx context.Context) (undo func() error, err error) {
		found, err := s.takeTurns(ctx, m.runner, m.host, m.dir)
		v = doctor.JudgeInfluences(m.host, s.File.Path, found)
		return nil, err
	}}
	m := &measuring{Session: s, dir: place.dir}
	if err := m.carry(ctx, append(between("orphans", "vary"), turns)); err != nil {
		return nil, err
	}
	for _, i := range v.Kept() {
		known.Keep(i)
	}
	err = known.Save()
	if err == nil && len(v.Kept()) > 0 {
		v.KeptIn = known.Path
	}
	return v, err
}

// takeTurns runs the turns of all pairs of cells in the plan, once for each pair of programs.
func (s *Session) takeTurns(
	ctx context.Context, r *run.Runner, host results.Machine, dir string,
) ([]doctor.Influence, error) {
	if host.Core == results.MixedCores {
		return nil, refusal.New(errors.New("the measured CPUs are of two kinds, and have no one speed"),
			`take those of one kind: pin = { cpus = "…" } in [machine]`)
	}
	giveBack, err := r.Host.Placement.TakeOurs()
	if err != nil {
		return nil, err
	}
	defer giveBack()
	subjects, err := s.subjects(r, host)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	subjects = slices.DeleteFunc(subjects, func(i results.Influence) bool {
		key := i.Subject + i.Runtime
		double := seen[key]
		seen[key] = true
		return double
	})
	refused := s.refused(r)
	all := results.Each(subjects, func(i results.Influence) *run.Turned {
		return &run.Turned{Cell: i.Cell, Baseline: s.Plan.Cell(i.Cell).Baseline}
	})
	with := run.Turns{Pairs: s.Pairs, Couples: couplesOfTurns, Seed: s.Plan.Campaign.Seed, Dir: dir}
	if !s.Quiet {
		fmt.Fprintf(s.lab.Err, "%d pairs of JVMs take turns, about a minute for ten of them · seed %d\n",
			len(all)*with.Pairs, with.Seed)
		with.Begin = func(t *run.Turned, pair int) {
			fmt.Fprintf(s.lab.Err, "  pair %2d of %d  %s\n",
				pair, with.Pairs, console.Visible(s.Plan.Cell(t.Cell).Label()))
		}
	}
	shown, stop := progress.New(s.lab.Console, true, nil) // warnings only
	defer stop()
	r.Progress = shown
	if err := r.TakeTurns(ctx, with, all); err != nil {
		if ctx.Err() != nil {
			err = errors.New("interrupted: nothing was kept")
		}
		return nil, err
	}
	found := refused
	for i, t := range all {
		cell := s.Plan.Cell(t.Cell)
		one := doctor.Influence{
			Scenario: cell.Scenario, Equal: cell.Role == results.RoleAA, Failures: t.Failures, Pairs: len(t.Ratios),
		}
		one.Influence, err = influence.Of(subjects[i], t.Ratios, t.Done)
		one.Absent = err != nil
		found = append(found, one)
	}
	return found, nil
}

// wrong returns an error if a file of a cell, or of its baseline, differs from its pinned checksum.
func (s *Session) wrong(r *run.Runner, c *plan.Cell) error {
	return cmp.Or(r.Artifacts.Wrong(c.Variant), r.Artifacts.Wrong(s.Plan.Cell(c.Baseline).Variant))
}

// refused returns the cells that are not started because a file differs from its pinned checksum.
func (s *Session) refused(r *run.Runner) []doctor.Influence {
	var all []doctor.Influence
	for i := range s.Plan.Cells {
		c := &s.Plan.Cells[i]
		if !run.TakesTurns(s.lab.Scenarios, c) {
			continue
		}
		if err := s.wrong(r, c); err != nil {
			all = append(all, doctor.Influence{
				Influence: results.Influence{Variant: c.Label()}, Scenario: c.Scenario,
				Absent: true, Failures: []string{refusal.Text(err)},
			})
		}
	}
	return all
}
