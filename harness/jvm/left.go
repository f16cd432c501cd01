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

// markName is the environment variable that identifies what a subject leaves behind,
// whatever group or session that is in: it holds who started the subject, and something
// that nobody else can know.
const markName = "MOOBENCH_INVOCATION"

// EndOrphans ends what is left of the subjects of a moobench that was killed, and names
// it: these processes take the CPU from whatever is measured next. Those of other users
// and other containers are left alone.
func EndOrphans() []string {
	names := namesOf(lasting(orphaned))
	killAll(orphaned)
	return names
}

// EndNaming ends the processes of this user in whose environment a text stands, and names them.
func EndNaming(text string) []string {
	naming := func(pid int, env []byte) bool {
		return pid != os.Getpid() && bytes.Contains(env, []byte(text)) && proc.User(pid) == os.Geteuid() && sameNamespace(pid, "pid")
	}
	names := namesOf(lasting(naming))
	killAll(naming)
	return names
}

// orphaned reports whether a process belongs to a subject whose moobench has ended.
func orphaned(pid int, env []byte) bool {
	_, rest, found := bytes.Cut(env, []byte("\x00"+markName+"="))
	mark, _, _ := strings.Cut(string(rest), "\x00")
	// A process with our own mark is what started us.
	if !found || mark == os.Getenv(markName) || proc.User(pid) != os.Geteuid() || !sameNamespace(pid, "pid") {
		return false
	}
	part := strings.Split(mark, ".")
	owner, err := strconv.Atoi(part[0])
	if err != nil || owner < 1 || len(part) != 3 {
		return false
	}
	// The owner has ended when it is gone, nobody has waited for it yet, or its number is
	// reused. One that can't be looked at is assumed to be there.
	there, start := proc.Running(owner)
	return !there || start != "" && start != part[1]
}

// lasting are the wanted processes, without those that end within a moment.
func lasting(wanted environmentTest) []int {
	return outliving(after(lastSteps), wanted, func(int) {})
}

// after is true from so long on.
func after(patience time.Duration) (over func() bool) {
	deadline := time.Now().Add(patience)
	return func() bool { return time.Now().After(deadline) }
}

// outliving are the wanted processes that are left once it is over. Meanwhile it does
// something to each of them, again and again.
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

// environmentTest selects processes. Each variable of env stands between two zeros.
type environmentTest func(pid int, env []byte) bool

// killAll kills the wanted processes, and those that they start meanwhile.
func killAll(wanted environmentTest) {
	outliving(after(killing), wanted, func(pid int) { send(unix.SIGKILL, pid, wanted) })
}

// send signals a wanted process. It is held before it is checked, so that no other process
// that got its pid is hit.
func send(s unix.Signal, pid int, wanted environmentTest) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return // it is gone
	}
	defer unix.Close(fd)
	if has(pid, wanted) {
		unix.PidfdSendSignal(fd, s, nil, 0) // fails only when it is gone
	}
}

// has reports whether a living process is wanted: a zombie has no environment.
func has(pid int, wanted environmentTest) bool {
	env, err := proc.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && wanted(pid, append([]byte{0}, env...))
}

// carries wants a mark.
func carries(mark string) environmentTest {
	return func(_ int, env []byte) bool { return bytes.Contains(env, []byte("\x00"+mark+"\x00")) }
}

// nameOf is the short name of a process, "" when it is gone.
func nameOf(pid int) string {
	name, _ := proc.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return inLine(string(name))
}
