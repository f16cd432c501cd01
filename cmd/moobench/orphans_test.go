package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

const orphanCampaign = `
name = "orphans"
[command]
run = "sh job.sh"
dir = "."
[[scenario]]
use       = "command"
variants  = ["none"]
blocks    = 1
resources = 0
`

// TestOrphansAreEnded: what a subject has started goes on when moobench is killed,
// and is ended before another campaign measures.
func TestOrphansAreEnded(t *testing.T) {
	p := newPlace(t)
	pidFile := filepath.Join(p.dir, "pid")
	job := "test -e pid && exit 0\nsleep 1000 &\necho $! >new && mv new pid\nwait\n"
	for name, text := range map[string]string{"benchmarks.toml": orphanCampaign, "job.sh": job} {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// Other tests run moobench beside this one, and may end the orphan first.
	for attempt := 1; ; attempt++ {
		pid := orphan(t, p, pidFile, fmt.Sprint("first", attempt))
		second := fmt.Sprint("second", attempt)
		out, err := p.moobench("run", "-o", second, "benchmarks.toml").CombinedOutput()
		if sleeps(pid) {
			t.Fatalf("it runs on beside the second campaign:\n%s", out)
		}
		if err == nil && strings.Contains(string(out), "left behind sleep (process "+pid+"): ended") {
			return
		}
		if err != nil || attempt == 5 {
			t.Fatalf("%v\n%s", err, out)
		}
	}
}

// orphan kills a moobench in its campaign, whose job is left behind, and returns the job's process ID.
func orphan(t *testing.T, p place, pidFile, dir string) (pid string) {
	t.Helper()
	os.Remove(pidFile)
	first := p.moobench("run", "-o", dir, "benchmarks.toml")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	for range 6000 {
		if text, err := os.ReadFile(pidFile); err == nil {
			if pid = strings.TrimSpace(string(text)); sleeps(pid) {
				break
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	there := sleeps(pid)
	first.Process.Kill()
	first.Wait()
	t.Cleanup(func() {
		if n, err := strconv.Atoi(pid); err == nil && sleeps(pid) {
			syscall.Kill(n, syscall.SIGKILL)
		}
	})
	if !there {
		t.Fatalf("process %q of the job is not there: there is nothing to test", pid)
	}
	return pid
}

// sleeps says whether a process is there, and is the command sleep.
func sleeps(pid string) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	return err == nil && strings.Contains(string(stat), "(sleep) ") && !strings.Contains(string(stat), ") Z ")
}
