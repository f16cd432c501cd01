package machine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/harness/machine/knob"
	"moobench/harness/proc"
	"moobench/internal/testmachine"
	"moobench/refusal"
)

// orphan makes the owner of a journal one that is dead.
func orphan(t testing.TB, path string) {
	t.Helper()
	j, err := readJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	if j == nil {
		return
	}
	j.PID = 0
	if err := j.save(); err != nil {
		t.Fatal(err)
	}
}

// died is a moobench that was killed once the wishes were met: what it leaves.
func died(t *testing.T, k *testmachine.Kernel, wishes ...knob.Wish) (journal string, before map[string]string) {
	t.Helper()
	before = k.Content()
	journal = filepath.Join(t.TempDir(), "machine.journal")
	if _, err := Quieten(k, journal, "runs/mine", placing(k), wishes); err != nil {
		t.Fatal(err)
	}
	if l, err := Leftover(k, journal); l != nil || err != nil {
		t.Fatalf("left over while it lives: %v, %v", l, err)
	}
	orphan(t, journal)
	return journal, before
}

func left(t *testing.T, k *testmachine.Kernel, journal string) *Left {
	t.Helper()
	l, err := Leftover(k, journal)
	if l == nil || err != nil {
		t.Fatalf("left over: %v, %v", l, err)
	}
	return l
}

func restoreAll(t *testing.T, l *Left) Restored {
	t.Helper()
	said, err := l.Restore()
	if err != nil {
		t.Fatal(err)
	}
	return said
}

// one checks that a list holds one sentence, with these parts.
func one(t *testing.T, list []string, parts ...string) {
	t.Helper()
	if len(list) != 1 {
		t.Fatalf("got %q", list)
	}
	for _, p := range parts {
		if !strings.Contains(list[0], p) {
			t.Errorf("%q is not in %q", p, list[0])
		}
	}
}

func TestLeftover(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	journal, before := died(t, k, try("governor", "performance"), try("thp", "never"))
	l := left(t, k, journal)
	if got, want := l.String(), "moobench (process 0, campaign runs/mine) ended without putting back 2 settings: governor, thp"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	said := restoreAll(t, l)
	if len(said.Done) != 3 || said.Left != nil || said.Problems != nil {
		t.Errorf("%+v", said)
	}
	one(t, said.Done[:1], "thp: madvise again, was never (/sys/kernel/mm/transparent_hugepage/enabled)")
	one(t, said.Done[1:2], "governor: powersave again, was performance (/sys/devices/system/cpu/cpu{0..7}/cpufreq/scaling_governor)")
	one(t, said.Done[2:], "governor, and with it energy_performance_preference: balance_performance again, was performance (")
	asBefore(t, k, before)
	if again := restoreAll(t, l); again.Done != nil || again.Left != nil || again.Problems != nil {
		t.Errorf("again: %+v", again)
	}
	if l, err := Leftover(k, journal); l != nil || err != nil {
		t.Errorf("still left over: %v, %v", l, err)
	}
}

func TestLeftAsFound(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	journal, _ := died(t, k, try("thp", "never"))
	k.Put(thpFile, "always [madvise] never\n")
	l := left(t, k, journal)
	if !strings.Contains(l.String(), "all settings are as they were found") {
		t.Error(l)
	}
	if said := restoreAll(t, l); said.Done != nil || said.Left != nil {
		t.Errorf("%+v", said)
	}
	if _, err := os.Stat(journal); err == nil {
		t.Error("the journal is still there")
	}
}

func TestChangedMeanwhile(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	journal, before := died(t, k, try("thp", "never"), try("governor", "performance"))
	k.Put(thpFile, "[always] madvise never\n")
	said := restoreAll(t, left(t, k, journal))
	one(t, said.Left, "thp: ", "left never", "changed it to always", "echo madvise | sudo tee /"+thpFile)
	one(t, said.Done[:1], "governor: ")
	before[thpFile] = "[always] madvise never\n"
	asBefore(t, k, before)
	if l, err := Leftover(k, journal); l != nil || err != nil {
		t.Errorf("still left over: %v, %v", l, err)
	}
}

// TestNotReadBack sees that what nobody knows is put back, and said.
func TestNotReadBack(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	journal, before := died(t, k, try("thp", "never"))
	j, err := readJournal(journal)
	if err != nil {
		t.Fatal(err)
	}
	j.Entries[0].Got = nil
	if err := j.save(); err != nil {
		t.Fatal(err)
	}
	k.Put(thpFile, "[always] madvise never\n")
	said := restoreAll(t, left(t, k, journal))
	one(t, said.Done, "thp: madvise again, was always (moobench had no time to read back")
	asBefore(t, k, before)
}

func TestFaultWhileRestoring(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	journal, before := died(t, k, try("thp", "never"), try("governor", "performance"))
	broken := testmachine.Open(t, "desktop", "rejects "+thpFile)
	for path, content := range k.Content() {
		broken.Put(path, content)
	}
	said := restoreAll(t, left(t, broken, journal))
	one(t, said.Problems, "thp: it could not be put back: the kernel refuses madvise (invalid argument)", "; this would do it: echo madvise | sudo tee /"+thpFile)
	one(t, said.Done[:1], "governor: ")
	for path, content := range broken.Content() {
		k.Put(path, content)
	}
	l := left(t, k, journal)
	if !strings.HasSuffix(l.String(), "1 setting: thp") {
		t.Error(l)
	}
	one(t, restoreAll(t, l).Done, "thp: madvise again")
	asBefore(t, k, before)
}

// TestOneFault sees that what is refused once is tried again.
func TestOneFault(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	journal, before := died(t, k, try("governor", "performance"))
	k.FailAt(3)
	if said := restoreAll(t, left(t, k, journal)); said.Problems != nil {
		t.Errorf("%+v", said)
	}
	asBefore(t, k, before)
}

// TestNextCampaign sees that a campaign keeps what a dead one found.
func TestNextCampaign(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	journal, before := died(t, k, try("thp", "never"))
	q, err := Quieten(k, journal, "runs/next", placing(k), []knob.Wish{try("thp", "always"), try("governor", "performance")})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.Restore(); err != nil {
		t.Fatal(err)
	}
	asBefore(t, k, before)
}

func TestRestarted(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	journal, before := died(t, k, try("thp", "never"))
	k.Put("proc/sys/kernel/random/boot_id", "another\n")
	k.Put(thpFile, "[always] madvise never\n")
	l := left(t, k, journal)
	if !l.rebooted || !strings.Contains(l.String(), "thp; the machine was restarted since") {
		t.Error(l)
	}
	one(t, restoreAll(t, l).Done, "the machine was restarted since")
	before["proc/sys/kernel/random/boot_id"], before[thpFile] = "another\n", "[always] madvise never\n"
	asBefore(t, k, before)
	if l, err := Leftover(k, journal); l != nil || err != nil {
		t.Errorf("still left over: %v, %v", l, err)
	}
}

func TestGroupInUse(t *testing.T) {
	k := testmachine.Open(t, "server")
	journal, before := died(t, k, try("cpuset", "isolated"))
	procs := group + "/cgroup.procs"
	k.Put(procs, "4711\n")
	said := restoreAll(t, left(t, k, journal))
	if len(said.Problems) != 1 || !strings.Contains(said.Problems[0], "sudo rmdir /"+group) {
		t.Errorf("%+v", said)
	}
	k.Put(procs, "")
	restoreAll(t, left(t, k, journal))
	asBefore(t, k, before)
}

func TestDamagedJournal(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	before := k.Content()
	for what, content := range map[string]string{
		"cut off":   `{"format": 1, "pid": 3, "ent`,
		"empty":     "",
		"newer":     `{"format": 2}`,
		"outside":   `{"format": 1, "entries": [{"path": "etc/passwd", "found": "x"}]}`,
		"climbing":  `{"format": 1, "entries": [{"path": "sys/../etc/passwd", "found": "x"}]}`,
		"odd kind":  `{"format": 1, "entries": [{"knob": "thp", "path": "sys/kernel/mm/transparent_hugepage/enabled", "kind": "burn"}]}`,
		"no knob":   `{"format": 1, "entries": [{"path": "proc/sys/vm/swappiness", "found": "x"}]}`,
		"another's": `{"format": 1, "entries": [{"knob": "thp", "path": "proc/sys/vm/swappiness", "found": "x"}]}`,
		"disk":      `{"format": 1, "entries": [{"knob": "turbo", "path": "proc/self/root/etc/passwd", "found": "x"}]}`,
		"pattern":   `{"format": 1, "entries": [{"knob": "core_pattern", "path": "proc/sys/kernel/core_pattern", "found": "x"}]}`,
		"sysrq":     `{"format": 1, "entries": [{"knob": "irqs", "path": "proc/sysrq-trigger", "found": "x"}]}`,
		"personal":  `{"format": 1, "entries": [{"knob": "nice", "path": "proc/self/comm", "found": "x"}]}`,
		"observed":  `{"format": 1, "entries": [{"knob": "clocksource", "path": "sys/devices/system/clocksource/clocksource0/current_clocksource", "found": "x"}]}`,
		"not ours":  `[1, 2]`,
		"no format": `{"pid": 3}`,
	} {
		path := filepath.Join(t.TempDir(), "machine.journal")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, err := range []error{
			func() error { _, err := Leftover(k, path); return err }(),
			func() error { _, err := (&Left{tree: k, journal: &journal{path: path}}).Restore(); return err }(),
			func() error { _, err := Quieten(k, path, "", placing(k), nil); return err }(),
		} {
			if err == nil || !strings.Contains(err.Error(), path) || refusal.Do(err) == "" {
				t.Errorf("%s: got %v", what, err)
			}
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != content {
			t.Errorf("%s: touched: %q, %v", what, now, err)
		}
	}
	asBefore(t, k, before)
}

func TestJournalFile(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	journal, _ := died(t, k, try("thp", "never"))
	info, err := os.Stat(journal)
	if err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	data, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	var j journalOnDisk
	if err := json.Unmarshal(data, &j); err != nil {
		t.Fatal(err)
	}
	if e := j.Entries[0]; e["found"] != "always [madvise] never\n" || e["got"] != "always madvise [never]\n" || e["wrote"] != "never" {
		t.Errorf("%v", e)
	}
}

type journalOnDisk struct{ Entries []map[string]any }

// TestAnothersJournal sees that a living moobench's journal is let alone.
func TestAnothersJournal(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	journal, _ := died(t, k, try("thp", "never"))
	j, err := readJournal(journal)
	if err != nil {
		t.Fatal(err)
	}
	j.PID = os.Getppid()
	_, j.Start = proc.Running(j.PID)
	if err := j.save(); err != nil {
		t.Fatal(err)
	}
	if l, err := Leftover(k, journal); l != nil || err != nil {
		t.Errorf("left over: %v, %v", l, err)
	}
	if _, err := Quieten(k, journal, "", placing(k), nil); err == nil || !strings.Contains(err.Error(), "another moobench") {
		t.Errorf("got %v", err)
	}
	if _, err := (&Left{tree: k, journal: j}).Restore(); err == nil {
		t.Error("restored under it")
	}
	j.Start += "0" // the number of a process was given away again
	if err := j.save(); err != nil {
		t.Fatal(err)
	}
	restoreAll(t, left(t, k, journal))
}

func TestJournalPath(t *testing.T) {
	t.Setenv(JournalVar, "/some/where")
	if got := JournalPath(); got != "/some/where" {
		t.Error(got)
	}
	t.Setenv(JournalVar, "")
	if got := JournalPath(); filepath.Base(got) != "machine.journal" || !filepath.IsAbs(got) {
		t.Error(got)
	}
}

// TestSentences: what is said of several files is said once, for each kind of change and each text.
func TestSentences(t *testing.T) {
	const write, mkdir = knob.ChangeWrite, knob.ChangeMake
	var all sentences
	for _, c := range []struct {
		text string
		kind knob.ChangeKind
	}{{"a", write}, {"a", write}, {"b", write}, {"a", mkdir}, {"a", write}, {"b", write}} {
		all.add(c.text, entry{Path: "x", Kind: c.kind})
	}
	say := func(n int, kind knob.ChangeKind) string { return fmt.Sprintf(" %d %s", n, kind) }
	got := all.list(func(changes []knob.Change) string { return say(len(changes), changes[0].Kind) })
	want := []string{"a" + say(3, write), "b" + say(2, write), "a" + say(1, mkdir)}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
