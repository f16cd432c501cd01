package main

import (
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
	first := p.moobench("run", "-o", "first", "benchmarks.toml")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	var pid string
	for range 6000 {
		if text, err := os.ReadFile(pidFile); err == nil {
			pid = strings.TrimSpace(string(text))
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	first.Process.Kill()
	first.Wait()
	t.Cleanup(func() {
		if n, err := strconv.Atoi(pid); err == nil && sleeps(pid) {
			syscall.Kill(n, syscall.SIGKILL)
		}
	})
	if !sleeps(pid) {
		t.Fatalf("process %q of the job does not outlive moobench: there is nothing to test", pid)
	}
	out, err := p.moobench("run", "-o", "second", "benchmarks.toml").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "left behind sleep (process "+pid+"): ended") {
		t.Errorf("%v\n%s", err, out)
	}
	if sleeps(pid) {
		t.Error("it runs on beside the second campaign")
	}
}

// sleeps says whether a process is there, and is the command sleep.
func sleeps(pid string) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	return err == nil && strings.Contains(string(stat), "(sleep) ") && !strings.Contains(string(stat), ") Z ")
}
