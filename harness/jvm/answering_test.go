package jvm

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
)

// TestAnswering: a port is answered by the subject or by what it has started, and by nobody else.
func TestAnswering(t *testing.T) {
	t.Parallel()
	start := func(c Command) *Process {
		c.Dir = t.TempDir()
		p, err := StartProcess(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(p.Kill)
		return p
	}
	env := []string{fakeVar + "=listens"}
	itself := start(Command{Path: os.Args[0], Env: env})
	script := start(Command{Path: "/bin/sh", Args: []string{"-c", `"$0" & wait`, os.Args[0]}, Env: env})
	port := func(p *Process) int {
		n, err := strconv.Atoi(firstLine(t, p))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if pid, err := itself.Answering(port(itself)); pid != itself.PID() || err != nil {
		t.Errorf("the subject answers: %d, %v", pid, err)
	}
	child, err := script.Answering(port(script))
	if child == 0 || child == script.PID() || err != nil {
		t.Errorf("a child answers: %d, %v", child, err)
	}
	seen, err := script.Glance()
	own, alone := glance(script.PID())
	if err != nil || alone != nil || seen.Threads <= own.Threads || seen.RSSBytes <= own.RSSBytes {
		t.Errorf("at a glance %+v, %v; the script alone %+v, %v", seen, err, own, alone)
	}

	pid, err := itself.Answering(port(script))
	mustFail(t, err, kindStranger, fmt.Sprintf("is %s (process %d), which is neither what was", nameOf(child), child))
	ln, listening := net.Listen("tcp4", "127.0.0.1:0")
	if listening != nil {
		t.Fatal(listening)
	}
	free := ln.Addr().(*net.TCPAddr).Port
	ln.Close()
	if pid != 0 {
		t.Errorf("process %d answers", pid)
	}
	pid, err = itself.Answering(free)
	mustFail(t, err, kindStranger, fmt.Sprintf("what listens on port %d is a process that can't be seen", free))
	if pid != 0 {
		t.Errorf("process %d answers where nobody does", pid)
	}
}

// TestEndNaming: processes of this user are ended by what is in their environment, and no others.
func TestEndNaming(t *testing.T) {
	t.Parallel()
	start := func(secret string) *exec.Cmd {
		cmd := exec.Command("sleep", "1000")
		cmd.Env = []string{"SECRET=" + secret}
		if err := cmd.Start(); err != nil {
			t.Skipf("needs the command sleep: %v", err)
		}
		t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
		return cmd
	}
	secret := newToken()
	named, other := start(secret), start(newToken())
	want := fmt.Sprintf("[sleep (process %d)]", named.Process.Pid)
	if got := fmt.Sprint(EndNaming(secret)); got != want {
		t.Errorf("ended %s, want %s", got, want)
	}
	if err := named.Wait(); err == nil || err.Error() != "signal: killed" {
		t.Errorf("it ended with %v", err)
	}
	if err := other.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the other: %v", err)
	}
	if got := EndNaming(secret); got != nil {
		t.Errorf("ended %q again", got)
	}
}
