package nightly

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"moobench/analysis/history"
	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/machine"
	"moobench/harness/plan"
	"moobench/refusal"
	"moobench/results"
)

// Site is where changes are measured again.
type Site struct {
	Tree       machine.Tree // the machine's files
	Runs       string       // folder of the campaigns
	Artifacts  string       // folder of the files that were kept
	Known      config.Known
	Scenarios  []plan.Scenario
	Frameworks func(*config.File) (*framework.Set, error) // of the catalogue, and of a file
}

const (
	// FewestBlocks are those of an A/A that says something.
	FewestBlocks = 5
	// fewResources are the blocks of a profile that no alarm is about: scenarios may
	// need one.
	fewResources = 1

	confirmSuffix = "-confirm" // ends the name of the campaign
	longestName   = 64
	confirmHeader = "# Written by moobench confirm: the benchmarks.toml of the night, with one cell of it\n# from the old and from the new jars.\n"
)

// Plan is the campaign that settles a group of changes: its benchmarks.toml, and what
// it says of itself.
func (s Site) Plan(r Request, g Group) (*config.File, *results.Confirm, error) {
	a := g[0]
	if a.Why != "" {
		return nil, nil, errors.New(a.Why)
	}
	host, _, err := machine.Look(s.Tree)
	if err != nil {
		return nil, nil, err
	}
	if id := a.Series.Machine; host.ID != id { // old and new are measured where the alarm was raised
		return nil, nil, refusal.New(fmt.Errorf("it was measured on the machine %s, and this is %s", id, host.ID), "confirm it there")
	}
	campaign, night, err := s.night(a.New)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(campaign.Cells, func(c results.Cell) bool {
		return c.Scenario == a.Series.Scenario && c.Label() == a.Series.Cell && c.Role == results.RoleVariant
	})
	if i < 0 {
		return nil, nil, fmt.Errorf("its campaign in %s has no cell %q of scenario %s", a.New.Folder, a.Series.Cell, a.Series.Scenario)
	}
	c := &confirmation{night: night, cell: &campaign.Cells[i], confirm: g.confirm(r.Least)}
	set, err := s.Frameworks(night)
	if err != nil {
		return nil, nil, err
	}
	v, err := set.Variant(c.cell.Variant)
	if err != nil {
		return nil, nil, err
	}
	j := jars{kept: results.OpenKept(s.Artifacts), dir: s.Artifacts, old: a.Old, new: a.New}
	if c.older, c.newer, err = j.builds(v); err != nil {
		return nil, nil, err
	}
	if baseline := campaign.Cell(c.cell.Baseline); a.Series.Reference != c.cell.Variant && (baseline == nil || a.Series.Reference != baseline.Variant) {
		c.reference = a.Series.Reference
	}
	scenario := campaign.Scenario(a.Series.Scenario)
	if c.blocks, c.resources, err = g.profiles(scenario, r.Blocks); err != nil {
		return nil, nil, err
	}
	for _, known := range s.Scenarios {
		if scenario != nil && known.Name() == scenario.Use {
			c.section = known.Traits().Section
		}
	}
	values, err := c.values()
	if err != nil {
		return nil, nil, err
	}
	// Relative paths stay relative to the night's own folder.
	file, err := config.Of(filepath.Join(filepath.Dir(night.Path), "confirm.toml"), confirmHeader, values, s.Known)
	return file, c.confirm, err
}

// night is the campaign of a night, with its benchmarks.toml.
func (s Site) night(n history.Night) (*results.Campaign, *config.File, error) {
	if !filepath.IsLocal(n.Folder) || filepath.Base(n.Folder) != n.Folder {
		return nil, nil, fmt.Errorf("the history names no folder of the night %s, but %q", n.ID, n.Folder)
	}
	dir := filepath.Join(s.Runs, n.Folder)
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
	file, err := config.Parse(cmp.Or(campaign.Origin, filepath.Join(dir, "benchmarks.toml")), text, s.Known)
	return campaign, file, err
}

// confirm is what the campaign says of itself. Its questions are those of the
// benchmarks.toml, in the order of the alarms.
func (g Group) confirm(least float64) *results.Confirm {
	first := g[0]
	c := &results.Confirm{
		Night: first.New.ID, Against: first.Old.ID, OldCommit: first.Old.Commit, NewCommit: first.New.Commit, Least: least,
	}
	for i, a := range g {
		c.Alarms = append(c.Alarms, a.Alarm(fmt.Sprintf("q%d", i+1)))
	}
	return c
}

// profiles is how many blocks each profile gets: those that the alarms' metrics are
// read from as many as they need, or as somebody asks for, the other one few.
func (g Group) profiles(s *results.Scenario, asked int) (timing, resources int, err error) {
	blocks := asked
	if asked == 0 {
		for _, a := range g {
			blocks = max(blocks, a.Blocks)
		}
	}
	timing, resources = FewestBlocks, fewResources
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
	older, newer table         // the builds of the cell's variant
	confirm      *results.Confirm
	blocks       int    // of the timing profile
	resources    int    // blocks of that profile
	section      string // of benchmarks.toml that the scenario is about; "" when it drives a fixture
}

// values are the benchmarks.toml of the night with one [[scenario]] left, at the
// cell's own level, and two builds of its variant. They have all that resuming the
// campaign takes.
func (c *confirmation) values() (table, error) {
	root := c.night.Root()
	sections, _ := root.Key("scenario").List()
	i := slices.IndexFunc(c.night.Scenarios, func(s config.Scenario) bool { return s.Label == c.cell.Scenario })
	if i < 0 || i >= len(sections) {
		return nil, fmt.Errorf("the benchmarks.toml of the night has no scenario %q", c.cell.Scenario)
	}
	older, newer := c.free("old"), c.free("new")
	before, after := c.cell.Variant+"@"+older, c.cell.Variant+"@"+newer
	values := maps.Clone(root.Raw.(table))
	for _, key := range []string{"seed", "gate", "published"} {
		delete(values, key)
	}
	for _, section := range []string{plan.CommandSection, plan.ServerSection} {
		if section != c.section {
			delete(values, section)
		}
	}
	values["name"] = c.night.Name[:min(len(c.night.Name), longestName-len(confirmSuffix))] + confirmSuffix
	values["about"] = "Is what changed between two nights really in the jars? " + commits(c.confirm)
	values["scenario"] = []table{c.scenario(sections[i].Raw.(table), c.night.Scenarios[i], before, after)}
	var questions []table
	for _, a := range c.confirm.Alarms {
		questions = append(questions, table{
			"text": fmt.Sprintf("Is %s of the new jars other than of the old ones?", a.Metric),
			"a":    after, "b": before, "metric": a.Metric, "scenario": a.Scenario, "alpha": history.ConfirmAlpha,
		})
	}
	values["question"] = questions
	builds := table{}
	for name, own := range c.night.Builds {
		builds[name] = own.Raw
	}
	builds[older], builds[newer] = c.older, c.newer
	values["build"] = builds
	return values, nil
}

// free is a name that no build of the night's own has.
func (c *confirmation) free(name string) string {
	for {
		if _, taken := c.night.Builds[name]; !taken {
			return name
		}
		name += "."
	}
}

// scenario is a section at the cell's own level, with a fixed number of blocks. What a
// factor's value is called in the file may be several values, such as a JDK's major
// version; then it is the value itself.
func (c *confirmation) scenario(raw table, read config.Scenario, before, after string) table {
	own := maps.Clone(raw)
	for _, key := range []string{"precision", "max_blocks", "max_time", "strict", "pool"} {
		delete(own, key)
	}
	for _, f := range c.cell.Factors {
		given := read.Parameters[f.Name]
		if given == nil {
			given = read.Environment[f.Name]
		}
		own[f.Name] = f.Value
		list, _ := raw[f.Name].([]any)
		if n := slices.Index(given, f.Value); n >= 0 && n < len(list) {
			own[f.Name] = list[n]
		}
	}
	own["label"], own["blocks"], own["resources"] = c.cell.Scenario, int64(c.blocks), int64(c.resources)
	variants := []any{read.Variants[0]}
	if c.reference != "" {
		variants = append(variants, c.reference)
	}
	own["variants"] = append(variants, before, after)
	return own
}

// FreeFolder is a folder for a campaign that is not there yet.
func FreeFolder(runs, name string, now time.Time) (string, error) {
	base := filepath.Join(runs, now.UTC().Format("2006-01-02T150405Z")+"-"+name)
	dir := base
	for n := 2; ; n++ {
		_, err := os.Lstat(dir)
		if errors.Is(err, os.ErrNotExist) {
			return dir, nil
		}
		if err != nil || n > 1000 {
			return "", fmt.Errorf("looking for a free folder in %s: %w", runs, err)
		}
		dir = fmt.Sprintf("%s-%d", base, n)
	}
}
