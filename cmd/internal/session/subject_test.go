package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"moobench/harness/jvm"
	"moobench/harness/machine"
	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/results"
)

// TestSubjectGetsWhatIsAskedFor asks knobs for values, starts a real JVM with
// what came of it, and has the knobs read the living process.
func TestSubjectGetsWhatIsAskedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a real JVM")
	}
	source, err := filepath.Abs("../../../harness/jvm/testdata/Fixture.java")
	if err != nil {
		t.Fatal(err)
	}
	java, err := jvm.Find("")
	if err != nil || java.Major < 11 {
		t.Skipf("needs a JDK of version 11 or later: %v", err)
	}
	allowed, err := cpu.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	last := allowed[len(allowed)-1]
	for _, wanted := range []map[string]string{
		{},
		{"aslr": "off", "nice": "10", "scheduling": "batch", "memlock": "64KiB"},
		{"aslr": "on", "nice": "-5", "scheduling": "other", "memlock": "0B"},
		{"scheduling": "fifo"},
		{"scheduling": "rr"},
	} {
		asked, want := ask(t, wanted)
		if len(asked.missing) > 0 {
			t.Logf("needs root, and is left out: %v", asked.missing)
		}
		v, err := jvm.Start(t.Context(), jvm.Command{
			Path: java.Path, Args: []string{"-Xmx64m", "-XX:TieredStopAtLevel=1", source}, Dir: t.TempDir(), CPUs: []int{last},
			Subject: asked.subject,
		})
		if err != nil {
			t.Fatalf("%v: %v", wanted, err)
		}
		defer v.Kill()
		want["cpus"] = strconv.Itoa(last)
		got := knob.ReadSubject(machine.System(), v.PID())
		for name, value := range want {
			if got[name] != value {
				t.Errorf("%v: the living JVM has %s = %q, want %q", wanted, name, got[name], value)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%v: read %v, want %v", wanted, got, want)
		}
	}
}

// TestHugePagesReachTheJVM sets transparent huge pages, has a real JVM touch its
// heap, and looks at what it got; what was found is put back.
func TestHugePagesReachTheJVM(t *testing.T) {
	if testing.Short() || os.Geteuid() != 0 {
		t.Skip("needs root: it sets transparent huge pages for a few seconds")
	}
	java, err := jvm.Find("")
	if err != nil || java.Major < 11 {
		t.Skipf("needs a JDK of version 11 or later: %v", err)
	}
	source, err := filepath.Abs("../../../harness/jvm/testdata/Fixture.java")
	if err != nil {
		t.Fatal(err)
	}
	place := func() (cpu.Placement, error) { return cpu.Placement{}, nil }
	for value, huge := range map[string]bool{"always": true, "never": false} {
		wish := []knob.Wish{{Knob: "thp", Value: value, Policy: results.PolicyRequire}}
		q, err := machine.Quieten(machine.System(), filepath.Join(t.TempDir(), "journal"), "test", place, wish)
		var unmet *machine.RequireError
		if errors.As(err, &unmet) {
			t.Skipf("needs transparent huge pages that can be set: %v", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if _, err := q.Restore(); err != nil {
				t.Error(err)
			}
		}()
		v, err := jvm.Start(t.Context(), jvm.Command{
			Path: java.Path, Args: []string{"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", source}, Dir: t.TempDir(),
		})
		if err != nil {
			t.Fatal(err)
		}
		defer v.Kill()
		rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", v.PID()))
		if err != nil {
			t.Skipf("needs smaps_rollup: %v", err)
		}
		has := !regexp.MustCompile(`AnonHugePages:\s+0 kB`).Match(rollup)
		if has != huge {
			t.Errorf("with thp %s the living JVM has:\n%s", value, rollup)
		}
		if _, err := q.Restore(); err != nil {
			t.Fatal(err)
		}
	}
}

type asking struct {
	subject knob.Subject
	missing []string
}

// ask returns what the subject is started with, and what must be read from it:
// of the knobs that nothing is asked of, what moobench itself has.
func ask(t *testing.T, wanted map[string]string) (asking, map[string]string) {
	t.Helper()
	var a asking
	want := knob.ReadSubject(machine.System(), os.Getpid())
	for name, value := range wanted {
		k, _ := knob.Named(name)
		if !k.Personal() {
			t.Fatalf("%s is not a knob of a process", name)
		}
		if err := k.Ask(&a.subject, value); err != nil {
			a.missing = append(a.missing, name+": "+err.Error())
			continue
		}
		want[name] = value
	}
	return a, want
}
