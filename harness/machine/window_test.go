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
	w, err := openWindow(&Window{root: at("begin"), cpus: []int{1}, group: 100, own: 50, shared: shared, tickNS: 4_000_000})
	if err != nil {
		t.Fatal(err)
	}
	w.root = at(end)
	return w.Close()
}

func TestWindow(t *testing.T) {
	const ms = 1e6
	for _, c := range []struct {
		end             string
		shared          bool
		fixture, others float64
		because         string // "" means not disturbed
	}{
		{"quiet", false, 9200 * ms, 20 * ms, ""},
		{"disturbed", false, 9200 * ms, 1320 * ms, "13.2 % of the measured CPUs; on any CPU, most was used by stress (x) y (process 200, 1.2s), old (process 201, 150ms)"},
		{"disturbed", true, 9200 * ms, 320 * ms, "3.2 % of the measured CPUs"},
		{"hidden", false, 9200 * ms, 1320 * ms, "which ones is not known"},
		{"noise", false, 9200 * ms, 270 * ms, ""},
		{"gone", false, math.NaN(), math.NaN(), ""},
	} {
		u, err := window(t, c.end, c.shared)
		if err != nil {
			t.Errorf("%s: %v", c.end, err)
			continue
		}
		if !same(u.FixtureNS, c.fixture) || !same(u.OthersNS, c.others) || u.WindowNS != 10_000*ms {
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
	for name, want := range map[string]float64{"kernel_ns": 500e6, "irq_ns": 30e6, "steal_ns": 50e6, "iowait_ns": 10e6, "pressure_ns": 3e6} {
		if scalars[name] != want {
			t.Errorf("%s = %v, want %v", name, scalars[name], want)
		}
	}
	for _, m := range Metrics() {
		if _, ok := scalars[m.Name]; !ok || m.Unit != "ns" {
			t.Errorf("%s is described, but not there", m.Name)
		}
	}
	u, err = window(t, "hidden", false)
	if _, ok := u.Scalars()["pressure_ns"]; ok || err != nil {
		t.Errorf("pressure without /proc/pressure: %+v, %v", u, err)
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
	_, err = openWindow(&Window{root: sub, cpus: []int{7}, group: 100})
	if err == nil || !strings.Contains(err.Error(), "accounting for CPU 7: /proc/stat does not tell about CPU 7") {
		t.Errorf("got %v", err)
	}
	_, err = openWindow(&Window{root: machineOf(t, "vm"), cpus: []int{0}, group: 100})
	if err == nil || !strings.Contains(err.Error(), "uptime") {
		t.Errorf("got %v", err)
	}
}

func TestParseProcess(t *testing.T) {
	for _, stat := range []string{"", "1 (x", "1 (x) S 1 2", "1 x) (S", strings.Repeat(") ", 30)} {
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
	if u, err := w.Close(); err != nil || u.WindowNS < 0 {
		t.Errorf("%+v, %v", u, err)
	}
}
