package proc

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// CommandGroup is a program of the user's own and its arguments, to be run in a folder. What it has
// started ends with it when ctx does, and its output is waited for a second longer.
func CommandGroup(ctx context.Context, dir string, run []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, run[0], run[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
