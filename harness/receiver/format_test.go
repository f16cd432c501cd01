package receiver

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestNamesOfFormats: a format is named by who counts, or by a key of its own that says where its records are.
func TestNamesOfFormats(t *testing.T) {
	for name, want := range map[string]struct {
		key, count string
		listens    bool
	}{
		"otlp":       {"", "otlp", true},
		"posts":      {"", "http", true},
		"probe-file": {"", "probe-file", false},
		"fixture":    {"", "fixture", false},
		"http":       {"http", "", false},
		"command":    {"command", "", false},
		"file":       {"file", "", false},
	} {
		f, err := FormatNamed(name)
		if err != nil || f.Key() != want.key || f.Count() != want.count || f.Listens() != want.listens {
			t.Errorf("%s: key %q, count %q, listens %t, %v", name, f.Key(), f.Count(), f.Listens(), err)
		}
	}
}

// TestLogsOfEventsAreKept: all logs of the event probe are, with their names alone, and nothing else.
func TestLogsOfEventsAreKept(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"events-7.bin", "events-12.bin", "events-x.bin", "events.bin", "other-7.bin"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Open(t.Context(), "probe-events", dir, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	files, most := s.(Keeper).Keep()
	slices.Sort(files)
	if want := []string{"events-12.bin", "events-7.bin"}; !slices.Equal(files, want) || most != mostEvents {
		t.Errorf("%q of at most %d bytes, want %q", files, most, want)
	}
}

// TestContentOfAFile: a file is read whole, or not at all where it is longer than may be.
func TestContentOfAFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := (&written{dir: dir}).opener(t.Context())
	for most, fits := range map[int64]bool{4: false, 5: true, 6: true} {
		text, err := open.content(path, most)
		if (err == nil) != fits || fits && string(text) != "12345" {
			t.Errorf("at most %d: %q, %v", most, text, err)
		}
	}
	if _, err := open.content(filepath.Join(dir, "gone"), 5); err == nil {
		t.Error("a file that there is not was read")
	}
}
