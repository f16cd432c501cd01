package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/cmd/internal/console"
	"moobench/cmd/internal/outcome"
	"moobench/harness/config"
	"moobench/harness/lane"
	"moobench/harness/machine/cpu"
	"moobench/internal/testgolden"
	"moobench/internal/testmachine"
	"moobench/results"
	"moobench/scenarios"
)

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
	"quiet": `
name = "quiet"
[machine]
profile = "fixed-hardware"
pool    = "runners"
[[scenario]]
use       = "overhead"
variants  = ["none", "kieker/bci/collect"]
calls     = 1000
frequency = ["scaling", "fixed"]
max_time  = "1h"
blocks    = 3
[[question]]
text   = "Does it cost 3 us?"
a      = "kieker/bci/collect"
b      = "none"
test   = "tost"
margin = "3us"
`,
	"watched": `
name = "watched"
[machine]
thp = { policy = "observe" }
[[scenario]]
use       = "overhead"
variants  = ["none", "kieker/bci/collect"]
calls     = 1000
blocks    = 3
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
		testgolden.Check(t, filepath.Join(folder, name+".txt"), said.String()+"----\n"+out.String())
	}
}

// TestShardsAreTold: what a shard measures, and what it left.
func TestShardsAreTold(t *testing.T) {
	s, out, _ := planned(t, previewed["watched"], Options{})
	c := s.Plan.Campaign
	c.Frozen = &results.Frozen{}
	for _, part := range []struct {
		tell func() error
		want string
	}{
		{func() error { return s.tellPlan("x.json") }, "x.json: 3 timing blocks, 3 resource blocks · seed 5 · plan " + c.PlanHash[:12] + "\n" +
			"next, on each of up to 3 hosts: moobench run --shard 1/N x.json · then on one: moobench merge shard-*.tar\n"},
		{func() error { c.Frozen = nil; return s.tellPlan("x.json") }, "x.json: 3 timing blocks, 3 resource blocks · seed 5 · plan " + c.PlanHash[:12] + "\n"},
		{func() error { c.Shard = &results.Shard{Index: 1, Count: 2}; return s.tellDone("a.tar", c) }, "shard 1/2: 6 blocks · sealed in a.tar\n"},
		{
			func() error {
				c.GivenUp = []results.GivenUp{{Cell: "c02", Reason: "3 failures"}, {Cell: "c99"}}
				if err := s.tellDone("a.tar", c); !errors.Is(err, outcome.ErrIncomplete) {
					return fmt.Errorf("it is whole: %w", err)
				}
				return nil
			},
			"shard 1/2: 6 blocks · sealed in a.tar\n  ! kieker/bci/collect: given up: 3 failures\n",
		},
	} {
		out.Reset()
		if err := part.tell(); err != nil || out.String() != part.want {
			t.Errorf("%v: %q, want %q", err, out.String(), part.want)
		}
	}
}

// TestTurnsAreTold: which lanes measure is said where it is not to be quiet, and a lane is called with the wishes of all.
func TestTurnsAreTold(t *testing.T) {
	s, _, said := planned(t, previewed["watched"], Options{Going: true, Kept: "jars"})
	l := &lanes{session: s, plan: "x.json", dir: "d.lanes", cores: make([]cpu.Set, 3)}
	l.tell(lane.Turn{Number: 1, Lanes: []int{1, 2, 3}})
	l.tell(lane.Turn{Number: 2, Lanes: []int{2}})
	s.Quiet = true
	l.tell(lane.Turn{Number: 3, Lanes: []int{2}})
	if want := "turn 1: 3 lanes at once\nturn 2: lane 2 alone\n"; said.String() != want {
		t.Errorf("%q, want %q", said.String(), want)
	}
	if got := strings.Join(l.arguments(2), " "); got != "run --quiet --lane --shard 2/3 -o d.lanes/lane-2.tar --keep-going --artifacts jars x.json" {
		t.Error(got)
	}
	s.Going, s.Kept = false, ""
	if got := strings.Join(l.arguments(1), " "); got != "run --quiet --lane --shard 1/3 -o d.lanes/lane-1.tar x.json" {
		t.Error(got)
	}
	if got := strings.Join(l.files(), " "); got != "d.lanes/lane-1.tar d.lanes/lane-2.tar d.lanes/lane-3.tar" {
		t.Error(got)
	}
}

// TestFreeFolder: a campaign of the same second has a number, and one that goes on its own folder.
func TestFreeFolder(t *testing.T) {
	dir := t.TempDir()
	at := time.Date(2026, 11, 21, 3, 0, 0, 0, time.FixedZone("", 3600))
	for _, want := range []string{"2026-11-21T020000Z-a", "2026-11-21T020000Z-a-2", "2026-11-21T020000Z-a-3"} {
		got := FreeFolder(dir, at, "a")
		if got != filepath.Join(dir, want) {
			t.Errorf("%s, want %s", got, want)
		}
		if err := os.Mkdir(got, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	s := &Session{Options: Options{Dir: "chosen"}, File: &config.File{}}
	if s.Folder() != "chosen" {
		t.Error(s.Folder())
	}
	if s.Resume = "old"; s.Folder() != "old" {
		t.Error(s.Folder())
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
