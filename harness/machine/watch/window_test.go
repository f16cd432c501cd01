package watch

import (
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
	"moobench/internal/testmachine"
)

// window is a window over CPU 1 of testdata/window.txtar, of a subject with pid
// 100, that ends in this way.
func window(t *testing.T, end string, shared bool) (Usage, error) {
	t.Helper()
	at := func(when string) fs.FS {
		sub, err := fs.Sub(testmachine.Open(t, "window"), when)
		if err != nil {
			t.Fatal(err)
		}
		return sub
	}
	w := &Window{root: at("begin"), cpus: cpu.Set{1}, group: 100, own: 50, shared: shared, tickNS: 4_000_000, clock: noClock}
	w.now = func() float64 {
		seconds, _, _ := strings.Cut(kernel.Line(w.root, "proc/uptime"), " ")
		return kernel.Number(seconds) * 1e9
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
		source                 source
		fixture, others, noise float64
		because                string // "" means not disturbed
	}{
		{"quiet", false, sourceIdle, 9700 * ms, 10 * ms, 20 * ms, ""},
		{"disturbed", false, sourceIdle, 8380 * ms, 1330 * ms, 20 * ms, "13.3 % of the measured CPUs; on any CPU, most was used by stress (x) y (process 200, 1.2s), old (process 201, 150ms)"},
		{"disturbed", true, sourceIdle, 8380 * ms, 330 * ms, 20 * ms, "3.3 % of the measured CPUs"},
		{"hidden", false, sourceTick, 8380 * ms, 650 * ms, 300 * ms, "which ones is not known"},
		{"noise", false, sourceTick, 9440 * ms, 270 * ms, 300 * ms, ""}, // though process 200 took 2.2 s, somewhere
		{"gone", false, sourceTick, math.NaN(), math.NaN(), 300 * ms, ""},
	} {
		u, err := window(t, c.end, c.shared)
		if err != nil {
			t.Errorf("%s: %v", c.end, err)
			continue
		}
		if u.source != c.source || !same(u.fixtureNS, c.fixture) || !same(u.othersNS, c.others) || u.noiseNS != c.noise || u.windowNS != 10_000*ms {
			t.Errorf("%s: %+v", c.end, u)
		}
		d := u.Disturbance()
		if (d != nil) != (c.because != "") || d != nil && !strings.Contains(d.Reason, c.because) {
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
	if i := slices.IndexFunc(u.heaviest, func(c consumer) bool { return c.pid == 100 }); i >= 0 {
		t.Error("the subject disturbs itself")
	}
}

func TestWindowWithoutCPU(t *testing.T) {
	sub, err := fs.Sub(testmachine.Open(t, "window"), "begin")
	if err != nil {
		t.Fatal(err)
	}
	_, err = openWindow(&Window{root: sub, cpus: cpu.Set{7}, group: 100, now: func() float64 { return 0 }, clock: noClock})
	if err == nil || !strings.Contains(err.Error(), "accounting for CPU 7: /proc/stat has no CPU 7") {
		t.Errorf("got %v", err)
	}
}

// Each figure of a process stands at its own place of the line. A line ends with the start in
// the oldest kernels, and a figure that can't be one makes the line unreadable.
func TestParseProcess(t *testing.T) {
	const times = " 100 20 3 4 20 0 1 0 55"
	whole := process{
		name: "a (b) c", parent: 1, group: 2, session: 3, start: "55",
		userNS: 1030e6, shownNS: 1200e6, childrenNS: 70e6,
	}
	kthreadd := process{
		name: "kthreadd", kernel: true, start: "55",
		userNS: 1030e6, shownNS: 1200e6, childrenNS: 70e6,
	}
	for _, c := range []struct {
		stat string
		want process // the zero process: it can't be read
	}{
		{"9 (a (b) c) S 1 2 3 0 -1 4194304 0 0 0 0" + times, whole},
		{"9 (a (b) c) S 1 2 3 0 -1 4194304 0 0 0 0" + times + " 7 8 9", whole},
		{"2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0" + times, kthreadd},
		{"", process{}},
		{"1 (x", process{}},
		{"1 (x) S 1 2", process{}},
		{"1 x) (S", process{}},
		{strings.Repeat(") ", 30), process{}},
		{"9 a) S 1 2 3 0 -1 0 0 0 0 0" + times, process{}},
		{"9 a) (S 1 2 3 0 -1 0 0 0 0 0" + times, process{}},
		{"9 (a) S 1 2 3 0 -1 0 0 0 0 0 100 20 3 4 20 0 1 0", process{}},
		{"9 (a) S x 2 3 0 -1 0 0 0 0 0" + times, process{}},
		{"9 (a) S 1 x 3 0 -1 0 0 0 0 0" + times, process{}},
		{"9 (a) S 1 2 x 0 -1 0 0 0 0 0" + times, process{}},
		{"9 (a) S 1 2 3 0 -1 x 0 0 0 0" + times, process{}},
		{"9 (a) S 1 2 3 0 -1 0 0 0 0 0 x 20 3 4 20 0 1 0 55", process{}},
		{"9 (a) S 1 2 3 0 -1 0 0 0 0 0 100 x 3 4 20 0 1 0 55", process{}},
		{"9 (a) S 1 2 3 0 -1 0 0 0 0 0 100 20 x 4 20 0 1 0 55", process{}},
		{"9 (a) S 1 2 3 0 -1 0 0 0 0 0 100 20 3 x 20 0 1 0 55", process{}},
	} {
		if got, ok := parseProcess(c.stat); got != c.want || ok != (c.want != process{}) {
			t.Errorf("%q: %+v, %v, want %+v", c.stat, got, ok, c.want)
		}
	}
}

func TestWindowOfThisMachine(t *testing.T) {
	cpus, err := cpu.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Millisecond) // we were woken before
	before := ownWakeups()
	w, err := OpenWindow(cpus, os.Getpid())
	if err != nil {
		t.Skipf("needs /proc: %v", err)
	}
	u, err := w.Close()
	if err != nil || u.windowNS < 0 {
		t.Errorf("%+v, %v", u, err)
	}
	if n, most := u.scalars["harness_wakeups"], ownWakeups()-before; !(n >= 0 && n <= most) {
		t.Errorf("we were woken %v times within the window, and %v times around it", n, most)
	}
}

func TestAccountingOfThisMachine(t *testing.T) {
	a, err := MeasureAccounting()
	if err != nil {
		t.Skipf("needs /proc: %v", err)
	}
	if a.tickNS <= 0 || !strings.Contains(a.String(), "only in windows of ") {
		t.Errorf("%v", a)
	}
}

// Two cores count 2 and 3 times, and both tell of the same package.
func TestThrottled(t *testing.T) {
	const core, socket = "/thermal_throttle/core_throttle_count", "/thermal_throttle/package_throttle_count"
	begin := throttled(files(map[string]string{cpu.Dir + "/cpu2" + core: "1", cpu.Dir + "/cpu2" + socket: "5", cpu.Dir + "/cpu3" + core: "1", cpu.Dir + "/cpu3" + socket: "5"}), cpu.Set{2, 3})
	end := throttled(files(map[string]string{cpu.Dir + "/cpu2" + core: "3", cpu.Dir + "/cpu2" + socket: "9", cpu.Dir + "/cpu3" + core: "4", cpu.Dir + "/cpu3" + socket: "9"}), cpu.Set{2, 3})
	if got := end - begin; got != 9 {
		t.Errorf("throttled %v times, want 2 + 3 + 4", got)
	}
	if got := throttled(fstest.MapFS{}, cpu.Set{2, 3}); !math.IsNaN(got) {
		t.Errorf("throttled %v times, out of nothing", got)
	}
}

func files(contents map[string]string) fstest.MapFS {
	root := fstest.MapFS{}
	for path, content := range contents {
		root[path] = &fstest.MapFile{Data: []byte(content + "\n")}
	}
	return root
}
