package session

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/cmd/internal/console"
	"moobench/internal/testmachine"
	"moobench/results"
	"moobench/scenarios"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// previewed is a file of each kind, and what a session says before anything is started.
var previewed = map[string]string{
	"gated": `
name = "gated"
seed = 7
[machine]
host             = "bench-01"
wait_until_quiet = "2min"
turbo            = { set = "off", policy = "require" }
thp              = "never"
nice             = { policy = "observe" }
[machine.pin]
cpus   = "2-3"
policy = "try"
[jvm]
args = ["-Xmx512m"]
[[scenario]]
use       = "overhead"
variants  = ["none", "cheap", "kieker/bci/collect"]
depth     = [1, 10]
calls     = 1000
method_time = "500us"
precision = "2%"
max_blocks = 40
max_time  = "2h"
strict    = true
resources = 1
[[question]]
text   = "Is it cheap?"
a      = "cheap"
b      = "none"
metric = "duration/p99"
test   = "tost"
margin = "5%"
[[question]]
text   = "Does Kieker cost more?"
a      = "kieker/bci/collect"
b      = "none"
alternative = "greater"
[gate]
worse_by = "3%"
also     = { cpu_ns = "5%" }
alarms   = { startup_ns = "10%" }
[framework.cheap]
args  = ["-Dfake.cost=10"]
env   = { TOKEN = "secret" }
proof = "none"
`,
	"command": `
name = "command"
[command]
run = ["./job.sh", "{agent}"]
env = { A = "b" }
[[scenario]]
use       = "command"
variants  = ["none", "opentelemetry/auto/otlp"]
blocks    = 2
max_time  = "2min"
resources = 0
`,
	"auto": `
name = "auto"
[[scenario]]
use       = "overhead"
variants  = ["none", "probe/bci/collect"]
calls     = "auto"
gc        = ["serial", "g1"]
jvm       = ["", "-Xint"]
blocks    = 1
resources = 0
[[scenario]]
use       = "overhead"
label     = "alone"
variants  = ["probe/bci/collect"]
calls     = 1000
blocks    = 1
resources = 0
`,
}

// planned is a session of such a file on a machine of testdata, and what was said meanwhile.
func planned(t *testing.T, text string, o Options) (s *Session, out, said *bytes.Buffer) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	out, said = &bytes.Buffer{}, &bytes.Buffer{}
	l := &Lab{Scenarios: scenarios.All(), Tree: testmachine.Open(t, "server"), Console: console.Console{Out: out, Err: said}, Seed: func() uint64 { return 5 }}
	s, err := l.Parse(o, "benchmarks.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s, out, said
}

// TestPreview: what would be started is said before, in its exact order.
func TestPreview(t *testing.T) {
	folder, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range previewed {
		s, out, said := planned(t, text, Options{Dry: true})
		if err := s.Preview(); err != nil {
			t.Fatal(err)
		}
		got := said.String() + "----\n" + out.String()
		golden := filepath.Join(folder, name+".txt")
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestSeeds: the seed is the flag's, else the file's, else one that is drawn.
func TestSeeds(t *testing.T) {
	const none, own = "[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\", \"probe/bci/collect\"]\n", "seed = 3\n"
	for _, c := range []struct {
		text string
		o    Options
		want uint64
	}{
		{none, Options{}, 5}, {own + none, Options{}, 3}, {own + none, Options{Seed: 8, Seeded: true}, 8}, {own + none, Options{Seed: 8}, 3}, {none, Options{Seeded: true}, 0},
	} {
		s, _, _ := planned(t, c.text, c.o)
		if got := s.Plan.Campaign.Seed; got != c.want {
			t.Errorf("%+v of %q: seed %d, want %d", c.o, c.text, got, c.want)
		}
	}
	if l := (&Lab{Console: console.Console{Err: io.Discard}, Scenarios: scenarios.All()}); true {
		s, err := l.Parse(Options{}, "x.toml", []byte(none))
		if err != nil || s.Plan.Campaign.Seed != 1 {
			t.Errorf("nobody draws: %v, %v", s, err)
		}
	}
}

// TestTimingBlocks: blocks are counted for each scenario that they hold, those of pilots and of resources are none.
func TestTimingBlocks(t *testing.T) {
	c := &results.Campaign{
		Cells: []results.Cell{{ID: "c00", Scenario: "a"}, {ID: "c01", Scenario: "a"}, {ID: "c02", Scenario: "b"}},
		Blocks: []results.Block{
			{Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c00", "c01"}},
			{Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c02", "c00", "c09"}},
			{Kind: results.BlockPlanned, Profile: results.ProfileResources, Order: []string{"c00"}},
			{Kind: "other", Profile: results.ProfileTiming, Order: []string{"c00"}},
		},
	}
	if diff := cmp.Diff(map[string]int{"a": 2, "b": 1}, timingBlocks(c)); diff != "" {
		t.Error(diff)
	}
	var of []bool
	for _, b := range c.Blocks {
		of = append(of, isTiming(c, b, "a"), isTiming(c, b, "b"))
	}
	if diff := cmp.Diff([]bool{true, false, true, true, false, false, false, false}, of); diff != "" {
		t.Error(diff)
	}
}
