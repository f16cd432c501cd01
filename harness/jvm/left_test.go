package jvm

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestLeftBehind: what leaves the session of its parent is found, named and
// killed all the same, and what it waited for is not blamed.
func TestLeftBehind(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skipf("needs setsid: %v", err)
	}
	for script, want := range map[string]int{
		"setsid sleep 1000 & sleep 1000 & exit 0": 2,
		"sleep 0.01 & exit 0":                     0,
	} {
		dir := t.TempDir()
		mark := "MARK=" + dir
		p, err := StartProcess(t.Context(), Command{Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, Output: "said.log", Mark: mark})
		if err != nil {
			t.Fatal(err)
		}
		exit, err := p.Wait(t.Context())
		if err != nil || len(exit.Left) != want {
			t.Errorf("%s: left %q, %v, want %d", script, exit.Left, err, want)
		}
		if found := marked(mark); len(found) != 0 {
			t.Errorf("%s: processes %v live on", script, found)
		}
	}
}

func TestWorkingDirectoryAndOutput(t *testing.T) {
	dir, work := t.TempDir(), t.TempDir()
	p, err := StartProcess(t.Context(), Command{Path: "/bin/sh", Args: []string{"-c", "pwd; echo oh >&2"}, Dir: dir, Work: work, Output: "said.log"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"said.log": work + "\n", LogName: "oh\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
}
