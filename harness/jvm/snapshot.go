package jvm

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"moobench/harness/proc"
)

// Snapshot is what a subject has used so far, seen from outside: the subject does nothing
// for it. That of a program of the user's own is the sum over its family: what a script has
// started is the program, and the script is not. Quantities are in the unit of their name, and NaN when neither kernel nor JVM
// gives them: a difference with an absent value is absent too, and never 0.
type Snapshot struct {
	MonotonicNS int64 // CLOCK_MONOTONIC when it was taken

	// CPUNS is the CPU time of the whole process, exact to the ns, ended threads
	// included; that of children that have ended and were waited for is in steps of 10 ms.
	CPUNS float64

	// Voluntary and Involuntary are context switches, summed over the living threads:
	// those of a thread that ended between two snapshots are missing from their
	// difference.
	Voluntary, Involuntary float64

	RSSBytes float64
	// PeakRSSBytes is the sum of the processes' own peaks, which a family has seldom reached
	// at one time: beside a JVM a script has some 2 MB.
	PeakRSSBytes float64

	HSPerf

	threads []thread // that were alive
}

// Snapshot takes about a millisecond, and some more where the subject may have a family. Of a
// process that has died it is a *Failure.
func (p *Process) Snapshot() (Snapshot, error) {
	if p == nil {
		return Snapshot{}, errNotStarted
	}
	s, err := p.snapshot()
	// The kernel knows of a death a little before whoever waits for it.
	if err != nil && p.within(context.Background(), time.Second) {
		return s, Failuref(KindDied, "it ended (%s) while it was observed", p.ended()).explain(p.log)
	}
	return s, err
}

func (p *Process) snapshot() (Snapshot, error) {
	first, err := snapshot(p.PID())
	if err != nil || p.alone {
		return first, err
	}
	first.CPUNS += proc.ChildrenNS(p.PID())
	all := []Snapshot{first}
	for _, pid := range p.family() {
		if pid == p.PID() {
			continue
		}
		if s, err := snapshot(pid); err == nil && !math.IsNaN(s.RSSBytes) { // else it has ended meanwhile
			s.CPUNS += proc.ChildrenNS(pid)
			all = append(all, s)
		}
	}
	return together(all), nil
}

func snapshot(pid int) (Snapshot, error) {
	dir := fmt.Sprintf("/proc/%d", pid)
	status, err := proc.ReadFile(dir + "/status")
	if err != nil {
		return Snapshot{}, fmt.Errorf("observing process %d: %w", pid, err)
	}
	s := Snapshot{MonotonicNS: proc.MonotonicNS(), CPUNS: proc.CPUNS(pid), HSPerf: readHSPerf(pid)}
	s.RSSBytes, s.PeakRSSBytes = field(status, "VmRSS:")*1024, field(status, "VmHWM:")*1024
	// The process's own status file counts the switches of its first thread only.
	threads, err := os.ReadDir(dir + "/task")
	if err != nil {
		return Snapshot{}, fmt.Errorf("observing process %d: %w", pid, err)
	}
	for _, t := range threads {
		task := filepath.Join(dir, "task", t.Name())
		status, err := proc.ReadFile(task + "/status")
		if err != nil {
			continue // it has ended meanwhile
		}
		s.Voluntary += field(status, "voluntary_ctxt_switches:")
		s.Involuntary += field(status, "nonvoluntary_ctxt_switches:")
		id, _ := strconv.Atoi(t.Name()) // the kernel's
		s.threads = append(s.threads, thread{id: id, name: threadName(task), ranNS: ranNS(task)})
	}
	return s, nil
}

// threadName is the kernel's name of a thread, given its folder.
func threadName(task string) string {
	name, _ := proc.ReadFile(task + "/comm")
	return strings.TrimSuffix(string(name), "\n")
}

// ranNS is the CPU time of a thread, given its folder; 0 where the kernel does not count it.
func ranNS(task string) float64 {
	text, _ := proc.ReadFile(task + "/schedstat")
	ran, _, _ := strings.Cut(string(text), " ")
	ns, err := strconv.ParseFloat(ran, 64)
	if err != nil {
		return 0
	}
	return ns
}

// field is the number after a key at the start of a line, NaN without one.
func field(text []byte, key string) float64 {
	if words := proc.Words(text, key); len(words) > 0 {
		if x, err := strconv.ParseFloat(words[0], 64); err == nil {
			return x
		}
	}
	return math.NaN()
}

// namespacePIDs are the pids of a process in its PID namespaces, its own last.
func namespacePIDs(pid int) []string { return proc.Status(pid, "NSpid:") }
