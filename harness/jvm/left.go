package jvm

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"moobench/harness/proc"
)

const (
	lastSteps = 200 * time.Millisecond // of a process that is about to end with its parent
	killing   = 5 * time.Second        // until what was killed is gone
	looking   = 5 * time.Millisecond
)

// markName is the variable by which what a subject leaves behind is found,
// whatever group or session it is in: who started it, and something that nobody else
// can know.
const markName = "MOOBENCH_INVOCATION"

// EndOrphans ends what is left of the subjects of a moobench that was killed, and
// names it: its processes take the CPU from whatever is measured next. Those of other users
// and other containers are left alone.
func EndOrphans() []string {
	names := namesOf(lasting(func() []int { return having(orphaned) }))
	killAll(orphaned)
	return names
}

// orphaned says whether a process belongs to a subject whose moobench has ended.
func orphaned(pid int, env []byte) bool {
	_, rest, found := bytes.Cut(env, []byte("\x00"+markName+"="))
	mark, _, _ := strings.Cut(string(rest), "\x00")
	// What has our own mark is what started us.
	if !found || mark == os.Getenv(markName) || proc.User(pid) != os.Geteuid() || !sameNamespace(pid, "pid") {
		return false
	}
	part := strings.Split(mark, ".")
	owner, err := strconv.Atoi(part[0])
	if err != nil || len(part) != 3 {
		return false
	}
	// It has ended when it is gone, nobody has waited for it yet, or its number is
	// another one's. One that can't be looked at is taken to be there.
	f := proc.Stat(proc.Dir(owner))
	if len(f) <= proc.Start {
		return errors.Is(unix.Kill(owner, 0), unix.ESRCH)
	}
	return f[proc.State] == "Z" || f[proc.State] == "X" || f[proc.Start] != part[1]
}

// lasting are the processes that find finds, but for those that end within a
// moment.
func lasting(find func() []int) []int {
	for deadline := time.Now().Add(lastSteps); ; time.Sleep(looking) {
		left := find()
		if len(left) == 0 || time.Now().After(deadline) {
			return left
		}
	}
}

func namesOf(pids []int) []string {
	var names []string
	for _, pid := range pids {
		if name := nameOf(pid); name != "" {
			names = append(names, fmt.Sprintf("%s (process %d)", name, pid))
		}
	}
	return names
}

// environmentTest tells processes apart. Each variable of env stands between two
// zeros.
type environmentTest func(pid int, env []byte) bool

// killAll kills the processes with such an environment, and those that they start
// meanwhile.
func killAll(wanted environmentTest) {
	for deadline := time.Now().Add(killing); time.Now().Before(deadline); time.Sleep(looking) {
		found := having(wanted)
		for _, pid := range found {
			killIf(pid, wanted)
		}
		if len(found) == 0 {
			return
		}
	}
}

// killIf kills a process if its environment is such a one: it is held before it is
// looked at, so that no other one that got its pid is hit.
func killIf(pid int, wanted environmentTest) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return // it is gone
	}
	defer unix.Close(fd)
	if has(pid, wanted) {
		unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) // fails only when it is gone
	}
}

// having are the living processes with such an environment: a zombie has none.
func having(wanted environmentTest) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && has(pid, wanted) {
			found = append(found, pid)
		}
	}
	return found
}

func has(pid int, wanted environmentTest) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && wanted(pid, append([]byte{0}, env...))
}

// carries looks for a mark.
func carries(mark string) environmentTest {
	return func(_ int, env []byte) bool { return bytes.Contains(env, []byte("\x00"+mark+"\x00")) }
}

// nameOf is the short name of a process, "" when it is gone.
func nameOf(pid int) string {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil {
		return ""
	}
	return inLine(string(name))
}
