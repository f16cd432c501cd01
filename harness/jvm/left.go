package jvm

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	lastSteps = 200 * time.Millisecond // of a process that is about to end with its parent
	killing   = 5 * time.Second        // until what was killed is gone
	looking   = 5 * time.Millisecond
)

// leftBehind names the processes that carry a mark and outlive process pid, which
// has ended but is not reaped. One that ends within a moment was not left.
func leftBehind(mark string, pid int) []string {
	if mark == "" {
		return nil
	}
	var left []int
	for deadline := time.Now().Add(lastSteps); ; time.Sleep(looking) {
		left = marked(mark)
		if len(left) == 0 || time.Now().After(deadline) {
			break
		}
	}
	var names []string
	for _, other := range left {
		if name := nameOf(other); other != pid && name != "" {
			names = append(names, fmt.Sprintf("%s (process %d)", name, other))
		}
	}
	return names
}

// killMarked kills the processes that carry a mark, and those that they start
// meanwhile.
func killMarked(mark string) {
	if mark == "" {
		return
	}
	for deadline := time.Now().Add(killing); time.Now().Before(deadline); time.Sleep(looking) {
		found := marked(mark)
		for _, pid := range found {
			killIf(pid, mark)
		}
		if len(found) == 0 {
			return
		}
	}
}

// killIf kills a process if it carries the mark: it is held before it is looked
// at, so that no other one that got its pid is hit.
func killIf(pid int, mark string) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return // it is gone
	}
	defer unix.Close(fd)
	if carries(pid, mark) {
		unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) // fails only when it is gone
	}
}

// marked are the living processes that carry a mark: a zombie has no environment.
func marked(mark string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && carries(pid, mark) {
			found = append(found, pid)
		}
	}
	return found
}

func carries(pid int, mark string) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	return err == nil && bytes.Contains(append([]byte{0}, env...), []byte("\x00"+mark+"\x00"))
}

// nameOf is the short name of a process, "" when it is gone.
func nameOf(pid int) string {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil {
		return ""
	}
	return printable(strings.TrimSpace(string(name)))
}
