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

// Snapshot is a subject's resource usage so far, observed from outside without the subject's help. For a user's
// own program it is the sum over its family, since the program may be started by a script. Quantities have the
// unit in their name; they are NaN if neither kernel nor JVM gives them, so that a difference with a missing value
// is missing too, and never 0.
type Snapshot struct {
	MonotonicNS int64 // CLOCK_MONOTONIC when it was taken

	// CPUNS is the CPU time of the whole process, including ended threads, exact to the ns. CPU time of children
	// that ended and were waited for comes in steps of 10 ms.
	CPUNS float64

	// Voluntary and Involuntary are context switches, summed over the living threads. The switches of a thread
	// that ended between two snapshots are missing from the difference.
	Voluntary, Involuntary float64

	RSSBytes float64
	// PeakRSSBytes is the sum of the processes' peaks, which a family rarely reaches all at once. A script beside
	// a JVM adds some 2 MB.
	PeakRSSBytes float64

	Threads float64 // alive
	// WrittenBytes were passed to the kernel to be written, to files or elsewhere; only a Glance has them.
	WrittenBytes float64

	HSPerf

	threads []thread // that were alive
}

// Snapshot takes about a millisecond, and somewhat more if the subject may have a family. If the process has died,
// the error is a *Failure.
func (p *Process) Snapshot() (Snapshot, error) {
	if p == nil {
		return Snapshot{}, errNotStarted
	}
	s, err := p.sum(snapshot)
	// The kernel knows of a death slightly earlier than our waiter.
	if err != nil && p.within(context.Background(), time.Second) {
		return s, Failuref(KindDied, "it ended (%s) while it was observed", p.ended()).explain(p.log)
	}
	return s, err
}

// Glance takes a Snapshot without the figures of each thread and the JVM's own counters: it reads two small files of
// each process, and never waits for an end.
func (p *Process) Glance() (Snapshot, error) {
	if p == nil {
		return Snapshot{}, errNotStarted
	}
	return p.sum(glance)
}

// sum adds up what is seen of each process of the family.
func (p *Process) sum(see func(pid int) (Snapshot, error)) (Snapshot, error) {
	first, err := see(p.PID())
	if err != nil || p.alone {
		return first, err
	}
	first.CPUNS += proc.ChildrenNS(p.PID())
	all := []Snapshot{first}
	for _, pid := range p.family() {
		if pid == p.PID() {
			continue
		}
		if s, err := see(pid); err == nil && !math.IsNaN(s.RSSBytes) { // otherwise it has ended meanwhile
			s.CPUNS += proc.ChildrenNS(pid)
			all = append(all, s)
		}
	}
	return together(all), nil
}

func glance(pid int) (Snapshot, error) {
	s, err := levels(pid)
	if err != nil {
		return s, err
	}
	io, _ := proc.ReadFile(procDir(pid) + "/io") // that of another user can't be read
	s.WrittenBytes = field(io, "wchar:")
	return s, nil
}

// levels reads the status of a process, and its CPU time.
func levels(pid int) (Snapshot, error) {
	status, err := proc.ReadFile(procDir(pid) + "/status")
	if err != nil {
		return Snapshot{}, fmt.Errorf("observing process %d: %w", pid, err)
	}
	return Snapshot{
		MonotonicNS: proc.MonotonicNS(), CPUNS: proc.CPUNS(pid),
		RSSBytes: field(status, "VmRSS:") * 1024, PeakRSSBytes: field(status, "VmHWM:") * 1024,
		Threads: field(status, "Threads:"),
	}, nil
}

// procDir returns the folder of a process in /proc.
func procDir(pid int) string { return fmt.Sprintf("/proc/%d", pid) }

func snapshot(pid int) (Snapshot, error) {
	s, err := levels(pid)
	if err != nil {
		return s, err
	}
	s.HSPerf = readHSPerf(pid)
	dir := procDir(pid)
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
		id, _ := strconv.Atoi(t.Name()) // the kernel's name is a number
		s.threads = append(s.threads, thread{id: id, name: threadName(task), ranNS: ranNS(task)})
	}
	return s, nil
}

// threadName returns the kernel's name of a thread, given its /proc folder.
func threadName(task string) string {
	name, _ := proc.ReadFile(task + "/comm")
	return strings.TrimSuffix(string(name), "\n")
}

// ranNS returns the CPU time of a thread, given its /proc folder; 0 if the kernel does not count it.
func ranNS(task string) float64 {
	text, _ := proc.ReadFile(task + "/schedstat")
	ran, _, _ := strings.Cut(string(text), " ")
	ns, err := strconv.ParseFloat(ran, 64)
	if err != nil {
		return 0
	}
	return ns
}

// field returns the number after a key at the start of a line, or NaN.
func field(text []byte, key string) float64 {
	if words := proc.Words(text, key); len(words) > 0 {
		if x, err := strconv.ParseFloat(words[0], 64); err == nil {
			return x
		}
	}
	return math.NaN()
}

// namespacePIDs returns the pids of a process in its nested PID namespaces, innermost last.
func namespacePIDs(pid int) []string { return proc.Status(pid, "NSpid:") }
