package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"moobench/analysis/figure"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/harness/config"
	"moobench/refusal"
	"moobench/results"
	"moobench/results/fleet"
)

// workSuffix is appended to a shard's file name to name the folder in which it is measured.
const workSuffix = ".d"

// openPlan opens a plan's file, and checks that this build makes the same plan. Messages use the
// name that the user gave.
func (s *Session) openPlan(path, named string) error {
	if s.Options.Only != "" || s.Seeded {
		return outcome.Usage(fmt.Errorf("%s is a plan: --only and --seed were decided when it was made", named))
	}
	planned, err := results.ReadPlan(path)
	if err != nil {
		return err
	}
	s.frozen = planned.Campaign.Frozen
	if s.File, err = config.Parse(planned.Origin, []byte(planned.TOML), s.lab.Known()); err != nil {
		return err
	}
	s.Seed, s.Seeded, s.Only = planned.Campaign.Seed, true, planned.Campaign.Only()
	if err := s.plan(nil); err != nil {
		return err
	}
	if err := s.Plan.Same(planned.Campaign); err != nil {
		err = fmt.Errorf("%s was made by moobench %s, and this is %s: %w",
			named, planned.Moobench, s.lab.Moobench, err)
		return refusal.New(err, "measure with the moobench that planned, or plan again with this one")
	}
	return s.cut(named)
}

// cut restricts the session to its shard, if there is one.
func (s *Session) cut(path string) error {
	if s.Shard.Count == 0 {
		return nil
	}
	if s.frozen == nil {
		return notFrozen(path + " is not frozen: a pilot would decide on each host for itself")
	}
	cut := s.Plan.Shard
	if s.InLane {
		cut = s.Plan.Lane
	}
	if err := cut(s.Shard); err != nil {
		return outcome.Usage(err)
	}
	return nil
}

// notFrozen refuses a plan with undecided pilots.
func notFrozen(why string) error {
	return refusal.New(outcome.Usage(errors.New(why)),
		"run the pilot once (moobench run), and plan with what it decided: moobench plan --pilot DIR")
}

// WritePlan writes the plan of the session's file. Undecided numbers come from the pilots of an
// earlier campaign; without one the plan is not frozen, which is reported.
func (s *Session) WritePlan(path, pilot string) error {
	if err := s.freeze(pilot); err != nil {
		return err
	}
	if err := s.savePlan(path); err != nil {
		return err
	}
	return s.tellPlan(path)
}

// tellPlan prints the plan's size, and how to measure it in shards.
func (s *Session) tellPlan(path string) error {
	c := s.Plan.Campaign
	timing, resources := s.Plan.Planned()
	_, err := fmt.Fprintf(s.lab.Out, "%s: %s, %s · seed %d · plan %s\n", console.Visible(path),
		figure.Plural(timing, "timing block", "timing blocks"),
		figure.Plural(resources, "resource block", "resource blocks"), c.Seed, c.PlanHash[:12])
	if err == nil && c.Frozen != nil {
		const text = "next, on each of up to %d hosts: moobench run --shard 1/N %s · " +
			"then on one: moobench merge shard-*.tar\n"
		_, err = fmt.Fprintf(s.lab.Out, text, max(1, timing), console.Visible(path))
	}
	return err
}

// fewestBlocks is the least number of blocks on one host for judging its A/A.
const fewestBlocks = 5

// tellShard describes a shard's share, and what can't be judged from its host alone.
func (s *Session) tellShard() string {
	sh := s.Plan.Campaign.Shard
	_, resources := s.Plan.Planned()
	text := fmt.Sprintf("shard %s: %s of %d, %d of them for resources, "+
		"and for this host alone its proofs and the loads that it takes", sh,
		figure.Plural(sh.Blocks(), "block", "blocks"), sh.Planned, resources)
	if sh.Blocks() < fewestBlocks {
		text += fmt.Sprintf("; fewer than %d blocks on a host: its own A/A can't be judged, "+
			"and its outlying JVMs can't be found", fewestBlocks)
	}
	return text
}

// RunShard measures a shard of the plan, and packs it into one file. If the file exists, it returns
// at once. An interrupted shard can be continued, even on another host.
func (s *Session) RunShard(ctx context.Context) error {
	shard := s.Plan.Campaign.Shard
	file := cmp.Or(s.Dir, fmt.Sprintf("shard-%d-of-%d.tar", shard.Index, shard.Count))
	if there, err := s.isThere(ctx, file); err != nil || there {
		return err
	}
	m := &measuring{Session: s, dir: file + workSuffix, hint: "nothing sealed is lost; go on with the same command"}
	if results.HasCampaign(m.dir) { // without a campaign, the killed run had measured nothing
		old, _, err := Resumable(m.dir)
		if err == nil {
			s.Resume = m.dir
			err = s.continueShard(old)
		}
		if err != nil {
			return err
		}
	}
	pack := phase{
		name: "pack", does: "packs the shard into one file",
		run: func(m *measuring, ctx context.Context) (undo func() error, err error) {
			if err := fleet.Pack(ctx, m.store, file); err != nil {
				return nil, err
			}
			return nil, os.RemoveAll(m.dir)
		},
	}
	examine := phase{
		name: "examine", unfit: true, run: (*measuring).examine,
		does: "examines the machine, as moobench doctor does, and refuses what can't measure",
	}
	if err := m.carry(ctx, slices.Concat([]phase{examine}, between("suit", "put back"), []phase{pack})); err != nil {
		return err
	}
	return s.tellDone(file, m.store.Campaign())
}

// isThere reports whether the shard's file exists already. It refuses a file of another shard or
// plan, because that is somebody's measurement.
func (s *Session) isThere(ctx context.Context, file string) (bool, error) {
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	c, err := fleet.Look(ctx, file)
	if err != nil {
		return false, err
	}
	want := s.Plan.Campaign
	switch {
	case c.Shard == nil || c.PlanHash != want.PlanHash:
		return false, outcome.Usage(refusal.New(fmt.Errorf("%s is there already, and belongs to another plan", file),
			"choose another file with -o"))
	case *c.Shard != *want.Shard:
		return false, outcome.Usage(refusal.New(fmt.Errorf("%s is there already, and is shard %s", file, c.Shard),
			"choose another file with -o"))
	}
	_, err = fmt.Fprintf(s.lab.Out, "shard %s is there already: %s\n", c.Shard, console.Visible(file))
	return true, err
}

// continueShard continues an interrupted shard.
func (s *Session) continueShard(old *results.Campaign) error {
	if old.Shard == nil || *old.Shard != *s.Plan.Campaign.Shard {
		return outcome.Usage(refusal.New(fmt.Errorf("%s holds another shard", s.Resume), "choose another file with -o"))
	}
	if err := s.Plan.Resume(old); err != nil {
		return refusal.New(fmt.Errorf("going on in %s: %w", s.Resume, err), "choose another file with -o")
	}
	return nil
}

// examine refuses a machine that lacks anything needed for measuring.
func (m *measuring) examine(ctx context.Context) (undo func() error, err error) {
	c, err := m.lab.examine(ctx, m.File, m.bundle != nil)
	if err != nil {
		return nil, err
	}
	if c.OK {
		return nil, nil
	}
	return nil, refusal.New(fmt.Errorf("this machine can't measure: %s", strings.Join(c.Lacks(), "; ")),
		"moobench doctor says more")
}

// tellDone prints the result of a shard.
func (s *Session) tellDone(file string, c *results.Campaign) error {
	fmt.Fprintf(s.lab.Out, "shard %s: %s · sealed in %s\n",
		c.Shard, figure.Plural(len(c.Blocks), "block", "blocks"), console.Visible(file))
	for _, g := range c.GivenUp {
		cell := c.Cell(g.Cell)
		if cell != nil {
			fmt.Fprintf(s.lab.Out, "  ! %s: given up: %s\n", console.Visible(cell.Label()), console.Visible(g.Reason))
		}
	}
	if len(c.GivenUp) > 0 {
		return outcome.ErrIncomplete
	}
	return nil
}
