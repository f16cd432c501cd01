package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"moobench/harness/proc"
)

// keeper is the argument with which this program runs a command and ends all that it left.
const keeper = "keep"

// memory is how much a process of a command may use, in bytes: a change may make a loop endless that allocates.
const memory = 6 << 30

// keep runs a command until it ends or this process is asked to, and then ends all processes that the command
// started, whoever their parents are by then. It returns the command's exit status.
func keep(command []string) int {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, unix.SIGTERM, unix.SIGINT, unix.SIGHUP)
	p, err := start(command)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	status, none := make(chan int, 1), make(chan struct{})
	go reap(p.Pid, status, none)
	code := 1
	select {
	case code = <-status:
	case <-asked:
	}
	us := os.Getpid()
	for {
		for _, pid := range proc.Families(func(pid int) bool { return pid == us }) {
			if pid != us {
				unix.Kill(pid, unix.SIGKILL)
			}
		}
		select {
		case <-none:
			return code
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// start starts a command whose orphans become our children, and which ends with us.
func start(command []string) (*os.Process, error) {
	path, err := exec.LookPath(command[0])
	in, errIn := os.Open(os.DevNull)
	err = errors.Join(err, errIn,
		unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: memory, Max: memory}))
	if err != nil {
		return nil, err
	}
	return os.StartProcess(path, command, &os.ProcAttr{
		Files: []*os.File{in, os.Stdout, os.Stderr}, Sys: &syscall.SysProcAttr{Pdeathsig: unix.SIGKILL},
	})
}

// reap waits for all children, and hands on the exit status of one; none is closed when there are no more.
func reap(pid int, status chan<- int, none chan<- struct{}) {
	defer close(none)
	for {
		var ws unix.WaitStatus
		ended, err := unix.Wait4(-1, &ws, 0, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return
		case ended == pid && ws.Exited():
			status <- ws.ExitStatus()
		case ended == pid:
			status <- 1
		}
	}
}
