package machine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moobench/refusal"
)

// victims are what a planted journal has written and removed if it is believed:
// a file, and an empty folder.
func victims(t *testing.T) (journal string, whole func()) {
	t.Helper()
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "victim"), filepath.Join(dir, "folder")
	if err := errors.Join(os.WriteFile(file, []byte("whole\n"), 0o644), os.Mkdir(folder, 0o755)); err != nil {
		t.Fatal(err)
	}
	journal = fmt.Sprintf(`{"format":1,"pid":4194304,"start":"1","boot":"","campaign":"x","entries":[
		{"knob":"turbo","path":"proc/self/root%s","found":"evil\n","got":null},
		{"knob":"cpuset","path":"proc/self/root%s","kind":"make","found":"","got":null}]}`, file, folder)
	return journal, func() {
		t.Helper()
		if text, err := os.ReadFile(file); string(text) != "whole\n" || err != nil {
			t.Errorf("the victim is %q, %v", text, err)
		}
		if _, err := os.Stat(folder); err != nil {
			t.Error("the folder:", err)
		}
	}
}

// believed tries a journal in all ways that there are, on this machine's files.
func believed(path string) []error {
	return []error{
		func() error { _, err := Leftover(System(), path); return err }(),
		func() error { _, err := (&Left{tree: System(), journal: &journal{path: path}}).Restore(); return err }(),
		func() error { _, err := Quieten(System(), path, "", placing(System()), nil); return err }(),
	}
}

// TestPlantedJournal: nothing but settings is written to, whoever wrote the journal.
func TestPlantedJournal(t *testing.T) {
	journal, whole := victims(t)
	path := filepath.Join(t.TempDir(), "machine.journal")
	if err := os.WriteFile(path, []byte(journal), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, err := range believed(path) {
		if err == nil || !strings.Contains(err.Error(), "is not a file of the setting") {
			t.Errorf("%v", err)
		}
	}
	whole()
}

// TestForeignJournal: one that others may have written is not even read.
func TestForeignJournal(t *testing.T) {
	const harmless = `{"format":1,"pid":4194304,"start":"1","boot":"","campaign":"x","entries":[]}`
	write := func(dir string) string {
		path := filepath.Join(dir, "machine.journal")
		if err := os.WriteFile(path, []byte(harmless), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	check := func(path, why string) {
		t.Helper()
		for _, err := range believed(path) {
			if err == nil || !strings.Contains(err.Error(), why) || refusal.Do(err) == "" {
				t.Errorf("%v: want %s", err, why)
			}
		}
	}
	all := write(t.TempDir())
	folder := t.TempDir()
	open := write(folder)
	link := filepath.Join(t.TempDir(), "link")
	if err := errors.Join(os.Chmod(all, 0o666), os.Chmod(folder, 0o777), os.Symlink(write(t.TempDir()), link)); err != nil {
		t.Fatal(err)
	}
	check(all, "everybody may write to it")
	check(open, "everybody may write to it")
	check(link, "it is a link")
	if os.Geteuid() != 0 {
		t.Skip("only root can give a file to another user")
	}
	his := write(t.TempDir())
	if err := os.Chown(his, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	check(his, "it belongs to user 65534")
}

// TestJournalPathOfRoot: the journal in the cache of a HOME that sudo has left is
// another user's.
func TestJournalPathOfRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root has something to lose to other users here")
	}
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv(JournalVar, "")
	if err := os.Mkdir(filepath.Join(cache, "moobench"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cache, "moobench", "machine.journal"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := JournalPath(); strings.HasPrefix(got, cache) {
		t.Error(got)
	}
}

// TestSetAside: a file that says nothing of any change doesn't end all campaigns, and is kept; one that
// does, or did before it was damaged, stays where it is.
func TestSetAside(t *testing.T) {
	entry := `{"knob":"governor","path":"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor","found":"powersave\n","got":null}`
	for _, c := range []struct {
		text  string
		aside bool
	}{
		{"{}", true},
		{"", true},
		{"\x00\x00\x00\x00", true},
		{"[1, 2", true},
		{"not one word of JSON", true},
		{`{"format":2}`, true},
		{`{"format":1,"pid":1,"entries":[]}`, true}, // it would be one of a process that lives
		{`{"format":1,"entries":[` + entry + `]}`, false},
		{`{"format":9,"entries":[` + entry + `]}`, false},
		{`{"format":1,"entries":[` + entry[:60], false},
		{`{"Path":"x"`, false},
	} {
		path := filepath.Join(t.TempDir(), "machine.journal")
		for _, before := range []string{"", ".aside-1"} { // a name that is taken is left
			if err := os.WriteFile(path+before, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := SetAside(path)
		if err != nil || (kept != "") != c.aside {
			t.Errorf("%q: kept as %q, %v", c.text, kept, err)
		}
		where := path
		if c.aside {
			where = path + ".aside-2"
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%q is still there", c.text)
			}
		}
		if text, err := os.ReadFile(where); err != nil || string(text) != c.text {
			t.Errorf("%q: %q at %s, %v", c.text, text, where, err)
		}
	}
	path := filepath.Join(t.TempDir(), "machine.journal")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if kept, err := SetAside(path); kept != path+".aside-1" || err != nil {
		t.Errorf("the first: kept as %q, %v", kept, err)
	}
	if kept, err := SetAside(filepath.Join(t.TempDir(), "none")); kept != "" || err != nil {
		t.Errorf("without a journal: %q, %v", kept, err)
	}
}

// TestEmptyJournal: a journal in which nothing is to be undone is removed, if it is ours.
func TestEmptyJournal(t *testing.T) {
	for kept, left := range map[bool]bool{true: false, false: true} {
		path := filepath.Join(t.TempDir(), "machine.journal")
		if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
		j := &journal{Format: journalFormat, path: path, kept: kept}
		if err := j.save(); err != nil || j.kept {
			t.Errorf("kept %t: %v", j.kept, err)
		}
		if _, err := os.Stat(path); (err == nil) != left {
			t.Errorf("kept on disk: %t; there is: %v", kept, err)
		}
	}
}
