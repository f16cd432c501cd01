package run

import (
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
	end := jvm.Snapshot{CPUNS: 1e6, Threads: []jvm.Thread{{ID: 1, Name: "VM Thread", RunNS: 1e5}, {ID: 2, Name: "worker", RunNS: 2e5}}}
	got := s.threadsIn(jvm.Snapshot{}, end)
	want := &results.Threads{ProcessNS: 1e6, EndedNS: 7e5, Names: []results.ThreadTime{
		{Name: "worker", Threads: 1, RunNS: 2e5, Group: results.ThreadsAgent, Class: "a.B"},
		{Name: "VM Thread", Threads: 1, RunNS: 1e5, Group: results.ThreadsCollector},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i := range 100 {
		name := string(rune('a'+i%26)) + string(rune('a'+i/26))
		end.Threads = append(end.Threads, jvm.Thread{ID: 10 + i, Name: name, RunNS: 1})
	}
	got = s.threadsIn(jvm.Snapshot{}, end)
	if last := got.Names[len(got.Names)-1]; len(got.Names) != mostNames || last.Name != "" || last.Threads != 102-mostNames+1 {
		t.Errorf("%d names, the last of %+v", len(got.Names), last)
	}
	if got := s.threadsIn(end, end); got != nil {
		t.Errorf("of nothing: %+v", got)
	}
}
