package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/machine"
	"moobench/internal/testmachine"
)

// quietCampaign changes settings when it starts, and for each invocation.
const quietCampaign = `
name = "quiet"
[machine]
profile          = "fixed-hardware"
wait_until_quiet = "0s"
swappiness       = 7
thp              = "never"
%s
[[scenario]]
use       = "overhead"
variants  = ["none", "cheap"]
calls     = 2_000
blocks    = 8
resources = 0
%s
[framework.cheap]
args  = ["-Dfake.cost=10"]
proof = "none"
`

// quietPlace is a place whose machine is the desktop in a folder.
func quietPlace(t *testing.T) (p place, env []string) {
	p = newPlace(t)
	// No process can be started in a control group that is a folder.
	p.write(fmt.Sprintf(quietCampaign, `cpuset = { policy = "observe" }`, `frequency = ["scaling", "fixed"]`))
	tree, rules := filepath.Join(p.dir, "tree"), filepath.Join(p.dir, "rules")
	if err := testmachine.Save("desktop", tree, rules); err != nil {
		t.Fatal(err)
	}
	return p, []string{treeVar + "=" + tree, rulesVar + "=" + rules}
}

func (p place) write(toml string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, "benchmarks.toml"), []byte(toml), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// with is the command with more environment and a journal of its own.
func (p place) with(env []string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := p.moobench(args...)
	cmd.Env = append(append(cmd.Env, machine.JournalVar+"="+filepath.Join(p.dir, "journal", "machine.journal")), env...)
	out := new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, out
	return cmd, out
}

// contents are the files of a tree. Those that can't be read are left out.
func contents(root fs.FS, patterns ...string) map[string]string {
	all := map[string]string{}
	take := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if text, err := fs.ReadFile(root, path); err == nil {
			all[path] = string(text)
		}
		return nil
	}
	for _, pattern := range patterns {
		paths, _ := fs.Glob(root, pattern) // the patterns are well-formed
		for _, path := range paths {
			fs.WalkDir(root, path, take)
		}
	}
	return all
}

// kills is how often a test kills: a few times, or as often as asked for.
func kills(t *testing.T, usual int) int {
	if n, err := strconv.Atoi(os.Getenv("MOOBENCH_TEST_KILLS")); err == nil {
		return n
	}
	if testing.Short() {
		return 2
	}
	return usual
}

// killAndPutBack kills moobench in the middle of a campaign and puts the machine
// back, again and again. It says how often there was something to put back.
func killAndPutBack(t *testing.T, p place, env []string, look func() map[string]string) (left int) {
	t.Helper()
	before := look()
	rng := rand.New(rand.NewPCG(5, 20261122))
	for n := range kills(t, 6) {
		cmd, out := p.with(env, "run", "-o", fmt.Sprintf("out%d", n), "benchmarks.toml")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		// A moment, not a measurement: any is as good as another.
		time.Sleep(time.Duration(20+rng.IntN(1500)) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if cmp.Diff(before, look()) != "" {
			left++
		}
		for again := range 2 {
			doctor, said := p.with(env, "doctor", "--restore")
			if err := doctor.Run(); err != nil {
				t.Fatalf("kill %d: doctor --restore, time %d: %v\n%s\nafter\n%s", n, again+1, err, said, out)
			}
			if diff := cmp.Diff(before, look()); diff != "" {
				t.Fatalf("kill %d: not as found (-found +now):\n%s\ndoctor said: %s", n, diff, said)
			}
		}
		if _, err := os.Stat(filepath.Join(p.dir, "journal", "machine.journal")); err == nil {
			t.Fatalf("kill %d: the journal is still there", n)
		}
	}
	return left
}

func TestKilledIsPutBack(t *testing.T) {
	p, env := quietPlace(t)
	tree := os.DirFS(filepath.Join(p.dir, "tree"))
	left := killAndPutBack(t, p, env, func() map[string]string { return contents(tree, "*") })
	t.Logf("%d times something was left changed", left)
}

// TestKilledHereIsPutBack does it to this machine, where that is asked for.
func TestKilledHereIsPutBack(t *testing.T) {
	if os.Getenv("MOOBENCH_TEST_KILL_HERE") == "" || os.Geteuid() != 0 {
		t.Skip("changes settings of this machine: needs root and MOOBENCH_TEST_KILL_HERE=1")
	}
	p := newPlace(t)
	p.write(fmt.Sprintf(quietCampaign, "rt_throttling = \"off\"\nnice = -3", ""))
	settings := []string{
		"proc/sys/vm/swappiness", "proc/sys/kernel/*watchdog*", "proc/sys/kernel/numa_balancing", "proc/sys/kernel/perf_event_max_sample_rate",
		"proc/sys/kernel/sched_rt_runtime_us", "proc/sys/kernel/randomize_va_space", "proc/irq/*/smp_affinity*", "proc/irq/default_smp_affinity",
		"sys/kernel/mm/transparent_hugepage/*", "sys/devices/system/cpu/smt/*", "sys/devices/system/cpu/cpu*/cpufreq/*", "sys/devices/system/cpu/cpu*/cpuidle/*/disable",
		"sys/devices/system/cpu/intel_pstate/*", "sys/devices/system/cpu/cpufreq/boost", "sys/fs/cgroup/cgroup.subtree_control", "sys/fs/cgroup/*/cgroup.subtree_control",
	}
	left := killAndPutBack(t, p, nil, func() map[string]string { return contents(machine.System(), settings...) })
	t.Logf("%d times something was left changed", left)
}

// TestSignalsPutBack ends a campaign as a terminal, a service manager or a
// closed connection do: nothing is left for a doctor.
func TestSignalsPutBack(t *testing.T) {
	p, env := quietPlace(t)
	tree := os.DirFS(filepath.Join(p.dir, "tree"))
	before := contents(tree, "*")
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		cmd, out := p.with(env, "run", "-o", s.String(), "benchmarks.toml")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for range 6000 {
			if names, _ := filepath.Glob(filepath.Join(p.dir, s.String(), "invocations", "b*")); len(names) > 1 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if cmp.Diff(before, contents(tree, "*")) == "" {
			t.Errorf("%s: nothing was changed, so nothing is tested:\n%s", s, out)
		}
		cmd.Process.Signal(s)
		if err := cmd.Wait(); err == nil || !strings.Contains(out.String(), "--resume") {
			t.Errorf("%s: %v\n%s", s, err, out)
		}
		if diff := cmp.Diff(before, contents(tree, "*")); diff != "" {
			t.Errorf("%s: not as found (-found +now):\n%s", s, diff)
		}
	}
}
