package config

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"moobench/harness/strict"
	"moobench/results"
)

var update = flag.Bool("update", false, "write the golden parts of testdata/*.txtar")

// known is like the scenarios that there are, one with a JVM and one
// without.
func known() Known {
	return Known{Scenarios: []Schema{
		{Name: "overhead", Parameters: []results.Parameter{
			{Name: "fixture", Type: results.TypeString, Default: "calls"},
			{Name: "calls", Type: results.TypeInt, Unit: "calls", Default: "500_000", Min: 100},
			{Name: "depth", Type: results.TypeInt, Unit: "calls", Default: "10", Min: 1, Factor: true},
			{Name: "method_time", Type: results.TypeDuration, Default: "0ns", Factor: true},
			{Name: "busy_wait", Type: results.TypeEnum, Default: "lazy", Values: []string{"lazy", "wall", "cpu"}, Factor: true},
		}, Metrics: []results.Metric{
			{Name: "duration", Unit: "ns", Better: results.Lower, Primary: true, Series: "duration"}, {Name: "alloc_bytes", Unit: "B", Better: results.Lower}, {Name: "gc_count", Unit: "1"},
		}},
		{Name: "sleep", Parameters: []results.Parameter{
			{Name: "command", Type: results.TypeString},
			{Name: "loud", Type: results.TypeBool, Default: "false"},
			{Name: "pause", Type: results.TypeDuration, Default: "1ms", Min: int64(time.Millisecond)},
		}},
	}, Environment: []results.Parameter{
		{Name: "frequency", Type: results.TypeEnum, Values: []string{"scaling", "fixed"}, Factor: true},
		{Name: "cpus", Type: results.TypeInt, Min: 1, Factor: true},
		{Name: "jdk", Type: results.TypeString, Factor: true},
		{Name: "jvm", Type: results.TypeOptions, Factor: true},
	}, Knobs: knobs(), Tests: tests(), CPUs: cpuList}
}

// tests are those that the analysis knows.
func tests() []Test {
	return []Test{
		{Name: results.TestPaired},
		{Name: results.TestWelch},
		{Name: results.TestStudent},
		{Name: results.TestSignedRank},
		{Name: results.TestMannWhitney},
		{Name: results.TestSign},
		{Name: results.TestTOST, TwoSided: true, Margin: true},
		{Name: results.TestRates},
	}
}

// TestMistakes reads each testdata/*.txtar: a benchmarks.toml and all that is
// wrong with it, with line and column.
func TestMistakes(t *testing.T) {
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
			_, err = Parse("benchmarks.toml", archive.Files[0].Data, known())
			got := located(t, err)
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "errors", Data: []byte(got)})
				if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
		})
	}
}

func located(t *testing.T, err error) string {
	t.Helper()
	es, ok := err.(strict.Errors)
	if !ok {
		t.Fatalf("want Errors, got %v", err)
	}
	s := ""
	for _, e := range es {
		s += fmt.Sprintf("column %d of %s\n", e.Column, e)
	}
	return s
}

func TestParse(t *testing.T) {
	f, err := Parse("b.toml", []byte(`name = "nightly"
seed = 20_140_901
[jvm]
args = ["-Xmx512m"]
[[scenario]]
use = "overhead"
variants = ["none", "kieker"]
depth = [1, 10]
calls = 2_000_000
method_time = ["10 µs", "0.5ms", "0ns"]
timeout = "2 min"
[[scenario]]
use = "sleep"
label = "naps"
variants = ["none"]
command = "sleep 1"
loud = true
blocks = 4
resources = 0
max_failures = 5
[framework.mine]
args = ["-Dx={class}"]
`), known())
	if err != nil {
		t.Fatal(err)
	}
	want := []Scenario{
		{
			Use: "overhead", Label: "overhead", Variants: []string{"none", "kieker"}, Blocks: 10, Resources: 3, MaxFailures: 3, Timeout: 2 * time.Minute,
			Window: results.WindowSteady,
			Parameters: map[string][]string{
				"fixture": {"calls"}, "calls": {"2000000"}, "depth": {"1", "10"}, "busy_wait": {"lazy"}, "method_time": {"10000", "500000", "0"},
			},
		},
		{
			Use: "sleep", Label: "naps", Variants: []string{"none"}, Blocks: 4, MaxFailures: 5, Window: results.WindowSteady,
			Parameters: map[string][]string{"command": {"sleep 1"}, "loud": {"true"}, "pause": {"1000000"}},
		},
	}
	if diff := cmp.Diff(want, f.Scenarios); diff != "" {
		t.Errorf("scenarios (-want +got):\n%s", diff)
	}
	if f.Name != "nightly" || *f.Seed != 20140901 || f.JVM.Args[0] != "-Xmx512m" || !f.Frameworks["mine"].Has("args") {
		t.Errorf("got %+v", f)
	}
	fresh := f.Fresh()
	fresh.Fail([]any{"framework", "mine", "mode", "bci"}, "hint", "msg %d", 1)
	if got := fresh.Err(); got == nil || got.Error() != "b.toml:21: msg 1 (hint)" {
		t.Errorf("got %v", got)
	}
}

const tricky = `# [not.a.section]
"quoted key" = "a [string] with # and \" quotes"
a.b . "c.d" = 1 # dotted
list = [ # over lines
  "x]", 'y"[', # comment ]
  [1, 2], { in = "line", t.u = [3,
  4] },
]
text = """
[fake] "quotes" \""" x = 1
"""""
lit = '''it's [x] '''''
when = 1979-05-27 07:32:00
[[scenario]]
use = "α"
`

// FuzzParse checks that no text makes it panic, and that every error stands on a line
// of the text.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"", "name = \"x", tricky, "\ufeffname = 'x'", "[[scenario]]\n[scenario]", "scenario = [{use = \"overhead\"}, 1]", "scenario = 3",
		"name = \"x\"\n[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\ndepth = [1, 1.5]\nmethod_time = 10\n", "\"\\u00e9\" = 1\r\na=[{b=1},{b=[[]]}]",
		"[a.b]\n[a]\nc = {\n d = 1, # x\n}\n", "framework.x.mode.bci.args = [\"{class}\"]\n", "x=[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
	} {
		f.Add(seed)
	}
	known := known()
	f.Fuzz(func(t *testing.T, text string) {
		_, err := Parse("f.toml", []byte(text), known)
		es, ok := err.(strict.Errors)
		if err != nil && !ok {
			t.Errorf("want Errors, got %v", err)
		}
		lines := strings.Count(text, "\n") + 1
		for _, e := range es {
			if e.Line < 1 || e.Line > lines || e.Column < 1 {
				t.Errorf("%v stands at %d:%d of %d lines", e, e.Line, e.Column, lines)
			}
		}
	})
}

func ExampleParse() {
	_, err := Parse("benchmarks.toml", []byte("name = \"x\"\n[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\nmetod_time = \"10us\"\n"), known())
	fmt.Println(err)
	// Output: benchmarks.toml:5: unknown key "metod_time" (did you mean "method_time"?)
}

// TestSections: every key that is read is described, once in its section.
func TestSections(t *testing.T) {
	var names []string
	for _, s := range Table(known()).Sections("") {
		names = append(names, s.Name)
		seen := map[string]bool{}
		for _, k := range s.Keys {
			if seen[k.Name] || k.Text == "" && s.Name != "[machine]" && !strings.HasPrefix(s.Name, "[[scenario]]") || k.Kind.Type == "" || k.Kind.Read == nil {
				t.Errorf("%s: %+v", s.Name, k)
			}
			seen[k.Name] = true
		}
	}
	want := ` [machine] [machine.pin] [machine.KNOB] [jvm] [[scenario]] [[scenario]] use = "overhead" [[scenario]] use = "sleep" ` +
		"[[question]] [[published]] [gate] [command] [server] [[server.request]]"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("sections %s\nwant %s", got, want)
	}
}

// TestNameOfTheFile: a campaign without a name is called after its file.
func TestNameOfTheFile(t *testing.T) {
	const text = "[[scenario]]\nuse = \"overhead\"\nvariants = [\"none\"]\n"
	for path, want := range map[string]string{
		"benchmarks.toml": "benchmarks", "a/b/night.2.toml": "night.2", "plain": "plain",
		"my shop.toml": "", ".toml": "", strings.Repeat("x", 65): "",
	} {
		f, err := Parse(path, []byte(text), known())
		switch {
		case want != "" && (err != nil || f.Name != want):
			t.Errorf("%s: called %q, %v", path, f.Name, err)
		case want == "" && (err == nil || !strings.HasSuffix(err.Error(), `:1: the key "name" is missing, and the file's own name can't be used (add name = "…")`)):
			t.Errorf("%s: %v", path, err)
		}
	}
	if f, err := Parse("x.toml", []byte("name = \"mine\"\n"+text), known()); err != nil || f.Name != "mine" {
		t.Errorf("called %q, %v", f.Name, err)
	}
}
