package machine

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/internal/testmachine"
	"moobench/results"
)

const thpFile = "sys/kernel/mm/transparent_hugepage/enabled"

// stubborn and forgetful are rules that kernels have been seen to follow. One
// that is both can't always be put back.
var (
	stubborn = []string{
		"ignores " + governors,
		"ignores " + cpu.Dir + "/cpu1/cpufreq/scaling_governor",
		"ignores " + cpu.Dir + "/smt/control",
		"ignores " + thpFile,
		"rejects " + cpu.Dir + "/cpu2/cpufreq/scaling_governor",
		"rejects " + group + "/cpuset.cpus.partition",
		"rejects proc/irq/*/smp_affinity_list",
		"readonly proc/...",
		"readonly sys/...",
		"readonly sys/fs/cgroup/...",
		"denied " + cpu.Dir + "/cpu3/cpufreq/scaling_governor",
		"rounds proc/sys/vm/swappiness 20",
	}
	forgetful = []string{
		"follows " + governors + "=powersave ./energy_performance_preference balance_power",
		"follows " + governors + "=schedutil ./energy_performance_preference power",
		"fresh " + governors + " performance",
		"fresh " + cpu.Dir + "/cpu*/cpufreq/energy_performance_preference default",
		"fresh " + cpu.Dir + "/cpu*/cpufreq/scaling_min_freq 1",
		"fresh " + cpu.Dir + "/cpu*/cpuidle/state*/disable 0",
	}
)

// anyWish is one for any knob that can be set, to any of its values.
func anyWish(t *rapid.T) knob.Wish {
	knobs := slices.DeleteFunc(knob.All(), func(k knob.Knob) bool { return k.Check == nil })
	k := knobs[rapid.IntRange(0, len(knobs)-1).Draw(t, "knob")]
	value, err := k.Check(rapid.SampledFrom(k.Values).Draw(t, "value"))
	if err != nil {
		t.Fatalf("%s: %v", k.Name, err)
	}
	return knob.Wish{Knob: k.Name, Value: value, Policy: rapid.SampledFrom([]results.Policy{results.PolicyTry, results.PolicyTry, results.PolicyRequire}).Draw(t, "policy")}
}

// lived runs what is done with a machine until it is through, or killed; it
// reports which.
func lived(t *rapid.T, do func() error) (killed bool) {
	defer func() {
		if p := recover(); p == testmachine.ErrDied {
			killed = true
		} else if p != nil {
			panic(p)
		}
	}()
	var unmet *RequireError
	if err := do(); err != nil && !errors.As(err, &unmet) {
		t.Fatal(err)
	}
	return false
}

// unsynced is a folder in memory where there is one: nobody cuts the power.
func unsynced(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "moobench-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// TestAlwaysPutBack quietens any machine in any way, with one write that fails,
// and kills at any point, the restoration included.
func TestAlwaysPutBack(t *testing.T) {
	dir := unsynced(t)
	rapid.Check(t, func(r *rapid.T) {
		k := testmachine.Open(t, rapid.SampledFrom([]string{"desktop", "server", "laptop", "vm", "container"}).Draw(r, "machine"),
			rapid.SliceOfN(rapid.SampledFrom(rapid.SampledFrom([][]string{stubborn, forgetful}).Draw(r, "kernel")), 0, 3).Draw(r, "rules")...)
		before := k.Content()
		journal := filepath.Join(dir, "machine.journal")
		os.Remove(journal)
		wishes := rapid.SliceOfN(rapid.Custom(anyWish), 0, 8).Draw(r, "wishes")
		frequencies := rapid.SliceOfN(rapid.SampledFrom([]string{knob.FrequencyFixed, knob.FrequencyScaling}), 0, 4).Draw(r, "frequencies")
		k.FailAt(rapid.IntRange(0, 40).Draw(r, "fail"))
		k.DieAt(rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 3000)).Draw(r, "die"))

		killed := lived(r, func() error {
			q, err := Quieten(k, journal, "", placing(k), wishes)
			if err != nil {
				return err
			}
			for _, f := range frequencies {
				var unmet *RequireError
				if err := q.Set(knob.Frequency(f)); err != nil && !errors.As(err, &unmet) {
					return err
				}
			}
			said, err := q.Restore()
			if said.Left != nil || said.Problems != nil {
				r.Errorf("%+v", said)
			}
			return err
		})
		for deaths := 0; killed; deaths++ {
			k.Revive()
			orphan(t, journal)
			if deaths < 3 {
				k.DieAt(rapid.IntRange(1, 1000).Draw(r, "die again"))
			}
			killed = lived(r, func() error { return putAllBack(r, k, journal) })
		}
		k.Revive()
		if d := cmp.Diff(before, k.Content()); d != "" {
			r.Fatalf("not as found: %s", d)
		}
		if l, err := Leftover(k, journal); l != nil || err != nil {
			r.Fatalf("left over: %v, %v", l, err)
		}
	})
}

// putAllBack is the next moobench. Nobody else has changed anything.
func putAllBack(t *rapid.T, k *testmachine.Kernel, journal string) error {
	l, err := Leftover(k, journal)
	if l == nil || err != nil {
		return err
	}
	said, err := l.Restore()
	if said.Left != nil || said.Problems != nil {
		t.Errorf("%+v", said)
	}
	return err
}
