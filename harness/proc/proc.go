// Package proc reads what the kernel publishes about any process: its files in /proc and its CPU-time clock. It
// also reads the monotonic clock, and runs work on a thread of its own. Linux only.
package proc

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// ReadFile reads a file of /proc or /sys. os.ReadFile would first try to register it with the poller, which
// refuses such files: nine system calls instead of four, and a scan of all processes reads hundreds of files.
func ReadFile(path string) ([]byte, error) {
	var fd int
	err := Restart(func() (err error) {
		fd, err = unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	text := make([]byte, 0, 1024) // most files are shorter
	for {
		n := 0
		err := Restart(func() (err error) {
			n, err = unix.Read(fd, text[len(text):cap(text)])
			return err
		})
		if err != nil {
			return nil, &os.PathError{Op: "read", Path: path, Err: err}
		}
		if n == 0 {
			return text, nil
		}
		text = text[:len(text)+n]
		if len(text) == cap(text) {
			text = slices.Grow(text, 1)
		}
	}
}

// Restart repeats a system call while signals interrupt it, and returns its error.
func Restart(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

func folder(pid int) string { return fmt.Sprintf("/proc/%d", pid) }

// Indexes of some fields in the result of statOf.
const (
	stateField  = 0
	parentField = 1
	groupField  = 2
	// CPU time of waited-for children in user mode and in the kernel, in ticks.
	childrenUserField, childrenSystemField = 13, 14

	startField = 19
)

// tickNS is the unit of times in stat, USER_HZ, which has this value on every architecture that Go supports.
const tickNS = 10e6

// statOf returns the fields of the file stat in dir, the folder of a process or thread, from the third on; nil if
// it is gone. The second field, the name, may contain anything, so parsing starts after the last parenthesis.
func statOf(dir string) []string {
	stat, err := ReadFile(dir + "/stat")
	if err != nil {
		return nil
	}
	return strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
}

// All returns the pids of all processes visible to us.
func All() []int {
	entries, _ := os.ReadDir("/proc")
	var pids []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// Status returns the words after a key of a process's status, such as "Uid:"; nil if the process is gone or the
// key is missing.
func Status(pid int, key string) []string {
	status, _ := ReadFile(folder(pid) + "/status")
	return Words(status, key)
}

// Words returns the words after a key at the beginning of a line; nil if no line has it.
func Words(text []byte, key string) []string {
	for line := range bytes.Lines(text) {
		if rest, ok := bytes.CutPrefix(line, []byte(key)); ok {
			return strings.Fields(string(rest))
		}
	}
	return nil
}

// OffMain runs f on a thread that ends with it, so that changes that f makes to its thread are gone afterwards. It
// avoids the main thread, which never ends.
func OffMain(f func()) {
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		if unix.Gettid() != unix.Getpid() {
			f()
			return
		}
		elsewhere := make(chan struct{})
		OffMain(func() {
			close(elsewhere)
			f()
		})
		<-elsewhere
		runtime.UnlockOSThread()
	}()
}

// Running reports whether a process of this system exists, and its start time in ticks since boot, "" if that is
// hidden from us. A zombie does not count.
func Running(pid int) (there bool, start string) {
	if pid < 1 || errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
		return false, ""
	}
	stat := statOf(folder(pid))
	if len(stat) <= startField {
		return true, ""
	}
	return stat[stateField] != "Z" && stat[stateField] != "X", stat[startField]
}

// User returns the effective user ID of a process, or -1 if it is gone.
func User(pid int) int {
	return number(Status(pid, "Uid:"), 1)
}

// parentOf returns the parent of a process, or -1 if it is gone.
func parentOf(pid int) int {
	return number(statOf(folder(pid)), parentField)
}

// Families returns the living processes for which head is true, and all their descendants. A process whose parent
// has ended has no known ancestors.
func Families(head func(pid int) bool) []int {
	var all []int
	children := map[int][]int{}
	for _, pid := range All() {
		parent := parentOf(pid)
		children[parent] = append(children[parent], pid)
		if head(pid) {
			all = append(all, pid)
		}
	}
	known := map[int]bool{}
	for _, pid := range all {
		known[pid] = true
	}
	for i := 0; i < len(all); i++ {
		for _, child := range children[all[i]] {
			if !known[child] { // processes come and go while we look
				known[child] = true
				all = append(all, child)
			}
		}
	}
	return all
}

// GroupOf returns the process group of a process, or -1 if it is gone.
func GroupOf(pid int) int {
	return number(statOf(folder(pid)), groupField)
}

// ChildrenNS returns the CPU time in ns of the children that a process has waited for, in steps of 10 ms; 0 if it
// is gone.
func ChildrenNS(pid int) float64 {
	stat := statOf(folder(pid))
	return tickNS * float64(max(0, number(stat, childrenUserField))+max(0, number(stat, childrenSystemField)))
}

func number(fields []string, i int) int {
	if len(fields) <= i {
		return -1
	}
	n, err := strconv.Atoi(fields[i])
	if err != nil {
		return -1
	}
	return n
}

// CPUNS returns the exact CPU time of a process in ns, including ended threads; NaN if the kernel does not tell.
// The clock ID is the kernel's MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED). The alternatives are coarser
// (/proc/<pid>/stat: 10 ms) or omit ended threads (schedstat).
func CPUNS(pid int) float64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid)<<3|2, &ts); err != nil {
		return math.NaN()
	}
	return float64(ts.Nano())
}

// MonotonicNS returns CLOCK_MONOTONIC in ns, the clock behind System.nanoTime of a JVM on Linux. Every Linux has
// it; reading it fails only if a seccomp filter forbids that, and then already before anything is measured. A
// made-up time instead would end up in results.
func MonotonicNS() int64 {
	var ts unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts); err != nil {
		panic("no CLOCK_MONOTONIC: " + err.Error())
	}
	return ts.Nano()
}
