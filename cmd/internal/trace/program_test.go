package trace

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"moobench/cmd/internal/console"
	"moobench/harness/jvm"
	"moobench/harness/proc"
)

// wrapped is a writer around another one, as results are written through.
type wrapped struct{ w io.Writer }

func (w wrapped) Write(p []byte) (int, error) { return w.w.Write(p) }
func (w wrapped) Unwrap() io.Writer           { return w.w }

// TestProgramHasOurOutput: the program writes to our own file, which may be a terminal, and not to a pipe that is
// closed when it has ended.
func TestProgramHasOurOutput(t *testing.T) {
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w := Wanted{command: []string{"/bin/sh", "-c", "readlink /proc/self/fd/1 /proc/self/fd/2"}}
	state, err := Run(t.Context(), console.Console{Out: wrapped{out}, Err: out}, jvm.AgentJars{}, w, t.TempDir())
	if err != nil || !state.Success() {
		t.Fatal(state, err)
	}
	said, err := os.ReadFile(out.Name())
	if want := strings.Repeat(out.Name()+"\n", 2); err != nil || string(said) != want {
		t.Errorf("its outputs are %q, %v, want %q", said, err, want)
	}
	var text bytes.Buffer // and what is not a file gets it all the same
	if _, err := Run(t.Context(), console.Console{Out: &text, Err: io.Discard}, jvm.AgentJars{}, Wanted{command: []string{"/bin/echo", "a"}}, t.TempDir()); err != nil || text.String() != "a\n" {
		t.Errorf("%q, %v", text.String(), err)
	}
}

const tracedBy = "MOOBENCH_TEST_TRACED_BY"

// TestTracing is the moobench of TestKilled.
func TestTracing(t *testing.T) {
	if os.Getenv(tracedBy) == "" {
		t.Skip("it runs in a process of its own")
	}
	dir, release, err := Folder()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	// A shell that starts the program, as scripts do.
	w := Wanted{command: []string{"/bin/sh", "-c", "sleep 1000 & echo $$ $!; wait"}}
	fmt.Println(dir)
	_, err = Run(context.Background(), console.Console{Out: os.Stdout, Err: os.Stderr}, jvm.AgentJars{}, w, dir)
	t.Error("it ended", err)
}

// TestKilled: with a moobench that is killed its program ends, and the next one ends what that had started, and removes
// the folder; that of one that lives stays, and those that are not ours.
func TestKilled(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	cmd := exec.Command(os.Args[0], "-test.run=^TestTracing$")
	cmd.Env = append(os.Environ(), tracedBy+"=us")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var dir string
	var shell, program int
	if _, err := fmt.Fscan(out, &dir, &shell, &program); err != nil {
		t.Fatal(err)
	}
	if ended := Sweep(); len(ended) > 0 || !isThere(dir) {
		t.Fatalf("the folder of one that lives: %q", ended)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	await(t, "the shell ends", func() bool { there, _ := proc.Running(shell); return !there })
	link := filepath.Join(temp, tempPrefix+"link")
	kept := filepath.Join(temp, "moobench-other")
	for _, err := range []error{os.Mkdir(kept, 0o700), os.Symlink(kept, link)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if ended := Sweep(); len(ended) != 1 || !strings.Contains(ended[0], strconv.Itoa(program)) {
		t.Errorf("ended %q, want process %d", ended, program)
	}
	if there, _ := proc.Running(program); there {
		syscall.Kill(program, syscall.SIGKILL)
		t.Error("the program goes on")
	}
	left, _ := filepath.Glob(filepath.Join(temp, "*"))
	if !slices.Equal(left, []string{kept, link}) {
		t.Errorf("%q are left, want %q", left, []string{kept, link})
	}
}

func isThere(path string) bool { _, err := os.Lstat(path); return err == nil }

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 1000 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("not in ten seconds: %s", what)
}
