package jvm

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"moobench/harness/proc"
)

// Snapshot is what a subject has used so far, seen from outside: the subject does nothing
// for it. Quantities are in the unit of their name, and NaN when neither kernel nor JVM
// gives them: a difference with an absent value is absent too, and never 0.
type Snapshot struct {
	MonotonicNS int64 // CLOCK_MONOTONIC when it was taken

	// CPUNS is the CPU time of the whole process, exact to the ns, ended threads
	// included.
	CPUNS float64

	// Voluntary and Involuntary are context switches, summed over the living threads:
	// those of a thread that ended between two snapshots are missing from their
	// difference.
	Voluntary, Involuntary float64

	RSSBytes, PeakRSSBytes float64

	HSPerf
}

// Snapshot takes about a millisecond. Of a process that has died it is a *Failure.
func (p *Process) Snapshot() (Snapshot, error) {
	if p == nil {
		return Snapshot{}, errNotStarted
	}
	s, err := snapshot(p.PID())
	// The kernel knows of a death a little before whoever waits for it.
	if err != nil && p.within(context.Background(), time.Second) {
		return s, Failuref(KindDied, "it ended (%s) while it was observed", p.ended()).explain(p.log)
	}
	return s, err
}

func snapshot(pid int) (Snapshot, error) {
	dir := fmt.Sprintf("/proc/%d", pid)
	status, err := os.ReadFile(dir + "/status")
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
		status, err := os.ReadFile(filepath.Join(dir, "task", t.Name(), "status"))
		if err != nil {
			continue // it has ended meanwhile
		}
		s.Voluntary += field(status, "voluntary_ctxt_switches:")
		s.Involuntary += field(status, "nonvoluntary_ctxt_switches:")
	}
	return s, nil
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
