package jvm

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"moobench/harness/proc"
)

const (
	lastSteps = 200 * time.Millisecond // for a process that is about to end with its parent
	killing   = 5 * time.Second        // until what was killed is gone
	looking   = 5 * time.Millisecond
)

// markName is the environment variable that identifies the processes of a subject, whatever their group or
// session. Its value names the moobench that started the subject, and a secret.
const markName = "MOOBENCH_INVOCATION"

// EndOrphans kills leftover subjects of a moobench that was killed, and names them: they would take CPU from the
// next measurement. Processes of other users and containers are left alone.
func EndOrphans() []string {
	names := namesOf(lasting(orphaned))
	killAll(orphaned)
	return names
}

// EndNaming kills the processes of this user whose environment contains a text, and names them.
func EndNaming(text string) []string {
	naming := func(pid int, env []byte) bool {
		named := pid != os.Getpid() && bytes.Contains(env, []byte(text))
		return named && proc.User(pid) == os.Geteuid() && sameNamespace(pid, "pid")
	}
	names := namesOf(lasting(naming))
	killAll(naming)
	return names
}

// orphaned reports whether a process belongs to a subject whose moobench has ended.
func orphaned(pid int, env []byte) bool {
	_, rest, found := bytes.Cut(env, []byte("\x00"+markName+"="))
	mark, _, _ := strings.Cut(string(rest), "\x00")
	// A process with our own mark started us.
	if !found || mark == os.Getenv(markName) || proc.User(pid) != os.Geteuid() || !sameNamespace(pid, "pid") {
		return false
	}
	part := strings.Split(mark, ".")
	owner, err := strconv.Atoi(part[0])
	if err != nil || owner < 1 || len(part) != 3 {
		return false
	}
	// The owner has ended if it is gone, is a zombie, or if its pid is reused. An owner that can't be examined is
	// assumed to be alive.
	there, start := proc.Running(owner)
	return !there || start != "" && start != part[1]
}

// lasting returns the wanted processes, except those that end within a moment.
func lasting(wanted environmentTest) []int {
	return outliving(after(lastSteps), wanted, func(int) {})
}

// after returns a function that reports whether patience has run out.
func after(patience time.Duration) (over func() bool) {
	deadline := time.Now().Add(patience)
	return func() bool { return time.Now().After(deadline) }
}

// outliving returns the wanted processes that are left once over reports true. Until then it keeps calling do for
// each of them.
func outliving(over func() bool, wanted environmentTest, do func(pid int)) []int {
	for ; ; time.Sleep(looking) {
		left := slices.DeleteFunc(proc.All(), func(pid int) bool { return !has(pid, wanted) })
		if len(left) == 0 || over() {
			return left
		}
		for _, pid := range left {
			do(pid)
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

// environmentTest selects processes. env has a zero byte before and after each variable.
type environmentTest func(pid int, env []byte) bool

// killAll kills the wanted processes, and those that they start in the meantime.
func killAll(wanted environmentTest) {
	outliving(after(killing), wanted, func(pid int) { send(unix.SIGKILL, pid, wanted) })
}

// send signals a wanted process. It checks after opening a pidfd, so that it never hits a process that reused the
// pid.
func send(s unix.Signal, pid int, wanted environmentTest) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return // it is gone
	}
	defer unix.Close(fd)
	if has(pid, wanted) {
		unix.PidfdSendSignal(fd, s, nil, 0) // fails only if it is gone
	}
}

// has reports whether a living process is wanted. A zombie's environment is empty.
func has(pid int, wanted environmentTest) bool {
	env, err := proc.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && wanted(pid, append([]byte{0}, env...))
}

// carries selects processes with a mark.
func carries(mark string) environmentTest {
	return func(_ int, env []byte) bool { return bytes.Contains(env, []byte("\x00"+mark+"\x00")) }
}

// nameOf returns the short name of a process, or "" if it is gone.
func nameOf(pid int) string {
	name, _ := proc.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return inLine(string(name))
}
