package knob

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/sys/unix"
)

// TestThreadsChanged: what one thread of several has otherwise is seen, and what can't be read is nothing.
func TestThreadsChanged(t *testing.T) {
	tree := fstest.MapFS{}
	thread := func(tid int, cpus, nice, policy string) {
		dir := fmt.Sprintf("proc/7/task/%d/", tid)
		fields := strings.Split(strings.Repeat("0 ", 50), " ")
		fields[19-3], fields[41-3] = nice, policy
		tree[dir+"stat"] = &fstest.MapFile{Data: []byte(fmt.Sprintf("%d (a) b) %s", tid, strings.Join(fields, " ")))}
		tree[dir+"status"] = &fstest.MapFile{Data: []byte("Name:\ta\nCpus_allowed_list:\t" + cpus + "\n")}
	}
	thread(7, "1", "0", "0")
	thread(8, "1", "0", "0")
	began := ReadThreads(tree, 7)
	if words := began.Changed(ReadThreads(tree, 7)); words != "" {
		t.Errorf("nothing was changed: %q", words)
	}
	thread(8, "0-1", "-20", "1")
	got := began.Changed(ReadThreads(tree, 7))
	want := "its CPUs were changed while it ran: from 1 to 0-1 and 1, and its nice value: from 0 to -20 and 0, " +
		"and its scheduling class: from other to fifo and other"
	if got != want {
		t.Errorf("%q", got)
	}
	if words := began.Changed(ReadThreads(tree, 9)); words != "" {
		t.Errorf("of a process that is gone: %q", words)
	}
}

// TestThreadsOfAProcess: the kernel's own files say what was done to a process from outside.
func TestThreadsOfAProcess(t *testing.T) {
	cmd := exec.Command("sleep", "1000")
	if err := cmd.Start(); err != nil {
		t.Skip(err)
	}
	defer func() { cmd.Process.Kill(); cmd.Wait() }()
	root := os.DirFS("/")
	began := ReadThreads(root, cmd.Process.Pid)
	if err := unix.Setpriority(unix.PRIO_PROCESS, cmd.Process.Pid, 19); err != nil {
		t.Skip(err)
	}
	now := ReadThreads(root, cmd.Process.Pid)
	if words := began.Changed(now); !strings.HasPrefix(words, "its nice value was changed while it ran: from ") || !strings.HasSuffix(words, " to 19") {
		t.Errorf("%v, then %v: %q", began, now, words)
	}
}
