package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// busy is a program that locks and calls for as long as it lives, and says by a file who it is.
const busy = `public class Busy {
	static long n;
	synchronized void step() { n++; }
	void steps(long millis) {
		for (long end = System.nanoTime() + millis * 1_000_000; System.nanoTime() < end; java.util.concurrent.locks.LockSupport.parkNanos(1_000_000)) {
			for (int i = 0; i < 100; i++) step();
		}
	}
	public static void main(String[] a) throws Exception {
		java.nio.file.Files.write(java.nio.file.Paths.get("pid"), Long.toString(ProcessHandle.current().pid()).getBytes());
		Busy b = new Busy();
		Thread other = new Thread(() -> b.steps(Long.parseLong(a[0])));
		other.start();
		b.steps(Long.parseLong(a[0]));
		other.join();
		System.out.println("done " + n);
	}
}
`

// watched are the verbs that run a program and log what it does.
var watched = [][]string{
	{"trace", "--class", "Busy", "-o", "x.html", "-o", "x.json"},
	{"locks", "-o", "x.html", "-o", "x.csv"},
}

// inFolder is a verb, ready to be started, with a folder of its own for what is temporary.
func inFolder(t *testing.T, dir string, words ...string) *exec.Cmd {
	t.Helper()
	temp := filepath.Join(dir, "tmp")
	if err := os.MkdirAll(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := realCommand(t, dir, words...)
	cmd.Env = append(cmd.Env, "TMPDIR="+temp)
	return cmd
}

// gone waits until a process has ended.
func gone(t *testing.T, pid int) {
	t.Helper()
	for range 1000 {
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err != nil || strings.Contains(string(text), ") Z ") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d lives on", pid)
}

// killedAfter starts a command, and kills it a while later.
func killedAfter(t *testing.T, cmd *exec.Cmd, after time.Duration) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	cmd.Process.Kill()
	cmd.Wait()
}

// TestVerbsKilledAnytime kills trace and locks while they run a program, and swap while it changes
// one: no program and no folder is left, no file is half there, and a JVM that was swapped into
// lives and answers the next one.
func TestVerbsKilledAnytime(t *testing.T) {
	needReal(t)
	dir := t.TempDir()
	javac(t, dir, "Busy.java", busy)
	rng := rand.New(rand.NewPCG(20141127, 4))
	kills := max(1, *allKills/12)
	for _, verb := range watched {
		words := slices.Concat(verb, []string{"--", "java", "-XX:TieredStopAtLevel=1", "-cp", dir, "Busy"})
		for range kills {
			os.Remove(filepath.Join(dir, "pid"))
			killedAfter(t, inFolder(t, dir, slices.Concat(words, []string{"60000"})...), time.Duration(rng.IntN(1200))*time.Millisecond)
			if text, err := os.ReadFile(filepath.Join(dir, "pid")); err == nil {
				pid, _ := strconv.Atoi(string(text))
				gone(t, pid)
			}
		}
		b, _ := inFolder(t, dir, slices.Concat(words, []string{"1"})...).CombinedOutput()
		if out := string(b); !strings.Contains(out, "done ") || !strings.Contains(out, "written: x.html") {
			t.Errorf("%s after %d kills:\n%s", verb[0], kills, out)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "tmp", "moobench-*")); len(left) > 0 {
			t.Errorf("%s leaves %s", verb[0], left)
		}
		if page, err := os.ReadFile(filepath.Join(dir, "x.html")); err != nil || !strings.Contains(string(page), "</html>") {
			t.Errorf("%s: half a page, or none: %v", verb[0], err)
		}
	}
	swapKilled(t, dir, kills, rng)
}

func swapKilled(t *testing.T, dir string, kills int, rng *rand.Rand) {
	pid := strconv.Itoa(someProgram(t, "java"))
	for i := range kills {
		pattern := []string{"+ com.acme..*.*(..)", "- com.acme..*.*(..)"}[i%2]
		killedAfter(t, realCommand(t, dir, "swap", pid, pattern), time.Duration(rng.IntN(400))*time.Millisecond)
	}
	if s := swapOnce(t, []string{"swap", pid, "--json", "+ com.acme..*.*(..)"}); s.Count != 4 {
		t.Errorf("after %d kills %d methods are monitored, want 4", kills, s.Count)
	}
	for _, where := range []string{os.TempDir(), fmt.Sprintf("/proc/%s/cwd", pid)} {
		if left, _ := filepath.Glob(filepath.Join(where, ".attach_pid"+pid)); len(left) > 0 {
			t.Errorf("swap leaves %s", left)
		}
	}
}

// TestVerbsOnFullDisk fills the disk that trace and locks log to, at random moments: they
// have all events or say that some are missing, the program has its own output, and nothing stays behind.
func TestVerbsOnFullDisk(t *testing.T) {
	needReal(t)
	if os.Geteuid() != 0 {
		t.Skip("only root can make a small disk")
	}
	dir := t.TempDir()
	javac(t, dir, "Busy.java", busy)
	temp := filepath.Join(dir, "tmp")
	if err := os.Mkdir(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", temp, "tmpfs", 0, "size=64m"); err != nil {
		t.Skip("no small disk can be made here:", err)
	}
	defer unix.Unmount(temp, unix.MNT_DETACH)
	rng := rand.New(rand.NewPCG(20141127, 5))
	filler := filepath.Join(temp, "filler")
	for range max(1, *allFills/8) {
		for _, verb := range watched {
			words := slices.Concat(verb, []string{"--", "java", "-XX:TieredStopAtLevel=1", "-cp", dir, "Busy", "600"})
			os.Remove(filepath.Join(dir, "x.html"))
			left := int64(rng.IntN(60_000))
			time.AfterFunc(time.Duration(200+rng.IntN(600))*time.Millisecond, func() { fill(filler, left) })
			out, _ := inFolder(t, dir, words...).CombinedOutput()
			allOrSaid(t, dir, verb[0], string(out))
			if stale, _ := filepath.Glob(filepath.Join(temp, "moobench-*")); len(stale) > 0 {
				t.Errorf("%s leaves %s", verb[0], stale)
			}
		}
	}
}

// allOrSaid tells that what a verb wrote has each step of the program, or terminal and page say
// that events are missing.
func allOrSaid(t *testing.T, dir, verb, out string) {
	t.Helper()
	done := regexp.MustCompile(`(?m)^done (\d+)$`).FindStringSubmatch(out)
	if done == nil {
		t.Errorf("the program of %s didn't end:\n%s", verb, out)
		return
	}
	page, err := os.ReadFile(filepath.Join(dir, "x.html"))
	silent := err == nil && !bytes.Contains(page, []byte("are missing")) && !bytes.Contains(page, []byte("has no end"))
	if !silent && strings.Contains(strings.ToLower(out), "no space left") {
		return
	}
	kept := "?"
	switch verb {
	case "trace":
		events, err := os.ReadFile(filepath.Join(dir, "x.json"))
		if err != nil {
			t.Error(err)
		}
		kept = strconv.Itoa(bytes.Count(events, []byte(`{"name":"Busy.step","ph":"B"`)))
	case "locks":
		if executions := regexp.MustCompile(`([\d,]+) executions of`).FindSubmatch(page); executions != nil {
			kept = strings.ReplaceAll(string(executions[1]), ",", "")
		}
	}
	if kept != done[1] {
		t.Errorf("%s kept %s of %s steps, and doesn't say so:\n%s", verb, kept, done[1], out)
	}
}
