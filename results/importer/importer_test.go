package importer

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"moobench/refusal"
	"moobench/results"
)

func depth(n string) []results.Value { return []results.Value{{Name: "depth", Value: n}} }

func TestCells(t *testing.T) {
	b := NewBuilder(Request{}, "tool", "", results.Scenario{Label: "s"})
	for _, c := range []results.Cell{
		{Variant: "none", Factors: depth("1")},
		{Variant: "agent", Factors: depth("1"), Framework: "x"},
		{Variant: "none", Factors: depth("1"), Framework: "passed over, because the cell is there"},
		{Variant: "none", Factors: depth("2")},
		{Variant: "agent", Factors: depth("2")},
		{Variant: "agent", Factors: depth("3")},
	} {
		b.Cell(c)
	}
	err := b.Compare(
		"none",
		Question{Metric: "m", Text: func(cell, baseline *results.Cell) string { return cell.ID + "-" + baseline.ID }},
		Question{Metric: "n", Test: results.TestRates, Text: func(cell, baseline *results.Cell) string { return "?" }},
	)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, cell := range b.Campaign.Cells {
		got = append(got, strings.Join([]string{cell.ID, cell.Label(), string(cell.Role), cell.Baseline, string(cell.Proof.Kind), cell.Framework}, "|"))
	}
	want := []string{
		"c00|none depth=1|baseline||baseline|", "c01|agent depth=1|variant|c00|none|x", "c02|none depth=2|baseline||baseline|",
		"c03|agent depth=2|variant|c02|none|", "c04|agent depth=3|variant||none|",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	var asked []string
	for _, q := range b.Scenario().Questions {
		asked = append(asked, strings.Join([]string{q.ID, q.Text, string(q.Test), q.A, q.B, q.Family}, "|"))
	}
	want = []string{
		"m-c01|c01-c00|welch|c01|c00|s/m depth=1", "n-c01|?|rates|c01|c00|s/n depth=1",
		"m-c03|c03-c02|welch|c03|c02|s/m depth=2", "n-c03|?|rates|c03|c02|s/n depth=2",
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
	if b.Slot("c03") != 3 {
		t.Errorf("the slot of c03 is %d", b.Slot("c03"))
	}
}

func TestCellsWithoutBaseline(t *testing.T) {
	b := NewBuilder(Request{}, "tool", "", results.Scenario{})
	b.Cell(results.Cell{Variant: "a"})
	b.Cell(results.Cell{Variant: "b"})
	if err := b.Compare("x"); err == nil || err.Error() != `there is no variant "x" to be the baseline: there are a, b` {
		t.Errorf("error %v", err)
	}
	if err := b.Compare(""); err != nil || b.Campaign.Cells[0].Role != results.RoleBaseline || b.Campaign.Cells[1].Baseline != "c00" {
		t.Errorf("%+v, %v", b.Campaign.Cells, err)
	}
}

// A folder that could not be filled leaves nothing, and one that was there
// stays as it was.
func TestFolder(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "new", "campaign")
	failed := errors.New("no more")
	err := Folder("importing", dir, func(tmp string) error {
		return errors.Join(os.WriteFile(filepath.Join(tmp, "half"), nil, 0o666), failed)
	})
	if left, _ := os.ReadDir(filepath.Dir(dir)); !errors.Is(err, failed) || len(left) > 0 {
		t.Errorf("error %v, %d files left", err, len(left))
	}
	fill := func(tmp string) error { return os.WriteFile(filepath.Join(tmp, "whole"), nil, 0o666) }
	if err := Folder("importing", dir, fill); err != nil {
		t.Fatal(err)
	}
	if err := Folder("exporting", dir, fill); err == nil || !strings.Contains(refusal.Text(err), "the folder is not empty\nhint: choose another folder with -o") {
		t.Errorf("error %v", err)
	}
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestFolderHonoursTheUmask: who keeps what they make to themselves keeps this, too.
func TestFolderHonoursTheUmask(t *testing.T) {
	for _, umask := range []int{0o022, 0o077, 0o002} {
		dir := filepath.Join(t.TempDir(), "campaign")
		before := unix.Umask(umask)
		err := Folder("importing", dir, func(tmp string) error {
			return os.WriteFile(filepath.Join(tmp, "file"), nil, 0o666)
		})
		unix.Umask(before)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(dir); err != nil || int(info.Mode().Perm()) != 0o777&^umask {
			t.Errorf("umask %o: %v, %v", umask, info.Mode(), err)
		}
		if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
			t.Errorf("left behind: %v, %v", entries, err)
		}
	}
}

// What a process left behind is removed by the next one; what another one fills
// stays, and so does what only looks like it.
func TestStaleFolders(t *testing.T) {
	parent := t.TempDir()
	for _, name := range []string{draftName + "17/invocations", draftName + "18", draftName + "x", "123", "other"} {
		if err := os.MkdirAll(filepath.Join(parent, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(parent, "other"), filepath.Join(parent, draftName+"19")); err != nil {
		t.Fatal(err)
	}
	filled, err := lockFolder(filepath.Join(parent, draftName+"18"))
	if err != nil {
		t.Fatal(err)
	}
	defer filled.Close()
	names := func() string {
		var all []string
		entries, err := os.ReadDir(parent)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			all = append(all, strings.TrimPrefix(e.Name(), draftName))
		}
		return strings.Join(all, " ")
	}
	var during string
	err = Folder("importing", filepath.Join(parent, "new"), func(tmp string) error {
		during = filepath.Base(tmp)
		removeStale(parent) // as another process would
		return os.WriteFile(filepath.Join(tmp, "whole"), nil, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(); got != "18 19 x 123 new other" || during == "" {
		t.Errorf("there are %s", got)
	}
	if err := filled.Close(); err != nil {
		t.Fatal(err)
	}
	removeStale(parent)
	if got := names(); got != "19 x 123 new other" {
		t.Errorf("afterwards there are %s", got)
	}
}

// Series without rows are left out, and the dumps are gone.
func TestSeal(t *testing.T) {
	b := NewBuilder(Request{Dir: filepath.Join(t.TempDir(), "c")}, "tool", "", results.Scenario{Label: "x"})
	b.Cell(results.Cell{Variant: "a"})
	column := []results.Column{{Name: "t", Unit: "ns", Kind: results.KindDuration}}
	s, err := b.Make(func() error {
		return b.Add(
			t.Context(), results.Identity{Block: 1}, &results.Invocation{Cell: "c00"},
			Samples{Series: results.Series{Name: "a", Columns: column, Batch: 1}, Values: [][]int64{{1, 2, 3}}},
			Samples{Series: results.Series{Name: "b", Columns: column, Batch: 1}, Values: [][]int64{{}}},
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Invocations()
	if err != nil || len(list) != 1 || len(list[0].Series) != 1 || list[0].Series[0].Count != 3 || len(list[0].Files) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
	if sealed, changed := s.Sealed(); !sealed || changed != "" {
		t.Errorf("sealed %v, %q", sealed, changed)
	}
}
