package jvm

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// startReal starts every JDK that is found with testdata/Fixture.java, and
// hands it to f.
func startReal(t *testing.T, args []string, f func(*testing.T, *VM)) {
	eachJDK(t, args, func(t *testing.T, c Command) {
		v, err := Start(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Kill()
		f(t, v)
	})
}

// classes are those of testdata/Fixture.java: compiled once, and not by every JVM
// that starts it.
var classes = sync.OnceValues(func() (string, error) {
	java, err := Find("")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(scratch, "classes")
	if out, err := exec.Command(filepath.Join(java.Home, "bin", "javac"), "-J-XX:TieredStopAtLevel=1", "--release", "11", "-d", dir, "testdata/Fixture.java").CombinedOutput(); err != nil {
		return "", fmt.Errorf("javac: %w\n%s", err, out)
	}
	return dir, nil
})

// eachJDK hands f what starts testdata/Fixture.java on every JDK that is found.
func eachJDK(t *testing.T, args []string, f func(*testing.T, Command)) {
	dir, err := classes()
	if err != nil {
		t.Skipf("needs a JDK: %v", err)
	}
	ran := false
	for _, java := range All() {
		if java.Major < 11 {
			continue
		}
		ran = true
		t.Run(strconv.Itoa(java.Major), func(t *testing.T) {
			f(t, Command{Path: java.Path, Args: append(args, "-cp", dir, "Fixture"), Dir: t.TempDir(), CPUs: []int{lastCPU(t)}})
		})
	}
	if !ran {
		t.Skip("needs Java 11 or later: none was found")
	}
}

func TestRealJVM(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts a real JVM")
	}
	startReal(t, []string{"-Xmx64m", "-XX:+UseSerialGC"}, func(t *testing.T, v *VM) {
		before := v.Greeted()
		if _, err := v.Ask(t.Context(), Message{Verb: "gc"}); err != nil {
			t.Fatal(err)
		}
		after, err := v.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		main, err := v.Hello().Int("main_ns")
		if err != nil || main < v.StartNS() || main > before.MonotonicNS {
			t.Errorf("main at %d (%v), started at %d, greeted at %d", main, err, v.StartNS(), before.MonotonicNS)
		}
		if after.GCCount-before.GCCount != 1 || after.GCNS <= before.GCNS || after.SafepointNS <= before.SafepointNS {
			t.Errorf("one collection: before %+v\nafter %+v", before, after)
		}
		positive(t, after)
		if want := strconv.Itoa(lastCPU(t)); v.CPUs() != want {
			t.Errorf("it runs on %q, want %q", v.CPUs(), want)
		}
		exit, err := v.Stop(t.Context())
		if err != nil || exit.Status != "0" || float64(exit.UserNS+exit.SystemNS) < 0.99*after.CPUNS {
			t.Errorf("stopped with %+v, %v after %v ns of CPU", exit, err, after.CPUNS)
		}
	})
}

func positive(t *testing.T, s Snapshot) {
	t.Helper()
	for name, x := range map[string]float64{
		"CPUNS": s.CPUNS, "RSSBytes": s.RSSBytes, "PeakRSSBytes": s.PeakRSSBytes, "Voluntary": s.Voluntary,
		"JITNS": s.JITNS, "ClassesLoaded": s.ClassesLoaded - 300, "SafepointNS": s.SafepointNS,
	} {
		if !(x > 0) {
			t.Errorf("%s: %v", name, x)
		}
	}
}

func TestRealJVMWithoutPerfData(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts a real JVM")
	}
	startReal(t, []string{"-Xmx64m", "-XX:-UsePerfData"}, func(t *testing.T, v *VM) {
		s, err := v.Snapshot()
		if err != nil || !math.IsNaN(s.GCCount) || !math.IsNaN(s.JITNS) || !math.IsNaN(s.ClassesLoaded) {
			t.Errorf("%+v, %v", s, err)
		}
	})
}

func TestRealJVMRefusesOption(t *testing.T) {
	java, err := Find("")
	if err != nil {
		t.Skipf("needs Java: %v", err)
	}
	_, err = Start(t.Context(), Command{Path: java.Path, Args: []string{"-XX:+NoSuchOption", "Main"}, Dir: t.TempDir()})
	f := mustFail(t, err, KindStart, "does not know one of the JVM options")
	if !strings.Contains(f.Tail, "NoSuchOption") {
		t.Errorf("tail: %s", f.Tail)
	}
}
