package trace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"moobench/cmd/internal/console"
	"moobench/harness/jvm"
	"moobench/harness/proc"
	"moobench/results/safefile"
)

// Run runs the command, with the agent of these jars in every JVM that it starts, and leaves their
// events in a folder. A failed command is not an error: its state is returned. The command gets our
// own input and outputs, so that it finds a terminal if there is one. Run does not wait for
// processes that the command leaves behind, and the command is killed if we are.
func Run(ctx context.Context, c console.Console, jars jvm.AgentJars, w Wanted, dir string) (*os.ProcessState, error) {
	cmd := exec.CommandContext(ctx, w.command[0], w.command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, file(c.Out), file(c.Err)
	options := strings.TrimSpace(os.Getenv(jvm.ToolOptionsName) + " " + jvm.ToolOptions(w.agent(jars, dir)))
	cmd.Env = append(os.Environ(), jvm.ToolOptionsName+"="+options)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // so that it writes its buffered events
	cmd.WaitDelay = 10 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	ended := make(chan error)
	proc.OffMain(func() { ended <- cmd.Run() }) // the signal comes when the forking thread ends
	if err := <-ended; cmd.ProcessState == nil {
		return nil, fmt.Errorf("running %s: %w", w.command[0], err)
	}
	return cmd.ProcessState, nil
}

// file returns the file behind a writer, if there is one: other writers would need a pipe.
func file(w io.Writer) io.Writer {
	if wrapper, ok := w.(interface{ Unwrap() io.Writer }); ok {
		w = wrapper.Unwrap()
	}
	return w
}

// tempPrefix begins the names of folders for events that are not kept.
const tempPrefix = "moobench-trace-"

// Folder makes a folder for events, which release removes. It is locked until then, or until we
// end.
func Folder() (dir string, release func(), err error) {
	for range 3 { // another moobench may have swept it away before it was locked
		if dir, err = os.MkdirTemp("", tempPrefix); err != nil {
			break
		}
		var lock *os.File
		if lock, err = safefile.Hold(dir, os.O_RDONLY|syscall.O_DIRECTORY, 0, time.Second); err == nil {
			return dir, func() { os.RemoveAll(dir); lock.Close() }, nil
		}
		os.RemoveAll(dir)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return "", nil, fmt.Errorf("making a folder for events: %w", err)
}

// Sweep removes the event folders that this user's killed moobench processes left, and ends the
// programs that still log into them. It returns the names of those programs.
func Sweep() (ended []string) {
	dirs, _ := filepath.Glob(filepath.Join(os.TempDir(), tempPrefix+"*")) // the pattern is valid, so there is no error
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || int(info.Sys().(*syscall.Stat_t).Uid) != os.Geteuid() {
			continue
		}
		lock, err := safefile.Hold(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0, 0)
		if err != nil {
			continue // in use
		}
		ended = append(ended, jvm.EndNaming(dir)...)
		os.RemoveAll(dir)
		lock.Close()
	}
	return ended
}
