package plan

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/results"
)

var update = flag.Bool("update", false, "write the golden parts of testdata/*.txtar")

// calling is like the scenarios with a fixture, sleeping like those with a
// process; ending and serving are about a program of the user's own.
type (
	calling  struct{ Plain }
	sleeping struct{ Plain }
	ending   struct{ sleeping }
	serving  struct{ sleeping }
)

func (ending) Work(c *results.Cell) Work {
	return Work{Pattern: Signature(c.Parameter("pattern"))}
}

func (serving) Work(c *results.Cell) Work { return Work{MayTakeNS: float64(c.Int("hold"))} }

func (ending) Schema() config.Schema {
	return config.Schema{Name: "command", Section: CommandSection, Parameters: []results.Parameter{
		{Name: "pattern", Type: results.TypePattern, Default: AgentsChoice, Factor: true},
	}}
}

func (serving) Schema() config.Schema {
	return config.Schema{Name: "server", Section: ServerSection, Parameters: []results.Parameter{
		{Name: "hold", Type: results.TypeDuration, Default: "20s"},
	}}
}

func (calling) Work(c *results.Cell) Work {
	return Work{
		Counted: true, Calls: c.Int("calls"), Threads: c.Int("threads"), Depth: c.Int("depth"), WaitNS: c.Int("method_time"), Batch: c.Int("batch"),
	}
}

func (calling) Schema() config.Schema {
	return config.Schema{Name: "overhead", Fixture: "fixture", Parameters: []results.Parameter{
		{Name: "fixture", Type: results.TypeString, Default: "calls"},
		{Name: "calls", Type: results.TypeInt, Unit: "calls", Default: "1_000", Min: 100},
		{Name: "depth", Type: results.TypeInt, Unit: "calls", Default: "10", Min: 1, Factor: true},
		{Name: "threads", Type: results.TypeInt, Unit: "threads", Default: "1", Min: 1, Factor: true},
		{Name: "method_time", Type: results.TypeDuration, Default: "0ns", Factor: true},
		{Name: "batch", Type: results.TypeInt, Unit: "calls", Default: "1", Min: 1, Factor: true},
	}, Metrics: []results.Metric{
		{Name: "duration", Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming, Primary: true, Series: "duration", Column: "t"},
		{Name: "written_bytes", Unit: "B", Better: results.Lower, Profile: results.ProfileTiming},
	}}
}

func (calling) Questions(cells []results.Cell) []results.Question {
	var qs []results.Question
	for _, c := range cells {
		if c.Role == results.RoleVariant {
			qs = append(qs, results.Question{ID: "cost-" + c.ID, Metric: "duration", A: c.ID, B: c.Baseline, Family: c.Scenario + "/" + c.Level(), Margin: &results.Margin{Share: 0.01, Amount: 10, ShareFrom: 1000}})
		}
	}
	return qs
}

func (sleeping) Schema() config.Schema {
	return config.Schema{Name: "sleep", Parameters: []results.Parameter{{Name: "command", Type: results.TypeString, Factor: true}}}
}

func (sleeping) Work(c *results.Cell) Work { return Work{Run: strings.Fields(c.Parameter("command"))} }

func (sleeping) Questions(cells []results.Cell) []results.Question { return nil }

func read(toml string) (*Plan, error) {
	scenarios := []Scenario{calling{}, sleeping{}, ending{}, serving{}, settling{}}
	var schemas []config.Schema
	for _, s := range scenarios {
		schemas = append(schemas, s.Schema())
	}
	f, err := config.Parse("benchmarks.toml", []byte(toml), config.Known{
		Scenarios: schemas, Environment: Environment(), Knobs: []config.Knob{{Name: "microcode"}, {Name: "turbo", Check: asIs}}, CPUs: asIs,
		Tests: []config.Test{{Name: results.TestPaired}, {Name: results.TestMannWhitney}, {Name: results.TestTOST, TwoSided: true, Margin: true}},
	})
	if err != nil {
		return nil, err
	}
	set := new(framework.Set).With(f.Frameworks, "")
	if err := f.Err(); err != nil {
		return nil, err
	}
	seed := uint64(7)
	if f.Seed != nil {
		seed = *f.Seed
	}
	return New(f, set, scenarios, jdksOf(f), seed)
}

func asIs(value string) (string, error) { return value, nil }

// jdksOf are the JDKs of folders that are called like their version.
func jdksOf(f *config.File) []JDK {
	var all []JDK
	for _, home := range f.JVM.Homes {
		version := filepath.Base(home)
		number, _, _ := strings.Cut(version, ".")
		major, err := strconv.Atoi(number)
		if err != nil {
			panic(err)
		}
		all = append(all, JDK{Home: home, Version: version, Major: major})
	}
	return all
}

func mustRead(t *testing.T, toml string) *Plan {
	t.Helper()
	p, err := read(toml)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestGolden reads each testdata/*.txtar: a benchmarks.toml, perhaps a pattern
// for Only, and the plan and its invocations, or what is wrong.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			input := archive.Files[:1]
			only := ""
			if len(archive.Files) > 1 && archive.Files[1].Name == "only" {
				input = archive.Files[:2]
				only = strings.TrimSpace(string(archive.Files[1].Data))
			}
			got := &txtar.Archive{Comment: archive.Comment, Files: append(input[:len(input):len(input)], planned(string(input[0].Data), only)...)}
			if *update {
				if err := os.WriteFile(path, txtar.Format(got), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(got))); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

func planned(toml, only string) []txtar.File {
	p, err := read(toml)
	if err == nil && only != "" {
		err = p.Only(only)
	}
	if err != nil {
		return []txtar.File{{Name: "errors", Data: []byte(err.Error() + "\n")}}
	}
	s := ""
	for _, b := range p.Campaign.Blocks {
		for _, inv := range invocations(p, b.Number) {
			s += fmt.Sprintf("%s %s %s, pad %d, timeout %s\n", inv.Identity, inv.Profile, inv.Cell.Label(), inv.EnvPad, inv.Cell.Timeout)
		}
	}
	return []txtar.File{
		{Name: "plan", Data: []byte(strings.Join(p.Campaign.Plan, "\n") + "\n")},
		{Name: "invocations", Data: []byte(s)},
	}
}

// invocations are what a block starts, in its order, the first time.
func invocations(p *Plan, block int) []Invocation {
	var all []Invocation
	for _, b := range p.Campaign.Blocks {
		for slot := range b.Order {
			if inv, err := p.Invocation(b, slot, 0); err == nil && b.Number == block {
				all = append(all, inv)
			}
		}
	}
	return all
}

// add appends a block to the campaign of a plan.
func add(p *Plan, b results.Block, err error) (results.Block, error) {
	if err == nil {
		p.Campaign.Blocks = append(p.Campaign.Blocks, b)
	}
	return b, err
}

const small = `name = "small"
[[scenario]]
use = "overhead"
variants = ["none", "a", "b/bci/zero"]
depth = [1, 10]
blocks = 3
resources = 2
[framework.a]
proof = "none"
[framework.b]
proof = { per_call = "depth", extra = 2 }
activate = "+ {signature}"
[framework.b.mode.bci.stage.zero]
proof = { zero = "count", count = "fixture" }
[framework.b.mode.bci.stage.count]
proof = { count = "fixture" }
`

func TestAgain(t *testing.T) {
	p := mustRead(t, small)
	timing, resources := p.Campaign.Blocks[2], p.Campaign.Blocks[5]
	for _, c := range []struct {
		cells []string
		of    results.Block
		want  string // sorted by cell
	}{
		{[]string{"c02"}, timing, "none depth=1, a/bci/default depth=1"},
		{[]string{"c05"}, resources, "none depth=10, none#aa depth=10"},
		{[]string{"c04"}, timing, "none depth=10, none#aa depth=10, a/bci/default depth=10, b/bci/zero depth=10"},
		{[]string{"c02", "c06"}, timing, "none depth=1, a/bci/default depth=1, none depth=10, a/bci/default depth=10"},
		{[]string{"c05", "c07"}, timing, "none depth=10, none#aa depth=10, b/bci/zero depth=10"},
		{[]string{"c08"}, p.Campaign.Blocks[0], "b/bci/count depth=1"},
	} {
		n := len(p.Campaign.Blocks)
		ids, names := identities(c.of, c.cells)
		b, err := Again(p.Campaign, c.of, ids, "because")
		if _, err = add(p, b, err); err != nil {
			t.Fatal(err)
		}
		if b.Number != n || b.Kind != results.BlockExtra || b.Profile != c.of.Profile || b.Reason != "because" || !slices.Equal(b.Repeats, names) {
			t.Errorf("extra block %+v, which repeats %v", b, names)
		}
		var labels []string
		for _, cell := range p.Campaign.Cells {
			for _, inv := range invocations(p, b.Number) {
				if inv.Cell.ID == cell.ID {
					labels = append(labels, cell.Label())
				}
			}
		}
		if got := strings.Join(labels, ", "); got != c.want {
			t.Errorf("extra block of %v holds %s, want %s", c.cells, got, c.want)
		}
	}
	if _, err := p.Invocation(timing, 8, 0); err == nil {
		t.Error("a slot beyond the block got an invocation")
	}
}

// identities are where cells stand in a block that was started three times.
func identities(of results.Block, cells []string) (ids []results.Identity, names []string) {
	for _, c := range cells {
		id := results.Identity{Block: of.Number, Slot: slices.Index(of.Order, c), Repeat: 2}
		ids, names = append(ids, id), append(names, id.String())
	}
	return ids, names
}

func TestAgainRefuses(t *testing.T) {
	p := mustRead(t, small)
	timing := p.Campaign.Blocks[2]
	for _, ids := range [][]results.Identity{nil, {{Block: timing.Number, Slot: 99}}, {{Block: timing.Number, Slot: -1}}, {{Block: timing.Number + 1}}} {
		if b, err := Again(p.Campaign, timing, ids, ""); err == nil {
			t.Errorf("%v got the extra block %+v", ids, b)
		}
	}
}

func TestVars(t *testing.T) {
	p := mustRead(t, small)
	for _, inv := range invocations(p, 1) {
		if inv.Cell.Variant != "b/bci/zero" {
			continue
		}
		want := map[string]string{
			"class": "moobench.calls.Plain", "classes": "moobench.calls.Plain", "method": "monitoredMethod",
			"signature": "public long moobench.calls.Plain.monitoredMethod(long, int)",
			"calls":     "1000", "depth": inv.Cell.Factor("depth"), "threads": "1",
		}
		if diff := cmp.Diff(want, inv.Vars()); diff != "" {
			t.Errorf("placeholders (-want +got):\n%s", diff)
		}
		if got, _, err := inv.Swaps(); err != nil || got != "+ "+want["signature"] {
			t.Errorf("Activate: %q, %v", got, err)
		}
	}
}

func TestCompareAndResume(t *testing.T) {
	p := mustRead(t, small)
	if line, changed := compare(p.Campaign.Plan, mustRead(t, small).Campaign.Plan); changed {
		t.Errorf("the same file gives another plan: %s", line)
	}
	for _, c := range []struct{ old, now, want string }{
		{"name", "about = \"x\"\nname", ""},
		{"blocks = 3", "blocks = 4", `it says now: scenario "overhead": use "overhead", blocks 4, resources 2, timeout derived, max_failures 3; the campaign was started with: scenario "overhead": use "overhead", blocks 3,`},
		{"name", "seed = 8\nname", "it says now: seed 8; the campaign was started with: seed 7"},
		{`"a", "b/bci/zero"`, `"b/bci/zero"`, `it says now: cell c02: scenario "overhead", variant "b/bci/zero"`},
		{"extra = 2", "extra = 3", "expected 1003; the campaign"},
		{"[[scenario]]", "[machine]\nprofile = \"as-is\"\n[[scenario]]", ""},
		{"[[scenario]]", "[machine]\nturbo = \"off\"\n[[scenario]]", `it says now: machine: profile as-is, wait_until_quiet 0s, turbo "off" try; the campaign was started with: jvm:`},
		{"depth = [1, 10]", "depth = [1, 10]\ncpus = 1", `it says now: cell c00: parameters cpus="1" fixture=`},
		{`proof = "none"`, "proof = \"none\"\nargs = [\"-Dx\"]", `args ["-Dx"]`},
	} {
		now := mustRead(t, strings.Replace(small, c.old, c.now, 1))
		err := now.Resume(p.Campaign)
		var changed *planChanged
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.now, err)
		case c.want != "" && (!errors.As(err, &changed) || !strings.Contains(changed.Line, c.want)):
			t.Errorf("%s: got %v\nwant %s", c.now, err, c.want)
		}
	}
	if line, _ := compare([]string{"a", "b"}, []string{"a"}); line != "it lacks now: b; the campaign was started with that" {
		t.Error(line)
	}
	if line, _ := compare([]string{"a"}, []string{"a", "b"}); line != "it says now: b; the campaign was started without that" {
		t.Error(line)
	}
}

// TestResumeRestricted resumes a campaign that was restricted and has extra
// blocks.
func TestResumeRestricted(t *testing.T) {
	old := mustRead(t, small)
	if err := old.Only(`b*`); err != nil {
		t.Fatal(err)
	}
	block := old.Campaign.Blocks[1]
	ids, _ := identities(block, []string{"c03"})
	extra, err := Again(old.Campaign, block, ids, "failed")
	if _, err = add(old, extra, err); err != nil {
		t.Fatal(err)
	}
	p := mustRead(t, small)
	if err := p.Resume(old.Campaign); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(invocations(old, extra.Number), invocations(p, extra.Number)); diff != "" || len(invocations(p, extra.Number)) != 2 {
		t.Errorf("extra block (-old +resumed):\n%s", diff)
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"kieker/*", "kieker/bci/tcp", true},
		{"*/tcp", "kieker/bci/tcp", true},
		{"*bci*", "kieker/bci/tcp", true},
		{"kieker", "kieker/bci/tcp", true},
		{"kieker/bci", "kieker/bci/tcp", true},
		{"kieke?/bci/t?p", "kieker/bci/tcp", true},
		{"kiek", "kieker/bci/tcp", false},
		{"*/tc", "kieker/bci/tcp", false},
		{"*", "none", true},
		{"", "none", false},
		{"n*e", "none", true},
		{"n*n", "none", false},
	} {
		if got := wanted(c.pattern, c.name); got != c.want {
			t.Errorf("%q matches %q: %v, want %v", c.pattern, c.name, got, c.want)
		}
	}
}
