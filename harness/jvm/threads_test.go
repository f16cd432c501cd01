package jvm

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/results"
)

func TestThreadsOfAWindow(t *testing.T) {
	begin := Snapshot{CPUNS: 1000, threads: []thread{{1, "java", 500}, {2, "gone", 100}, {3, "pool-1-thread-1", 50}, {9, "idle", 7}}}
	for name, c := range map[string]struct {
		end   Snapshot
		want  []RunTime
		ended float64
	}{
		"by name": {
			Snapshot{CPUNS: 2000, threads: []thread{{1, "java", 900}, {3, "pool-1-thread-1", 150}, {4, "pool-2-thread-17", 200}, {9, "idle", 7}}},
			[]RunTime{{"java", 1, 400}, {"pool-*-thread-*", 2, 300}, {"idle", 1, 0}},
			300,
		},
		"a number given again": {
			Snapshot{CPUNS: 1500, threads: []thread{{1, "java", 900}, {3, "another", 20}}},
			[]RunTime{{"java", 1, 400}, {"another", 1, 20}},
			80,
		},
		"read one after the other": {
			Snapshot{CPUNS: 1300, threads: []thread{{1, "java", 900}}},
			[]RunTime{{"java", 1, 400}},
			0,
		},
		"not counted by thread": {Snapshot{CPUNS: 2000, threads: []thread{{1, "java", 500}}}, nil, 0},
	} {
		got, ended := c.end.RanSince(begin)
		if diff := cmp.Diff(c.want, got); diff != "" || ended != c.ended {
			t.Errorf("%s: ended %v, want %v (-want +got):\n%s", name, ended, c.ended, diff)
		}
	}
}

func TestNamesOfThreads(t *testing.T) {
	for name, want := range map[string]struct {
		short string
		group results.ThreadGroup
	}{
		"BatchSpanProcessor_WorkerThread-1": {"BatchSpanProces", ""},
		"OkHttp http://127.0.0.1:4318/":     {"OkHttp http://*", ""},
		"C2 CompilerThread0":                {"C* CompilerThre", results.ThreadsCompiler},
		"G1 Conc#0":                         {"G* Conc#*", results.ThreadsCollector},
		"GC Thread#11":                      {"GC Thread#*", results.ThreadsCollector},
		"VM Thread":                         {"VM Thread", results.ThreadsCollector},
		"VM Periodic Task Thread":           {"VM Periodic Tas", results.ThreadsJVM},
		"Prüfer-Überwach":                   {"Prüfer-Überwa", ""},
		"":                                  {"", ""},
	} {
		if got := ThreadName(name); got != want.short || Group(got) != want.group {
			t.Errorf("%q is %q of %q, want %+v", name, got, Group(got), want)
		}
	}
}

// TestOwnThreads: the kernel counts ours, too.
func TestOwnThreads(t *testing.T) {
	begin, err := snapshot(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for x := 0; x < 1e8; x++ { // some milliseconds
		begin.RSSBytes += float64(x & 1)
	}
	end, err := snapshot(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	all, ended := end.RanSince(begin)
	if len(all) == 0 {
		t.Skip("this kernel does not count by thread")
	}
	sum := ended
	for _, one := range all {
		sum += one.RunNS
	}
	if whole := end.CPUNS - begin.CPUNS; sum < 0.9*whole {
		t.Errorf("threads took %v of %v ns", sum, whole)
	}
}
