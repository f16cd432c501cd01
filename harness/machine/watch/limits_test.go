package watch

import (
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moobench/harness/machine/cpu"
)

// TestDisturbanceLimits: others disturb if they take more than 2 % and at least 50 ms, and it is not an error of the
// accounting.
func TestDisturbanceLimits(t *testing.T) {
	const ms = 1e6
	for _, c := range []struct {
		window, others, noise, sure float64 // ms
		want                        string  // "": not disturbed
	}{
		{1000, 50, 0, 0, "took 5.0 % of"},
		{1000, 49.9, 0, 0, ""},
		{2500, 50, 0, 0, ""},
		{2500, 51, 0, 0, "took 2.0 % of"},
		{1000, 60, 60, 0, ""},
		{1000, 61, 60, 0, "took 6.1 % of"},
		{1000, 60, 60, 50, "took 6.0 % of"},
		{1000, 60, 60, 49, ""},
		{1000, math.NaN(), 60, 0, ""},
	} {
		u := Usage{windowNS: c.window * ms, othersNS: c.others * ms, noiseNS: c.noise * ms, sureNS: c.sure * ms}
		d := u.Disturbance()
		if (d != nil) != (c.want != "") || d != nil && !strings.Contains(d.Reason, c.want) {
			t.Errorf("%v ms of %v (± %v, surely %v): %+v", c.others, c.window, c.noise, c.sure, d)
		}
		if d != nil && (float64(d.OthersNS) != c.others*ms || d.Share != c.others/c.window) {
			t.Errorf("%v ms of %v are %+v", c.others, c.window, d)
		}
	}
}

// TestHeaviest: three processes are named at most, and none that took next to nothing beside the first.
func TestHeaviest(t *testing.T) {
	of := func(times ...float64) (all []consumer) {
		for i, ms := range times {
			all = append(all, consumer{i + 1, "x", ms * 1e6})
		}
		return all
	}
	for _, c := range []struct {
		all  []consumer
		want string
	}{
		{nil, ""},
		{of(100), "x (process 1, 100ms)"},
		{of(100, 5, 4.9), "x (process 1, 100ms), x (process 2, 5ms)"},
		{of(100, 90, 80, 70), "x (process 1, 100ms), x (process 2, 90ms), x (process 3, 80ms)"},
	} {
		if got := heaviest(c.all); got != c.want {
			t.Errorf("%v: %s, want %s", c.all, got, c.want)
		}
	}
}

// TestRounded: a time keeps a digit after that of its unit, and of ns none are lost.
func TestRounded(t *testing.T) {
	for ns, want := range map[float64]time.Duration{
		0: 0, 7: 7, 999: 999, 1000: time.Microsecond, 1234: 1200, 1250: 1300, 4.07e6: 4.1e6, 1e6: 1e6, 12_345_678: 12.3e6,
		1e9: 1e9, 1.26e9: 1.3e9, 61.24e9: 61.2e9,
	} {
		if got := rounded(ns); got != want {
			t.Errorf("%v ns are %s, want %s", ns, got, want)
		}
	}
}

// TestTimesOfCPUs: each time stands at its own place, what has the same meaning is one sum, and a line with too few
// of them is of no CPU.
func TestTimesOfCPUs(t *testing.T) {
	root := files(map[string]string{
		"proc/stat": "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 1 2 4 8 16 32 64 128\n" +
			"cpu2 1 1 1 1 1 1 1 1 1 1\ncpu3 1 1 1 1 1 1 1\nintr 7",
	})
	all, err := readCPUs(root, cpu.Set{0, 2})
	if err != nil {
		t.Fatal(err)
	}
	zero := cpuTimes{user: 30e6, kernel: 40e6, idle: 80e6, iowait: 160e6, irq: 960e6, steal: 1280e6}
	sum := cpuTimes{user: 50e6, kernel: 50e6, idle: 90e6, iowait: 170e6, irq: 980e6, steal: 1290e6}
	if len(all) != 2 {
		t.Errorf("%d CPUs, want 2: the total is not one: %+v", len(all), all)
	}
	if r := (reading{cpus: all}); all[0] != zero || r.measured(cpu.Set{0, 2}) != sum {
		t.Errorf("%+v, together %+v", all, r.measured(cpu.Set{0, 2}))
	}
	if _, err := readCPUs(root, cpu.Set{0, 3}); err == nil || err.Error() != "/proc/stat has no CPU 3" {
		t.Errorf("error %v", err)
	}
}

// TestCharged: what is charged to CPUs is known of the root of all groups only, and of each of them or not at all.
func TestCharged(t *testing.T) {
	root := files(map[string]string{cpuacct + "cpuacct.usage_percpu": "5 7 11"})
	if got := readCharged(root, cpu.Set{0}); !math.IsNaN(got) {
		t.Errorf("a group that is not the root tells %v", got)
	}
	root = files(map[string]string{cpuacct + "cpuacct.usage_percpu": "5 7 11", cpuacct + "cgroup.sane_behavior": "0"})
	for _, c := range []struct {
		cpus cpu.Set
		want float64
	}{{cpu.Set{0}, 5}, {cpu.Set{0, 2}, 16}, {cpu.Set{0, 3}, math.NaN()}} {
		if got := readCharged(root, c.cpus); !same(got, c.want) {
			t.Errorf("CPUs %s: %v, want %v", c.cpus, got, c.want)
		}
	}
}

// TestSince: the exact clock is believed where it was there both times. No time is negative, and a new process with
// an old pid has only its own.
func TestSince(t *testing.T) {
	before := process{start: "5", shownNS: 100e6, clockNS: 101e6}
	for name, c := range map[string]struct {
		now  process
		want float64
	}{
		"exact":             {process{start: "5", shownNS: 110e6, clockNS: 113e6}, 12e6},
		"no clock":          {process{start: "5", shownNS: 110e6, clockNS: math.NaN()}, 10e6},
		"backwards":         {process{start: "5", shownNS: 110e6, clockNS: 99e6}, 0},
		"shown backwards":   {process{start: "5", shownNS: 90e6, clockNS: math.NaN()}, 0},
		"a new one":         {process{start: "6", shownNS: 20e6, clockNS: 23e6}, 23e6},
		"new, and no clock": {process{start: "6", shownNS: 20e6, clockNS: math.NaN()}, 20e6},
	} {
		if got := c.now.since(before); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestTook: a subject that began and ended within the window is told, and its time is that of no other.
func TestTook(t *testing.T) {
	m := made{cpuacct: true, nohz: true, clocks: true, takers: []taker{
		{pid: 50, allowed: "0"}, {pid: 9, allowed: "1", took: 300, here: 300, ended: true},
	}}
	now := 0.0
	w, err := openWindow(&Window{
		root: m.tree(false), cpus: cpu.Set{1}, own: 50, tickNS: 4_000_000, clock: noClock,
		now: func() float64 { return now },
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Took(200e6, 100e6)
	w.root, now = m.tree(true), 1e9
	u, err := w.Close()
	if err != nil || u.fixtureNS != 300e6 || u.othersNS != 0 {
		t.Errorf("the subject took %v, others %v, %v", u.fixtureNS, u.othersNS, err)
	}
}

// TestSteps: of a counter all steps are seen, each from the value before it.
func TestSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		values := []float64{7, 12, 12, 15, 15, 11, 12}
		got := steps(5*time.Millisecond+1, func() float64 {
			time.Sleep(time.Millisecond)
			x := values[0]
			values = values[1:]
			return x
		})
		if want := []float64{1, 3, 5}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// TestTicking: a CPU that was idle long enough tells by its timers whether idle CPUs get ticks.
func TestTicking(t *testing.T) {
	for _, c := range []struct {
		idle, timers float64
		want         bool
	}{
		{2e8, 100, false},
		{2e8 - 1, 100, true},
		{1e9, 224, false},
		{1e9, 225, true},
		{1e9, 0, true},
		{0, 1, true},
	} {
		w := &Window{tickNS: 4e6, begin: reading{cpus: map[int]cpuTimes{1: {idle: 5}}, timers: map[int]float64{1: 0}}}
		end := reading{atNS: 1e9, cpus: map[int]cpuTimes{1: {idle: 5 + c.idle}}, timers: map[int]float64{1: c.timers}}
		if got := w.ticking(end); got != c.want {
			t.Errorf("idle for %v ns, %v timers: %t", c.idle, c.timers, got)
		}
	}
}
