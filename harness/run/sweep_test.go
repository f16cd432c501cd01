package run

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"moobench/harness/plan"
	"moobench/results"
)

// TestFolderOfASubject: whatever a subject does to the folder that it works in, it
// costs no more than its invocation, and nothing elsewhere.
func TestFolderOfASubject(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		failed bool
	}{
		"removed":  {`cd / && rm -rf "$d"`, true},
		"link":     {`cd / && rm -rf "$d" && ln -s "$1" "$d"`, true},
		"file":     {`cd / && rm -rf "$d" && echo mine >"$d"`, true},
		"anew":     {`cd / && rm -rf "$d" && mkdir "$d"`, false},
		"closed":   {`mkdir -p a/b && echo mine >a/b/c && chmod 0 a/b a "$d"`, false},
		"readonly": {`mkdir a && echo mine >a/b && chmod 555 a "$d"`, false},
	} {
		t.Run(name, func(t *testing.T) {
			outside, script := t.TempDir(), filepath.Join(t.TempDir(), "script")
			write(t, filepath.Join(outside, "victim.txt"), "whole")
			write(t, script, "set -e\nd=$(pwd)\n"+c.script+"\n")
			dir := created(t, campaignOf(3, nil))
			r, _ := runnerOn(t, dir, instant{})
			r.Plan.Cells[1].Work.Run = []string{"sh", script, outside}
			if err := r.Run(t.Context()); errors.Is(err, ErrGivenUp) != c.failed || err != nil && !c.failed {
				t.Fatal(err)
			}
			for _, inv := range invocationsOf(t, dir) {
				want := results.StatusOK
				if c.failed && inv.Cell == "c01" {
					want = results.StatusFailed
				}
				if inv.Status != want || inv.Failure != nil && inv.Failure.Kind != kindFolder {
					t.Errorf("%s of %s: %s, %+v", inv.Identity, inv.Cell, inv.Status, inv.Failure)
				}
			}
			if text, err := os.ReadFile(filepath.Join(outside, "victim.txt")); string(text) != "whole" {
				t.Errorf("outside: %q, %v", text, err)
			}
		})
	}
}

// TestFailureWithoutAFolder: what fails for another reason is kept as well.
func TestFailureWithoutAFolder(t *testing.T) {
	dir := created(t, campaignOf(3, nil))
	isVariant := func(inv plan.Invocation) bool { return inv.Cell.ID == "c01" }
	r, _ := runnerOn(t, dir, instant{fails: isVariant, stop: func(inv plan.Invocation) {
		if drafts, err := filepath.Glob(filepath.Join(dir, "invocations", ".tmp-*")); err != nil || len(drafts) != 1 {
			t.Errorf("drafts %q, %v", drafts, err)
		} else if isVariant(inv) {
			os.RemoveAll(drafts[0])
		}
	}})
	if err := r.Run(t.Context()); !errors.Is(err, ErrGivenUp) {
		t.Fatal(err)
	}
	for _, inv := range invocationsOf(t, dir) {
		if failed := inv.Status == results.StatusFailed; failed != (inv.Cell == "c01") || failed && inv.Failure.Message != "told to fail" {
			t.Errorf("%s of %s: %s, %+v", inv.Identity, inv.Cell, inv.Status, inv.Failure)
		}
	}
}
