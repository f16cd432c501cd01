package machine

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moobench/harness/machine/machinetest"
	"moobench/results"
)

// stubborn and forgetful are rules that kernels have been seen to follow. One
// that is both can't always be put back.
var (
	stubborn = []string{
		"ignores " + governors,
		"ignores " + cpuDir + "/cpu1/cpufreq/scaling_governor",
		"ignores " + smtControl,
		"ignores " + thpFile,
		"rejects " + cpuDir + "/cpu2/cpufreq/scaling_governor",
		"rejects sys/fs/cgroup/" + groupName + "/cpuset.cpus.partition",
		"rejects proc/irq/*/smp_affinity_list",
		"readonly proc/...",
		"readonly sys/...",
		"readonly sys/fs/cgroup/...",
		"denied " + cpuDir + "/cpu3/cpufreq/scaling_governor",
		"rounds proc/sys/vm/swappiness 20",
	}
	forgetful = []string{
		"follows " + governors + "=powersave ./energy_performance_preference balance_power",
		"follows " + governors + "=schedutil ./energy_performance_preference power",
		"fresh " + governors + " performance",
		"fresh " + cpuDir + "/cpu*/cpufreq/energy_performance_preference default",
		"fresh " + cpuDir + "/cpu*/cpufreq/scaling_min_freq 1",
		"fresh " + cpuDir + "/cpu*/cpuidle/state*/disable 0",
	}
)

// settable is a wish for any knob that can be set, to any of its values.
func settable(t *rapid.T) Wish {
	type valued interface {
		Values() []string
		Check(string) (string, error)
	}
	var knobs []Knob
	for _, k := range Knobs() {
		if _, ok := k.(valued); ok {
			knobs = append(knobs, k)
		}
	}
	k := rapid.SampledFrom(knobs).Draw(t, "knob")
	v := k.(valued)
	value, err := v.Check(rapid.SampledFrom(v.Values()).Draw(t, "value"))
	if err != nil {
		t.Fatalf("%s: %v", k.Name(), err)
	}
	return Wish{k.Name(), value, rapid.SampledFrom([]results.Policy{results.PolicyTry, results.PolicyTry, results.PolicyRequire}).Draw(t, "policy")}
}

// lived runs what is done with a machine until it is through, or killed; it
// reports which.
func lived(t *rapid.T, do func() error) (killed bool) {
	defer func() {
		if p := recover(); p == machinetest.ErrDied {
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
		k := kernelFrom(t, rapid.SampledFrom([]string{"desktop", "server", "laptop", "vm", "container"}).Draw(r, "machine"),
			rapid.SliceOfN(rapid.SampledFrom(rapid.SampledFrom([][]string{stubborn, forgetful}).Draw(r, "kernel")), 0, 3).Draw(r, "rules")...)
		before := k.Content()
		journal := filepath.Join(dir, "machine.journal")
		os.Remove(journal)
		wishes := rapid.SliceOfN(rapid.Custom(settable), 0, 8).Draw(r, "wishes")
		frequencies := rapid.SliceOfN(rapid.SampledFrom([]string{FrequencyFixed, FrequencyScaling}), 0, 4).Draw(r, "frequencies")
		k.FailAt(rapid.IntRange(0, 40).Draw(r, "fail"))
		k.DieAt(rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 3000)).Draw(r, "die"))

		killed := lived(r, func() error {
			q, err := Quieten(k, journal, "", placing(k), wishes)
			if err != nil {
				return err
			}
			for _, f := range frequencies {
				var unmet *RequireError
				if err := q.Set(Frequency(f)); err != nil && !errors.As(err, &unmet) {
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
func putAllBack(t *rapid.T, k *machinetest.Kernel, journal string) error {
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
