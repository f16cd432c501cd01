package framework

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/receiver"
	"moobench/results"
)

// sideBySide are two agents of a user's own that need about everything that can be asked for.
const sideBySide = `
	[framework.one]
	license   = "MIT"
	about     = "the first"
	agent     = "one.jar"
	classpath = ["shared.jar", "one-api.jar"]
	args      = ["-Done={file.x.conf}", "-Dport={port}"]
	env       = { SHARED = "1", ONE = "{jar.agent}" }
	files     = { "x.conf" = "to {port}" }
	java      = { min = 11, max = 25 }
	path      = ["collect"]
	change    = "switched"
	receiver  = "otlp"
	proof     = { file = "{dir}/one-*", lines = true }
	[framework.two]
	license   = "Apache-2.0"
	about     = "the second"
	agent     = "two.jar"
	classpath = ["two-api.jar", "shared.jar"]
	args      = ["-Dtwo={file.x.conf}", "-Dport2={port}", "-Dclass={class}"]
	env       = { SHARED = "1", TWO = "{jar.agent}" }
	files     = { "x.conf" = "{jar.agent} to {port}" }
	java      = { min = 17, max = 24 }
	receiver  = "kieker-tcp"
	proof     = { command = ["wc", "-l", "{file.x.conf}"] }
	[framework.three]
	license = "MIT"
	agent   = "three.jar"
	proof   = { sibling = "one/bci/default" }
`

// TestBeside: what each of two agents needs is in their JVM, under names of its own; what both need is there once.
func TestBeside(t *testing.T) {
	s, err := with(t, new(Set), sideBySide, "/d")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Variant("one + two")
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) []any { return []any{"framework", name, "agent"} }
	want := Variant{
		Name: "one/bci/default + two/bci/default", Framework: "one + two", Mode: "together", Stage: "default",
		Body: "together", About: "the first + the second", License: "Apache-2.0, MIT",
		Artifacts: []Artifact{
			{Name: "agent", Path: "/d/one.jar", Key: at("one")},
			{Name: "agent-2", Path: "/d/two.jar", Key: at("two")},
		},
		ClassPath: []string{"/d/shared.jar", "/d/one-api.jar", "/d/two-api.jar"},
		Args: []string{
			"-javaagent:{jar.agent}", "-Done={file.x.conf}", "-Dport={port}",
			"-javaagent:{jar.agent-2}", "-Dtwo={file.2-x.conf}", "-Dport2={port-2}", "-Dclass={class}",
		},
		Env:   []string{"ONE={jar.agent}", "SHARED=1", "TWO={jar.agent-2}"},
		Files: []File{{"x.conf", "to {port}"}, {"2-x.conf", "{jar.agent-2} to {port-2}"}},
		Proof: Proof{
			Kind: results.ProofCount, Source: "file",
			Told: receiver.Told{"file": {"{dir}/one-*"}, "lines": {"true"}},
		},
		Receiver: "otlp",
		JavaMin:  17, JavaMax: 24,
		Beside: []Recorded{{
			Name: "two/bci/default", Receiver: "kieker-tcp", Port: "port-2",
			Proof: Proof{
				Kind: results.ProofCount, Source: "command",
				Told: receiver.Told{"command": {"wc", "-l", "{file.2-x.conf}"}},
			},
		}},
	}
	got.AboutAny = ""
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	alone, err := s.Variant("two")
	if err != nil || alone.Files[0].Name != "x.conf" || alone.Artifacts[0].Name != "agent" {
		t.Errorf("alone it is %+v, %v", alone, err)
	}
}

// TestBesideABuild: an agent of another build brings its jars, and those of fixtures, into the same JVM.
func TestBesideABuild(t *testing.T) {
	s, err := with(t, new(Set), sideBySide+`
		[build.old]
		agent = "old.jar"
		fixture.kernel = { path = "kernel.jar" }`, "/d")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Variant("one + two@old")
	if err != nil {
		t.Fatal(err)
	}
	names := results.Each(v.Launch().Artifacts, func(a results.Artifact) string { return a.Name })
	if got, want := strings.Join(names, " "), "one.jar old.jar x.conf 2-x.conf {fixture.kernel}"; got != want {
		t.Errorf("it is started with %s, want %s", got, want)
	}
}

// TestBesideOnce: a JVM has one installation and one environment, which two agents may share but not divide.
func TestBesideOnce(t *testing.T) {
	for _, c := range []struct{ one, two, wrong string }{
		{`env = { A = "1" }`, `env = { A = "1" }`, ""},
		{`env = { A = "1" }`, `env = { AB = "2" }`, ""},
		{`env = { A = "1" }`, `env = { A = "2" }`, "both set A in the environment, to different values"},
		{`home = "/h"`, `home = "/h"`, ""},
		{`home = "/h"`, ``, ""},
		{``, `home = "/h"`, ""},
		{`home = "/h"`, `home = "/i"`, "both say what is installed (home), and a JVM has one"},
		{`target = "a.B"`, `target = "a.C"`, "both say what is called (target), and a JVM has one"},
		{`attach = "a.jar"`, ``, "an agent put into the running JVM can't go with another one"},
		{``, `activate = "+ x"`, "an agent put into the running JVM can't go with another one"},
	} {
		text := "[framework.one]\nproof = \"none\"\n" + c.one + "\n[framework.two]\nproof = \"none\"\n" + c.two
		s, err := with(t, new(Set), text, "/d")
		if err != nil {
			t.Fatal(err)
		}
		v, err := s.Variant("one + two")
		if (err != nil) != (c.wrong != "") || err != nil && err.Error() != `"one + two": `+c.wrong {
			t.Errorf("%s and %s: %v, want %s", c.one, c.two, err, c.wrong)
		}
		if err == nil && strings.Contains(c.one+c.two, "home") && v.Home != "/h" {
			t.Errorf("%s and %s: installed in %q", c.one, c.two, v.Home)
		}
	}
}

// TestBesideMany: four agents are the most that one JVM takes. Each has its own number, and the sibling that proves
// one of them runs beside the same others.
func TestBesideMany(t *testing.T) {
	text := sideBySide + "[framework.four]\nproof = \"none\"\n[framework.five]\nproof = \"none\"\n"
	s, err := with(t, new(Set), text, "/d")
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Variant("two + four + three + five")
	if err != nil {
		t.Fatal(err)
	}
	const sibling = "two/bci/default + four/bci/default + one/bci/default + five/bci/default"
	var got []string
	for _, r := range v.Recorded() {
		got = append(got, r.Name+" "+r.Port+" "+r.Proof.Sibling)
	}
	want := []string{
		"two/bci/default port ", "four/bci/default port-2 ", "three/bci/default port-3 " + sibling,
		"five/bci/default port-4 ",
	}
	if d := cmp.Diff(want, got); d != "" || v.Artifacts[1].Name != "agent-3" {
		t.Errorf("%+v, -want +got:\n%s", v.Artifacts, d)
	}
	if _, err := s.Variant("one + two + three + four + five"); err == nil ||
		!strings.Contains(err.Error(), "more than 4 agents in one JVM") {
		t.Errorf("five agents: %v", err)
	}
	first, err := s.Variant("three + two")
	if err != nil || first.Proof.Sibling != "one/bci/default + two/bci/default" {
		t.Errorf("the first is proven by %q, %v", first.Proof.Sibling, err)
	}
}

// TestSuits: both limits of a variant's Java are releases that it works with.
func TestSuits(t *testing.T) {
	for _, c := range []struct {
		least, most, major int
		wrong              string
	}{
		{11, 21, 11, ""},
		{11, 21, 21, ""},
		{11, 21, 10, "x needs Java 11 or newer, /jdk is Java 10"},
		{11, 21, 22, "x works up to Java 21, /jdk is Java 22"},
		{0, 0, 8, ""},
		{0, 8, 9, "x works up to Java 8, /jdk is Java 9"},
	} {
		got := ""
		if err := (Variant{Name: "x", JavaMin: c.least, JavaMax: c.most}).Suits("/jdk", c.major); err != nil {
			got = err.Error()
		}
		if got != c.wrong {
			t.Errorf("Java %d to %d on %d: %q, want %q", c.least, c.most, c.major, got, c.wrong)
		}
	}
}

// TestNarrow: two limits are the narrower one, and no limit narrows nothing.
func TestNarrow(t *testing.T) {
	for _, c := range []struct{ one, two, want [2]int }{
		{[2]int{8, 21}, [2]int{11, 17}, [2]int{11, 17}},
		{[2]int{11, 17}, [2]int{8, 21}, [2]int{11, 17}},
		{[2]int{8, 0}, [2]int{0, 17}, [2]int{8, 17}},
		{[2]int{0, 17}, [2]int{8, 0}, [2]int{8, 17}},
		{[2]int{0, 0}, [2]int{0, 0}, [2]int{0, 0}},
	} {
		v := Variant{JavaMin: c.one[0], JavaMax: c.one[1]}
		v.narrow(Variant{JavaMin: c.two[0], JavaMax: c.two[1]})
		if got := [2]int{v.JavaMin, v.JavaMax}; got != c.want {
			t.Errorf("%v and %v: %v, want %v", c.one, c.two, got, c.want)
		}
	}
}
