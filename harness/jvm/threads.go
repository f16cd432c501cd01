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

// RunTime is the CPU time that the threads of one name took in a window.
type RunTime struct {
	Name    string // digits are *
	Threads int    // alive at the end of the window
	RunNS   float64
}

// digits are what tells the threads of a pool apart.
var digits = regexp.MustCompile(`[0-9]+`)

// ThreadName is the name under which a thread's CPU time is counted: the part of it that the
// kernel keeps, with * for each number.
func ThreadName(name string) string {
	name = name[:min(len(name), nameLength)]
	return digits.ReplaceAllString(strings.ToValidUTF8(name, "?"), "*")
}

// vmThreads are the beginnings of the names of a JVM's own threads, HotSpot's and OpenJ9's, and
// whose they are. The thread of operations that stop the world is the collector's: with the serial
// collector it is who collects.
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

// Group is whose thread a JVM's own one is, given its name as ThreadName has it; "" of all others.
func Group(name string) results.ThreadGroup {
	for _, t := range vmThreads {
		if strings.HasPrefix(name, ThreadName(t.begins)) {
			return t.group
		}
	}
	return ""
}

// nameLength is how many bytes of a name the kernel keeps.
const nameLength = 15

// RanSince are the CPU times of a subject's threads between two snapshots, by name, the most first,
// and what they took that ended meanwhile: what is left of the process's own time. Where the kernel
// does not count by thread there are none.
//
// A thread is told from an older one with its number by its time, which never falls: numbers are
// given again only after millions of other threads.
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
