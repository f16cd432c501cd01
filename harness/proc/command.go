package proc

import (
	"context"
	"os/exec"
	"syscall"
	"time"
)

// CommandGroup returns a command for a user's own program, to be run in a folder. When ctx ends, its whole process
// group is killed, and its output is awaited for one more second.
func CommandGroup(ctx context.Context, dir string, run []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, run[0], run[1:]...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}
