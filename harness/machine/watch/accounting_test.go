package watch

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"moobench/harness/machine/cpu"
	"moobench/harness/proc"
)

// taker is a process of a made-up machine with CPUs 0 and 1, of which 1 is
// measured. Times are in ms.
type taker struct {
	pid, parent, group     int
	flags                  int
	allowed                string
	before, took, children float64
	here                   float64 // how much of took was on CPU 1
	ended                  bool    // within the window
	session, start         int     // 0: 1, and the pid
	cgroup                 string
}

// made is a window of a second on a made-up machine whose kernel knows this.
type made struct {
	takers  []taker
	cpuacct bool
	nohz    bool
	clocks  bool
}

func (m made) tree(end bool) fstest.MapFS {
	root, here, all := fstest.MapFS{}, 0.0, 0.0
	put := func(path, format string, args ...any) {
		root[path] = &fstest.MapFile{Data: fmt.Appendf(nil, format, args...)}
	}
	for _, k := range m.takers {
		user, children := k.before, 0.0
		if end {
			user, children = k.before+k.took, k.children
			here += k.here
			all += k.took
		}
		if end && k.ended {
			continue
		}
		put(fmt.Sprintf("proc/%d/stat", k.pid), "%d (p%d) S %d %d %d 0 -1 %d 0 0 0 0 %.0f 0 %.0f 0 20 0 1 0 %d 0 0",
			k.pid, k.pid, k.parent, k.group, cmp.Or(k.session, 1), k.flags, math.Floor(user/10), math.Floor(children/10), cmp.Or(k.start, k.pid))
		put(fmt.Sprintf("proc/%d/cgroup", k.pid), "0::%s\n", k.cgroup)
		put(fmt.Sprintf("proc/%d/task/%d/status", k.pid, k.pid), "Cpus_allowed_list:\t%s\n", k.allowed)
	}
	idle, timers := 0.0, 250
	if end {
		idle = 1000 - here
	}
	if m.nohz {
		timers = 10
	}
	if !end {
		timers = 0
	}
	put("proc/stat", "cpu0 0 0 0 %.0f 0 0 0 0 0 0\ncpu1 %.0f 0 0 %.0f 0 0 0 0 0 0\n", max(0, float64(timers*4-int(all-here))/10), here/10, math.Floor(idle/10))
	if m.nohz && end {
		put("proc/stat", "cpu0 0 0 0 90 0 0 0 0 0 0\ncpu1 %.0f 0 0 %.0f 0 0 0 0 0 0\n", here/10, math.Floor(idle/10))
	}
	put("proc/interrupts", "  CPU0 CPU1\nLOC: %d %d\n", 1000+timers, 1000+timers)
	if m.cpuacct {
		put(cpuacct+"cgroup.sane_behavior", "0\n")
		put(cpuacct+"cpuacct.usage_percpu", "0 %.0f\n", here*1e6)
	}
	return root
}

func (m made) usage(t interface{ Fatal(...any) }) Usage {
	now, end := 0.0, false
	w := &Window{root: m.tree(false), cpus: cpu.Set{1}, group: 100, own: 50, tickNS: 4_000_000, now: func() float64 { return now }}
	w.clock = func(pid int) float64 {
		for _, k := range m.takers {
			if k.pid == pid && m.clocks {
				if end {
					return (k.before + k.took) * 1e6
				}
				return k.before * 1e6
			}
		}
		return math.NaN()
	}
	w, err := openWindow(w)
	if err != nil {
		t.Fatal(err)
	}
	w.root, now, end = m.tree(true), 1e9, true
	u, err := w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestAccount(t *testing.T) {
	jvm := taker{pid: 100, parent: 50, group: 100, allowed: "1", before: 5000, took: 800, here: 800}
	all := made{cpuacct: true, nohz: true, clocks: true}
	mainstream := made{nohz: true, clocks: true}
	coarse := made{}
	for _, c := range []struct {
		name    string
		kernel  made
		others  []taker
		want    float64 // ms of others, ± the noise of its source
		because string  // "" is not disturbed
	}{
		{"nobody", all, nil, 0, ""},
		{"nobody", mainstream, nil, 0, ""},
		{"nobody", coarse, nil, 0, ""},
		{"free to run anywhere, and here", all, []taker{{pid: 7, allowed: "0-1", took: 90, here: 80}}, 80, "p7 (process 7, 90ms)"},
		{"free to run anywhere, and here", mainstream, []taker{{pid: 7, allowed: "0-1", took: 90, here: 80}}, 80, "p7"},
		{"free to run anywhere, but elsewhere", all, []taker{{pid: 7, allowed: "0-1", took: 900}}, 0, ""},
		{"free to run anywhere, but elsewhere", mainstream, []taker{{pid: 7, allowed: "0-1", took: 900}}, 0, ""},
		{"tied to this CPU", coarse, []taker{{pid: 7, allowed: "1", took: 80, here: 80}}, 80, "p7"},
		{"too little", all, []taker{{pid: 7, allowed: "1", took: 49, here: 49}}, 49, ""},
		{"a kernel thread", all, []taker{{pid: 7, flags: kernelThread, allowed: "1", took: 150, here: 150}}, 0, ""},
		{"a kernel thread", mainstream, []taker{{pid: 7, flags: kernelThread, allowed: "0-1", took: 150, here: 150}}, 0, ""},
		{"a kernel thread, and somebody", all, []taker{{pid: 7, flags: kernelThread, allowed: "1", took: 90, here: 90}, {pid: 8, allowed: "0-1", took: 60, here: 60}}, 60, "p8 (process 8, 60ms)"},
		{"the fixture's helper", all, []taker{{pid: 7, group: 100, allowed: "1", took: 150, here: 150}}, 0, ""},
		{"a helper of the fixture with a group of its own", all, []taker{{pid: 7, parent: 100, group: 7, allowed: "1", took: 150, here: 150}}, 0, ""},
		{"a child of moobench's", all, []taker{{pid: 7, parent: 50, group: 7, allowed: "1", took: 150, here: 150}}, 150, "p7"},
		{"short lives, waited for", all, []taker{{pid: 7, allowed: "0", children: 100}, {pid: 0, here: 100}}, 100, "p7 (process 7, 100ms)"},
		{"short lives, waited for", mainstream, []taker{{pid: 7, allowed: "0-1", children: 100}, {pid: 0, here: 100}}, 100, "p7"},
		{"short lives, seen by nobody", all, []taker{{pid: 0, here: 100}}, 100, "have ended, or are hidden"},
		{"a long life that ends", mainstream, []taker{{pid: 7, allowed: "0-1", children: 3000}, {pid: 8, parent: 7, allowed: "0-1", before: 3000, ended: true}}, 0, ""},
	} {
		m := c.kernel
		m.takers = []taker{jvm}
		for _, k := range c.others {
			if k.pid == 0 { // it came and went unseen
				k.ended, k.pid = true, 99
			}
			m.takers = append(m.takers, k)
		}
		u := m.usage(t)
		if math.Abs(u.othersNS-c.want*1e6) > min(u.noiseNS, 20e6) {
			t.Errorf("%s, %s: others took %v, want %v ms", c.name, u.source, time.Duration(u.othersNS), c.want)
		}
		d := u.Disturbance()
		if (d != nil) != (c.because != "") || d != nil && !strings.Contains(d.Reason, c.because) {
			t.Errorf("%s, %s: disturbance %+v, want …%s…", c.name, u.source, d, c.because)
		}
	}
}

// What is told is within the noise of the truth, whatever runs where, as long
// as kernel threads stay on one side.
func TestAccountingIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := made{cpuacct: rapid.Bool().Draw(t, "cpuacct"), nohz: true, clocks: rapid.Bool().Draw(t, "clocks")}
		budget, truth, steps := 1000.0, 0.0, 0.0
		for pid := 100; pid < 100+rapid.IntRange(1, 5).Draw(t, "processes"); pid++ {
			k := taker{pid: pid, group: pid, allowed: "0-1", before: rapid.Float64Range(0, 1e5).Draw(t, "before")}
			k.here = rapid.Float64Range(0, budget).Draw(t, "here")
			k.took = k.here + rapid.Float64Range(0, 100).Draw(t, "elsewhere")
			if pid == 100 {
				k.took, k.allowed = k.here, "1" // the fixture
			} else {
				truth += k.here
			}
			budget -= k.here
			steps += 10 // of what is shown without clocks
			m.takers = append(m.takers, k)
		}
		u := m.usage(t)
		off := u.noiseNS
		if !m.clocks {
			off += steps * 1e6
		}
		if math.Abs(u.othersNS-truth*1e6) > off+1 {
			t.Fatalf("others took %v, in truth %v ms (± %v)", u.othersNS, truth, u.noiseNS)
		}
	})
}

func TestAccountingInWords(t *testing.T) {
	for _, c := range []struct {
		a    Accounting
		want string
	}{
		{Accounting{tickNS: 4e6, processNS: 620, source: sourceGroup, stepNS: 4.07e6}, "of processes exact to 620ns, of CPUs in steps of up to 4.1ms (by cpuacct): other processes count from 50ms on, so 2 % only in windows of 2.5s or more"},
		{Accounting{tickNS: 4e6, source: sourceIdle, stepNS: 1e7}, "of processes not known, of CPUs in steps of up to 10ms (by idle time): other processes count from 50ms on, so 2 % only in windows of 2.5s or more"},
		{Accounting{tickNS: 4e6, processNS: 1e3, source: sourceTick, stepNS: 1e7}, "windows of 22.5s or more"},
	} {
		if got := c.a.String(); !strings.Contains(got, c.want) {
			t.Errorf("%s\nwant …%s…", got, c.want)
		}
	}
}

// A clock of another process that happens to have this pid is not believed.
func TestBelieve(t *testing.T) {
	for _, c := range []struct{ shown, clock, want float64 }{
		{1e9, 1.015e9, 1.015e9}, {0, 3e6, 3e6}, {1e9, 7e9, math.NaN()}, {7e9, 1e9, math.NaN()}, {1e9, math.NaN(), math.NaN()},
	} {
		if got := (process{shownNS: c.shown}).plausible(c.clock); !same(got, c.want) {
			t.Errorf("shown %v, clock %v: %v, want %v", c.shown, c.clock, got, c.want)
		}
	}
}

func TestReach(t *testing.T) {
	root := fstest.MapFS{}
	for path, list := range map[string]string{"1/task/1": "0-3", "2/task/2": "2", "2/task/9": "3", "3/task/3": "0", "3/task/4": "2-3", "4/task/4": "nonsense", "5/task/5": "0-1"} {
		root["proc/"+path+"/status"] = &fstest.MapFile{Data: []byte("Cpus_allowed_list:\t" + list + "\n")}
	}
	for pid, want := range map[int][2]bool{1: {true, false}, 2: {true, true}, 3: {true, false}, 4: {true, false}, 5: {false, false}, 6: {true, false}} {
		if some, only := mayRunOn(root, pid, []int{2, 3}); [2]bool{some, only} != want {
			t.Errorf("process %d: %v %v, want %v", pid, some, only, want)
		}
	}
}

// A process that burns CPU time on a measured CPU is found on this very
// machine, and we ourselves are not accused.
func TestDisturbanceOfThisMachine(t *testing.T) {
	if _, err := exec.LookPath("taskset"); err != nil {
		t.Skip("needs taskset, of util-linux")
	}
	cpus, err := cpu.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	last := cpus[len(cpus)-1:]
	w, err := OpenWindow(last, 0)
	if err != nil {
		t.Skipf("needs /proc: %v", err)
	}
	burner := exec.Command("taskset", "-c", last.String(), "sh", "-c", "while :; do :; done")
	if err := burner.Start(); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); proc.CPUNS(burner.Process.Pid) < 200e6 && time.Since(begin) < time.Minute; {
		time.Sleep(10 * time.Millisecond)
	}
	u, err := w.Close()
	burner.Process.Kill()
	burner.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if !u.matters(u.sureNS) {
		t.Skipf("needs a less busy machine: it took %v until others had 200ms", time.Duration(u.lengthNS))
	}
	d := u.Disturbance()
	if d == nil || !strings.Contains(fmt.Sprint(u.heaviest), strconv.Itoa(burner.Process.Pid)) {
		t.Errorf("%+v", u)
	}
	for _, p := range u.heaviest {
		if p.pid == os.Getpid() {
			t.Error("moobench accuses itself")
		}
	}
}

// What children had taken before the window comes to whoever waited for them
// within it, and is not theirs.
func TestEndedChildren(t *testing.T) {
	m := made{nohz: true, clocks: true, takers: []taker{
		{pid: 100, group: 100, allowed: "1", took: 800, here: 800},
		{pid: 7, allowed: "0-1", children: 3950},
		{pid: 8, parent: 7, allowed: "0-1", before: 3000, ended: true},
		{pid: 9, parent: 8, allowed: "0-1", before: 900, ended: true},
	}}
	if u := m.usage(t); len(u.heaviest) != 1 || u.heaviest[0] != (consumer{7, "p7", 50e6}) {
		t.Errorf("got %+v, want 50 ms of process 7", u.heaviest)
	}
}

// TestPidsAreTakenAgain: a process that has ended within the window has ended, although another one has its pid by
// now; that one has its own time only.
func TestPidsAreTakenAgain(t *testing.T) {
	m := made{nohz: true, clocks: true, takers: []taker{
		{pid: 100, group: 100, allowed: "1", took: 800, here: 800},
		{pid: 7, allowed: "0-1", children: 3950},
		{pid: 8, allowed: "0-1", start: 900, took: 20},                 // there at the end
		{pid: 8, parent: 7, allowed: "0-1", before: 3900, ended: true}, // there at the beginning
	}}
	want := []consumer{{7, "p7", 50e6}, {8, "p8", 20e6}}
	if u := m.usage(t); !slices.Equal(u.heaviest, want) {
		t.Errorf("got %+v, want %+v", u.heaviest, want)
	}
}
