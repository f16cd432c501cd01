package run

import (
	"context"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/jvm"
	"moobench/results"
)

func TestToolOptionsAreAdded(t *testing.T) {
	args := []string{"-javaagent:/a b.jar", "-Dx"}
	for _, c := range []struct{ env, want []string }{
		{nil, []string{`JAVA_TOOL_OPTIONS="-javaagent:/a b.jar" -Dx`}},
		{[]string{"A=1", "JAVA_TOOL_OPTIONS=-ea"}, []string{"A=1", `JAVA_TOOL_OPTIONS=-ea "-javaagent:/a b.jar" -Dx`}},
	} {
		if diff := cmp.Diff(c.want, withToolOptions(c.env, args)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.env, diff)
		}
	}
}

func TestFreePort(t *testing.T) {
	port, err := freePort()
	if err != nil || port < firstPort || port >= firstPort+somePorts {
		t.Errorf("port %d, %v", port, err)
	}
}

// TestWindowRoundAWholeLife: a process that comes and goes between Begin and End
// is the fixture of that window, and not a stranger on its CPUs.
func TestWindowRoundAWholeLife(t *testing.T) {
	dir := t.TempDir()
	s := &subject{command: jvm.Command{Path: "/bin/sh", Args: []string{"-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"}, Dir: dir, Output: outputName}}
	rec := &attempt{dir: dir, subject: s, cpus: []int{0}, got: &results.Invocation{Scalars: map[string]float64{}}}
	if err := rec.Begin(); err != nil {
		t.Fatal(err)
	}
	if err := s.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	exit, err := s.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.End(exit.EndNS); err != nil {
		t.Fatal(err)
	}
	if rec.end.MonotonicNS != 0 || rec.endNS < s.StartNS()+exit.WallNS {
		t.Errorf("it was looked at (%d), or ended too soon (%d)", rec.end.MonotonicNS, rec.endNS)
	}
	select {
	case <-s.Done():
	default:
		t.Error("it has ended, and is not done")
	}
	want := float64(exit.UserNS + exit.SystemNS)
	if got := rec.got.Scalars["cpus_fixture_ns"]; got != want || want <= 0 {
		t.Errorf("the window says that it took %v ns, its exit %v ns", got, want)
	}
	if err := s.Stop(context.Background()); err != nil {
		t.Errorf("stopping what has ended: %v", err)
	}
	if _, err := os.Stat(s.Output()); err != nil || s.Output() == s.Log() {
		t.Errorf("standard output in %s: %v", s.Output(), err)
	}
}
