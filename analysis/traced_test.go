package analysis

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/analysis/evidence"
	"moobench/results"
)

// logged is a source of which some invocations have files of events.
type logged struct {
	Source
	files map[string]string // by invocation
}

func (l logged) Events(inv *results.Invocation) ([]string, error) {
	if name := l.files[inv.Identity.String()]; name != "" {
		return []string{name}, nil
	}
	return nil, nil
}

// TestReadEvents: each cell has the picture of its first invocation that kept events; what
// can't be read is a warning, and costs nothing else.
func TestReadEvents(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole, broken := write("events-1.bin", "moobench-events 1 event=16\n"), write("events-2.bin", "something else")
	var all []evidence.Invocation
	for i, cell := range []string{"c00", "c01", "c01", "c02"} {
		id := results.Identity{Block: 1, Slot: i}
		all = append(all, evidence.Invocation{Invocation: &results.Invocation{Identity: id, Cell: cell}})
	}
	name := func(i int) string { return all[i].Identity.String() }
	a := &Answers{}
	problems := a.readEvents(logged{files: map[string]string{name(1): whole, name(2): whole, name(3): broken}}, all)
	if len(a.Traced) != 1 || a.Traced[0].Cell != "c01" || a.Traced[0].Invocation != name(1) || a.Traced[0].Order == nil || a.Traced[0].Graph == nil {
		t.Errorf("traced %+v, want c01 once", a.Traced)
	}
	if len(problems) != 1 || !strings.Contains(problems[0], "reading the events of "+name(3)) {
		t.Errorf("problems %q", problems)
	}
	if problems := a.readEvents(struct{ Source }{}, all); problems != nil {
		t.Errorf("a source without events has the problems %q", problems)
	}
}
