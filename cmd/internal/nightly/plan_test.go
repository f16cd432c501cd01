package nightly

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/history"
	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/plan"
	"moobench/harness/strict"
	"moobench/results"
	"moobench/scenarios"
)

const nightTOML = `
name = "nightly-with-a-name-that-is-nearly-as-long-as-a-name-may-be-123"
seed = 7

[jvm]
args = ["-Xmx64m"]

[[scenario]]
use = "overhead"
label = "first"
variants = ["none", "kieker"]

[[scenario]]
use = "overhead"
label = "second"
variants = ["none", "pinned", "mine"]
depth = [1, 10]
method_time = ["0ns", "1us"]
precision = "2%"
max_blocks = 20
max_time = "1h"

[[question]]
text = "?"
a = "mine"
b = "none"
scenario = "second"

[framework.mine]
agent = "mine.jar"
proof = "none"
[framework.pinned]
args = ["-Dx"]
proof = "none"
[build.old]
agent = "another.jar"
`

// known is what may stand in a benchmarks.toml, but for knobs.
func known() config.Known {
	k := config.Known{Environment: plan.Environment(), Tests: []config.Test{{Name: results.TestPaired}}}
	for _, s := range scenarios.All() {
		k.Scenarios = append(k.Scenarios, s.Schema())
	}
	return k
}

// planned is the plan of a file, whose paths are relative to this folder.
func planned(t *testing.T, f *config.File) *plan.Plan {
	t.Helper()
	set, err := framework.Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var all []plan.Scenario
	for _, s := range scenarios.All() {
		all = append(all, s)
	}
	p, err := plan.New(f, set.With(f.Frameworks, ".").WithBuilds(f.Builds, "."), all, nil, 1)
	if err != nil {
		t.Fatalf("%v\n%s", err, f.Text)
	}
	return p
}

// TestConfirmation: what is planned is about one cell at its own level, and its text
// says the same to whoever resumes the campaign.
func TestConfirmation(t *testing.T) {
	night, err := config.Parse("benchmarks.toml", []byte(strings.ReplaceAll(nightTOML, `"kieker"`, `"kieker/bci/tcp"`)), known())
	if err != nil {
		t.Fatal(err)
	}
	jar := func(path, digit string) *strict.Draft {
		d := &strict.Draft{}
		agent := d.Table("artifact").Table("agent")
		agent.Set("path", path)
		agent.Set("sha256", strings.Repeat(digit, 64))
		return d
	}
	g := group{{Alarm: results.Alarm{HistoryKey: history.Key{Scenario: "second", Metric: "duration"}}}}
	c := &confirmation{
		night: night, reference: "pinned/bci/default", confirm: g.confirm(0), blocks: 12, resources: 1,
		cell:  &results.Cell{Scenario: "second", Variant: "mine/bci/default", Factors: []results.Value{{Name: "depth", Value: "10"}, {Name: "method_time", Value: "1000"}}},
		older: jar("/kept/was.jar", "1"), newer: jar("/kept/is.jar", "2"),
	}
	draft, err := c.draft()
	if err != nil {
		t.Fatal(err)
	}
	file, err := config.Parse("confirm.toml", draft.Text(confirmHeader), known())
	if err != nil {
		t.Fatalf("%v\n%s", err, file.Text)
	}
	p := planned(t, file)
	written, err := config.Parse("confirm.toml", file.Text, known())
	if err != nil {
		t.Fatalf("%v\n%s", err, file.Text)
	}
	if diff := cmp.Diff(p.Campaign, planned(t, written).Campaign); diff != "" {
		t.Errorf("resumed, it is planned otherwise: %s\n%s", diff, file.Text)
	}
	var labels []string
	for _, cell := range p.Campaign.Cells {
		labels = append(labels, cell.Label())
		if cell.Parameter("depth") != "10" || cell.Parameter("method_time") != "1000" {
			t.Errorf("%s: parameters %v", cell.Label(), cell.Parameters)
		}
	}
	if diff := cmp.Diff([]string{"none", "none#aa", "pinned/bci/default", "mine/bci/default@old.", "mine/bci/default@new"}, labels); diff != "" {
		t.Errorf("%s\n%s", diff, file.Text)
	}
	if len(file.Name) > 64 || !strings.HasSuffix(file.Name, "-confirm") || file.Seed != nil || p.Campaign.Scenarios[0].Sizing != nil {
		t.Errorf("name %q, seed %v, sizing %v", file.Name, file.Seed, p.Campaign.Scenarios[0].Sizing)
	}
	jars := map[string]string{}
	for _, cell := range p.Cells {
		for _, a := range cell.Recipe.Artifacts {
			jars[cell.Variant] = a.Path
		}
	}
	if diff := cmp.Diff(map[string]string{"mine/bci/default@old.": "/kept/was.jar", "mine/bci/default@new": "/kept/is.jar"}, jars); diff != "" {
		t.Error(diff)
	}
	q := p.Campaign.Scenarios[0].Questions
	last := q[len(q)-1]
	if last.ID != "q1" || last.Alpha != history.ConfirmAlpha || p.Campaign.Cell(last.A).Variant != "mine/bci/default@new" || p.Campaign.Cell(last.B).Variant != "mine/bci/default@old." {
		t.Errorf("asked %+v", last)
	}
}

func TestProfiles(t *testing.T) {
	s := &results.Scenario{Label: "s", Metrics: []results.Metric{
		{Name: "duration", Profile: results.ProfileTiming}, {Name: "rss", Profile: results.ProfileResources},
	}}
	of := func(metrics ...string) group {
		var g group
		for i, m := range metrics {
			g = append(g, history.Remeasurement{
				Unsettled: history.Unsettled{Series: &history.Series{Key: history.Key{Scenario: "s", Metric: m}}}, Blocks: 20 - 5*i,
			})
		}
		return g
	}
	for _, c := range []struct {
		g                        group
		asked, timing, resources int
	}{{of("duration"), 0, 20, 1}, {of("rss"), 0, 5, 20}, {of("rss", "duration"), 0, 20, 20}, {of("duration", "rss"), 7, 7, 7}} {
		timing, resources, err := c.g.profiles(s, c.asked)
		if timing != c.timing || resources != c.resources || err != nil {
			t.Errorf("%d and %d blocks, %v, want %d and %d", timing, resources, err, c.timing, c.resources)
		}
	}
	for _, s := range []*results.Scenario{s, nil} {
		if _, _, err := of("nothing").profiles(s, 0); err == nil {
			t.Error("a metric that there is not")
		}
	}
}
