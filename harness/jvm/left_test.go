package jvm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestLeftBehind: what leaves the session of its parent is found, named and
// killed all the same, and what it waited for is not blamed.
func TestLeftBehind(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skipf("needs setsid: %v", err)
	}
	for script, want := range map[string]int{
		"setsid sleep 1000 & sleep 1000 & exit 0": 2,
		"sleep 0.01 & exit 0":                     0,
	} {
		dir := t.TempDir()
		p, err := StartProcess(t.Context(), Command{Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, Output: "said.log"})
		if err != nil {
			t.Fatal(err)
		}
		exit, err := p.Wait(t.Context())
		if err != nil || len(exit.Left) != want {
			t.Errorf("%s: left %q, %v, want %d", script, exit.Left, err, want)
		}
		if found := outliving(after(0), carries(p.mark), func(int) {}); len(found) != 0 {
			t.Errorf("%s: processes %v live on", script, found)
		}
	}
}

// TestOrphans: what a subject of a killed moobench has started is an orphan, and
// nothing else is.
func TestOrphans(t *testing.T) {
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Skipf("needs the command true: %v", err)
	}
	ours, err := StartProcess(t.Context(), Command{Path: "/bin/sleep", Args: []string{"1000"}, Dir: t.TempDir()})
	if err != nil {
		t.Skipf("needs /bin/sleep: %v", err)
	}
	defer ours.Kill()
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", ours.PID()))
	if err != nil {
		t.Fatal(err)
	}
	self := strings.Split(strings.TrimPrefix(ours.mark, markName+"="), ".")
	env := func(mark string) []byte { return []byte("\x00A=1\x00" + markName + "=" + mark + "\x00B=2\x00") }
	for what, c := range map[string]struct {
		pid  int
		env  []byte
		want bool
	}{
		"of a moobench that lives":             {ours.PID(), append([]byte{0}, environ...), false},
		"of one that is gone":                  {ours.PID(), env(fmt.Sprintf("%d.%s.x", gone.Process.Pid, self[1])), true},
		"of one whose number is another's now": {ours.PID(), env(fmt.Sprintf("%s.1%s.x", self[0], self[1])), true},
		"no mark":                              {ours.PID(), []byte("\x00A=1\x00"), false},
		"a mark of another kind":               {ours.PID(), env("/somewhere/.tmp-b0001.s00.r0"), false},
		"half a mark":                          {ours.PID(), env(strconv.Itoa(gone.Process.Pid)), false},
		"a process that is gone itself":        {gone.Process.Pid, env(fmt.Sprintf("%d.%s.x", gone.Process.Pid, self[1])), false},
	} {
		if got := orphaned(c.pid, c.env); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	theirs := exec.Command("sleep", "1000")
	theirs.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if err := theirs.Start(); err != nil {
		t.Skipf("needs the command sleep: %v", err)
	}
	defer theirs.Wait()
	defer theirs.Process.Kill()
	if orphaned(theirs.Process.Pid, env(fmt.Sprintf("%d.%s.x", gone.Process.Pid, self[1]))) {
		t.Error("that of another user")
	}
}

func TestWorkingDirectoryAndOutput(t *testing.T) {
	dir, work := t.TempDir(), t.TempDir()
	p, err := StartProcess(t.Context(), Command{Path: "/bin/sh", Args: []string{"-c", "pwd; echo oh >&2"}, Dir: dir, Work: work, Output: "said.log"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"said.log": work + "\n", LogName: "oh\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
}
