package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"moobench/results/safefile"
)

// TestGuard: a jar that is exchanged is noticed before the next JVM, also one of the same length whose
// time is set back; one that is only touched, or written as it was, goes on.
func TestGuard(t *testing.T) {
	jar := filepath.Join(t.TempDir(), "calls.jar")
	write(t, jar, "the loop")
	then := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := os.Chtimes(jar, then, then); err != nil {
		t.Fatal(err)
	}
	g, err := newGuard(t.Context(), new(safefile.Digests), []string{jar})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		name, want string
		do         func() error
	}{
		{"untouched", "", func() error { return nil }},
		{"touched", "", func() error { return os.Chtimes(jar, time.Now(), time.Now()) }},
		{"written again", "", func() error { return os.WriteFile(jar, []byte("the loop"), 0o600) }},
		{"exchanged", "calls.jar is not as it was when the campaign began: its SHA-256 was", func() error {
			return errors.Join(os.WriteFile(jar, []byte("a trick!"), 0o600), os.Chtimes(jar, then, then))
		}},
		{"back again", "", func() error { return os.WriteFile(jar, []byte("the loop"), 0o600) }},
		{"gone", "no such file", func() error { return os.Remove(jar) }},
	} {
		time.Sleep(20 * time.Millisecond) // the clock of files ticks every 4 or 10
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		err := g.check(t.Context())
		if (err == nil) != (step.want == "") || err != nil && !strings.Contains(err.Error(), step.want) {
			t.Errorf("%s: %v, want %q", step.name, err, step.want)
		}
	}
	if _, err := newGuard(t.Context(), new(safefile.Digests), []string{jar}); err == nil {
		t.Error("a jar that is not there is guarded")
	}
}

// TestOwnIsHeld: what a measured program does to moobench itself is named, and put back where the
// kernel lets us.
func TestOwnIsHeld(t *testing.T) {
	o := readOwn()
	if said := o.hold(); said != "" {
		t.Fatalf("nobody did anything: %q", said)
	}
	if os.Geteuid() != 0 {
		t.Skip("needs root: this process would stay nicer")
	}
	pid := os.Getpid()
	nice := o.Threads["nice"]
	if len(nice) != 1 || nice[0] == "19" {
		t.Skipf("needs threads that are all as nice, and not as nice as can be: %v", nice)
	}
	if err := unix.Setpriority(unix.PRIO_PROCESS, pid, 19); err != nil {
		t.Skip(err)
	}
	said := o.hold()
	want := fmt.Sprintf("of moobench itself, its nice value was changed while it ran: from %s to %[1]s and 19 (it is put back)", nice[0])
	if said != want {
		t.Errorf("%q", said)
	}
	if again := o.Changed(readOwn().Threads); again != "" {
		t.Errorf("it is still so: %q", again)
	}
}

// TestGuardClasses: prepared classes are guarded, too, with those that are added; what else a tool left is not.
func TestGuardClasses(t *testing.T) {
	dir := t.TempDir()
	class := filepath.Join(dir, "a", "B.class")
	if err := os.Mkdir(filepath.Dir(class), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, class, "woven")
	r := &Runner{Artifacts: &Artifacts{prepared: map[[3]string]prepared{{"mine"}: {dir: dir}, {"failed"}: {}}}}
	g, err := newGuard(t.Context(), new(safefile.Digests), r.runs())
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "list.txt"), "today")
	if err := g.check(t.Context()); err != nil {
		t.Errorf("a list of the tool's: %v", err)
	}
	added := filepath.Join(dir, "a", "C.class")
	write(t, added, "a trick")
	if err := g.check(t.Context()); err == nil || !strings.Contains(err.Error(), "is not as it was when the campaign began") {
		t.Errorf("a class that was added: %v", err)
	}
	if err := os.Remove(added); err != nil {
		t.Fatal(err)
	}
	write(t, class, "other")
	if err := g.check(t.Context()); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a class that was exchanged: %v", err)
	}
	if err := os.Truncate(class, 1<<40); err != nil {
		t.Skip(err)
	}
	if err := g.check(t.Context()); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a class without end: %v", err)
	}
}
