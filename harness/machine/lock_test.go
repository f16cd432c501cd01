package machine

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
	if err == nil || !strings.Contains(err.Error(), LockVar) {
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
	if e := (&HeldError{}).Error(); !strings.HasPrefix(e, "another moobench is measuring") {
		t.Error(e)
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
