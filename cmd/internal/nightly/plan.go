package nightly

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"moobench/analysis/history"
	"moobench/cmd/internal/session"
	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/harness/strict"
	"moobench/refusal"
	"moobench/results"
)

const (
	// fewestBlocks is the least number of blocks for a meaningful A/A.
	fewestBlocks = 5
	// fewResources is the number of blocks of a resources profile without alarms: scenarios may
	// need one.
	fewResources = 1

	confirmSuffix = "-confirm" // suffix of the campaign's name
	longestName   = 64
	confirmHeader = "Written by moobench confirm: the benchmarks.toml of the night, with one cell of it\nfrom the old and from the new jars."
)

// plan plans the campaign that settles a group of changes.
func (o Options) plan(lab *session.Lab, g group) (*session.Session, error) {
	a := g[0]
	if a.Why != "" {
		return nil, errors.New(a.Why)
	}
	host, _, err := machine.Look(lab.Tree)
	if err != nil {
		return nil, err
	}
	if err := raisedOn(a.Series.Key, host); err != nil {
		return nil, err
	}
	campaign, file, err := night(o.Runs, a.New, lab.Known())
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(campaign.Cells, func(c results.Cell) bool {
		return c.Scenario == a.Series.Scenario && c.Label() == a.Series.Cell && c.Role == results.RoleVariant
	})
	if i < 0 {
		return nil, fmt.Errorf("its campaign in %s has no cell %q of scenario %s",
			a.New.Folder, a.Series.Cell, a.Series.Scenario)
	}
	c := &confirmation{night: file, cell: &campaign.Cells[i], confirm: g.confirm(o.Least)}
	set, err := session.Frameworks(file)
	if err != nil {
		return nil, err
	}
	v, err := set.Variant(c.cell.Variant)
	if err != nil {
		return nil, err
	}
	j := jars{kept: results.OpenKept(o.Artifacts), dir: o.Artifacts, old: a.Old, new: a.New}
	if c.older, c.newer, err = j.builds(v); err != nil {
		return nil, err
	}
	pinned, baseline := a.Series.Reference, campaign.Cell(c.cell.Baseline)
	if pinned != c.cell.Variant && (baseline == nil || pinned != baseline.Variant) {
		c.reference = pinned
	}
	scenario := campaign.Scenario(a.Series.Scenario)
	if c.blocks, c.resources, err = g.profiles(scenario, o.Blocks); err != nil {
		return nil, err
	}
	for _, known := range lab.Scenarios {
		if schema := known.Schema(); schema.Name == scenario.Use {
			c.section = schema.Section
		}
	}
	draft, err := c.draft()
	if err != nil {
		return nil, err
	}
	// Relative paths stay relative to the night's own folder.
	file, err = config.Parse(filepath.Join(filepath.Dir(file.Path), "confirm.toml"), draft.Text(confirmHeader), lab.Known())
	if err != nil {
		return nil, err
	}
	o.Seeded = o.Seed != 0
	s, err := lab.Plan(o.Options, file)
	if err == nil {
		s.Plan.Campaign.Confirm = c.confirm
	}
	return s, err
}

// raisedOn returns an error unless the alarm was raised on this machine or, for a pool, on a
// machine with the same CPU model: old and new are measured where the alarm was raised.
func raisedOn(k history.Key, host results.Machine) error {
	switch {
	case k.Pool != "" && host.CPU != k.CPU:
		err := fmt.Errorf("it was measured on the CPU %s in the pool %s, and this is %s", k.CPU, k.Pool, host.CPU)
		return refusal.New(err, "confirm it on a machine with that CPU: the next night that gets one does")
	case k.Pool == "" && host.ID != k.Machine:
		err := fmt.Errorf("it was measured on the machine %s, and this is %s", k.Machine, host.ID)
		return refusal.New(err, "confirm it there")
	}
	return nil
}

// night returns the campaign of a night, and its benchmarks.toml.
func night(runs string, n history.Night, known config.Known) (*results.Campaign, *config.File, error) {
	if !filepath.IsLocal(n.Folder) || filepath.Base(n.Folder) != n.Folder {
		return nil, nil, fmt.Errorf("the history names no folder of the night %s, but %q", n.ID, n.Folder)
	}
	dir := filepath.Join(runs, n.Folder)
	store, err := results.Open(dir)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("the campaign of the night %s is not in %s: it was pruned, or lies elsewhere", n.ID, dir)
		return nil, nil, refusal.New(err, "say where with --runs, or take a later night with --night")
	}
	if err != nil {
		return nil, nil, err
	}
	text, err := store.TOML()
	if err != nil {
		return nil, nil, fmt.Errorf("reading what the night %s measured: %w", n.ID, err)
	}
	campaign := store.Campaign()
	file, err := config.Parse(cmp.Or(campaign.Origin, filepath.Join(dir, "benchmarks.toml")), text, known)
	return campaign, file, err
}

// confirm returns the campaign's record of the alarms that it confirms. Their question IDs follow
// the order of questions in the benchmarks.toml.
func (g group) confirm(least float64) *results.Confirm {
	first := g[0]
	c := &results.Confirm{
		Night: first.New.ID, Against: first.Old.ID,
		OldCommit: first.Old.Commit, NewCommit: first.New.Commit, Least: least,
	}
	for i, a := range g {
		a.Question = fmt.Sprintf("q%d", i+1)
		c.Alarms = append(c.Alarms, a.Alarm)
	}
	return c
}

// profiles returns the number of blocks of each profile. A profile with alarms gets as many as the
// alarms need or the user asks for, the other one only a few.
func (g group) profiles(s *results.Scenario, asked int) (timing, resources int, err error) {
	blocks := asked
	if asked == 0 {
		for _, a := range g {
			blocks = max(blocks, a.Blocks)
		}
	}
	timing, resources = fewestBlocks, fewResources
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

// confirmation is the campaign that settles alarms of one cell.
type confirmation struct {
	night        *config.File
	cell         *results.Cell // of the night
	reference    string        // variant that the series is pinned to; "" is the baseline, which is measured anyway
	older, newer *strict.Draft // the builds of the cell's variant
	confirm      *results.Confirm
	blocks       int    // of the timing profile
	resources    int    // of the resources profile
	section      string // section of benchmarks.toml that the scenario needs; "": it drives a fixture
}

// draft is the benchmarks.toml of the night with one [[scenario]] left, at the cell's own level,
// and two builds of its variant. It has all that resuming the campaign takes.
func (c *confirmation) draft() (*strict.Draft, error) {
	d := c.night.Draft()
	sections := d.Tables("scenario")
	i := slices.IndexFunc(c.night.Scenarios, func(s config.Scenario) bool { return s.Label == c.cell.Scenario })
	if i < 0 || i >= len(sections) {
		return nil, fmt.Errorf("the benchmarks.toml of the night has no scenario %q", c.cell.Scenario)
	}
	older, newer := c.freeBuild("old"), c.freeBuild("new")
	before, after := c.cell.Variant+"@"+older, c.cell.Variant+"@"+newer
	d.Delete("seed", "gate", "published")
	for _, section := range []string{plan.CommandSection, plan.ServerSection} {
		if section != c.section {
			d.Delete(section)
		}
	}
	d.Set("name", c.night.Name[:min(len(c.night.Name), longestName-len(confirmSuffix))]+confirmSuffix)
	d.Set("about", "Is what changed between two nights really in the jars? "+commits(c.confirm))
	d.List("scenario", c.scenario(sections[i], c.night.Scenarios[i], before, after))
	var questions []*strict.Draft
	for _, a := range c.confirm.Alarms {
		q := &strict.Draft{}
		q.Set("text", fmt.Sprintf("Does %s differ between the new jars and the old ones?", a.Metric))
		q.Set("a", after)
		q.Set("b", before)
		q.Set("metric", a.Metric)
		q.Set("scenario", a.Scenario)
		q.Set("alpha", history.ConfirmAlpha)
		questions = append(questions, q)
	}
	d.List("question", questions...)
	builds := d.Table("build")
	builds.Put(older, c.older)
	builds.Put(newer, c.newer)
	return d, nil
}

// freeBuild returns a name that no build of the night has.
func (c *confirmation) freeBuild(name string) string {
	for {
		if _, taken := c.night.Builds[name]; !taken {
			return name
		}
		name += "."
	}
}

// scenario leaves a section the cell's own level, and a fixed number of blocks. What a factor's
// value is called in the file may be several values, such as a JDK's major version; then it is the
// value itself.
func (c *confirmation) scenario(section *strict.Draft, read config.Scenario, before, after string) *strict.Draft {
	section.Delete("precision", "max_blocks", "max_time", "strict", "pool")
	for _, f := range c.cell.Factors {
		var value any = f.Value
		list, _ := section.Value(f.Name).([]any)
		if n := slices.Index(read.Parameters[f.Name], f.Value); n >= 0 && n < len(list) {
			value = list[n]
		}
		section.Set(f.Name, value)
	}
	section.Set("label", c.cell.Scenario)
	section.Set("blocks", c.blocks)
	section.Set("resources", c.resources)
	variants := []string{read.Variants[0]}
	if c.reference != "" {
		variants = append(variants, c.reference)
	}
	section.Set("variants", append(variants, before, after))
	return section
}
