package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"moobench/analysis"
	"moobench/analysis/history"
	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/results"
	"moobench/scenarios"
)

// nightsCommand is nights FILE OLD NEW LOG: a history of eleven nights of the
// campaign in OLD, and of a twelfth in NEW, whose value is LOG more than before.
func nightsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: nights FILE OLD NEW LOG")
	}
	change, err := strconv.ParseFloat(args[3], 64)
	ts.Check(err)
	before, err := nightIn(ts.MkAbs(args[1]))
	ts.Check(err)
	after, err := nightIn(ts.MkAbs(args[2]))
	ts.Check(err)
	var records []history.Record
	for i := range 12 {
		n := before
		n.Log += 0.002 * float64(i%3-1)
		if i == 11 {
			n = after
			n.Log = before.Log + change
		}
		n.ID, n.Commit = fmt.Sprintf("night-%02d", i+1), fmt.Sprintf("%02dcafe", i+1)
		n.When = time.Date(2026, 11, 1+i, 3, 0, 0, 0, time.UTC)
		records = append(records, history.Record{Format: history.Format, Kind: history.KindNight, Night: &n})
	}
	_, err = history.Append(ts.MkAbs(args[0]), records...)
	ts.Check(err)
}

// nightIn is the night of the first variant of a campaign against its baseline.
func nightIn(dir string) (history.Night, error) {
	store, err := results.Open(dir)
	if err != nil {
		return history.Night{}, err
	}
	answers, err := analysis.Analyse(store)
	if err != nil {
		return history.Night{}, err
	}
	c := store.Campaign()
	i := slices.IndexFunc(c.Cells, func(c results.Cell) bool { return c.Role == results.RoleVariant })
	s := answers.Scenarios[0]
	ratio := s.Cells[i].Metrics[0].Ratio
	if ratio == nil || ratio.SD == nil || s.Cells[i].ID != c.Cells[i].ID {
		return history.Night{}, errors.New("the campaign's first variant has no ratio")
	}
	return history.Night{
		Key: history.Key{
			Campaign: c.Name, Scenario: s.Label, Cell: c.Cells[i].Label(), Metric: s.Primary, Reference: framework.None,
			Machine: c.Versions["machine"], Runtime: c.Versions["jdk"],
		},
		Folder: filepath.Base(dir), Plan: "p", Tool: "test", Unit: "ns", Better: results.Lower,
		Log: math.Log(ratio.Value), SE: *ratio.SD / math.Sqrt(float64(ratio.N)), DF: float64(ratio.N - 1), N: ratio.N,
		Raw: 1, ReferenceRaw: 1, Artifacts: c.Cells[i].Launch.Artifacts,
	}, nil
}

func TestGrouped(t *testing.T) {
	of := func(cell, metric, older string) history.Remeasurement {
		return history.Remeasurement{
			Unsettled: history.Unsettled{Series: &history.Series{Key: history.Key{Scenario: "s", Cell: cell, Metric: metric}}},
			Old:       history.Night{ID: older}, New: history.Night{ID: "n"},
		}
	}
	gone := of("a", "m3", "1")
	gone.Why = "gone"
	var got []string
	for _, g := range grouped([]history.Remeasurement{of("a", "m1", "1"), of("b", "m1", "1"), of("a", "m2", "1"), of("a", "m4", "2"), gone}) {
		var metrics []string
		for _, a := range g {
			metrics = append(metrics, a.Series.Cell+a.Series.Metric)
		}
		got = append(got, strings.Join(metrics, "+"))
	}
	if diff := cmp.Diff([]string{"am1+am2", "bm1", "am4", "am3"}, got); diff != "" {
		t.Error(diff)
	}
}

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

// TestConfirmationText: what is written can be read and planned, and is about one
// cell at its own level.
func TestConfirmationText(t *testing.T) {
	term := &terminal{scenarios: scenarios.All()}
	night, err := config.Parse("benchmarks.toml", []byte(strings.ReplaceAll(nightTOML, `"kieker"`, `"kieker/bci/tcp"`)), term.known())
	if err != nil {
		t.Fatal(err)
	}
	c := &confirmation{
		file: night, reference: "pinned/bci/default", about: "why", blocks: 12, resources: 1,
		cell: &results.Cell{Scenario: "second", Variant: "mine/bci/default", Factors: []results.Value{{Name: "depth", Value: "10"}, {Name: "method_time", Value: "1000"}}},
		builds: builds{
			map[string]any{"artifact": map[string]any{"agent": map[string]any{"path": "/kept/was.jar", "sha256": strings.Repeat("1", 64)}}},
			map[string]any{"artifact": map[string]any{"agent": map[string]any{"path": "/kept/is.jar", "sha256": strings.Repeat("2", 64)}}},
		},
	}
	c.ask([]history.Remeasurement{{Unsettled: history.Unsettled{Series: &history.Series{Key: history.Key{Scenario: "second", Metric: "duration"}}}}})
	text, err := c.text()
	if err != nil {
		t.Fatal(err)
	}
	file, err := config.Parse("confirm.toml", text, term.known())
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	set, err := frameworks(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := term.planOf(file, set, 1)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var labels []string
	for _, cell := range p.Campaign.Cells {
		labels = append(labels, cell.Label())
		if cell.Parameter("depth") != "10" || cell.Parameter("method_time") != "1000" {
			t.Errorf("%s: parameters %v", cell.Label(), cell.Parameters)
		}
	}
	if diff := cmp.Diff([]string{"none", "none#aa", "pinned/bci/default", "mine/bci/default@old.", "mine/bci/default@new"}, labels); diff != "" {
		t.Errorf("%s\n%s", diff, text)
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

func TestJars(t *testing.T) {
	kept := results.OpenKept(filepath.Join(t.TempDir(), "kept"))
	keep := func(name, content string) results.Artifact {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		a, err := kept.Keep(path)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	was, is := keep("agent.jar", "old"), keep("agent.jar", "new")
	kernelWas, kernelIs := keep("kernel.jar", "old kernel"), keep("kernel.jar", "new kernel")
	kernelWas.Name, kernelIs.Name = framework.FixtureName("kernel"), framework.FixtureName("kernel")
	release := func(version string) results.Artifact {
		return results.Artifact{Name: "g:a:" + version, SHA256: strings.Repeat(version[:1], 64)}
	}
	gone := results.Artifact{Name: "agent.jar", SHA256: strings.Repeat("e", 64)}
	config1, config2 := results.Artifact{Name: "x.conf", SHA256: "1"}, results.Artifact{Name: "x.conf", SHA256: "2"}
	byPath := framework.Variant{Name: "mine/bci/default", Artifacts: []framework.Artifact{{Name: "agent", Path: "agent.jar"}}}
	byMaven := framework.Variant{Name: "theirs/bci/default", Artifacts: []framework.Artifact{{Name: "agent", Maven: "g:a:2"}}}
	all := func(a ...results.Artifact) []results.Artifact { return a }
	for _, c := range []struct {
		name    string
		v       framework.Variant
		was, is []results.Artifact
		want    string // what stands in for old, or what is wrong
	}{
		{"a jar by path", byPath, all(was), all(is), "artifact.agent path"},
		{"a release", byMaven, all(release("1")), all(release("2")), "artifact.agent maven"},
		{"the fixtures", byPath, all(was, kernelWas), all(was, kernelIs), "artifact.agent path, fixture.kernel path"},
		{"a fixture that nobody looked at before", byPath, all(was), all(is, kernelIs), "artifact.agent path"},
		{"the same jar", byPath, all(was), all(was), "started with the same files"},
		{"the same release", byMaven, all(release("2")), all(release("2")), "started with the same files"},
		{"another configuration", byPath, all(was, config1), all(was, config2), "unlike files of benchmarks.toml: x.conf"},
		{"gone", byPath, all(gone), all(is), "agent.jar of the night n1 is not in"},
		{"nobody looked", byPath, all(results.Artifact{Name: "agent.jar"}), all(is), "nobody wrote down which agent.jar the night n1"},
		{"another number", byPath, all(was), all(is, is), "unlike files"},
		{"none", framework.Variant{}, nil, nil, "neither night wrote down any file"},
	} {
		j := jars{kept: kept, dir: "kept", old: history.Night{ID: "n1", Artifacts: c.was}, new: history.Night{ID: "n2", Artifacts: c.is}}
		b, err := j.of(c.v)
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if got := standIns(b.old); got != c.want || standIns(b.new) != got {
			t.Errorf("%s: %s for old, %s for new, want %s", c.name, got, standIns(b.new), c.want)
		}
	}
}

// standIns names the jars of a build, and where each comes from.
func standIns(build map[string]any) string {
	var all []string
	for kind, jars := range build {
		for name, jar := range jars.(map[string]any) {
			for _, from := range []string{"path", "maven"} {
				if jar.(map[string]any)[from] != nil {
					all = append(all, kind+"."+name+" "+from)
				}
			}
		}
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
