package nightly

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/history"
	"moobench/cmd/internal/console"
	"moobench/cmd/internal/session"
	"moobench/harness/config"
	"moobench/harness/machine"
	"moobench/internal/testmachine"
	"moobench/results"
	"moobench/scenarios"
)

const measuredTOML = `
name = "nightly"
[command]
run = ["./job.sh", "{agent}"]
[server]
run = ["./shop", "{agent}"]
ready = "http://127.0.0.1:{port}/"
[[server.request]]
url = "http://127.0.0.1:{port}/"
[[scenario]]
use = "overhead"
variants = ["none", "pinned", "mine"]
calls = 1000
blocks = 3
[[scenario]]
use = "command"
variants = ["none", "mine"]
blocks = 3
[[scenario]]
use = "server"
variants = ["none", "mine"]
arrival = "constant"
rate = 10
blocks = 3
[framework.mine]
agent = "mine.jar"
proof = "none"
[framework.pinned]
args = ["-Dx"]
proof = "none"
`

// nights is a lab with the campaign of a night, and the remeasurement of its cell of an agent in a scenario.
func nights(t *testing.T, scenario string) (lab *session.Lab, o Options, r history.Remeasurement) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var out bytes.Buffer
	lab = &session.Lab{
		Scenarios: scenarios.All(), Tree: testmachine.Open(t, "server"),
		Console: console.Console{Out: &out, Err: &out}, Seed: func() uint64 { return 5 },
	}
	s, err := lab.Parse(session.Options{}, "benchmarks.toml", []byte(measuredTOML))
	if err != nil {
		t.Fatal(err)
	}
	host, _, err := machine.Look(lab.Tree)
	if err != nil {
		t.Fatal(err)
	}
	if s.Plan.Campaign.Origin, err = filepath.Abs("benchmarks.toml"); err != nil {
		t.Fatal(err)
	}
	o = Options{Runs: "runs", Artifacts: "kept"}
	if _, err := results.Create(filepath.Join(o.Runs, "n2"), s.Plan.Campaign, []byte(measuredTOML)); err != nil {
		t.Fatal(err)
	}
	var jars [2][]results.Artifact
	for i, content := range []string{"old", "new"} {
		if err := os.WriteFile("mine.jar", []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		a, err := results.OpenKept(o.Artifacts).Keep("mine.jar")
		if err != nil {
			t.Fatal(err)
		}
		jars[i] = []results.Artifact{a}
	}
	i := slices.IndexFunc(s.Plan.Campaign.Cells, func(c results.Cell) bool {
		return c.Scenario == scenario && strings.HasPrefix(c.Variant, "mine/") && c.Role == results.RoleVariant
	})
	metrics := s.Plan.Campaign.Scenario(scenario).Metrics
	primary := metrics[slices.IndexFunc(metrics, func(m results.Metric) bool { return m.Primary })]
	key := history.Key{
		Campaign: "nightly", Scenario: scenario, Cell: s.Plan.Campaign.Cells[i].Label(), Metric: primary.Name,
		Reference: "none", Machine: host.ID,
	}
	return lab, o, history.Remeasurement{
		Unsettled: history.Unsettled{Series: &history.Series{Key: key}, Change: &history.Change{}}, Blocks: 12,
		Old:   history.Night{ID: "n1", Artifacts: jars[0]},
		New:   history.Night{ID: "n2", Folder: "n2", Artifacts: jars[1]},
		Alarm: results.Alarm{HistoryKey: key, Log: 0.1, Better: results.Lower},
	}
}

// TestPlanned: a change is measured again in a campaign of its cell alone, of the night's file with the section that
// its program needs and no other one, beside the variant that the series is pinned to.
func TestPlanned(t *testing.T) {
	const none, builds = "none | ", "mine/bci/default@old | mine/bci/default@new, "
	for name, c := range map[string]struct {
		scenario  string
		reference string
		asked     int // blocks
		want      string
	}{
		"a method of ours":       {"overhead", "none", 0, none + builds + "12 blocks"},
		"as many blocks as said": {"overhead", "none", 7, none + builds + "7 blocks"},
		"pinned to another": {
			"overhead", "pinned/bci/default", 0, none + "pinned/bci/default | " + builds + "12 blocks",
		},
		"pinned to itself": {"overhead", "mine/bci/default", 0, none + builds + "12 blocks"},
		"a command":        {"command", "none", 0, none + builds + "12 blocks, [command]"},
		"a server":         {"server", "none", 0, none + builds + "12 blocks, [server]"},
	} {
		t.Run(name, func(t *testing.T) {
			lab, o, r := nights(t, c.scenario)
			r.Series.Reference, o.Blocks, o.Least = c.reference, c.asked, 0.05
			s, err := o.plan(lab, group{r})
			if err != nil {
				t.Fatal(err)
			}
			read := s.File.Scenarios[0]
			got := fmt.Sprintf("%s, %d blocks", strings.Join(read.Variants, " | "), read.Blocks)
			if s.File.Command != nil {
				got += ", [command]"
			}
			if s.File.Server != nil {
				got += ", [server]"
			}
			if got != c.want || read.Use != c.scenario || len(s.File.Scenarios) != 1 {
				t.Errorf("%s\nwant %s\n%s", got, c.want, s.File.Text)
			}
			want := &results.Confirm{Night: "n2", Against: "n1", Least: 0.05, Alarms: []results.Alarm{r.Alarm}}
			want.Alarms[0].Question = "q1"
			if diff := cmp.Diff(want, s.Plan.Campaign.Confirm); diff != "" {
				t.Error(diff)
			}
			if s.Plan.Campaign.Seed != 5 {
				t.Errorf("seed %d", s.Plan.Campaign.Seed)
			}
		})
	}
}

// TestNotPlanned: what can't be measured again says why.
func TestNotPlanned(t *testing.T) {
	in := func(folder string) func(*Options, *history.Remeasurement) {
		return func(_ *Options, r *history.Remeasurement) { r.New.Folder = folder }
	}
	of := func(change func(k *history.Key)) func(*Options, *history.Remeasurement) {
		return func(_ *Options, r *history.Remeasurement) { change(&r.Series.Key) }
	}
	for name, c := range map[string]struct {
		change func(o *Options, r *history.Remeasurement)
		want   string
	}{
		"nothing to measure": {
			func(_ *Options, r *history.Remeasurement) { r.Why = "it is the first" }, "it is the first",
		},
		"another machine": {of(func(k *history.Key) { k.Machine = "m2" }), "it was measured on the machine m2"},
		"pruned":          {in("n3"), "the campaign of the night n2 is not in runs/n3"},
		"outside":         {in("../n2"), `the history names no folder of the night n2, but "../n2"`},
		"below":           {in("a/n2"), `the history names no folder of the night n2, but "a/n2"`},
		"elsewhere": {
			func(o *Options, _ *history.Remeasurement) { o.Runs = "other" },
			"the campaign of the night n2 is not in other/n2",
		},
		"no such cell": {
			of(func(k *history.Key) { k.Cell = "mine/bci/x" }),
			`its campaign in n2 has no cell "mine/bci/x" of scenario overhead`,
		},
		"a baseline": {
			of(func(k *history.Key) { k.Cell = "none" }), `its campaign in n2 has no cell "none" of scenario overhead`,
		},
		"no such scenario": {
			of(func(k *history.Key) { k.Scenario = "other" }), `has no cell "mine/bci/default" of scenario other`,
		},
		"no such metric": {of(func(k *history.Key) { k.Metric = "x" }), `scenario overhead has no metric "x"`},
		"the same jars": {
			func(_ *Options, r *history.Remeasurement) { r.Old.Artifacts = r.New.Artifacts },
			"old and new were started with the same files",
		},
	} {
		t.Run(name, func(t *testing.T) {
			lab, o, r := nights(t, "overhead")
			c.change(&o, &r)
			if s, err := o.plan(lab, group{r}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, %v, want %s", s, err, c.want)
			}
		})
	}
}

// TestPlannedSeed: a seed that is given orders the confirmation.
func TestPlannedSeed(t *testing.T) {
	lab, o, r := nights(t, "overhead")
	o.Seed = 8
	s, err := o.plan(lab, group{r})
	if err != nil {
		t.Fatal(err)
	}
	if s.Plan.Campaign.Seed != 8 {
		t.Errorf("seed %d", s.Plan.Campaign.Seed)
	}
}

// TestLevelOfAConfirmation: a factor has the value that the night's file calls the cell's own level, also the first one
// of its list; what is in no list, as it is.
func TestLevelOfAConfirmation(t *testing.T) {
	text := strings.ReplaceAll(nightTOML, `"kieker"`, `"kieker/bci/tcp"`)
	night, err := config.Parse("benchmarks.toml", []byte(text), known())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		depth, time string
		want        []any
	}{
		{"1", "0", []any{int64(1), "0ns"}}, {"10", "1000", []any{int64(10), "1us"}}, {"7", "1000", []any{"7", "1us"}},
	} {
		confirm := &confirmation{cell: &results.Cell{
			Scenario: "second",
			Factors:  []results.Value{{Name: "depth", Value: c.depth}, {Name: "method_time", Value: c.time}},
		}}
		section := confirm.scenario(night.Draft().Tables("scenario")[1], night.Scenarios[1], "mine@old", "mine@new")
		got := []any{section.Value("depth"), section.Value("method_time")}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("depth %s, method_time %s: %s", c.depth, c.time, diff)
		}
	}
}
