package jvm

import (
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
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

// TestNoJVM: nothing that is no JVM is sent a signal.
func TestNoJVM(t *testing.T) {
	sleep := exec.Command("sleep", "100")
	if err := sleep.Start(); err != nil {
		t.Skipf("needs the command sleep: %v", err)
	}
	defer sleep.Wait()
	defer sleep.Process.Kill()
	for pid, want := range map[int]string{
		sleep.Process.Pid: "(sleep) is no JVM",
		os.Getpid():       "is no JVM", // Go itself catches SIGQUIT
		1 << 30:           "there is no process",
		-1:                "there is no process",
	} {
		for _, err := range []error{IsJVM(pid), Attach(t.Context(), pid, "/a.jar", "")} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("process %d: %v, want %q", pid, err, want)
			}
		}
	}
	if err := sleep.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the sleeping process is gone: %v", err)
	}
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
