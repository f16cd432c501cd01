package machine

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/knob"
	"moobench/internal/testmachine"
	"moobench/refusal"
	"moobench/results"
)

const (
	governors = cpu.Dir + "/cpu*/cpufreq/scaling_governor"
	governor0 = cpu.Dir + "/cpu0/cpufreq/scaling_governor"
)

// placing shares out all CPUs that are online.
func placing(tree Tree) func() (cpu.Placement, error) {
	return func() (cpu.Placement, error) {
		t, err := cpu.ReadTopology(tree)
		return cpu.Place(nil, t), err
	}
}

func try(name, value string) knob.Wish {
	return knob.Wish{Knob: name, Value: value, Policy: results.PolicyTry}
}

func require(name, value string) knob.Wish {
	return knob.Wish{Knob: name, Value: value, Policy: results.PolicyRequire}
}

func knobState(t *testing.T, q *Quiet, name string) results.KnobState {
	t.Helper()
	for _, s := range q.States() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no state of %s", name)
	return results.KnobState{}
}

// quietly quietens, checks the journal and puts everything back.
func quietly(t *testing.T, k *testmachine.Kernel, check func(*Quiet), wishes ...knob.Wish) {
	t.Helper()
	before := k.Content()
	path := filepath.Join(t.TempDir(), "var", "machine.journal")
	q, err := Quieten(k, path, "runs/mine", placing(k), wishes)
	if err != nil {
		t.Fatal(err)
	}
	check(q)
	for range 2 {
		said, err := q.Restore()
		if err != nil || said.Left != nil || said.Problems != nil {
			t.Errorf("restoring: %+v, %v", said, err)
		}
		asBefore(t, k, before)
		if j, err := readJournal(path); j != nil || err != nil {
			t.Errorf("the journal is still there: %+v, %v", j, err)
		}
	}
}

func asBefore(t testing.TB, k *testmachine.Kernel, before map[string]string) {
	t.Helper()
	if d := cmp.Diff(before, k.Content()); d != "" {
		t.Errorf("not as found: %s", d)
	}
}

func TestQuieten(t *testing.T) {
	cases := []struct {
		name, tree, rules string
		wish              knob.Wish
		got, reason       string // reason is a part of it
	}{
		{"set", "desktop", "", try("governor", "performance"), "performance", ""},
		{"so already", "desktop", "", try("governor", "powersave"), "powersave", ""},
		{"choice", "desktop", "", try("thp", "never"), "never", ""},
		{"alias", "desktop", "", try("governor", "scaling"), "powersave", ""},
		{"smt", "desktop", "fresh " + governors + " performance", try("smt", "off"), "off", ""},
		{"read-only", "desktop", "readonly sys/...", try("governor", "performance"), "powersave", ": it is read-only here: only the host can change it"},
		{"not root", "desktop", "denied sys/...", try("governor", "performance"), "powersave", ""},
		{"ignored", "desktop", "ignores " + governors, try("governor", "performance"), "powersave", "the kernel kept powersave"},
		{"refused", "desktop", "rejects " + governors, try("governor", "performance"), "powersave", "/" + governor0 + ": the kernel refuses performance (invalid argument)"},
		{"ignored by one", "desktop", "ignores " + cpu.Dir + "/cpu3/cpufreq/scaling_governor", try("governor", "performance"), "powersave", "the kernel kept performance, powersave"},
		{"refused by the third", "desktop", "rejects " + cpu.Dir + "/cpu2/cpufreq/scaling_governor", try("governor", "performance"), "powersave", "cpu2/cpufreq/scaling_governor: the kernel refuses performance (invalid argument)"},
		{"rounded", "server", "rounds proc/sys/vm/swappiness 20", try("swappiness", "10"), "60", "the kernel kept 0"},
		{"set partly", "server", "rejects proc/irq/70/smp_affinity_list", try("irqs", "housekeeping"), "1 of 3 may run on CPU 1-3,5-7", "the kernel kept 1 of 3"},
		{"guard that nobody may write", "server", "denied proc/sys/kernel/nmi_watchdog", try("watchdog", "off"), "off", ""},
		{"not there", "vm", "", try("governor", "performance"), "", "there is no cpufreq here"},
		{"observed only", "desktop", "", try("clocksource", "hpet"), "tsc", "it can only be observed"},
		{"unknown", "desktop", "", try("weather", "fine"), "", "there is no such knob"},
		{"control group", "server", "", try("cpuset", "isolated"), "isolated", ""},
		{"of the subject", "desktop", "", try("aslr", "off"), "off", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			quietly(t, testmachine.Open(t, c.tree, c.rules), func(q *Quiet) {
				s := knobState(t, q, c.wish.Knob)
				if s.Got != c.got || !strings.Contains(s.Reason, c.reason) || s.Unmet() != (s.Reason != "") || s.Policy != c.wish.Policy {
					t.Errorf("%+v, want %q and %q", s, c.got, c.reason)
				}
			}, c.wish)
		})
	}
}

func TestObserveOnly(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	wish := knob.Wish{Knob: "governor", Policy: results.PolicyObserve}
	quietly(t, k, func(q *Quiet) {
		if s := knobState(t, q, "governor"); s.Found != "powersave" || s.Wanted != "" || s.Unmet() {
			t.Errorf("%+v", s)
		}
		if s := k.Content()[governor0]; s != "powersave\n" {
			t.Errorf("it is %q", s)
		}
	}, wish)
}

// TestPlacing sees that who runs where is asked once the second threads are gone.
func TestPlacing(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	quietly(t, k, func(q *Quiet) {
		if want := []int{1, 2, 3}; !slices.Equal(q.Placement.Fixture, want) {
			t.Errorf("fixture on %v, want %v", q.Placement.Fixture, want)
		}
		if s := knobState(t, q, "smt"); s.Found != "on" || s.Got != "off" {
			t.Errorf("%+v", s)
		}
	}, try("governor", "performance"), try("smt", "off"))

	before := k.Content()
	no := errors.New("no CPU is left")
	_, err := Quieten(k, filepath.Join(t.TempDir(), "j"), "", func() (cpu.Placement, error) { return cpu.Placement{}, no }, []knob.Wish{try("smt", "off")})
	if !errors.Is(err, no) {
		t.Errorf("got %v", err)
	}
	asBefore(t, k, before)
}

func TestRequire(t *testing.T) {
	k := testmachine.Open(t, "desktop", "ignores "+governors)
	before := k.Content()
	path := filepath.Join(t.TempDir(), "j")
	_, err := Quieten(k, path, "", placing(k), []knob.Wish{
		require("governor", "performance"), require("clocksource", "hpet"), require("turbo", "off"), try("thp", "never"),
	})
	var unmet *RequireError
	if !errors.As(err, &unmet) || len(unmet.Unmet) != 2 {
		t.Fatalf("got %v", err)
	}
	for _, part := range []string{"governor should be performance, and is powersave: the kernel kept powersave", "clocksource should be hpet", "\nhint: "} {
		if !strings.Contains(refusal.Text(err), part) {
			t.Errorf("%q is not in %v", part, err)
		}
	}
	asBefore(t, k, before)
	if l, err := Leftover(k, path); l != nil || err != nil {
		t.Errorf("left over: %v, %v", l, err)
	}
}

func TestSet(t *testing.T) {
	k := testmachine.Open(t, "desktop",
		"follows "+governors+"=performance ./energy_performance_preference performance",
		"follows "+governors+"=powersave ./energy_performance_preference default")
	quietly(t, k, func(q *Quiet) {
		for range 2 {
			for _, frequency := range []string{knob.FrequencyFixed, knob.FrequencyScaling} {
				if err := q.Set(knob.Frequency(frequency)); err != nil {
					t.Fatal(err)
				}
				for _, w := range knob.Frequency(frequency) {
					if s := knobState(t, q, w.Knob); s.Unmet() || s.Got == "" {
						t.Errorf("%s: %+v", frequency, s)
					}
				}
			}
		}
		wrong := []knob.Wish{require("thp", "always"), require("clocksource", "hpet")}
		var unmet *RequireError
		if err := q.Set(wrong); !errors.As(err, &unmet) || len(unmet.Unmet) != 1 {
			t.Errorf("got %v", err)
		}
		if s := knobState(t, q, "thp"); s.Got != "always" {
			t.Errorf("put back with the rest: %+v", s)
		}
	})
	q, err := Quieten(k, filepath.Join(t.TempDir(), "j"), "", placing(k), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := q.Restore(); err != nil {
		t.Fatal(err)
	}
	if err := q.Set(knob.Frequency(knob.FrequencyFixed)); err == nil {
		t.Error("set after everything was put back")
	}
}

func TestSubjectOfQuiet(t *testing.T) {
	k := testmachine.Open(t, "server")
	quietly(t, k, func(q *Quiet) {
		if s := q.Subject(); !s.FixedAddresses || s.ControlGroup != "sys/fs/cgroup/moobench.fixture" {
			t.Errorf("%+v", s)
		}
	}, try("aslr", "off"), try("cpuset", "isolated"))
	quietly(t, k, func(q *Quiet) {
		if s := q.Subject(); s != (knob.Subject{}) {
			t.Errorf("%+v", s)
		}
	})
}

func TestHeld(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	k.Put("dev/cpu_dma_latency", "\x00\x94\x35\x77") // 2,000,000,000
	quietly(t, k, func(q *Quiet) {
		if s := knobState(t, q, "dma_latency"); s.Got != "10us" || s.Found != "unlimited" {
			t.Errorf("%+v", s)
		}
		if err := q.Set([]knob.Wish{try("dma_latency", "20us")}); err != nil {
			t.Error(err)
		}
		if s := knobState(t, q, "dma_latency"); s.Got != "20us" {
			t.Errorf("%+v", s)
		}
	}, try("dma_latency", "10us"))
}

func TestJournalThatCannotBe(t *testing.T) {
	k := testmachine.Open(t, "desktop")
	before := k.Content()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Quieten(k, filepath.Join(path, "j"), "", placing(k), []knob.Wish{try("thp", "never")})
	if err == nil {
		t.Error("changed without a journal")
	}
	asBefore(t, k, before)
}

func TestCanMeet(t *testing.T) {
	k := testmachine.Open(t, "desktop", "readonly "+governors, "denied proc/...")
	before := k.Content()
	wishes := []knob.Wish{
		try("thp", "never"), try("governor", "performance"), try("max_frequency", "highest"), require("clocksource", "hpet"),
		try("aslr", "off"),
		{Knob: "turbo", Policy: results.PolicyObserve},
		try("swappiness", "10"),
	}
	on, err := placing(k)()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, s := range CanMeet(k, on, wishes) {
		got[s.Name] = !s.Unmet()
		if s.Unmet() != (s.Reason != "") {
			t.Errorf("%+v", s)
		}
	}
	want := map[string]bool{"thp": true, "governor": false, "max_frequency": true, "clocksource": false, "aslr": true, "turbo": true, "swappiness": false}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	asBefore(t, k, before)
}

func TestCommands(t *testing.T) {
	write := func(value string, paths ...string) (all []knob.Change) {
		for _, p := range paths {
			all = append(all, knob.Change{Path: p, Value: value})
		}
		return all
	}
	cases := map[string][]knob.Change{
		"echo 1 | sudo tee /sys/a":                                     write("1", "sys/a"),
		"echo 1 | sudo tee /sys/cpu{0..2}/a":                           write("1", "sys/cpu0/a", "sys/cpu1/a", "sys/cpu2/a"),
		"echo 1 | sudo tee /sys/cpu{0,2}/a":                            write("1", "sys/cpu2/a", "sys/cpu0/a"),
		"echo 1 | sudo tee /sys/cpu{2..3}/state{1..2}/a":               write("1", "sys/cpu2/state1/a", "sys/cpu2/state2/a", "sys/cpu3/state1/a", "sys/cpu3/state2/a"),
		"echo 1 | sudo tee /sys/cpu2/state1/a /sys/cpu3/state2/a":      write("1", "sys/cpu2/state1/a", "sys/cpu3/state2/a"),
		"echo 'a b' | sudo tee /sys/a; sudo mkdir /sys/b":              append(write("a b", "sys/a"), knob.Change{Path: "sys/b", Kind: knob.ChangeMake}),
		"echo 1 | sudo tee /sys/a /sys/b; echo '$(x)' | sudo tee '/;'": append(write("1", "sys/a", "sys/b"), write("$(x)", ";")...),
	}
	for want, changes := range cases {
		if got := commands(changes, makeFolder); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestAllComesBack sets the knobs of the CPUs to whatever they take, in any
// company, on kernels that move other files with them, and puts all back.
func TestAllComesBack(t *testing.T) {
	names := []string{"smt", "turbo", "governor", "energy_preference", "max_frequency", "min_frequency", "cstates"}
	const each = "sys/devices/system/cpu/cpu*/cpufreq/"
	moves := []string{
		"fresh " + each + "scaling_max_freq 2200000", "fresh " + each + "scaling_governor performance",
		"fresh " + each + "energy_performance_preference power",
	}
	for seed := range uint64(9) {
		r := rand.New(rand.NewPCG(seed, 0))
		m := testmachine.Open(t, []string{"desktop", "server", "laptop"}[seed%3], moves...)
		before := m.Content()
		var wishes []knob.Wish
		for _, name := range names {
			k, _ := knob.Named(name)
			values := k.Values
			if i := r.IntN(len(values) + 1); i < len(values) {
				canonical, err := k.Check(values[i])
				if err != nil {
					t.Fatal(err)
				}
				wishes = append(wishes, try(name, canonical))
			}
		}
		q, err := Quieten(m, filepath.Join(t.TempDir(), "journal"), "", placing(m), wishes)
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range []string{knob.FrequencyFixed, knob.FrequencyScaling, knob.FrequencyFixed} {
			if err := q.Set(knob.Frequency(value)); err != nil {
				t.Fatalf("%v, and then %s: %v", wishes, value, err)
			}
		}
		said, err := q.Restore()
		if d := cmp.Diff(before, m.Content()); d != "" || err != nil {
			t.Fatalf("%v, %v: %s\n%+v", wishes, err, d, said)
		}
		if len(said.Left)+len(said.Problems) > 0 {
			t.Fatalf("%v: %+v", wishes, said)
		}
	}
}
