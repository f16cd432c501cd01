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

// TestFindEvents: each cell has the picture of its first invocation that kept events; what
// can't be read is named, and costs nothing else.
func TestFindEvents(t *testing.T) {
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
	a.findEvents(logged{files: map[string]string{name(1): whole, name(2): whole, name(3): broken}}, all)
	if len(a.Traced) != 2 || a.Traced[0].Cell != "c01" || a.Traced[0].Invocation != name(1) || a.Traced[1].Invocation != name(3) {
		t.Fatalf("traced %+v, want c01 once and c02", a.Traced)
	}
	if o, g, err := a.Traced[0].Follow(); err != nil || o == nil || g == nil {
		t.Errorf("%v, %v, %v", o, g, err)
	}
	if _, _, err := a.Traced[1].Follow(); err == nil || !strings.Contains(err.Error(), "reading the events of "+name(3)) {
		t.Errorf("a broken file: %v", err)
	}
	none := &Answers{}
	if none.findEvents(struct{ Source }{}, all); none.Traced != nil {
		t.Errorf("a source without events has %+v", none.Traced)
	}
}
