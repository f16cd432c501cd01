package jvm

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"moobench/harness/proc"
)

// Snapshot is what a subject has used so far, seen from outside: the subject
// does nothing for it. Quantities are in the unit of their name, and NaN when
// the kernel or the JVM does not tell them: a difference with an absent value
// is absent too, and never 0.
type Snapshot struct {
	MonotonicNS int64 // CLOCK_MONOTONIC when it was taken

	// CPUNS is the CPU time of the whole process, exact to the ns, threads that
	// are gone included.
	CPUNS float64
	// UserNS and SystemNS divide it, in steps of 10 ms.
	UserNS, SystemNS float64

	// RunNS and DelayNS are the times that threads ran, and that they could
	// have run but waited for a CPU; Voluntary and Involuntary are context
	// switches. All are sums over the living threads: what a thread did that
	// ended between two snapshots is missing from their difference. Only Exit
	// has switches of all threads.
	RunNS, DelayNS         float64
	Voluntary, Involuntary float64
	Threads                float64

	RSSBytes, PeakRSSBytes float64
	// ReadBytes and WriteBytes went to or from a disk, sooner or later.
	ReadBytes, WriteBytes float64

	HSPerf
}

// Snapshot is taken in about a millisecond.
func (p *Process) Snapshot() (Snapshot, error) {
	s, err := snapshot(p.PID())
	if err != nil {
		return Snapshot{}, fmt.Errorf("observing process %d: %w", p.PID(), err)
	}
	return s, nil
}

func snapshot(pid int) (Snapshot, error) {
	dir := fmt.Sprintf("/proc/%d", pid)
	status, err := os.ReadFile(dir + "/status")
	if err != nil {
		return Snapshot{}, err
	}
	s := Snapshot{MonotonicNS: monotonic(), CPUNS: processCPU(pid), HSPerf: readHSPerf(pid)}
	s.UserNS, s.SystemNS = userSystem(dir)
	s.RSSBytes, s.PeakRSSBytes = field(status, "VmRSS:")*1024, field(status, "VmHWM:")*1024
	s.Threads = field(status, "Threads:")
	if io, err := os.ReadFile(dir + "/io"); err == nil {
		s.ReadBytes, s.WriteBytes = field(io, "read_bytes:"), field(io, "write_bytes:")
	} else {
		s.ReadBytes, s.WriteBytes = math.NaN(), math.NaN()
	}
	return s, s.addThreads(dir)
}

// processCPU asks for the CPU-time clock of another process. Its number is made
// as the kernel's MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED) does it. The
// alternatives are coarser (/proc/<pid>/stat: 10 ms) or forget threads that are
// gone (schedstat).
func processCPU(pid int) float64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid)<<3|2, &ts); err != nil {
		return math.NaN()
	}
	return float64(ts.Nano())
}

// nsPerTick is that of USER_HZ, which is 100 for every program on the
// architectures with a JVM, whatever the kernel's own HZ.
const nsPerTick = 10_000_000

// userSystem reads fields 14 and 15 of /proc/<pid>/stat.
func userSystem(dir string) (userNS, systemNS float64) {
	f := proc.Stat(dir)
	if len(f) <= proc.SystemTime {
		return math.NaN(), math.NaN()
	}
	return number(f[proc.UserTime]) * nsPerTick, number(f[proc.SystemTime]) * nsPerTick
}

// addThreads sums over the threads: the process's own status file counts the
// switches of its first thread only, and so does its schedstat.
func (s *Snapshot) addThreads(dir string) error {
	threads, err := os.ReadDir(dir + "/task")
	if err != nil {
		return err
	}
	for _, t := range threads {
		task := filepath.Join(dir, "task", t.Name())
		status, err := os.ReadFile(task + "/status")
		if err != nil {
			continue // it has ended meanwhile
		}
		s.Voluntary += field(status, "voluntary_ctxt_switches:")
		s.Involuntary += field(status, "nonvoluntary_ctxt_switches:")
		s.addSchedstat(task)
	}
	return nil
}

func (s *Snapshot) addSchedstat(task string) {
	text, err := os.ReadFile(task + "/schedstat")
	if err != nil && os.IsNotExist(err) {
		if _, gone := os.Stat(task); gone != nil {
			return // the thread ended; were schedstat unknown, its folder would be there
		}
	}
	f := strings.Fields(string(text))
	if err != nil || len(f) < 2 {
		s.RunNS, s.DelayNS = math.NaN(), math.NaN()
		return
	}
	s.RunNS += number(f[0])
	s.DelayNS += number(f[1])
}

// field is the number behind a key at the start of a line, NaN without one.
func field(text []byte, key string) float64 {
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte(key)); ok {
			if f := bytes.Fields(rest); len(f) > 0 {
				return number(string(f[0]))
			}
		}
	}
	return math.NaN()
}

func number(s string) float64 {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// allowed is the CPU list that the kernel gives for a process, "" if it is gone.
func allowed(pid int) string {
	f := proc.Status(pid, "Cpus_allowed_list:")
	if len(f) == 0 {
		return ""
	}
	return f[0]
}

// namespacePIDs are the pids of a process in its PID namespaces, its own last.
func namespacePIDs(pid int) []string { return proc.Status(pid, "NSpid:") }
