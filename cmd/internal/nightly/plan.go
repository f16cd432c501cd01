package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"moobench/analysis/figure"
	"moobench/analysis/history"
	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/refusal"
	"moobench/results"
)

// fewResources are the blocks of a profile that no alarm is about: scenarios may
// need one.
const fewResources = 1

// planConfirmation plans the campaign that settles a group of alarms.
func (t *terminal) planConfirmation(o confirmOptions, g []history.Remeasurement) (*sitting, error) {
	if g[0].Why != "" {
		return nil, errors.New(g[0].Why)
	}
	if err := t.sameMachine(g[0].Series.Machine); err != nil {
		return nil, err
	}
	c, err := t.confirmationOf(o, g)
	if err != nil {
		return nil, err
	}
	text, err := c.text()
	if err != nil {
		return nil, err
	}
	s := &sitting{t: t, o: runOptions{dir: o.dir, quiet: o.quiet, seed: o.seed, seeded: o.seed != 0}}
	// Relative paths stay relative to the night's own folder.
	path := filepath.Join(filepath.Dir(c.file.Path), "confirm.toml")
	if s.file, err = config.Parse(path, text, t.known()); err != nil {
		return nil, err
	}
	if err := s.makePlan(nil); err != nil {
		return nil, err
	}
	s.plan.Campaign.Confirm = described(g)
	s.plan.Campaign.Confirm.Least = o.least
	return s, nil
}

// sameMachine makes sure that old and new are measured where the alarm was
// raised.
func (t *terminal) sameMachine(id string) error {
	host, _, err := machine.Look(t.tree)
	if err != nil {
		return err
	}
	if host.ID != id {
		return refusal.New(fmt.Errorf("it was measured on the machine %s, and this is %s", id, host.ID), "confirm it there")
	}
	return nil
}

// confirmationOf reads the night that new is of, and finds the jars of both.
func (t *terminal) confirmationOf(o confirmOptions, g []history.Remeasurement) (*confirmation, error) {
	a := g[0]
	campaign, file, err := t.nightOf(o.runs, a.New)
	if err != nil {
		return nil, err
	}
	c := &confirmation{file: file, section: t.sectionOf(campaign, a.Series.Scenario)}
	if c.cell = cellLabelled(campaign, a.Series.Scenario, a.Series.Cell); c.cell == nil {
		return nil, fmt.Errorf("its campaign in %s has no cell %q of scenario %s", a.New.Folder, a.Series.Cell, a.Series.Scenario)
	}
	set, err := frameworks(file)
	if err != nil {
		return nil, err
	}
	v, err := set.Variant(c.cell.Variant)
	if err != nil {
		return nil, err
	}
	j := jars{kept: results.OpenKept(o.kept), dir: o.kept, old: a.Old, new: a.New}
	if c.builds, err = j.of(v); err != nil {
		return nil, err
	}
	c.reference = referenceOf(campaign, c.cell, a.Series.Reference)
	c.about = "Is what changed between two nights really in the jars? " + commits(described(g))
	if c.blocks, c.resources, err = profilesOf(campaign, g, cmp.Or(o.blocks, blocksFor(g))); err != nil {
		return nil, err
	}
	c.ask(g)
	return c, nil
}

// nightOf is the campaign of a night, with its benchmarks.toml.
func (t *terminal) nightOf(runs string, n history.Night) (*results.Campaign, *config.File, error) {
	if !filepath.IsLocal(n.Folder) || filepath.Base(n.Folder) != n.Folder {
		return nil, nil, fmt.Errorf("the history names no folder of the night %s, but %q", n.ID, n.Folder)
	}
	dir := filepath.Join(runs, n.Folder)
	store, err := results.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, refusal.New(fmt.Errorf("the campaign of the night %s is not in %s: it was pruned, or lies elsewhere", n.ID, dir),
			"say where with --runs, or take a later night with --night")
	}
	if err != nil {
		return nil, nil, err
	}
	text, err := store.TOML()
	if err != nil {
		return nil, nil, fmt.Errorf("reading what the night %s measured: %w", n.ID, err)
	}
	campaign := store.Campaign()
	file, err := config.Parse(cmp.Or(campaign.Origin, filepath.Join(dir, "benchmarks.toml")), text, t.known())
	return campaign, file, err
}

// sectionOf is the section of benchmarks.toml that a scenario is about, "" when it
// drives a fixture.
func (t *terminal) sectionOf(c *results.Campaign, label string) string {
	s := c.Scenario(label)
	for _, known := range t.scenarios {
		if s != nil && known.Name() == s.Use {
			return known.Traits().Section
		}
	}
	return ""
}

// cellLabelled is the measured cell of a scenario with this label, or nil.
func cellLabelled(c *results.Campaign, scenario, label string) *results.Cell {
	for i := range c.Cells {
		if cell := &c.Cells[i]; cell.Scenario == scenario && cell.Label() == label && cell.Role == results.RoleVariant {
			return cell
		}
	}
	return nil
}

// referenceOf is the variant that the series is pinned to, "" when it is the
// baseline, which is measured anyway.
func referenceOf(c *results.Campaign, cell *results.Cell, reference string) string {
	if baseline := c.Cell(cell.Baseline); reference == cell.Variant || baseline != nil && reference == baseline.Variant {
		return ""
	}
	return reference
}

// profilesOf is how many blocks each profile gets: those that the alarms' metrics
// are read from as many as they need, the other one few.
func profilesOf(c *results.Campaign, g []history.Remeasurement, blocks int) (timing, resources int, err error) {
	timing, resources = fewestBlocks, fewResources
	s := c.Scenario(g[0].Series.Scenario)
	for _, a := range g {
		i := -1
		if s != nil {
			i = slices.IndexFunc(s.Metrics, func(m results.Metric) bool { return m.Name == a.Series.Metric })
		}
		switch {
		case i < 0:
			return 0, 0, fmt.Errorf("scenario %s has no metric %q", a.Series.Scenario, a.Series.Metric)
		case s.Metrics[i].Profile == results.ProfileResources:
			resources = blocks
		default:
			timing = blocks
		}
	}
	return timing, resources, nil
}

// ask registers a question for each alarm, in their order.
func (c *confirmation) ask(g []history.Remeasurement) {
	before, after := c.sides()
	for _, a := range g {
		c.questions = append(c.questions, map[string]any{
			"text":     fmt.Sprintf("Is %s of the new jars other than of the old ones?", a.Series.Metric),
			"a":        after,
			"b":        before,
			"metric":   a.Series.Metric,
			"scenario": a.Series.Scenario,
			"alpha":    history.ConfirmAlpha,
		})
	}
}

// described is what the campaign says of itself.
func described(g []history.Remeasurement) *results.Confirm {
	first := g[0]
	c := &results.Confirm{
		Night: first.New.ID, Against: first.Old.ID, OldCommit: first.Old.Commit, NewCommit: first.New.Commit,
	}
	for i, a := range g {
		c.Alarms = append(c.Alarms, a.Alarm(fmt.Sprintf("q%d", i+1)))
	}
	return c
}

// commits names old and new.
func commits(c *results.Confirm) string {
	return fmt.Sprintf("old %s, new %s", nightText(c.Against, c.OldCommit), nightText(c.Night, c.NewCommit))
}

// shortCommit is how much of a commit's ID is shown.
const shortCommit = 12

func nightText(id, commit string) string {
	if commit == "" {
		return id
	}
	return fmt.Sprintf("%s (commit %s)", id, visible(commit[:min(len(commit), shortCommit)]))
}

// changeText is a change in per cent, with its sign.
func changeText(log float64) string { return figure.SignedPercent(shareOf(log)) }
