package jvm

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"moobench/results"
)

// thread is the CPU time of one thread, as the kernel counts it.
type thread struct {
	id    int
	name  string // its first 15 bytes
	ranNS float64
}

// RunTime is the CPU time of all threads of one name in a window.
type RunTime struct {
	Name    string // with * for each number
	Threads int    // alive at the end of the window
	RunNS   float64
}

// digits distinguish the threads of a pool.
var digits = regexp.MustCompile(`[0-9]+`)

// ThreadName returns the name under which a thread's CPU time is counted: the part that the kernel keeps, with *
// for each number.
func ThreadName(name string) string {
	name = name[:min(len(name), nameLength)]
	return digits.ReplaceAllString(strings.ToValidUTF8(name, "?"), "*")
}

// vmThreads maps name prefixes of a JVM's own threads, in HotSpot and OpenJ9, to groups. "VM Thread", which runs
// stop-the-world operations, counts as the collector: it is the serial collector's thread.
var vmThreads = []struct {
	begins string
	group  results.ThreadGroup
}{
	{"C1 Compiler", results.ThreadsCompiler},
	{"C2 Compiler", results.ThreadsCompiler},
	{"JVMCI", results.ThreadsCompiler},
	{"JIT Compilation", results.ThreadsCompiler},
	{"VM Thread", results.ThreadsCollector},
	{"GC Thread", results.ThreadsCollector},
	{"G1 ", results.ThreadsCollector},
	{"ZWorker", results.ThreadsCollector},
	{"ZDriver", results.ThreadsCollector},
	{"ZDirector", results.ThreadsCollector},
	{"ZStat", results.ThreadsCollector},
	{"ZUncommitter", results.ThreadsCollector},
	{"XWorker", results.ThreadsCollector},
	{"XDriver", results.ThreadsCollector},
	{"XDirector", results.ThreadsCollector},
	{"XStat", results.ThreadsCollector},
	{"XUncommitter", results.ThreadsCollector},
	{"RuntimeWorker", results.ThreadsCollector},
	{"Shenandoah", results.ThreadsCollector},
	{"GC Worker", results.ThreadsCollector},
	{"GC Slave", results.ThreadsCollector},
	{"VM Periodic Tas", results.ThreadsJVM},
	{"Reference Handl", results.ThreadsJVM},
	{"Finalizer", results.ThreadsJVM},
	{"Signal Dispatch", results.ThreadsJVM},
	{"Service Thread", results.ThreadsJVM},
	{"Monitor Deflati", results.ThreadsJVM},
	{"Notification Th", results.ThreadsJVM},
	{"Common-Cleaner", results.ThreadsJVM},
	{"Sweeper thread", results.ThreadsJVM},
	{"Attach Listener", results.ThreadsJVM},
	{"JIT Sampler", results.ThreadsJVM},
	{"IProfiler", results.ThreadsJVM},
}

// Group returns the group of a JVM's own thread, given its ThreadName; "" for all other threads.
func Group(name string) results.ThreadGroup {
	for _, t := range vmThreads {
		if strings.HasPrefix(name, ThreadName(t.begins)) {
			return t.group
		}
	}
	return ""
}

// nameLength is the length in bytes to which the kernel truncates a name.
const nameLength = 15

// RanSince returns the CPU time of a subject's threads since the snapshot begin, by name, largest first, and that
// of threads that ended meanwhile, the remainder of the process's own time. If the kernel does not count by
// thread, both are empty.
//
// A thread that reuses an older one's id is recognised by a lower time: a thread's time never falls, and ids are
// reused only after millions of other threads.
func (s Snapshot) RanSince(begin Snapshot) (all []RunTime, endedNS float64) {
	before := map[int]float64{}
	for _, t := range begin.threads {
		before[t.id] = t.ranNS
	}
	byName, sum := map[string]RunTime{}, 0.0
	for _, t := range s.threads {
		ran := t.ranNS
		if was, there := before[t.id]; there && was <= ran {
			ran -= was
		}
		name := ThreadName(t.name)
		one := byName[name]
		byName[name] = RunTime{name, one.Threads + 1, one.RunNS + ran}
		sum += ran
	}
	whole := s.CPUNS - begin.CPUNS
	if !(sum > 0) || math.IsNaN(whole) {
		return nil, 0
	}
	all = slices.SortedFunc(maps.Values(byName), func(a, b RunTime) int {
		return cmp.Or(cmp.Compare(b.RunNS, a.RunNS), strings.Compare(a.Name, b.Name))
	})
	return all, max(0, whole-sum)
}
