package watch

import (
	"errors"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"moobench/harness/machine/cpu"
	"moobench/harness/proc"
	"moobench/results"
)

// The made-up machine of these tests: a shell has started moobench (50), which has started
// the subject (100).
var (
	shell  = taker{pid: 40, parent: 1, session: 40, start: 10, allowed: "0-1"}
	bench  = taker{pid: 50, parent: 40, session: 40, start: 500, allowed: "0"}
	java   = taker{pid: 100, parent: 50, group: 100, session: 40, start: 600, allowed: "1", took: 500, here: 500, cgroup: "/jvm"}
	family = []taker{shell, bench, java}
)

// loop is one of a thread that was runnable all the time.
func loop(lengthMS, delayMS float64) Loop {
	return Loop{Threads: 1, LengthNS: lengthMS * 1e6, CPUNS: (lengthMS - delayMS) * 1e6, DelayNS: delayMS * 1e6}
}

// Only what was there before, and is not related, is foreign: whatever a subject starts, and
// wherever it puts it, is not.
func TestForeign(t *testing.T) {
	for _, c := range []struct {
		name    string
		other   taker
		foreign bool
	}{
		{"a neighbour", taker{parent: 1, session: 7, start: 20}, true},
		{"a later child of a neighbour", taker{parent: 6, session: 6, start: 700}, true},
		{"began with moobench", taker{parent: 1, session: 7, start: 500}, false},
		{"a child of the subject with a session of its own", taker{parent: 100, session: 7, start: 700}, false},
		{"that child, when its parent has ended", taker{parent: 1, session: 7, start: 700}, false},
		{"began between moobench and the subject", taker{parent: 1, session: 7, start: 550}, false},
		{"of moobench's session", taker{parent: 1, session: 40, start: 20}, false},
		{"of the subject's control group", taker{parent: 1, session: 7, start: 20, cgroup: "/jvm"}, false},
		{"a thread of the kernel", taker{parent: 2, session: 7, start: 20, flags: kernelThread}, false},
	} {
		c.other.pid, c.other.allowed, c.other.took, c.other.here = 7, "1", 300, 300
		neighbour := taker{pid: 6, parent: 1, session: 6, start: 20, allowed: "0"}
		u := made{cpuacct: true, nohz: true, clocks: true, takers: append(slices.Clone(family), neighbour, c.other)}.usage(t)
		w := u.Waited(loop(1000, 300))
		if got := w.ForeignNS > 0; got != c.foreign || got != (len(w.Programs) == 1) {
			t.Errorf("%s: %+v", c.name, w)
		}
		want := 300e6
		if c.other.parent == java.pid { // it is of the subject
			want = 0
		}
		if c.other.flags == 0 && math.Abs(w.ForeignNS+w.OthersNS-want) > 1 {
			t.Errorf("%s: foreign and others are %v and %v, want %v together", c.name, w.ForeignNS, w.OthersNS, time.Duration(want))
		}
	}
	above := shell
	above.took, above.here, above.allowed, above.session = 300, 300, "1", 39
	u := made{cpuacct: true, nohz: true, clocks: true, takers: []taker{above, bench, java}}.usage(t)
	if w := u.Waited(loop(1000, 300)); w.ForeignNS != 0 || math.Abs(w.OthersNS-300e6) > 1 {
		t.Errorf("who has started moobench is foreign: %+v", w)
	}
	// Who inherits what moobench's descendants leave is one of its ancestors: their children are not foreign.
	reaper := taker{pid: 1, session: 1, start: 1, allowed: "0-1", children: 300}
	ran := taker{pid: 9, parent: 1, session: 9, start: 700, allowed: "1", took: 300, here: 300, ended: true}
	u = made{cpuacct: true, nohz: true, clocks: true, takers: append(slices.Clone(family), reaper, ran)}.usage(t)
	if w := u.Waited(loop(1000, 300)); w.ForeignNS != 0 || math.Abs(w.OthersNS-300e6) > 1 {
		t.Errorf("children of init are foreign: %+v", w)
	}
	reaper.pid, reaper.session, ran.parent = 6, 6, 6
	u = made{cpuacct: true, nohz: true, clocks: true, takers: append(slices.Clone(family), reaper, ran)}.usage(t)
	if w := u.Waited(loop(1000, 300)); math.Abs(w.ForeignNS-300e6) > 1 {
		t.Errorf("ended children of a neighbour are not foreign: %+v", w)
	}
}

// TestForeignBeyondTheError: what may as well be an error of the accounting is nobody's, except for
// programs that may run nowhere else.
func TestForeignBeyondTheError(t *testing.T) {
	for _, c := range []struct {
		allowed       string
		took, foreign float64 // ms
	}{
		{"0-1", 20, 0}, // the error is 20 ms
		{"0-1", 30, 30},
		{"1", 20, 20},
	} {
		neighbour := taker{pid: 7, parent: 1, session: 7, start: 20, allowed: c.allowed, took: c.took, here: c.took}
		u := made{nohz: true, clocks: true, takers: append(slices.Clone(family), neighbour)}.usage(t)
		w := u.Waited(loop(1000, c.took))
		if u.noiseNS != 20e6 || math.Abs(w.ForeignNS-c.foreign*1e6) > 1 || w.OthersNS != 0 {
			t.Errorf("%v ms on CPUs %s: %+v, with an error of %v", c.took, c.allowed, w, u.noiseNS)
		}
	}
}

// TestManyForeign: of many programs the largest twenty are named, those that took the same by their session; all of
// them were waited for.
func TestManyForeign(t *testing.T) {
	m := made{cpuacct: true, nohz: true, clocks: true, takers: slices.Clone(family)}
	for i := range 24 {
		m.takers = append(m.takers, taker{
			pid: 200 + i, parent: 1, session: 200 + i, start: 20, allowed: "1",
			took: float64(10 + i/2), here: float64(10 + i/2),
		})
	}
	u := m.usage(t)
	w := u.Waited(loop(1000, 372))
	var sessions, want []int
	for _, p := range w.Programs {
		sessions = append(sessions, p.Session)
	}
	for i := 22; i >= 4; i -= 2 {
		want = append(want, 200+i, 201+i)
	}
	if !slices.Equal(sessions, want) || math.Abs(w.ForeignNS-372e6) > 1 || w.Programs[0].RunNS != 21e6 {
		t.Errorf("sessions %v, want %v; %+v", sessions, want, w)
	}
}

// What a process of the subject runs on the measured CPU is never taken for a foreign one's,
// wherever that may run, and how busy it is.
func TestNobodyHidesBehindOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := made{cpuacct: rapid.Bool().Draw(t, "cpuacct"), nohz: true, clocks: true, takers: slices.Clone(family)}
		hidden := rapid.Float64Range(0, 400).Draw(t, "hidden")
		here, there := rapid.Float64Range(0, 100).Draw(t, "here"), rapid.Float64Range(0, 900).Draw(t, "there")
		pinned := rapid.Bool().Draw(t, "pinned")
		neighbour := taker{pid: 7, parent: 1, session: 7, start: 20, allowed: "0-1", took: here + there, here: here}
		if pinned {
			neighbour.allowed, neighbour.took = "1", here
		}
		m.takers = append(m.takers, neighbour, taker{pid: 8, parent: 1, session: 8, start: 700, allowed: "0-1", took: hidden, here: hidden})
		u := m.usage(t)
		w := u.Waited(loop(1000, here+hidden))
		if w.ForeignNS > here*1e6+u.noiseNS+1 {
			t.Fatalf("waited %v for a neighbour that ran %v ms there (%+v)", w.ForeignNS, here, w)
		}
	})
}

func TestWaited(t *testing.T) {
	const ms = 1e6
	usage := func(cpus cpu.Set, fixture, foreign, others, steal float64) Usage {
		return Usage{
			lengthNS: 1000 * ms, windowNS: 1000 * ms * float64(len(cpus)), cpus: cpus, fixtureNS: fixture * ms, stealNS: steal * ms,
			ran: runners{foreign: foreign * ms, others: others * ms},
		}
	}
	one, two := cpu.Set{1}, cpu.Set{1, 2}
	for _, c := range []struct {
		name                                      string
		u                                         Usage
		l                                         Loop
		foreign, doubt, others, own, steal, total float64
	}{
		{"a quiet CPU", usage(one, 1000, 0, 0, 0), loop(1000, 450), 0, 0, 0, 450, 0, 1000},
		{"a neighbour", usage(one, 700, 300, 0, 0), loop(1000, 300), 300, 0, 0, 0, 0, 1000},
		{"a neighbour, a thread of its own, and somebody", usage(one, 600, 300, 100, 0), loop(1000, 500), 300, 0, 100, 100, 0, 1000},
		{"a loop shorter than the window", usage(one, 700, 300, 0, 0), loop(500, 150), 150, 0, 0, 0, 0, 500},
		{"steal", usage(one, 900, 0, 0, 100), Loop{Threads: 1, LengthNS: 1000 * ms, CPUNS: 900 * ms}, 0, 0, 0, 0, 100, 1000},
		{
			"a thread that slept for half of the loop", usage(one, 400, 300, 0, 0),
			Loop{Threads: 1, LengthNS: 1000 * ms, CPUNS: 300 * ms, DelayNS: 200 * ms},
			150, 150, 0, 50, 0, 1000,
		},
		{
			"two threads on one CPU", usage(one, 700, 300, 0, 0),
			Loop{Threads: 2, LengthNS: 1000 * ms, CPUNS: 700 * ms, DelayNS: 1300 * ms},
			600, 0, 0, 700, 0, 2000,
		},
		{"a neighbour on another CPU", usage(two, 1000, 600, 0, 0), loop(1000, 0), 0, 0, 0, 0, 0, 1000},
		{"two CPUs", usage(two, 900, 600, 0, 0), loop(1000, 100), 100, 0, 0, 0, 0, 1000},
		{"two CPUs and threads of its own", usage(two, 1200, 300, 0, 0), loop(1000, 100), 50, 50, 0, 50, 0, 1000},
	} {
		want := results.Waited{
			ThreadsNS: c.total * ms, ForeignNS: c.foreign * ms, DoubtNS: c.doubt * ms,
			OthersNS: c.others * ms, OwnNS: c.own * ms, StealNS: c.steal * ms,
		}
		got := c.u.Waited(c.l)
		for _, x := range [][2]float64{
			{got.ThreadsNS, want.ThreadsNS},
			{got.ForeignNS, want.ForeignNS},
			{got.DoubtNS, want.DoubtNS},
			{got.OthersNS, want.OthersNS},
			{got.OwnNS, want.OwnNS},
			{got.StealNS, want.StealNS},
		} {
			if math.Abs(x[0]-x[1]) > 1 {
				t.Errorf("%s: %+v, want %+v", c.name, *got, want)
				break
			}
		}
	}
	compiles := usage(one, 800, 200, 0, 0)
	compiles.compilersNS = 60 * ms
	if w := compiles.Waited(loop(1000, 300)); math.Abs(w.OwnNS-100*ms) > 1 || math.Abs(w.CompilersNS-60*ms) > 1 {
		t.Errorf("compilers: %+v", w)
	}
	unknown := loop(1000, 300)
	unknown.DelayNS = math.NaN()
	for name, w := range map[string]*results.Waited{
		"a kernel without schedstat":  usage(one, 700, 300, 0, 0).Waited(unknown),
		"a subject that is gone":      usage(one, math.NaN(), 300, 0, 0).Waited(loop(1000, 300)),
		"a scenario without a loop":   usage(one, 700, 300, 0, 0).Waited(Loop{}),
		"an invocation without usage": Usage{}.Waited(Loop{Threads: 1, LengthNS: math.NaN()}),
	} {
		if w != nil {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

// The compilers' threads are told by their names.
func TestCompilers(t *testing.T) {
	root := fstest.MapFS{}
	for thread, name := range map[string]string{"101": "C2 CompilerThre", "102": "C1 CompilerThre", "103": "moobench-0", "104": "C1 CompilerThre"} {
		root["proc/100/task/"+thread+"/comm"] = &fstest.MapFile{Data: []byte(name + "\n")}
		root["proc/100/task/"+thread+"/schedstat"] = &fstest.MapFile{Data: []byte(thread + " 7 9\n")}
	}
	delete(root, "proc/100/task/104/schedstat") // it has ended meanwhile
	if got := (&Window{root: root, group: 100}).compilers(); got != 203 {
		t.Errorf("compilers ran for %v ns, want 101 + 102", got)
	}
}

// Parts are not negative, and sum up to what threads waited.
func TestWaitedSumsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := func(name string) float64 { return rapid.Float64Range(0, 2e9).Draw(t, name) }
		l := Loop{Threads: rapid.IntRange(1, 4).Draw(t, "threads"), LengthNS: 1e9}
		total := float64(l.Threads) * l.LengthNS
		l.CPUNS = rapid.Float64Range(0, total).Draw(t, "cpu")
		l.DelayNS = rapid.Float64Range(0, total-l.CPUNS).Draw(t, "delay")
		u := Usage{lengthNS: 1.1e9, cpus: cpu.Set{1}, fixtureNS: l.CPUNS + ns("own"), harnessNS: ns("harness"), stealNS: ns("steal")}
		if rapid.Bool().Draw(t, "two") {
			u.cpus = cpu.Set{1, 2}
		}
		u.ran = runners{foreign: ns("foreign"), others: ns("others"), kernel: ns("kernel")}
		w := u.Waited(l)
		for _, x := range []float64{w.ForeignNS, w.OthersNS, w.OwnNS, w.StealNS, w.DoubtNS} {
			if x < -1 || x > total+1 {
				t.Fatalf("%+v", w)
			}
		}
		if math.Abs(w.ForeignNS+w.OthersNS+w.OwnNS-l.DelayNS) > 1 || w.StealNS+l.DelayNS > total+1 {
			t.Fatalf("the parts of %v are %+v", l.DelayNS, w)
		}
	})
}

// On this very machine: a program that was there before is foreign, and one that came later
// is not, although it has a session of its own and its parent has ended.
func TestForeignOfThisMachine(t *testing.T) {
	cpus, err := cpu.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"setsid", "sleep"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("needs %s", name)
		}
	}
	begin := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(name, args...)
		c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Process.Kill(); c.Wait() })
		return c
	}
	const spin = "while :; do :; done"
	neighbour := begin("sh", "-c", spin)
	time.Sleep(50 * time.Millisecond) // starts are told in steps of 10 ms
	own := begin("sleep", "60")
	time.Sleep(50 * time.Millisecond)
	out, err := exec.Command("sh", "-c", "setsid sh -c 'exec >/dev/null 2>&1; "+spin+"' & echo $!").Output()
	child, errChild := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil || errChild != nil {
		t.Skipf("can't start a program that outlives its parent: %v", errors.Join(err, errChild))
	}
	t.Cleanup(func() { syscall.Kill(child, syscall.SIGKILL) })
	w, err := OpenWindow(cpus, 0)
	if err != nil {
		t.Skipf("needs /proc: %v", err)
	}
	w.own = own.Process.Pid
	before := [2]float64{proc.CPUNS(neighbour.Process.Pid), proc.CPUNS(child)}
	for begin := time.Now(); time.Since(begin) < time.Minute; time.Sleep(10 * time.Millisecond) {
		if proc.CPUNS(neighbour.Process.Pid)-before[0] > 50e6 && proc.CPUNS(child)-before[1] > 50e6 {
			break
		}
	}
	end, err := w.read()
	if err != nil {
		t.Fatal(err)
	}
	found := map[int]bool{}
	programs, _, _ := w.programs(end) // each has a session of its own
	for _, p := range programs {
		found[p.Session] = true
	}
	if !found[neighbour.Process.Pid] || found[child] {
		t.Errorf("want process %d and not %d, found %+v", neighbour.Process.Pid, child, programs)
	}
}
