package run

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/jvm"
	"moobench/results"
)

func TestWhoseJars(t *testing.T) {
	s := &subject{classPath: []string{"/f/kernel/target/kernel.jar", "/f/calls/target/calls.jar", "/f/bridge/target/bridge.jar"}}
	for from, want := range map[string]bool{
		"/f/calls/target/calls.jar":           true,
		"/f/kernel/target/lib/some-1.jar":     true,
		"/f/bridge/target/bridge.jar":         false,
		"/f/bridge/target/lib/otel-sdk-1.jar": false,
		"/opt/agent.jar":                      false,
		"":                                    false,
	} {
		if got := s.isFixtures(from); got != want {
			t.Errorf("%q: %v", from, got)
		}
	}
}

// TestThreadsAreKept: those of a JVM are its own, whoever says otherwise, and those of too many
// names are one.
func TestThreadsAreKept(t *testing.T) {
	s := &subject{owners: map[string]starter{"worker": {results.ThreadsAgent, "a.B"}, "VM Thread": {results.ThreadsAgent, "a.B"}}}
	got := s.named([]jvm.RunTime{{Name: "worker", Threads: 3, RunNS: 2e5}, {Name: "VM Thread", Threads: 1, RunNS: 1e5}})
	want := []results.ThreadTime{
		{Name: "worker", Threads: 3, RunNS: 2e5, Group: results.ThreadsAgent, Class: "a.B"},
		{Name: "VM Thread", Threads: 1, RunNS: 1e5, Group: results.ThreadsCollector},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = s.named(slices.Repeat([]jvm.RunTime{{Name: "one of many", Threads: 1, RunNS: 1}}, 100))
	if last := got[len(got)-1]; len(got) != mostNames || last.Name != "" || last.Threads != 100-mostNames+1 || last.RunNS != 100-mostNames+1 {
		t.Errorf("%d names, the last of %+v", len(got), last)
	}
	if got := s.threadsIn(jvm.Snapshot{}, jvm.Snapshot{}); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}
