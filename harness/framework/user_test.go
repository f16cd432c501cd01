package framework

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/receiver"
	"moobench/harness/strict"
	"moobench/results"
)

// with is a set with the [framework.*] and [build.*] of a benchmarks.toml, and what is
// wrong with them.
func with(t *testing.T, s *Set, text, dir string) (*Set, error) {
	t.Helper()
	doc, err := strict.Parse("b.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	tables := func(key string) map[string]strict.Value {
		all := map[string]strict.Value{}
		if doc.Root().Has(key) {
			for _, v := range doc.Root().Key(key).Entries() {
				all[v.Name()] = v
			}
		}
		return all
	}
	s = s.With(tables("framework"), dir).WithBuilds(tables("build"), dir)
	return s, doc.Err()
}

func TestErrorsOfATable(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string // parts of the messages
	}{
		{"unknown key", `[framework.x]
			arg = ["-Dx"]`, []string{`b.toml:2: unknown key "arg" (did you mean "args"?)`}},
		{"unknown key of a stage", `[framework.x.mode.bci.stage.s]
			nonsensical = 1`, []string{`b.toml:2: unknown key "nonsensical" (known: about`}},
		{"no records per call", `[framework.x]
			proof = { count = "otlp", per_call = 0 }`, []string{`b.toml:2: want the name of a parameter such as`}},
		{"mode inside a mode", `[framework.x.mode.bci.mode.y]`, []string{`b.toml:1: unknown key`}},
		{"wrong types, all at once", `[framework.x]
			args = "-Dx"
			queue = "10"
			files = ["a"]
			java = { min = 21, max = 17 }
			env = { "A=B" = "c", D = 1 }`, []string{
			`b.toml:2: args: want a list, got the string "-Dx" (put it into brackets: [ … ])`,
			`b.toml:3: queue: want an integer, got the string "10" (without quotes: 10)`,
			`b.toml:4: files: want a table, got a list`,
			`b.toml:5: max 17 is less than min 21`,
			`b.toml:6: "A=B" can't be the name of an environment variable`,
			`b.toml:6: D: want a string, got the integer 1 (put it into quotes)`,
		}},
		{"prepared with what is not known yet", `[framework.x]
			classpath = ["{prepared}"]
			prepare = { of = "app.jar", run = ["weave", "{dir}", "{jar.nothing}"] }`, []string{
			`in "{dir}": unknown placeholder {dir}`, `in "{jar.nothing}": unknown placeholder {jar.nothing}`,
		}},
		{"prepared by nobody", `[framework.x]
			prepare = { of = "{fixture.calls}" }
			classpath = ["{prepared}"]`, []string{`b.toml:2: prepare needs both of and run`}},
		{"nothing prepared", `[framework.x]
			classpath = ["{prepared}"]`, []string{`unknown placeholder {prepared}`}},
		{"agent twice", `[framework.x]
			agent = "a.jar"
			maven = "g:a:1"`, []string{`b.toml:3: agent and maven both name the agent`}},
		{"digest of nothing", `[framework.x]
			sha256 = "00"`, []string{`b.toml:2: sha256 of nothing`}},
		{"bad digest", `[framework.x]
			agent = "a.jar"
			sha256 = "00"`, []string{`b.toml:2: sha256 is not 64 small hexadecimal digits`}},
		{"bad coordinates", `[framework.x]
			maven = "g:../a:1"`, []string{`b.toml:2: "g:../a:1" are not Maven coordinates`}},
		{"artifact without a place", `[framework.x.artifact.a]`, []string{`b.toml:1: want either maven or path`}},
		{"artifact twice", `[framework.x]
			agent = "a.jar"
			[framework.x.mode.bci]
			agent = "b.jar"`, []string{`b.toml:4: artifact "agent" is already named above`}},
		{"file elsewhere", `[framework.x.files]
			"../a" = "text"
			"gc.log" = "text"`, []string{
			`b.toml:2: "../a" is not a plain file name`,
			`b.toml:3: moobench itself writes a file "gc.log"`,
		}},
		{"bad name", `[framework."a/b"]`, []string{`b.toml:1: "a/b" can't be a name`}},
		{"the baseline's name", `[framework.none]`, []string{`b.toml:1: "none" is the baseline, and can't be a name`}},
		{"unknown placeholder", `[framework.x]
			args = ["-D={clas}", "{jar.agent}"]`, []string{
			`b.toml:2: in "-D={clas}": unknown placeholder {clas} (did you mean "class"?)`,
			`b.toml:2: in "{jar.agent}": unknown placeholder {jar.agent}`,
		}},
		{"placeholder in a file", `[framework.x.files]
			"x.json" = "{ }"`, []string{`b.toml:2: in "{ }": a single { (a literal brace is doubled)`}},
		{"port of nothing", `[framework.x]
			env = { PORT = "{port}" }`, []string{`{port} needs a receiver: kieker-tcp, otlp`}},
		{"unknown receiver", `[framework.x]
			receiver = "otpl"`, []string{`b.toml:2: unknown receiver "otpl" (did you mean "otlp"?)`}},
		{"unknown source", `[framework.x]
			proof = { count = "fixtur", per_call = 1 }`, []string{`b.toml:2: unknown source of records "fixtur" (did you mean "fixture"?)`}},
		{"source that has to be told", `[framework.x]
			proof = { count = "file" }`, []string{`b.toml:2: unknown source of records "file" (known: `}},
		{"two sources", `[framework.x]
			proof = { log = 'x', command = ["wc"] }`, []string{`b.toml:2: log and command both count the records`}},
		{"mistold", `[framework.x]
			proof = { http = "http://example.com/", metric = "x" }`, []string{`b.toml:2: http: "example.com" is not on this machine (moobench sends to 127.0.0.1 only)`}},
		{"told without its key", `[framework.x]
			proof = { metric = "x" }`, []string{`b.toml:2: metric goes with http`}},
		{"placeholder of a proof", `[framework.x]
			proof = { command = ["awk", "{print}"] }`, []string{`b.toml:2: in "{print}": unknown placeholder {print}`}},
		{"wrong types of a proof", `[framework.x]
			proof = { file = "{dir}/a", lines = "yes", match = 3 }`, []string{
			`b.toml:2: file: want either lines = true or match`,
			`b.toml:2: lines: want true or false, got the string "yes"`,
			`b.toml:2: match: want a string, got the integer 3`,
		}},
		{"strange per_call", `[framework.x]
			proof = { count = "otlp", per_call = "2 * depth" }`, []string{`b.toml:2: want the name of a parameter`}},
		{"two receivers", `[framework.x]
			receiver = "kieker-tcp"
			proof = { count = "otlp", per_call = 1 }`, []string{`counted by "otlp" but sends to "kieker-tcp"`}},
		{"no kind of proof", `[framework.x]
			proof = { extra = 1 }`, []string{`says neither who counts nor which sibling proves it`}},
		{"zero without a witness", `[framework.x]
			proof = { zero = "kieker/bci/tcp" }`, []string{`nobody would see a record of x/bci/default`}},
		{"sibling and count", `[framework.x]
			proof = { sibling = "s", count = "otlp" }`, []string{`sibling excludes count and zero`}},
		{"no such sibling", `[framework.x]
			proof = { sibling = "kieker/bci/tpc" }`, []string{`is to be proven by "kieker/bci/tpc", which does not exist (did you mean "kieker/bci/tcp"?)`}},
		{"sibling that does not count", `[framework.x]
			proof = { sibling = "kieker/bci/dump" }`, []string{`whose own proof is not a count`}},
		{"unknown step", `[framework.x]
			path = ["chek", "collect"]`, []string{`b.toml:2: unknown step "chek": there are enabled, check, switch, list, collect, write (did you mean "check"?)`}},
		{"steps out of order", `[framework.x.mode.bci]
			path = ["collect", "check"]`, []string{`b.toml:2: step "check" is repeated, or out of order`}},
		{"step twice", `[framework.x.stage.s]
			path = ["collect", "collect"]`, []string{`b.toml:2: step "collect" is repeated, or out of order`}},
		{"no step", `[framework.x]
			path = []`, []string{`b.toml:2: the path is empty (omit the key where no probe is left)`}},
		{"path that is a word", `[framework.x]
			path = "collect"`, []string{`b.toml:2: path: want a list, got the string "collect"`}},
		{"unknown change", `[framework.x]
			change = "swaped"`, []string{`b.toml:2: unknown change "swaped" (did you mean "swapped"?)`}},
		{"word for a proof", `[framework.x]
			proof = "yes"`, []string{`b.toml:2: want "none" or a table that says how`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := with(t, catalogue(t), test.text, t.TempDir())
			errs, _ := err.(strict.Errors)
			if len(errs) != len(test.want) {
				t.Fatalf("got %d errors, want %d: %v", len(errs), len(test.want), errs)
			}
			for i, e := range errs {
				if !strings.Contains(e.Error(), test.want[i]) {
					t.Errorf("got  %s\nwant %s", e.Error(), test.want[i])
				}
			}
		})
	}
}

// TestTwoBuilds is what a vendor asks of every pull request.
func TestTwoBuilds(t *testing.T) {
	s, err := with(t, catalogue(t), `
		[framework.old]
		maven = "org.example:agent:1.0"
		args  = ["-Dmine.include={class}.{method}"]
		proof = { count = "otlp", per_call = "depth" }
		[framework.new]
		agent = "target/agent.jar"
		args  = ["-Dmine.include={class}.{method}"]
		proof = { count = "otlp", per_call = "depth" }`, "/home/me")
	if err != nil {
		t.Fatal(err)
	}
	want := Variant{
		Name: "new/bci/default", Framework: "new", Mode: "bci", Stage: "default",
		Artifacts: []Artifact{{Name: "agent", Path: "/home/me/target/agent.jar", Key: []any{"framework", "new", "agent"}}},
		ClassPath: []string{},
		Args:      []string{"-javaagent:{jar.agent}", "-Dmine.include={class}.{method}"},
		Receiver:  "otlp",
		Proof:     Proof{Kind: results.ProofCount, Source: "otlp", PerCall: "depth"},
	}
	got, err := s.Variant("new")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got, cmp.Comparer(slices.Equal[[]string])); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if old, err := s.Variant("old/bci"); err != nil || old.Artifacts[0].Maven != "org.example:agent:1.0" {
		t.Errorf("old: %+v, %v", old, err)
	}
	if _, err := s.Variant("kieker/bci/tcp"); err != nil {
		t.Errorf("the catalogue is gone: %v", err)
	}
}

// TestInheritance: lists grow, tables are merged, single values of a lower
// layer win.
func TestInheritance(t *testing.T) {
	s, err := with(t, new(Set), `
		[framework.x]
		about     = "x"
		license   = "MIT"
		agentpath = "lib{x}.so"
		classpath = ["a.jar", "/abs.jar", "{fixture.probes}"]
		args      = ["-Da"]
		env       = { A = "1", B = "{{}}" }
		queue     = 7
		java      = { min = 8, max = 30 }
		proof     = { per_call = 2, extra = 3 }
		[framework.x.stage.s]
		args  = ["-Dd"]
		proof = { count = "fixture" }
		[framework.x.mode.m]
		about = "m"
		args  = ["-Db"]
		env   = { A = "2" }
		java  = { min = 17, max = 25 }
		[framework.x.mode.m.stage.s]
		args  = ["-Dc"]
		queue = 0
		[framework.x.mode.m.stage.t]
		proof = "none"
		files = { "f.conf" = "{dir}" }
		args  = ["{file.f.conf}"]`, "/d{}")
	if err != nil {
		t.Fatal(err)
	}
	base := Variant{
		Framework: "x", Mode: "m", About: "x, m", License: "MIT", JavaMin: 17, JavaMax: 25,
		Artifacts: []Artifact{{Name: "agentpath", Path: "/d{}/lib{x}.so", Key: []any{"framework", "x", "agentpath"}}},
		ClassPath: []string{"/d{{}}/a.jar", "/abs.jar", "{fixture.probes}"},
		Env:       []string{"A=2", "B={{}}"},
	}
	one := base
	one.Name, one.Stage = "x/m/s", "s"
	one.Args = []string{"-agentpath:{jar.agentpath}", "-Da", "-Db", "-Dd", "-Dc"}
	one.Proof = Proof{Kind: results.ProofCount, Source: "fixture", PerCall: "2", Extra: 3}
	two := base
	two.Name, two.Stage, two.Queue = "x/m/t", "t", 7
	two.Args = []string{"-agentpath:{jar.agentpath}", "-Da", "-Db", "{file.f.conf}"}
	two.Files = []File{{Name: "f.conf", Template: "{dir}"}}
	two.Proof = Proof{Kind: results.ProofNone}
	for _, want := range []Variant{one, two} {
		got, err := s.Variant(want.Name)
		if err != nil {
			t.Fatal(err)
		}
		want.AboutAny = want.About
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: -want +got:\n%s", want.Name, d)
		}
	}
}

// TestReplace: a framework of the user's replaces one of the catalogue whole.
func TestReplace(t *testing.T) {
	s, err := with(t, catalogue(t), `
		[framework.kieker]
		agent = "kieker.jar"`, ".")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Variant("kieker")
	if err != nil || v.Name != "kieker/bci/default" || !filepath.IsAbs(v.Artifacts[0].Path) {
		t.Errorf("got %+v, %v", v, err)
	}
}

func TestAbbreviations(t *testing.T) {
	s := catalogue(t)
	tests := []struct{ name, want, err string }{
		{"none", "none", ""},
		{"probe/bci/write", "probe/bci/write", ""},
		{"kieker/bci", "", `variant "kieker/bci" is ambiguous: kieker/bci/active, kieker/bci/binary, kieker/bci/collect`},
		{"kieker/bci/colect", "", `unknown variant "kieker/bci/colect" (did you mean "kieker/bci/collect"?)`},
		{"nnoe", "", `unknown variant "nnoe"`},
		{"", "", `unknown variant ""`},
	}
	for _, test := range tests {
		v, err := s.Variant(test.name)
		if v.Name != test.want || (err == nil) != (test.err == "") || err != nil && !strings.HasPrefix(err.Error(), test.err) {
			t.Errorf("%q: got %q, %v; want %q, %s", test.name, v.Name, err, test.want, test.err)
		}
	}
}

// TestLateSteps: what is done to the running JVM is inherited, and "none" leaves
// it out again.
func TestLateSteps(t *testing.T) {
	s, err := with(t, new(Set), `
		[framework.x]
		proof = "none"
		attach = "target/agent.jar=a=b"
		activate = "+ {signature}"
		[framework.x.mode.late.stage.removed]
		deactivate = "+ {signature}"
		[framework.x.mode.late.stage.dormant]
		activate = "none"
		[framework.x.mode.early]
		attach = "none"
		args = ["-javaagent:{jar.agent}"]
		agent = "/a.jar"`, "/d")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][3]string{
		"x/late/removed": {"/d/target/agent.jar=a=b", "+ {signature}", "+ {signature}"},
		"x/late/dormant": {"/d/target/agent.jar=a=b", "", ""},
		"x/early":        {"", "+ {signature}", ""},
	} {
		v, err := s.Variant(name)
		if got := [3]string{v.Attach, v.Activate, v.Deactivate}; err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
		if l := v.Launch(); l.Attach != v.Attach || l.Activate != v.Activate || l.Deactivate != v.Deactivate {
			t.Errorf("%s: the plan says %+v", name, l)
		}
	}
	_, err = with(t, new(Set), "[framework.x]\nproof = \"none\"\nattach = \"{jar.agnt}\"\ndeactivate = \"{pattern}\"", "")
	if errs, _ := err.(strict.Errors); len(errs) != 2 {
		t.Errorf("unknown placeholders: %v", err)
	}
}

// TestCheckNames: a name that stands for nothing is told with the file's other
// mistakes, unless that may be because of one of them.
func TestCheckNames(t *testing.T) {
	doc, err := strict.Parse("b.toml", []byte(`variants = ["keiker/bci/tcp", "none", "kieker/bci", "mine", "mine@old", "kieker/bci/tcp@old", "yours@new",
"kieker/bci/tcp@nwe", ""]
[framework.mine]
agnet = "x.jar"
[framework.yours]
agent = "y.jar"
[build.old]
[build.new]
agent = "z.jar"
`))
	if err != nil {
		t.Fatal(err)
	}
	one := func(key, name string) strict.Value { return doc.Root().Key(key).Key(name) }
	s := catalogue(t).With(map[string]strict.Value{"mine": one("framework", "mine"), "yours": one("framework", "yours")}, "").
		WithBuilds(map[string]strict.Value{"old": one("build", "old"), "new": one("build", "new")}, "")
	names, _ := strict.Each(doc.Root().Key("variants"), strict.Value.Any)
	s.CheckNames(names, doc, []any{"variants"})
	want := `b.toml:1: unknown variant "keiker/bci/tcp" (did you mean "kieker/bci/tcp"?)
b.toml:1: variant "kieker/bci" is ambiguous: kieker/bci/active, kieker/bci/binary, kieker/bci/collect, kieker/bci/deleting, kieker/bci/disabled, kieker/bci/dump, kieker/bci/inactive, kieker/bci/milli, kieker/bci/tcp, kieker/bci/text, kieker/bci/timeless
b.toml:2: unknown variant "kieker/bci/tcp@nwe" (did you mean "kieker/bci/tcp@new"?)
b.toml:4: unknown key "agnet" (did you mean "agent"?)
b.toml:7: the build puts no other jar in place of one (name a jar: agent = "…")`
	if err := doc.Err(); err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// TestToldProof: a source of the user's own is told what to look at, with placeholders in
// paths, a URL and a command, and none in what is looked for.
func TestToldProof(t *testing.T) {
	for _, test := range []struct {
		proof, source string
		want          receiver.Told
	}{
		{`{ file = "{dir}/*.csv", lines = true }`, "file", receiver.Told{"file": {"/tmp/i/*.csv"}, "lines": {"true"}}},
		{`{ file = "{dir}/*.csv", match = '(\d{3})' }`, "file", receiver.Told{"file": {"/tmp/i/*.csv"}, "match": {`(\d{3})`}}},
		{`{ log = 'recorded (\d+)', per_call = 2 }`, "log", receiver.Told{"log": {`recorded (\d+)`}}},
		{`{ http = "http://127.0.0.1:{port}/metrics", metric = 'r{a="b"}' }`, "http", receiver.Told{"http": {"http://127.0.0.1:99/metrics"}, "metric": {`r{a="b"}`}}},
		{`{ command = ["bin/count", "{dir}", "{{}}"] }`, "command", receiver.Told{"command": {"/home/me/bin/count", "/tmp/i", "{}"}}},
		{`{ command = ["wc", "-l"] }`, "command", receiver.Told{"command": {"wc", "-l"}}},
	} {
		s, err := with(t, catalogue(t), "[framework.x]\nproof = "+test.proof, "/home/me")
		if err != nil {
			t.Error(err)
			continue
		}
		v, err := s.Variant("x")
		if err != nil {
			t.Fatal(err)
		}
		told, err := v.Proof.Filled(map[string]string{"dir": "/tmp/i", "port": "99"})
		if d := cmp.Diff(test.want, told); d != "" || err != nil || v.Proof.Source != test.source || v.Proof.Kind != results.ProofCount {
			t.Errorf("%s: %+v, %v, -want +got:\n%s", test.proof, v.Proof, err, d)
		}
	}
}
