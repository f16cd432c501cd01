package machine

import (
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// window is a window over CPU 1 of testdata/window.txtar, of a subject with pid
// 100, that ends in this way.
func window(t *testing.T, end string, shared bool) (Usage, error) {
	t.Helper()
	at := func(when string) fs.FS {
		sub, err := fs.Sub(machineOf(t, "window"), when)
		if err != nil {
			t.Fatal(err)
		}
		return sub
	}
	w := &Window{root: at("begin"), cpus: []int{1}, group: 100, own: 50, shared: shared, tickNS: 4_000_000, clock: noClock}
	w.now = func() float64 {
		seconds, _, _ := strings.Cut(line(w.root, "proc/uptime"), " ")
		return number(seconds) * 1e9
	}
	w, err := openWindow(w)
	if err != nil {
		t.Fatal(err)
	}
	w.root = at(end)
	return w.Close()
}

// noClock is a kernel without CPU-time clocks.
func noClock(int) float64 { return math.NaN() }

func TestWindow(t *testing.T) {
	const ms = 1e6
	for _, c := range []struct {
		end                    string
		shared                 bool
		source                 Source
		fixture, others, noise float64
		because                string // "" means not disturbed
	}{
		{"quiet", false, SourceIdle, 9700 * ms, 10 * ms, 20 * ms, ""},
		{"disturbed", false, SourceIdle, 8380 * ms, 1330 * ms, 20 * ms, "13.3 % of the measured CPUs; on any CPU, most was used by stress (x) y (process 200, 1.2s), old (process 201, 150ms)"},
		{"disturbed", true, SourceIdle, 8380 * ms, 330 * ms, 20 * ms, "3.3 % of the measured CPUs"},
		{"hidden", false, SourceTick, 8380 * ms, 650 * ms, 300 * ms, "which ones is not known"},
		{"noise", false, SourceTick, 9440 * ms, 270 * ms, 300 * ms, ""}, // though process 200 took 2.2 s, somewhere
		{"gone", false, SourceTick, math.NaN(), math.NaN(), 300 * ms, ""},
	} {
		u, err := window(t, c.end, c.shared)
		if err != nil {
			t.Errorf("%s: %v", c.end, err)
			continue
		}
		if u.Source != c.source || !same(u.FixtureNS, c.fixture) || !same(u.OthersNS, c.others) || u.NoiseNS != c.noise || u.WindowNS != 10_000*ms {
			t.Errorf("%s: %+v", c.end, u)
		}
		d := u.Disturbance()
		if (d != nil) != (c.because != "") || d != nil && !strings.Contains(d.Because, c.because) {
			t.Errorf("%s: disturbance %+v, want …%s…", c.end, d, c.because)
		}
	}
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func TestWindowScalars(t *testing.T) {
	u, err := window(t, "quiet", false)
	if err != nil {
		t.Fatal(err)
	}
	scalars := u.Scalars()
	for name, want := range map[string]float64{
		"cpus_noise_ns": 20e6, "kernel_ns": 500e6, "irq_ns": 30e6, "steal_ns": 50e6, "iowait_ns": 10e6,
		"pressure_ns": 3e6, "pressure_memory_ns": 2e6, "pressure_io_ns": 7e3,
		"frequency_begin_mhz": 3000, "frequency_end_mhz": 2400, "temperature_begin_c": 50, "temperature_end_c": 61.5, "throttle_count": 3,
		"interrupts_count": 2505, "interrupts_timer_count": 2500, "softirqs_count": 250, "switches_cpu_count": 1000, "switches_machine_count": 6000,
		"harness_written_bytes": 8192,
	} {
		if scalars[name] != want {
			t.Errorf("%s = %v, want %v", name, scalars[name], want)
		}
	}
	for _, m := range Metrics() {
		if _, ok := scalars[m.Name]; !ok && m.Name != "frequency_mhz" { // it needs registers
			t.Errorf("%s is described, but not there", m.Name)
		}
		delete(scalars, m.Name)
	}
	if len(scalars) != 0 {
		t.Errorf("not described: %v", scalars)
	}
}

func TestWindowThatSeesLittle(t *testing.T) {
	u, err := window(t, "hidden", false)
	if err != nil {
		t.Fatal(err)
	}
	scalars := u.Scalars()
	for _, name := range []string{"pressure_ns", "pressure_memory_ns", "frequency_mhz", "frequency_end_mhz", "temperature_end_c", "throttle_count", "interrupts_count", "switches_cpu_count", "harness_written_bytes"} {
		if x, ok := scalars[name]; ok {
			t.Errorf("%s = %v, out of nothing", name, x)
		}
	}
	if i := slices.IndexFunc(u.Heaviest, func(p Process) bool { return p.PID == 100 }); i >= 0 {
		t.Error("the subject disturbs itself")
	}
}

func TestWindowWithoutCPU(t *testing.T) {
	sub, err := fs.Sub(machineOf(t, "window"), "begin")
	if err != nil {
		t.Fatal(err)
	}
	_, err = openWindow(&Window{root: sub, cpus: []int{7}, group: 100, now: monotonic, clock: noClock})
	if err == nil || !strings.Contains(err.Error(), "accounting for CPU 7: /proc/stat does not tell about CPU 7") {
		t.Errorf("got %v", err)
	}
}

func TestParseProcess(t *testing.T) {
	for _, stat := range []string{"", "1 (x", "1 (x) S 1 2", "1 x) (S", strings.Repeat(") ", 30), "1 (x) S 1 1 1 0 -1 0 0 0 0 0 x 0 0 0 20 0 1 0 1 0 0"} {
		if p, ok := parseProcess(stat); ok {
			t.Errorf("%q: %+v", stat, p)
		}
	}
}

func TestWindowOfThisMachine(t *testing.T) {
	cpus, err := Allowed()
	if err != nil {
		t.Fatal(err)
	}
	w, err := OpenWindow(cpus, os.Getpid())
	if err != nil {
		t.Skipf("needs /proc: %v", err)
	}
	if u, err := w.Close(); err != nil || u.WindowNS < 0 || u.Own.Wakeups < 0 {
		t.Errorf("%+v, %v", u, err)
	}
}
