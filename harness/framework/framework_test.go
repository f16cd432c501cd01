package framework

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"moobench/internal/testgolden"
	"moobench/results"
)

func catalogue(t *testing.T) *Set {
	t.Helper()
	s, err := once()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// once reads it once for all tests: nobody changes a set.
var once = sync.OnceValues(Catalogue)

// TestCommandLines holds every variant of a catalogue file against its golden
// command line.
func TestCommandLines(t *testing.T) {
	s := catalogue(t)
	got := map[string]string{}
	for _, name := range s.Names() {
		v, err := s.Variant(name)
		if err != nil {
			t.Fatal(err)
		}
		got[v.Framework] += commandLine(v)
	}
	for name, text := range got {
		testgolden.Check(t, filepath.Join("catalogue", name, "lines.golden"), text)
	}
}

func commandLine(v Variant) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", v.Name, v.About)
	fmt.Fprintf(&b, "  licence %s, java %d..%d, queue %d, receiver %q\n", v.License, v.JavaMin, v.JavaMax, v.Queue, v.Receiver)
	fmt.Fprintf(&b, "  proof %s\n", strings.Replace(fmt.Sprintf("%+v", v.Proof), " Told:map[]", "", 1))
	fmt.Fprintf(&b, "  path %v, body %q, change %q\n", v.Path, v.Body, v.Change)
	l := v.Launch()
	for _, e := range l.Env {
		fmt.Fprintf(&b, "  env %s\n", e)
	}
	for _, a := range l.JVMArgs {
		fmt.Fprintf(&b, "  %s\n", a)
	}
	if l.Target != "" {
		fmt.Fprintf(&b, "  target %s\n", l.Target)
	}
	for _, step := range [][2]string{{"attach", l.Attach}, {"activate", l.Activate}, {"deactivate", l.Deactivate}} {
		if step[1] != "" {
			fmt.Fprintf(&b, "  %s %s\n", step[0], step[1])
		}
	}
	for _, f := range v.Files {
		fmt.Fprintf(&b, "  file %s: %q\n", f.Name, f.Template)
	}
	for _, a := range l.Artifacts {
		fmt.Fprintf(&b, "  artifact %s %s\n", a.Name, a.SHA256)
	}
	return b.String() + "\n"
}

// TestCatalogueIsPinned: nothing of the catalogue goes into a JVM, or counts
// as proven, on trust.
func TestCatalogueIsPinned(t *testing.T) {
	s := catalogue(t)
	for _, name := range s.Names() {
		v, _ := s.Variant(name)
		for _, a := range v.Artifacts {
			if (a.Maven == "" || a.SHA256 == "") && !strings.HasPrefix(a.Path, atHome) {
				t.Errorf("%s: artifact %s has no coordinates or no SHA-256", name, a.Name)
			}
		}
		if v.Proof.Kind == results.ProofNone || v.About == "" || v.License == "" {
			t.Errorf("%s: proof, about or license is missing", name)
		}
		if v.Proof.Sibling != "" {
			if sib, err := s.Variant(v.Proof.Sibling); err != nil || sib.Proof.Kind != results.ProofCount {
				t.Errorf("%s: sibling %q does not count: %v", name, v.Proof.Sibling, err)
			}
		}
	}
}

// TestPathsFitProofs: what records nothing collects nothing, and what delivers
// records collects them.
func TestPathsFitProofs(t *testing.T) {
	s := catalogue(t)
	for _, name := range s.Names() {
		v, _ := s.Variant(name)
		records := v.Proof.Kind == results.ProofCount || v.Proof.Kind == results.ProofSibling
		if v.Path != nil && slices.Contains(v.Path, "collect") != records {
			t.Errorf("%s passes through %v, and its proof is %s", name, v.Path, v.Proof.Kind)
		}
		unprobed := slices.Contains([]string{"none", "schema", "recording", "sampling", "background", "requestable"}, v.Mode) || v.Stage == "never"
		if v.Path == nil && !unprobed && v.Stage != "disabled" && v.Stage != "removed" {
			t.Errorf("%s doesn't say what an execution passes through", name)
		}
	}
}

// TestPathsOfLayers: a lower layer's path, body and change win; a variant that
// says no path has no body either.
func TestPathsOfLayers(t *testing.T) {
	s, err := with(t, catalogue(t), `
		[framework.x]
		path   = ["check", "collect"]
		change = "switched"
		[framework.x.mode.m.stage.s]
		[framework.x.mode.m.stage.t]
		path = ["check"]
		body = "shared"
		change = "swapped"
		[framework.y]
		body = "alone"`, ".")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"x/m/s": "[check collect] m switched", "x/m/t": "[check] shared swapped", "y": "[]  ",
	} {
		v, err := s.Variant(name)
		if got := fmt.Sprintf("%v %s %s", v.Path, v.Body, v.Change); err != nil || got != want {
			t.Errorf("%s: got %q, want %q (%v)", name, got, want, err)
		}
	}
}

// TestOlderCampaignsKnowTheirPaths: what a campaign without paths is taken to pass
// through, by its launch, is what the catalogue says, or nothing.
func TestOlderCampaignsKnowTheirPaths(t *testing.T) {
	s := catalogue(t)
	known := 0
	for _, name := range s.Names() {
		v, _ := s.Variant(name)
		cell := results.Cell{Mode: v.Mode, Stage: v.Stage, Proof: results.ProofPlan{Kind: v.Proof.Kind}, Launch: v.Launch()}
		path, _, change := cell.Passes()
		ours := v.Framework == "probe" || v.Framework == "kieker" && v.Mode != "bci"
		if (path != nil || ours) && !slices.Equal(path, v.Path) || (change != "" || ours) && change != v.Change && v.Path != nil {
			t.Errorf("%s: %v, %q by its launch; %v, %q in the catalogue", name, path, change, v.Path, v.Change)
		}
		if path != nil {
			known++
		}
	}
	if known < 30 {
		t.Errorf("only %d are known", known)
	}
}
