package jvm

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"moobench/refusal"
)

func TestAttachAnswers(t *testing.T) {
	for answer, want := range map[string]string{
		"0\nreturn code: 0\n":   "",
		"0\n0\n":                "", // before JDK 9
		"0\n":                   "",
		"0\nreturn code: 100\n": "finds no Agent-Class",
		"0\nreturn code: 101\n": "agent's class",
		"0\n102\n":              "agentmain threw",
		"1\nDynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM.\n": "-XX:-EnableDynamicAgentLoading",
		"101\n":                        `answered "101"`,
		"":                             "has it ended?",
		"0\ninstrument was not loaded": "instrument was not loaded",
	} {
		err := attached(answer, "/a.jar")
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", answer, err, want)
		}
	}
}

// TestAttachRequest plays the JVM's end of the socket.
func TestAttachRequest(t *testing.T) {
	ours, theirs := net.Pipe()
	const want = "1\x00load\x00instrument\x00false\x00/a.jar=x=1,y=2\x00"
	go func() {
		defer theirs.Close()
		got := make([]byte, len(want))
		if _, err := io.ReadFull(theirs, got); err != nil || string(got) != want {
			t.Errorf("sent %q, %v", got, err)
		}
		io.WriteString(theirs, "0\nreturn code: 0\n")
	}()
	if answer, err := load(t.Context(), ours, "/a.jar=x=1,y=2"); err != nil || answer != "0\nreturn code: 0\n" {
		t.Errorf("%q, %v", answer, err)
	}
	ours, _ = net.Pipe() // nobody reads
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := load(ctx, ours, "/a.jar"); err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("a request that was given up: %v", err)
	}
}

// TestNoJVM: nothing that is not a JVM is sent a signal.
func TestNoJVM(t *testing.T) {
	sleep := exec.Command("sleep", "100")
	if err := sleep.Start(); err != nil {
		t.Skipf("needs the command sleep: %v", err)
	}
	defer sleep.Wait()
	defer sleep.Process.Kill()
	for pid, want := range map[int]string{
		sleep.Process.Pid: "(sleep) is not a JVM",
		os.Getpid():       "is not a JVM", // Go itself catches SIGQUIT
		1 << 30:           "there is no process",
		-1:                "there is no process",
	} {
		for _, err := range []error{IsJVM(pid), attach(t.Context(), pid, "/a.jar", "")} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("process %d: %v, want %q", pid, err, want)
			}
		}
	}
	if err := sleep.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the sleeping process is gone: %v", err)
	}
}

// quitCounter is a process that takes SIGQUIT for nothing, as a JVM that finds no
// file does, and the file with a line for each.
func quitCounter(t *testing.T) (p *Process, quits string) {
	t.Helper()
	dir := t.TempDir()
	p, err := StartProcess(t.Context(), Command{Path: os.Args[0], Env: []string{fakeVar + "=counts quits"}, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	if said := firstLine(t, p); said != "ready" {
		t.Fatalf("it said %q", said)
	}
	return p, filepath.Join(dir, "quits")
}

// firstLine is what a process says first.
func firstLine(t *testing.T, p *Process) string {
	t.Helper()
	for {
		text, err := os.ReadFile(p.log)
		if line, _, whole := strings.Cut(string(text), "\n"); err == nil && whole {
			return line
		}
		select {
		case <-p.Done():
			t.Fatal("it has ended")
		case <-time.After(time.Millisecond):
		}
	}
}

// TestUnansweredAttachAsksTwice: each SIGQUIT is a dump of all threads in somebody's
// log.
func TestUnansweredAttachAsksTwice(t *testing.T) {
	t.Parallel()
	p, quits := quitCounter(t)
	err := summon(t.Context(), p.PID(), filepath.Join(t.TempDir(), "socket"), 30*attachLook)
	if err == nil || !strings.Contains(err.Error(), "opened no attach socket") {
		t.Errorf("no answer: %v", err)
	}
	const asked = "quit\nquit\n"
	for range 1000 { // it may not have come to write them down yet
		text, err := os.ReadFile(quits)
		if err == nil && len(text) >= len(asked) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(5 * attachLook) // nor those that must not be
	if text, err := os.ReadFile(quits); err != nil || string(text) != asked {
		t.Errorf("it was asked %d times, %v, want twice", strings.Count(string(text), "\n"), err)
	}
	p.Kill()
	if err := summon(t.Context(), p.PID(), "nowhere", attachLook); err == nil || !strings.Contains(err.Error(), "it ended") {
		t.Errorf("a process that is gone: %v", err)
	}
}

// TestAttachTouchesNothing that lies where the JVM looks for its file: its folder is
// its user's, and the other one everybody's.
func TestAttachTouchesNothing(t *testing.T) {
	own, tmp, outside := t.TempDir(), t.TempDir(), t.TempDir()
	victim := filepath.Join(outside, "victim")
	const name = ".attach_pid7"
	if err := errors.Join(os.WriteFile(victim, []byte("whole"), 0o600), os.Symlink(victim, filepath.Join(own, name))); err != nil {
		t.Fatal(err)
	}
	remove, err := leaveRequest(name, own, tmp)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(tmp, name)); err != nil {
		t.Error("nothing was left in the other folder:", err)
	}
	remove()
	if _, err := os.Lstat(filepath.Join(tmp, name)); err == nil {
		t.Error("it is still there")
	}
	if err := os.Symlink(filepath.Join(outside, "new"), filepath.Join(tmp, name)); err != nil {
		t.Fatal(err)
	}
	if _, err := leaveRequest(name, own, tmp); err == nil || !strings.Contains(err.Error(), own) || refusal.Do(err) == "" {
		t.Errorf("a link in either: %v", err)
	}
	if text, err := os.ReadFile(victim); string(text) != "whole" {
		t.Errorf("the victim holds %q, %v", text, err)
	}
	if _, err := os.Lstat(filepath.Join(outside, "new")); err == nil {
		t.Error("a link that leads nowhere was followed")
	}
}

// TestAttachSocketOfOthers: what listens where the JVM should is handed nothing.
func TestAttachSocketOfOthers(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "socket")
	ln, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	conn, err := connectTo(t.Context(), os.Getpid(), socket)
	if err != nil {
		t.Fatalf("the right process: %v", err)
	}
	conn.Close()
	jvm, _ := quitCounter(t)
	mustSay := func(what, want string, pid int, path string) {
		t.Helper()
		if conn, err := connectTo(t.Context(), pid, path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %q", what, conn, err, want)
		}
	}
	mustSay("of another process", "listens process "+strconv.Itoa(os.Getpid()), jvm.PID(), socket)
	link, file := filepath.Join(dir, "link"), filepath.Join(dir, "file")
	if err := errors.Join(os.Symlink(socket, link), os.WriteFile(file, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{link, file} {
		mustSay("no socket", "is not a socket", os.Getpid(), path)
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can give the socket to another user")
	}
	if err := os.Chown(socket, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	mustSay("of another user", "belongs to user 65534 and the process to user 0", os.Getpid(), socket)
}

const lateAgentSource = `
public class Late {
    public static void agentmain(String args) throws Exception {
        if (args != null && args.equals("throw")) {
            throw new IllegalStateException("as told");
        }
        java.nio.file.Files.write(java.nio.file.Paths.get("late.txt"), String.valueOf(args).getBytes());
    }
}
`

// lateAgentJar builds an agent with the JDK of a java command.
func lateAgentJar(t *testing.T, java string) string {
	t.Helper()
	dir := t.TempDir()
	bin := filepath.Dir(java)
	if err := os.WriteFile(filepath.Join(dir, "Late.java"), []byte(lateAgentSource), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "manifest"), []byte("Agent-Class: Late\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{
		{"javac", "Late.java"}, {"jar", "cfm", "late.jar", "manifest", "Late.class"},
	} {
		cmd := exec.Command(filepath.Join(bin, command[0]), command[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("needs a JDK with %s: %v\n%s", command[0], err, out)
		}
	}
	return filepath.Join(dir, "late.jar")
}

func TestAttachToRealJVM(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts a real JVM")
	}
	startReal(t, []string{"-Xmx64m"}, func(t *testing.T, v *VM) {
		jar := lateAgentJar(t, v.Process.cmd.Path)
		for range 2 { // the second time the socket is there
			if err := v.Attach(t.Context(), jar, "x=1,y=/tmp/a b"); err != nil {
				t.Fatal(err)
			}
			late := filepath.Join(filepath.Dir(v.log), "late.txt")
			if got, err := os.ReadFile(late); err != nil || string(got) != "x=1,y=/tmp/a b" {
				t.Errorf("the agent wrote %q, %v", got, err)
			}
			os.Remove(late)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(v.log), ".attach*")); left != nil {
			t.Errorf("left behind %v", left)
		}
		for options, want := range map[string]string{"throw": "agentmain threw", strings.Repeat("x", 1024): "at most 1024 bytes"} {
			if err := v.Attach(t.Context(), jar, options); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("options %.10s: %v, want %q", options, err, want)
			}
		}
		if err := v.Attach(t.Context(), "/nowhere/a.jar", ""); err == nil || !strings.Contains(err.Error(), "can't read the jar") {
			t.Errorf("a jar that is not there: %v", err)
		}
		if exit, err := v.Stop(t.Context()); err != nil || exit.Status != "0" {
			t.Errorf("it ended with %+v, %v", exit, err)
		}
	})
}

func TestJVMsThatTakeNoAgents(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts a real JVM")
	}
	for option, want := range map[string]string{
		"-XX:+DisableAttachMechanism":    "-XX:+DisableAttachMechanism",
		"-XX:-EnableDynamicAgentLoading": "forbids late agents",
		"-Xrs":                           "-Xrs",
	} {
		startReal(t, []string{"-Xmx64m", option}, func(t *testing.T, v *VM) {
			err := v.Attach(t.Context(), "/nowhere/a.jar", "")
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", option, err, want)
			}
			if exit, err := v.Stop(t.Context()); err != nil || exit.Status != "0" {
				t.Errorf("it ended with %+v, %v", exit, err)
			}
		})
	}
}
