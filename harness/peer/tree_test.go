package peer

import (
	"bufio"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"moobench/harness/proc"
)

func below(root int) []int { return proc.Families(func(pid int) bool { return pid == root }) }

// Whoever descends from a process is in its tree, and nobody else is.
func TestTree(t *testing.T) {
	shell := exec.Command("sh", "-c", "sleep 600 & echo $!; wait")
	out, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Skipf("needs a shell: %v", err)
	}
	defer shell.Wait()
	defer shell.Process.Kill()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Kill(child, unix.SIGKILL)
	if got := below(shell.Process.Pid); !slices.Equal(got, []int{shell.Process.Pid, child}) {
		t.Errorf("below the shell %d are %v, want %d", shell.Process.Pid, got, child)
	}
	ours := below(os.Getpid())
	for _, pid := range []int{os.Getpid(), shell.Process.Pid, child} {
		if !slices.Contains(ours, pid) {
			t.Errorf("%d is not among our own %v", pid, ours)
		}
	}
	if slices.Contains(ours, os.Getppid()) {
		t.Error("our parent descends from us")
	}
}

func TestListeners(t *testing.T) {
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := ln.Addr().(*net.TCPAddr).Port
	all, err := Listeners(port)
	if err != nil || len(all) != 1 || !all[0].IsHeldBy(os.Getpid()) || all[0].IsHeldBy(os.Getppid()) {
		t.Errorf("%+v, %v: want a socket of ours", all, err)
	}
	ln.Close()
	if all, err := Listeners(port); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v: nobody listens any more", all, err)
	}
}

func TestIsHeldBelow(t *testing.T) {
	p, err := LookUp(connect(t, socket(t, unix.AF_INET, os.Geteuid())))
	if err != nil {
		t.Fatal(err)
	}
	if held, unseen := p.IsHeldBelow(os.Getppid()); !held || unseen || p.UID() != os.Geteuid() {
		t.Errorf("not held below our parent, or of user %d", p.UID())
	}
	sleep := exec.Command("sleep", "600")
	if err := sleep.Start(); err != nil {
		t.Skipf("needs the command sleep: %v", err)
	}
	defer sleep.Wait()
	defer sleep.Process.Kill()
	if held, unseen := p.IsHeldBelow(sleep.Process.Pid); held || unseen {
		t.Errorf("below a process that has nothing to do with it: held %v, unseen %v", held, unseen)
	}
	if !p.isLikely(os.Getpid()) || (Peer{uid: 4711, inode: "1"}).isLikely(os.Getpid()) || !p.isLikely(-1) {
		t.Error("likely are only processes of the same user, and those of which nothing is known")
	}
	if got := (Peer{}).UID(); got != -1 {
		t.Errorf("one that is gone is of user %d", got)
	}
}
