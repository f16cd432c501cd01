package proc

import (
	"bufio"
	"context"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// parent starts a program with a child, and returns the pids of both.
func parent(t *testing.T) (cmd *exec.Cmd, child int, stop context.CancelFunc) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs a shell")
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	cmd = CommandGroup(ctx, t.TempDir(), []string{"sh", "-c", "sleep 600 & echo $!; pwd; wait"})
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stop = func() {
		cancel()
		cmd.Wait()
	}
	t.Cleanup(stop)
	lines := bufio.NewScanner(out)
	lines.Scan()
	if child, err = strconv.Atoi(lines.Text()); err != nil {
		t.Fatal(err)
	}
	if lines.Scan(); lines.Text() != cmd.Dir {
		t.Errorf("it runs in %s, want %s", lines.Text(), cmd.Dir)
	}
	return cmd, child, stop
}

// TestFamilies: a family is its head and all below it, each once, and nobody else.
func TestFamilies(t *testing.T) {
	cmd, child, _ := parent(t)
	pid := cmd.Process.Pid
	for _, c := range []struct {
		heads, want []int
	}{
		{[]int{pid}, []int{pid, child}},
		{[]int{child}, []int{child}},
		{[]int{pid, child}, []int{pid, child}},
		{nil, nil},
	} {
		got := Families(func(pid int) bool { return slices.Contains(c.heads, pid) })
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("the family of %v is %v, want %v", c.heads, got, c.want)
		}
	}
	us := os.Getpid()
	if got := Families(func(pid int) bool { return pid == us }); !slices.Contains(got, child) {
		t.Errorf("our own family is %v, without our grandchild %d", got, child)
	}
	if all := All(); !slices.Contains(all, us) || !slices.Contains(all, child) {
		t.Errorf("processes %d and %d are not among %v", us, child, all)
	}
}

// TestCommandGroup: a command leads a group of its own, and when its time is over, the whole group ends.
func TestCommandGroup(t *testing.T) {
	cmd, child, stop := parent(t)
	pid := cmd.Process.Pid
	if GroupOf(pid) != pid || GroupOf(child) != pid || GroupOf(os.Getpid()) != syscall.Getpgrp() {
		t.Errorf("process %d and its child are of groups %d and %d", pid, GroupOf(pid), GroupOf(child))
	}
	stop()
	there := true
	for begin := time.Now(); there && time.Since(begin) < 10*time.Second; time.Sleep(time.Millisecond) {
		there, _ = Running(child)
	}
	if there {
		t.Errorf("process %d of the group goes on", child)
	}
}

// TestRunning: a process runs until it has ended, although its parent has not asked for it yet. That of another
// user runs, too.
func TestRunning(t *testing.T) {
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("needs cat: %v", err)
	}
	pid := cmd.Process.Pid
	began, start := Running(pid)
	if !began || start == "" {
		t.Errorf("started: %v, since %q", began, start)
	}
	in.Close()
	if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
	if there, since := Running(pid); there || since != start {
		t.Errorf("a zombie: %v, since %q, want %q", there, since, start)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	for pid, want := range map[int]bool{pid: false, 1: true, 0: false, -1: false} {
		if there, _ := Running(pid); there != want {
			t.Errorf("process %d: %v, want %v", pid, there, want)
		}
	}
}

// TestChildrenNS: what children took in user mode and in the kernel is one sum, in whole steps of each.
func TestChildrenNS(t *testing.T) {
	if _, err := exec.LookPath("dd"); err != nil {
		t.Skip("needs dd")
	}
	var u unix.Rusage
	took := func() (user, kernel int64) {
		if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &u); err != nil {
			t.Fatal(err)
		}
		return u.Utime.Nano() / tickNS, u.Stime.Nano() / tickNS
	}
	user, kernel := took()
	for tries := 0; min(user, kernel) < 1 && tries < 20; tries++ {
		err := exec.Command("dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=50000").Run()
		if err != nil {
			t.Fatal(err)
		}
		user, kernel = took()
	}
	if min(user, kernel) < 1 {
		t.Skip("children take no time here, or all of it is of one kind")
	}
	if got, want := ChildrenNS(os.Getpid()), tickNS*float64(user+kernel); got != want {
		t.Errorf("children took %v ns, want %v of %d and %d steps", got, want, user, kernel)
	}
}

// TestClocks: a clock stands between two looks at the same clock of the kernel.
func TestClocks(t *testing.T) {
	for name, c := range map[string]struct {
		id   int32
		read func() float64
	}{
		"CPU time":  {unix.CLOCK_PROCESS_CPUTIME_ID, func() float64 { return CPUNS(os.Getpid()) }},
		"monotonic": {unix.CLOCK_MONOTONIC, func() float64 { return float64(MonotonicNS()) }},
	} {
		look := func() float64 {
			var ts unix.Timespec
			if err := unix.ClockGettime(c.id, &ts); err != nil {
				t.Fatal(err)
			}
			return float64(ts.Nano())
		}
		before := look()
		got := c.read()
		if after := look(); !(before <= got && got <= after) {
			t.Errorf("%s: %v is not between %v and %v", name, got, before, after)
		}
	}
	const never = 1 << 28
	if x, y := CPUNS(never), ChildrenNS(never); !math.IsNaN(x) || y != 0 || GroupOf(never) != -1 {
		t.Errorf("a process that never was took %v, its children %v, in group %d", x, y, GroupOf(never))
	}
}

// TestReadFile: a file is read to its end, whatever its length.
func TestReadFile(t *testing.T) {
	for _, n := range []int{0, 1, 1023, 1024, 1025, 5000} {
		path, want := t.TempDir()+"/x", strings.Repeat("x", n)
		if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%d bytes: %d are read, %v", n, len(got), err)
		}
	}
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:           "read " + dir + ": is a directory",
		dir + "/none": "open " + dir + "/none: no such file or directory",
	} {
		if _, err := ReadFile(path); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestRestart: a call is made again as long as signals interrupt it, and not after any other error.
func TestRestart(t *testing.T) {
	for _, c := range []struct {
		errs  []error
		calls int
	}{
		{[]error{nil, nil}, 1},
		{[]error{unix.EINTR, unix.EINTR, nil}, 3},
		{[]error{unix.EINTR, io.EOF, nil}, 2},
	} {
		calls := 0
		err := Restart(func() error {
			calls++
			return c.errs[calls-1]
		})
		if calls != c.calls || err != c.errs[c.calls-1] {
			t.Errorf("%v: %d calls, %v", c.errs, calls, err)
		}
	}
}

// TestOffMain: work has a thread of its own, which is never the main one and ends with the work.
func TestOffMain(t *testing.T) {
	for range 20 {
		thread := make(chan int)
		OffMain(func() { thread <- unix.Gettid() })
		id := <-thread
		if id == os.Getpid() {
			t.Fatal("it is the main thread")
		}
		there := true
		for begin := time.Now(); there && time.Since(begin) < 10*time.Second; time.Sleep(100 * time.Microsecond) {
			_, err := os.Stat("/proc/self/task/" + strconv.Itoa(id))
			there = err == nil
		}
		if there {
			t.Fatalf("thread %d goes on", id)
		}
	}
}
