package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"

	"github.com/BurntSushi/toml"

	"moobench/harness/config"
	"moobench/harness/plan"
	"moobench/results"
)

// confirmation is the campaign that settles alarms of one cell, before it is
// written as a benchmarks.toml.
type confirmation struct {
	file      *config.File  // of the night
	cell      *results.Cell // of the night
	reference string        // variant, as the series has it
	builds    builds
	about     string
	questions []map[string]any
	blocks    int // of the timing profile
	resources int // blocks of that profile
	section   string
}

// The builds of a confirmation, and how its campaign's name ends.
const (
	oldBuild      = "old"
	newBuild      = "new"
	confirmSuffix = "-confirm"
	longestName   = 64
)

// text is the confirmation's benchmarks.toml: that of the night with one
// [[scenario]] left, at the cell's own level, and the two builds of its variant. It
// has all that resuming the campaign takes.
func (c *confirmation) text() ([]byte, error) {
	var raw map[string]any
	if err := toml.Unmarshal(c.file.Text, &raw); err != nil {
		return nil, fmt.Errorf("reading the benchmarks.toml of the night: %w", err)
	}
	i := slices.IndexFunc(c.file.Scenarios, func(s config.Scenario) bool { return s.Label == c.cell.Scenario })
	sections := tablesOf(raw["scenario"])
	if i < 0 || i >= len(sections) {
		return nil, fmt.Errorf("the benchmarks.toml of the night has no scenario %q", c.cell.Scenario)
	}
	for _, key := range []string{"seed", "gate", "published"} {
		delete(raw, key)
	}
	for _, section := range []string{plan.CommandSection, plan.ServerSection} {
		if section != c.section {
			delete(raw, section)
		}
	}
	name := c.file.Name
	raw["name"] = name[:min(len(name), longestName-len(confirmSuffix))] + confirmSuffix
	raw["about"] = c.about
	raw["scenario"] = []map[string]any{c.scenario(sections[i], c.file.Scenarios[i])}
	raw["question"] = c.questions
	all := map[string]any{}
	if own, ok := raw["build"].(map[string]any); ok {
		maps.Copy(all, own)
	}
	before, after := c.names()
	all[before], all[after] = c.builds.old, c.builds.new
	raw["build"] = all
	var b bytes.Buffer
	b.WriteString("# Written by moobench confirm: the benchmarks.toml of the night, with one cell of it\n# from the old and from the new jars.\n")
	if err := toml.NewEncoder(&b).Encode(raw); err != nil {
		return nil, fmt.Errorf("writing the confirmation's benchmarks.toml: %w", err)
	}
	return b.Bytes(), nil
}

// names are those of the builds old and new, which no build of the night's own
// has.
func (c *confirmation) names() (before, after string) {
	free := func(name string) string {
		for {
			if _, taken := c.file.Builds[name]; !taken {
				return name
			}
			name += "."
		}
	}
	return free(oldBuild), free(newBuild)
}

// scenario is the section at the cell's own level, with a fixed number of blocks.
func (c *confirmation) scenario(raw map[string]any, read config.Scenario) map[string]any {
	own := maps.Clone(raw)
	for _, key := range []string{"precision", "max_blocks", "max_time", "strict", "pool"} {
		delete(own, key)
	}
	for _, f := range c.cell.Factors {
		given := read.Parameters[f.Name]
		if given == nil {
			given = read.Environment[f.Name]
		}
		own[f.Name] = levelOf(raw[f.Name], given, f.Value)
	}
	own["label"], own["blocks"], own["resources"] = c.cell.Scenario, int64(c.blocks), int64(c.resources)
	variants := []string{read.Variants[0]}
	if c.reference != "" {
		variants = append(variants, c.reference)
	}
	before, after := c.sides()
	own["variants"] = append(variants, before, after)
	return own
}

// sides are the variants that are compared.
func (c *confirmation) sides() (before, after string) {
	before, after = c.names()
	return c.cell.Variant + "@" + before, c.cell.Variant + "@" + after
}

// levelOf is one value of a list, as it stands in the file; canonical are the
// list's values as they were read. What stands for several values, such as a JDK's
// major version, is the value itself.
func levelOf(raw any, canonical []string, value string) any {
	list, ok := raw.([]any)
	if i := slices.Index(canonical, value); ok && i >= 0 && i < len(list) {
		return list[i]
	}
	return value
}

// tablesOf takes lists of tables of both kinds: [[x]] and x = [ {…} ].
func tablesOf(v any) []map[string]any {
	switch v := v.(type) {
	case []map[string]any:
		return v
	case []any:
		var all []map[string]any
		for _, e := range v {
			if table, ok := e.(map[string]any); ok {
				all = append(all, table)
			}
		}
		return all
	}
	return nil
}
