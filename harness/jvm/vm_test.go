package jvm

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// startFake starts this test binary as a JVM. The time limits are so long that
// only a fake that hangs on purpose meets them.
func startFake(t *testing.T, mode string, change ...func(*Command)) (*VM, error) {
	t.Helper()
	c := Command{Path: os.Args[0], Env: []string{fakeVar + "=" + mode}, Dir: t.TempDir()}
	for _, f := range change {
		f(&c)
	}
	v, err := Start(t.Context(), c)
	if err == nil {
		t.Cleanup(v.Kill)
	}
	return v, err
}

func impatient(c *Command) { c.StartTimeout = 300 * time.Millisecond }

func mustFail(t *testing.T, err error, kind, message string) *Failure {
	t.Helper()
	var f *Failure
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want a *Failure", err)
	}
	if f.Kind != kind || !strings.Contains(f.Message, message) {
		t.Errorf("got %s: %s\nwant %s: …%s…", f.Kind, f.Message, kind, message)
	}
	return f
}

func TestConversation(t *testing.T) {
	t.Parallel()
	v, err := startFake(t, "good")
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Hello().String("jvm"); got != "17.0.15+6" {
		t.Errorf("jvm = %q", got)
	}
	if v.Greeted().CPUNS <= 0 || v.StartNS() <= 0 {
		t.Errorf("start-up: %v ns of CPU, started at %d", v.Greeted().CPUNS, v.StartNS())
	}
	for verb, lines := range map[string]int{"setup": 1, "measure": 1, "dump": 3} {
		answer, err := v.Ask(t.Context(), Message{Verb: verb})
		if err != nil || len(answer) != lines {
			t.Errorf("%s: %v, %v", verb, answer, err)
		}
	}
	if slices.ContainsFunc(v.Command(), func(a string) bool { return strings.Contains(a, "token") }) {
		t.Errorf("the command tells the token: %v", v.Command())
	}
	exit, err := v.Stop(t.Context())
	if err != nil || exit.Status != "0" || exit.WallNS <= 0 || exit.UserNS+exit.SystemNS <= 0 {
		t.Errorf("stopped with %+v, %v", exit, err)
	}
	_, err = v.Snapshot()
	if f, ok := errors.AsType[*Failure](err); !ok || f.Kind != KindDied || !strings.Contains(f.Message, "exit status 0") {
		t.Errorf("a snapshot of a process that is gone: %v", err)
	}
}

func TestStartFailures(t *testing.T) {
	for _, c := range []struct{ mode, kind, message string }{
		{"dies at start", KindStart, "exit status 1) before it said hello; the class path is wrong"},
		{"silent at start", KindTimeout, "did not say hello within"},
		{"wrong token", KindProtocol, "wrong token"},
		{"wrong version", KindProtocol, `protocol "2"`},
		{"wrong pid", KindProtocol, "1073741824"},
		{"garbage at start", KindGarbage, "not UTF-8"},
		{"speaks out of turn", KindProtocol, `began with "ready"`},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			var limit []func(*Command)
			if c.kind == KindTimeout {
				limit = append(limit, impatient)
			}
			_, err := startFake(t, c.mode, limit...)
			mustFail(t, err, c.kind, c.message)
		})
	}
}

func TestStartWithoutJava(t *testing.T) {
	_, err := startFake(t, "good", func(c *Command) { c.Path = filepath.Join(t.TempDir(), "java") })
	mustFail(t, err, KindStart, "no such file")
	_, err = startFake(t, "good", func(c *Command) { c.CPUs = []int{1000} })
	mustFail(t, err, KindStart, "not online or not allowed")
	_, err = startFake(t, "good", func(c *Command) { c.CPUs = []int{lastCPU(t), 1000} })
	mustFail(t, err, KindStart, "lets it have only 1 of them")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = Start(ctx, Command{Path: os.Args[0], Dir: t.TempDir()})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAskFailures(t *testing.T) {
	for _, c := range []struct{ mode, verb, kind, message string }{
		{"hangs", "measure", KindTimeout, "silent for"},
		{"exits", "measure", KindDied, "exit status 7) instead of answering measure; its log says OutOfMemoryError"},
		{"is killed", "measure", KindDied, "signal: killed, perhaps by the kernel"},
		{"fills the disk", "measure", kindDisk, "the disk is full"},
		{"lies", "measure", KindProtocol, `answered measure with "ready" instead of measured`},
		{"garbage", "measure", KindGarbage, "closing quote is missing"},
		{"floods", "measure", KindGarbage, "more than 65536 bytes"},
		{"half a line", "measure", KindDied, "exit status 0"},
		{"chatters", "dump", KindProtocol, "more than 10000 lines"},
		{"shouts", "dump", KindProtocol, "more than 16 MiB"},
		{"good", "sing", KindProtocol, `"sing" is not a request`},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			v, err := startFake(t, c.mode)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := t.Context(), context.CancelFunc(func() {})
			if c.kind == KindTimeout {
				ctx, cancel = context.WithTimeout(ctx, 200*time.Millisecond)
			}
			defer cancel()
			_, err = v.Ask(ctx, Message{Verb: c.verb})
			mustFail(t, err, c.kind, c.message)
			select {
			case <-v.Done():
			default:
				t.Error("it is still running")
			}
		})
	}
}

func TestClosedButAlive(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for the last breath of a JVM that has none")
	}
	v, err := startFake(t, "closes")
	if err != nil {
		t.Fatal(err)
	}
	_, err = v.Ask(t.Context(), Message{Verb: "measure"})
	mustFail(t, err, KindProtocol, "closed its control channel")
}

// TestLogThatIsNone: nobody waits for a writer of what a subject put in the place of
// its log.
func TestLogThatIsNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), LogName)
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Tail(path); got != "" {
		t.Errorf("%q", got)
	}
}

func TestRefusalAndInterruption(t *testing.T) {
	t.Parallel()
	v, err := startFake(t, "refuses")
	if err != nil {
		t.Fatal(err)
	}
	_, err = v.Ask(t.Context(), Message{Verb: "measure"})
	mustFail(t, err, KindRefused, `no class matches "+ x"`)
	if _, err := v.Ask(t.Context(), Message{Verb: "setup"}); err != nil {
		t.Errorf("after a refusal: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = v.Ask(ctx, Message{Verb: "setup"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	mustFail(t, err, kindInterrupted, "")
}

func TestStopFailures(t *testing.T) {
	for _, c := range []struct{ mode, kind, message, status string }{
		{"never exits", KindTimeout, "ended with SIGTERM", "signal: terminated"},
		{"never exits nor terminates", KindTimeout, "ended with SIGKILL", "signal: killed"},
		{"exits badly", KindDied, "exit status 4", "4"},
		{"exits without bye", KindDied, "exit status 0) instead of answering quit", "0"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			t.Parallel()
			v, err := startFake(t, c.mode, func(config *Command) {
				if c.kind == KindTimeout {
					config.Grace = 300 * time.Millisecond
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			exit, err := v.Stop(t.Context())
			mustFail(t, err, c.kind, c.message)
			if exit.Status != c.status {
				t.Errorf("status %q, want %q", exit.Status, c.status)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	for _, name := range []string{"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH", "OTEL_TRACES_EXPORTER"} {
		t.Setenv(name, "-Xmx1g")
	}
	p, err := StartProcess(t.Context(), Command{Path: os.Args[0], Env: []string{fakeVar + "=environment"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(p.log)
	if err != nil {
		t.Fatal(err)
	}
	want := "LANG=C.UTF-8\nPATH=/usr/local/bin:/usr/bin:/bin\nTZ=UTC\n" + fakeVar + "=environment\n"
	if got := string(log[:min(len(log), len(want))]); got != want || strings.Contains(string(log), "Xmx") {
		t.Errorf("environment:\n%s\nwant:\n%s", log, want)
	}
}

func TestProcess(t *testing.T) {
	last := lastCPU(t)
	p, err := StartProcess(t.Context(), Command{Path: "/bin/sleep", Args: []string{"1000"}, Dir: t.TempDir(), CPUs: []int{last}})
	if err != nil {
		t.Skipf("needs /bin/sleep: %v", err)
	}
	defer p.Kill()
	if p.CPUs() != strconv.Itoa(last) {
		t.Errorf("runs on %q, want %d", p.CPUs(), last)
	}
	s, err := p.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if s.GCCount == s.GCCount || s.PeakRSSBytes <= 0 {
		t.Errorf("snapshot of a process that is not a JVM: %+v", s)
	}
	seen, err := p.Glance()
	if err != nil || seen.RSSBytes <= 0 || seen.Threads != 1 || !(seen.WrittenBytes >= 0) || len(seen.threads) > 0 {
		t.Errorf("at a glance: %+v, %v", seen, err)
	}
	exit, err := p.Stop(t.Context())
	if err != nil || exit.Status != "signal: terminated" {
		t.Errorf("stopped with %+v, %v", exit, err)
	}
	if _, err := p.Glance(); err == nil {
		t.Error("a glance at nothing")
	}
	if _, err := (*Process)(nil).Glance(); err == nil {
		t.Error("a glance at what was not started")
	}
	if own := lastCPU(t); own != last {
		t.Errorf("our own affinity changed: last CPU %d, was %d", own, last)
	}
}

func TestProcessThatWillNotEnd(t *testing.T) {
	t.Parallel()
	p, err := StartProcess(t.Context(), Command{Path: os.Args[0], Env: []string{fakeVar + "=immortal"}, Dir: t.TempDir(), Grace: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	exit, err := p.Stop(t.Context())
	// It may not have come as far as ignoring SIGTERM.
	if err != nil {
		mustFail(t, err, KindTimeout, "did not end within 300ms")
	} else if exit.Status != "signal: terminated" {
		t.Errorf("status %q", exit.Status)
	}
}

func TestNothingStaysBehind(t *testing.T) {
	t.Parallel()
	p, err := StartProcess(t.Context(), Command{Path: os.Args[0], Env: []string{fakeVar + "=leaves a child"}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(p.log)
	if err != nil {
		t.Fatal(err)
	}
	awaitGone(t, string(log))
}

// TestKilledMoobench starts a moobench that starts a JVM that nothing can stop
// politely, and kills the moobench.
func TestKilledMoobench(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0], "-Ddir="+t.TempDir())
	cmd.Env = []string{fakeVar + "=parent"}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	awaitGone(t, line)
}

// awaitGone waits until a process has ended; it may stay a zombie where nobody
// reaps orphans.
func awaitGone(t *testing.T, pid string) {
	t.Helper()
	stat := fmt.Sprintf("/proc/%s/stat", strings.TrimSpace(pid))
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		text, err := os.ReadFile(stat)
		if err != nil || strings.Contains(string(text), ") Z ") {
			return
		}
	}
	t.Errorf("process %s outlived moobench", pid)
}

func lastCPU(t *testing.T) int {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Fatal(err)
	}
	last := -1
	for cpu := range 1024 {
		if set.IsSet(cpu) {
			last = cpu
		}
	}
	return last
}
