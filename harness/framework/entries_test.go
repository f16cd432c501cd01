package framework

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEntries: a framework is one entry with what its variants have between them, each once.
func TestEntries(t *testing.T) {
	s, err := with(t, new(Set), `
		[framework.b]
		about   = "the second, in short"
		license = "MIT"
		java    = { min = 11, max = 21 }
		maven   = "g:b:2.1"
		proof   = { count = "otlp" }
		[framework.b.mode.manual]
		[framework.b.mode.bci.stage.one]
		[framework.b.mode.bci.stage.two]
		proof = { count = "kieker-tcp" }
		[framework.b.mode.bci.stage.no]
		proof = "none"
		[framework.a]
		about   = "the first"
		license = "Apache-2.0"
		agent   = "a.jar"
		proof   = "none"
		[framework.c]
		about   = "the third"
		license = "none"
		args    = ["-javaagent:{home}/c.jar"]
		proof   = { count = "otlp" }`, "/d")
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Entries()
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{
		{Name: "a", About: "the first", License: "Apache-2.0", Modes: []string{"bci"}},
		{
			Name: "b", About: "the second", License: "MIT", Java: [2]int{11, 21}, Versions: []string{"2.1"},
			Modes: []string{"bci", "manual"}, Counts: []string{"kieker-tcp", "otlp"},
		},
		{Name: "c", About: "the third", License: "none", Home: true, Modes: []string{"bci"}, Counts: []string{"otlp"}},
	}
	if d := cmp.Diff(want, got, cmp.Comparer(slices.Equal[[]string])); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
