package locks

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/divergent"
	"moobench/analysis/internal/testevents"
	"moobench/results/events"
)

// logged are the metrics of runs with these JVMs, of which requests for locks were logged.
func logged(runs ...Run) *Metrics {
	return &Metrics{Format: MetricsFormat, Log: []string{"contention"}, Runs: runs}
}

// TestAgainstSums: of a run counts what all of its JVMs waited, and the time of the longest of them.
func TestAgainstSums(t *testing.T) {
	jvm := func(program, executions, waited int64, class string) JVMMetrics {
		one := LockMetrics{Class: class, Executions: executions, WaitedNS: waited}
		return JVMMetrics{ProgramNS: program, Locks: []LockMetrics{one, {Class: "idle", Executions: 1}}}
	}
	before := logged(
		Run{JVMs: []JVMMetrics{jvm(1000, 2, 10, "a"), jvm(4000, 3, 20, "b")}},
		Run{JVMs: []JVMMetrics{jvm(3000, 4, 30, "a"), jvm(2000, 1, 5, "a")}},
	)
	after := logged(Run{JVMs: []JVMMetrics{jvm(9_000_000, 10, 700, "b")}})
	c, err := Against(before, after)
	if err != nil {
		t.Fatal(err)
	}
	if c.Runs != [2]int{2, 1} || c.Executions != [2]float64{7, 11} || c.MarginNS != 35 || c.Missing != [2]int{} {
		t.Errorf("%+v", c)
	}
	if d := cmp.Diff([2][]float64{{30, 35}, {700}}, c.All.values); d != "" {
		t.Errorf("all (-want +got):\n%s", d)
	}
	if len(c.Classes) != 2 || c.Classes[0].Class != "b" || c.Classes[1].Class != "a" {
		t.Fatalf("%+v", c.Classes)
	}
	for i, want := range [][2][]float64{{{20, 0}, {700}}, {{10, 35}, {0}}} {
		if d := cmp.Diff(want, c.Classes[i].values); d != "" {
			t.Errorf("class %s (-want +got):\n%s", c.Classes[i].Class, d)
		}
	}
	first, second := &c.Classes[0], &c.Classes[1]
	if b, a := first.Medians(); b != 10 || a != 700 || first.size() != 690 || second.size() != 22.5 {
		t.Errorf("medians %v and %v, sizes %v and %v", b, a, first.size(), second.size())
	}
	if got := middle(nil); got != 0 {
		t.Errorf("the middle of nothing is %v", got)
	}
}

// TestMissingRuns: a run lacks something if one of its logs does, and counts once.
func TestMissingRuns(t *testing.T) {
	for _, c := range []struct {
		name string
		run  Run
		want int
	}{
		{"whole", Run{JVMs: []JVMMetrics{{}, {}}}, 0},
		{"a log that could not be read", Run{Unread: 1, JVMs: []JVMMetrics{{}}}, 1},
		{"events", Run{JVMs: []JVMMetrics{{MissingEvents: 1}, {}}}, 1},
		{"the end", Run{JVMs: []JVMMetrics{{}, {Killed: true}}}, 1},
		{"all of it", Run{Unread: 2, JVMs: []JVMMetrics{{MissingEvents: 3, Killed: true}, {Killed: true}}}, 1},
	} {
		got, err := Against(logged(Run{}), logged(c.run, Run{}))
		if err != nil {
			t.Fatal(err)
		}
		if got.Missing != [2]int{0, c.want} {
			t.Errorf("%s: %d are missing, want %d", c.name, got.Missing, c.want)
		}
	}
	bare := waiting("a.B", 1)
	bare.Log = []string{"callers"}
	if _, err := Against(waiting("a.B", 1), bare); err == nil {
		t.Error("later logs without contention are compared")
	}
}

// TestMostClasses: those that changed most are compared, those of equal changes by their names; of more classes than
// are told apart only the sum is.
func TestMostClasses(t *testing.T) {
	run := func(waits func(i int) int64, n int) Run {
		var all []LockMetrics
		for i := range n {
			all = append(all, LockMetrics{Class: fmt.Sprintf("c%05d", i), WaitedNS: waits(i)})
		}
		return Run{JVMs: []JVMMetrics{{Locks: all}}}
	}
	one := func(int) int64 { return 1 }
	c, err := Against(logged(run(one, 12)), logged(run(func(i int) int64 { return int64(1 + 5*(i%3)) }, 12)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range c.Classes {
		got = append(got, x.Class)
	}
	want := []string{"c00002", "c00005", "c00008", "c00011", "c00001", "c00004", "c00007", "c00010"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	late := func(i int) int64 { return 1 + int64(i/mostSeen)*1000 + int64(i/(mostSeen-1)) }
	if c, err = Against(logged(run(one, mostSeen+1)), logged(run(late, mostSeen+1))); err != nil {
		t.Fatal(err)
	}
	if c.Classes[0].Class != fmt.Sprintf("c%05d", mostSeen-1) || c.Classes[0].size() != 1 || c.All.size() != 1002 {
		t.Errorf("%s changed by %v, all by %v", c.Classes[0].Class, c.Classes[0].size(), c.All.size())
	}
}

// TestDecidable: three against four runs have too few orders, and one against 40 has enough: p of one
// against 39 is exactly alpha.
func TestDecidable(t *testing.T) {
	for runs, want := range map[[2]int]bool{
		{0, 0}: false, {1, 1}: false, {3, 3}: false, {3, 4}: false, {4, 3}: false, {3, 5}: true, {5, 3}: true,
		{4, 4}: true,
		{2, 7}: false, {2, 8}: true, {8, 2}: true,
		{1, 38}: false, {38, 1}: false, {1, 39}: false, {39, 1}: false, {1, 40}: true, {40, 1}: true,
		{9, 0}: false,
	} {
		if c := (&Comparison{Runs: runs}); want != c.Decidable() {
			t.Errorf("%v: %t", runs, !want)
		}
	}
}

// TestBehavioursAtTheBounds: at least half of the named executions ran during a collection, by either rule.
func TestBehavioursAtTheBounds(t *testing.T) {
	named := func(n int) divergent.Divergent { return divergent.Divergent{Named: make([]divergent.Execution, n)} }
	for _, c := range []struct {
		paper, ours int
		collections [2]int
		want        bool
	}{
		{0, 0, [2]int{}, false},
		{2, 0, [2]int{1, 0}, true},
		{3, 0, [2]int{1, 0}, false},
		{3, 0, [2]int{2, 0}, true},
		{0, 4, [2]int{0, 2}, true},
		{4, 4, [2]int{1, 2}, true},
		{4, 4, [2]int{1, 1}, false},
		{4, 0, [2]int{1, 9}, false},
	} {
		s := &Section{Times: &divergent.Series{Paper: named(c.paper), Ours: named(c.ours)}, Collections: c.collections}
		if got := s.atCollections(); got != c.want {
			t.Errorf("%d of %d and %d of %d: %t", c.collections[0], c.paper, c.collections[1], c.ours, got)
		}
	}
}

// TestCollected: a collection that only touches an execution is not during it.
func TestCollected(t *testing.T) {
	all := []events.Collection{{FromNS: 10, ToNS: 20}, {FromNS: 40, ToNS: 50}}
	for _, c := range []struct {
		from, to int64
		want     bool
	}{
		{0, 10, false},
		{0, 11, true},
		{19, 30, true},
		{20, 40, false},
		{20, 41, true},
		{12, 15, true},
		{0, 99, true},
		{50, 60, false},
		{49, 60, true},
	} {
		if got := collected(all, c.from, c.to); got != c.want {
			t.Errorf("%d to %d: %t", c.from, c.to, got)
		}
	}
}

// TestPrice: what a log took of the program is known if its end says the time per event.
func TestPrice(t *testing.T) {
	const body = "0 - o a.B 1\n10 t + put#method 1\n12 t c Main.run 1\n20 t - put#method 1\n25 t r put#method 1\n"
	for _, c := range []struct {
		name, log                string
		program, price, callers  int64
		contention, whole, known bool
	}{
		{"without its end", body, 15, 0, 0, true, false, false},
		{"with it", body + "99 - e 2000 4\n", 99, 10, 2, true, true, true},
		{"whose price is not known", body + "99 - e 0 4\n", 99, 0, 0, true, true, false},
	} {
		r, err := Read(testevents.File(t, c.log))
		if err != nil {
			t.Fatal(c.name, err)
		}
		if r.ProgramNS != c.program || r.PriceNS != c.price || r.CallersNS != c.callers ||
			r.Contention != c.contention {
			t.Errorf("%s: program %d, price %d, callers %d, contention %t",
				c.name, r.ProgramNS, r.PriceNS, r.CallersNS, r.Contention)
		}
		m := r.Metrics(7)
		if m.PID != 7 || m.Killed == c.whole || m.LogNS != c.price || m.CallersNS != c.callers {
			t.Errorf("%s: %+v", c.name, m)
		}
	}
	r, err := Read(testevents.File(t, "10 t + put#method 1\n20 t - put#method 1"))
	if err != nil || r.Contention {
		t.Errorf("nothing is requested: %v, %v", r, err)
	}
}

// TestMostCallers: callers come by their time, then by name, and a most of them is told.
func TestMostCallers(t *testing.T) {
	var b strings.Builder
	at := 10
	for i := range mostCallers + 2 {
		took := 10 + i/2
		fmt.Fprintf(&b, "%d t + put#method 1\n%d t c Main.m%02d 1\n", at, at, i)
		fmt.Fprintf(&b, "%d t - put#method 1\n", at+took)
		at += 100
	}
	fmt.Fprintf(&b, "%d t + put#method 1\n%d t c Main.m00 1\n%d t - put#method 1\n", at, at, at+3)
	r, err := Read(testevents.File(t, b.String()))
	if err != nil || len(r.Sections) != 1 {
		t.Fatal(r, err)
	}
	all := r.Sections[0].Callers
	if len(all) != mostCallers {
		t.Fatalf("%d callers", len(all))
	}
	name := func(c Calls) string { return c.Place[strings.Index(c.Place, ".m")+2:][:2] }
	var got []string
	for _, c := range all[:5] {
		got = append(got, fmt.Sprintf("m%s %d %d %d", name(c), c.N, c.NS, c.LongestNS))
	}
	want := []string{"m20 1 20 20", "m21 1 20 20", "m18 1 19 19", "m19 1 19 19", "m16 1 18 18"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	i := slices.IndexFunc(all, func(c Calls) bool { return name(c) == "00" })
	if c := all[i]; c.N != 2 || c.NS != 13 || c.LongestNS != 10 {
		t.Errorf("%+v", c)
	}
}

// TestMostLocks: a most of locks is told, the others by their class; objects without a class are unknown.
func TestMostLocks(t *testing.T) {
	var b strings.Builder
	b.WriteString("0 - o a.B 1\n0 - o a.B 2\n0 - o a.C 3\n")
	at := 10
	for i := range mostTold + 4 {
		held := 5 + i
		fmt.Fprintf(&b, "%d t + put#method %d\n%d t - put#method %d\n", at, i+1, at+held, i+1)
		at += 100
	}
	r, err := Read(testevents.File(t, b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Locks) != mostTold || r.Locks[0].Hash != mostTold+4 || r.Locks[mostTold-1].Hash != 5 ||
		r.Locks[0].Class != "unknown" || r.Locks[0].HeldNS != 5+mostTold+3 {
		t.Errorf("%d locks, from %+v to %+v", len(r.Locks), r.Locks[0], r.Locks[len(r.Locks)-1])
	}
	want := []Others{
		{Class: "a.B", Locks: 2, Executions: 2, HeldNS: 11},
		{Class: "a.C", Locks: 1, Executions: 1, HeldNS: 7},
		{Class: "unknown", Locks: 1, Executions: 1, HeldNS: 8},
	}
	if d := cmp.Diff(want, r.Others); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	m := r.Metrics(1)
	if d := cmp.Diff(LockMetrics{Class: "a.B", Locks: 2, Executions: 2, HeldNS: 11}, m.Locks[mostTold]); d != "" {
		t.Errorf("metrics (-want +got):\n%s", d)
	}
}

// TestEachExecution: each execution has a row with its number, its lock, its thread and its times.
func TestEachExecution(t *testing.T) {
	var b strings.Builder
	if err := WriteCSV(testevents.File(t, `0 - o a.B 171
10 t r put#block=7 171
11 t + put#block=7 171
12 u r take#method 171
13 t w put#block=7 171
18 t a put#block=7 171
20 t ! put#block=7 171
22 u + take#method 171
25 u - take#method 171
30 t + put#block=7 9
34 t - put#block=7 9`), &b); err != nil {
		t.Fatal(err)
	}
	want := `section,execution,lock,class,thread,acquired_ns,held_ns,slept_ns,waited_ns,thrown
"public void a.B.put(int, a.C):7",0,ab,a.B,t,11,4,5,0,true
"public void a.B.take(int, a.C)",0,ab,a.B,u,22,3,0,10,false
"public void a.B.put(int, a.C):7",1,9,,t,30,4,0,0,false
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if err := WriteCSV(strings.NewReader("no log"), &b); err == nil {
		t.Error("no log is written")
	}
	if _, err := Read(bytes.NewReader([]byte("no log"))); err == nil {
		t.Error("no log is read")
	}
}

// TestFields: what is not known is empty, each number stands in its column.
func TestFields(t *testing.T) {
	m := logged(Run{}, Run{JVMs: []JVMMetrics{{
		PID: 42, ProgramNS: 100, InSectionsNS: 101, LogNS: 102,
		Sections: []SectionMetrics{{
			Method: "m", Threads: 1, Executions: 2, MaxNS: 3, MinNS: 4, MeanNS: 5.5, SDNS: 6.25, Divergent: 7,
			DivergentShare: 0.125, DivergentExecutions: []int64{8, 9}, DivergentTail: 10, TotalNS: 11, Waits: 12,
			WaitedNS: 13, LongestWaitNS: 14, SleptNS: 15, Thrown: 16, Locks: 17, Behaviours: "AB",
		}},
		Locks: []LockMetrics{
			{
				Class: "c", Hash: "ab", Locks: 1, Threads: 2, Executions: 3,
				HeldNS: 4, Waits: 5, WaitedNS: 6, LongestWaitNS: 7,
			},
			{Class: "d", Locks: 9},
		},
	}}})
	var b strings.Builder
	if err := m.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatal(rows, err)
	}
	for i, want := range []string{
		strings.Join(metricsHead, ","),
		"2,42,section,m,,1,2,3,4,5.5,6.25,7,0.125,8 9,10,11,12,13,14,15,16,17,AB,100,101,102",
		"2,42,lock,c,ab,2,3,,,,,,,,,4,5,6,7,,,1,,100,101,102",
		"2,42,lock,d,,,0,,,,,,,,,0,0,0,0,,,9,,100,101,102",
	} {
		if got := strings.Join(rows[i], ","); got != want {
			t.Errorf("row %d: %s\nwant %s", i, got, want)
		}
	}
	if s := (&SectionMetrics{Line: 1}).fields(); s[2] != "1" {
		t.Errorf("line 1 is %q", s[2])
	}
}

// TestMostRuns: as many runs are read as are compared, and no number is below 0.
func TestMostRuns(t *testing.T) {
	for n, want := range map[int]bool{0: false, 1: true, MostRuns: true, MostRuns + 1: false} {
		text, err := json.Marshal(logged(make([]Run, n)...))
		if err != nil {
			t.Fatal(err)
		}
		if m, err := ReadMetrics(text); (err == nil) != want || want && len(m.Runs) != n {
			t.Errorf("%d runs: %v", n, err)
		}
	}
	for _, key := range []string{
		"program_ns", "in_sections_ns", "log_ns", "woven_ns", "begun_ns", "callers_ns", "missing_events",
		"executions", "held_ns", "waits", "waited_ns", "longest_wait_ns",
	} {
		for value, want := range map[int]bool{-1: false, 0: true, 1: true} {
			jvm := fmt.Sprintf(`{%q: %d}`, key, value)
			if strings.Contains("executions held_ns waits waited_ns longest_wait_ns", key) {
				jvm = fmt.Sprintf(`{"locks": [{}, %s]}`, jvm)
			}
			text := fmt.Sprintf(`{"moobench_lock_metrics": 1, "runs": [{"jvms": [{}, %s]}]}`, jvm)
			if _, err := ReadMetrics([]byte(text)); (err == nil) != want {
				t.Errorf("%s is %d: %v", key, value, err)
			}
		}
	}
}

// TestTenures: who waits long is blamed on a most of the last holders, and a lock for which nobody waits keeps but one.
func TestTenures(t *testing.T) {
	l := &lock{owner: -1}
	l.take(1, 5, 10, 1)
	l.take(1, 6, 11, 2)
	if l.owner != 1 || l.by != 5 || l.since != 10 || l.depth != 3 {
		t.Errorf("taken again: %+v", l)
	}
	l.take(2, 7, 20, 1)
	if l.owner != 2 || l.by != 7 || l.since != 20 || l.depth != 1 || !slices.Equal(l.past, []tenure{{1, 5, 10, 20}}) {
		t.Errorf("taken by another one: %+v", l)
	}
	l.leave(15) // before it was taken
	if l.owner != -1 || l.depth != 0 || !slices.Equal(l.past, []tenure{{2, 7, 20, 20}}) {
		t.Errorf("left: %+v", l)
	}
	l.asking = 1
	for i := range mostTenures + 3 {
		l.take(3, i, int64(100+i), 1)
		l.leave(int64(101 + i))
		if want := min(i+2, mostTenures); len(l.past) != want {
			t.Fatalf("%d tenures after %d, want %d", len(l.past), i, want)
		}
	}
	if l.past[0] != (tenure{3, 3, 103, 104}) || l.past[mostTenures-1].section != mostTenures+2 {
		t.Errorf("from %+v to %+v", l.past[0], l.past[mostTenures-1])
	}
}

// TestForgetIdle: locks in use are kept, those that nobody waited for go, and of the others those with the longest
// waits stay if there are too many.
func TestForgetIdle(t *testing.T) {
	var gone []uint32
	f := newFollower(nil, func(hash uint32, _ *lock) { gone = append(gone, hash) })
	f.most, f.room = 10, 1000
	add := func(hash uint32, owner, asking int, waited int64) {
		l := f.lock(hash)
		l.owner, l.asking, l.seen.WaitNS = owner, asking, waited
	}
	add(1, -1, 0, 0)
	add(2, 0, 0, 0) // of thread 0
	add(3, -1, 1, 0)
	add(4, -1, 0, 5)
	f.forgetIdle()
	if !slices.Equal(gone, []uint32{1}) || len(f.locks) != 3 || f.room != 10 {
		t.Errorf("%v are gone, %d are left, room for %d", gone, len(f.locks), f.room)
	}
	for i := range uint32(mostTold - 1) {
		add(100+i, -1, 0, 10)
	}
	f.room = 2 * len(f.locks)
	gone = nil
	if f.forgetIdle(); gone != nil || f.room != 2*(mostTold+2) {
		t.Errorf("half of the room is enough: %v are gone, room for %d", gone, f.room)
	}
	f.room--
	if f.room -= 2; f.room/2 >= len(f.locks) {
		t.Fatal("there is still room")
	}
	if f.forgetIdle(); gone != nil {
		t.Errorf("%v are gone, though no more than are told were waited for", gone)
	}
	add(5, 0, 0, 6)
	add(6, -1, 1, 6)
	add(7, -1, 0, 7)
	f.room = len(f.locks)
	f.forgetIdle()
	slices.Sort(gone)
	for _, hash := range []uint32{5, 6, 7, 100} {
		if f.locks[hash] == nil {
			t.Errorf("lock %d is gone", hash)
		}
	}
	if !slices.Equal(gone, []uint32{4}) {
		t.Errorf("%v are gone", gone)
	}
	f.most = 1000
	if f.forgetIdle(); f.room != 1000 {
		t.Errorf("room for %d", f.room)
	}
	f = newFollower(nil, nil)
	f.room = 2
	f.lock(1)
	f.lock(2)
	f.lock(2).seen.WaitNS = 1
	if f.lock(3); len(f.locks) != 2 || f.locks[1] != nil {
		t.Errorf("%d locks, without somebody who is told of them", len(f.locks))
	}
}

// followed are the executions of a log whose follower is changed before, with that follower.
func followed(t *testing.T, log string, change func(*follower)) (all []ended, f *follower) {
	t.Helper()
	f = newFollower(func(e ended) { all = append(all, e) }, nil)
	if change != nil {
		change(f)
	}
	if _, err := events.InOrder(testevents.File(t, log), f.event); err != nil {
		t.Fatal(err)
	}
	return all, f
}

// TestPlain: a plain method ends with those above it that lost their end, and they leave room for others.
func TestPlain(t *testing.T) {
	all, f := followed(t, `1 t + run#plain 7
2 t + go#plain 7
3 t + go#plain 8
4 t + go#plain 7
5 t - go#plain 8
6 t - other#plain 7
9 t ! run#plain 7`, nil)
	if len(all) != 2 || all[0].since != 3 || all[0].at != 5 || all[0].thrown || all[1].since != 1 || !all[1].thrown {
		t.Errorf("%+v", all)
	}
	if f.unmatched != 1 || len(f.threads[0].plain) != 0 || all[0].caller != -1 || all[1].heldNS() != 8 {
		t.Errorf("%d unmatched, %d open, %+v", f.unmatched, len(f.threads[0].plain), all)
	}
}

// TestOpen: open executions are counted until they end or are forgotten, and asks have no room of their own.
func TestOpen(t *testing.T) {
	for _, c := range []struct {
		name, log         string
		open, asking      int
		unmatched, deeper int64
	}{
		{"entered", "1 t + a#method 1\n2 t + b#method 2", 2, 0, 0, 0},
		{"asked", "1 t r a#method 1", 0, 1, 0, 0},
		{"asked twice", "1 t r a#method 1\n2 t r a#method 1", 0, 1, 0, 0},
		{"got", "1 t r a#method 1\n2 t + a#method 1", 1, 0, 0, 0},
		{"got another one", "1 t r a#method 1\n2 t + a#method 2", 1, 0, 0, 0},
		{"left by the outer one", "1 t + a#method 1\n2 t + b#method 2\n3 t - a#method 1", 0, 0, 0, 0},
		{"left by the outer one, but explicit", "1 t + a#method 1\n2 t + b#lock 2\n3 t - a#method 1", 1, 0, 0, 0},
		{"both left", "1 t + a#method 1\n2 t + b#lock 2\n3 t - a#method 1\n4 t - b#lock 2", 0, 0, 0, 0},
		{"left without", "1 t - a#method 1", 0, 0, 1, 0},
		{"left another one", "1 t + a#method 1\n2 t - a#method 2", 1, 0, 1, 0},
		{"forgotten", "1 t + a#method 1\n2 t + b#method 2\n3 t r c#method 3\n4 t ? x 9", 0, 0, 0, 0},
		{"forgotten by another thread", "1 t + a#method 1\n2 u ? x 9", 1, 0, 0, 0},
		{"no section", "1 t + a 1\n2 t - a 1\n3 t r a 1", 0, 0, 0, 0},
	} {
		_, f := followed(t, c.log, nil)
		asking := 0
		for _, l := range f.locks {
			asking += l.asking
		}
		if f.open != c.open || asking != c.asking || f.unmatched != c.unmatched || f.deeper != c.deeper {
			t.Errorf("%s: %d open, %d asking, %d unmatched, %d deeper", c.name, f.open, asking, f.unmatched, f.deeper)
		}
	}
}

// TestDeepest: a thread may have so many executions open, plain ones among them.
func TestDeepest(t *testing.T) {
	f := newFollower(nil, nil)
	f.mostOpen = 1 << 30
	for _, c := range []struct {
		stack, plain int
		want         bool
	}{
		{0, 0, false},
		{mostDeep - 1, 0, false},
		{mostDeep, 0, true},
		{mostDeep - 2, 1, false},
		{mostDeep - 1, 1, true},
		{0, mostDeep - 1, false},
		{0, mostDeep, true},
	} {
		th := &thread{stack: make([]hold, c.stack), plain: make([]hold, c.plain)}
		if got := f.beyond(events.Event{Kind: events.Enter}, th); got != c.want || (th.within == 1) != c.want {
			t.Errorf("%d and %d open: %t, %d within", c.stack, c.plain, got, th.within)
		}
	}
	f = newFollower(nil, nil)
	for open, want := range map[int]bool{mostOpen - 1: false, mostOpen: true} {
		f.open = open
		for kind, want := range map[events.Kind]bool{events.Enter: want, events.Exit: false, events.Thrown: false} {
			if f.beyond(events.Event{Kind: kind}, &thread{}) != want {
				t.Errorf("%d open, an event of kind %d", open, kind)
			}
		}
	}
	within := &thread{within: 1}
	if !f.beyond(events.Event{Kind: events.Request}, within) || within.within != 1 {
		t.Errorf("a request inside: %d within", within.within)
	}
	if !f.beyond(events.Event{Kind: events.Thrown}, within) || within.within != 0 {
		t.Errorf("an end inside: %d within", within.within)
	}
}

// TestLookUps: the time in which callers were looked up is in no execution around it, and in the log's price.
func TestLookUps(t *testing.T) {
	all, f := followed(t, `10 t c Main.none 1
20 t + a#method 1
30 t + b#method 2
34 t c Main.run 2
40 t - b#method 2
45 t + c#method 3
47 t c Main.run 3
50 t - c#method 3
60 t - a#method 1
70 t + a#method 1
75 t - a#method 1`, nil)
	var held []int64
	for _, e := range all {
		held = append(held, e.heldNS())
	}
	if !slices.Equal(held, []int64{6, 3, 34, 5}) || f.loggedNS != 6 || all[0].caller < 0 || all[2].caller != -1 {
		t.Errorf("held %d, logged %d", held, f.loggedNS)
	}
	if got := f.threads[0].seen; got.Executions != 4 || got.InsideNS != 39 {
		t.Errorf("%+v", got)
	}
	if f.locks[1].seen.HeldNS != 39 || f.locks[1].seen.Executions != 2 || f.firstNS != 10 || f.lastNS != 75 {
		t.Errorf("%+v, from %d to %d", f.locks[1].seen, f.firstNS, f.lastNS)
	}
}

// TestLongestWait: an execution waits longest, which its lock and its section both show with the holder to blame.
func TestLongestWait(t *testing.T) {
	r, err := Read(testevents.File(t, `10 a + put#method 1
11 b r get#method 1
40 a - put#method 1
41 b + get#method 1
42 a r put#method 1
50 b - get#method 1
51 a + put#method 1
52 a - put#method 1
60 c + never#method 1
61 b r get#method 1
65 b + get#method 1
66 b - get#method 1`))
	if err != nil || len(r.Locks) != 1 {
		t.Fatal(r, err)
	}
	l := r.Locks[0]
	if l.Contended != 3 || l.WaitNS != 43 || l.LongestWaitNS != 30 || l.Threads != 3 || l.Executions != 5 {
		t.Errorf("%+v", l)
	}
	if d := cmp.Diff([]Blame{{0, 1, 30, 1}, {1, 0, 9, 1}}, l.Blames); d != "" {
		t.Errorf("blames (-want +got):\n%s", d)
	}
	get, put := r.Sections[0], r.Sections[1]
	if get.Contended != 2 || get.WaitNS != 34 || get.LongestWaitNS != 30 || put.LongestWaitNS != 9 {
		t.Errorf("%+v", r.Sections)
	}
	m := r.Metrics(1).Locks[0]
	if m.Waits != 3 || m.WaitedNS != 43 || m.LongestWaitNS != 30 || m.Threads != 3 || m.Locks != 1 || m.Hash != "1" {
		t.Errorf("%+v", m)
	}
}

// TestWaits: a wait gives back the lock of its object, or of the last explicit one, and none that is not had.
func TestWaits(t *testing.T) {
	for _, c := range []struct {
		name, log   string
		slept, held []int64
	}{
		{
			"of its object", "10 t + a#method 1\n12 t + b#lock 2\n15 t w a#wait 1\n18 t a a#wait 1" +
				"\n20 t - b#lock 2\n30 t - a#method 1",
			[]int64{0, 3},
			[]int64{8, 17},
		},
		{
			"of a condition", "10 t + a#lock 1\n12 t + b#lock 2\n15 t w a#wait 9\n18 t a a#wait 9" +
				"\n20 t - b#lock 2\n30 t - a#lock 1",
			[]int64{3, 0},
			[]int64{5, 20},
		},
		{
			"of a condition below a method", "10 t + a#lock 1\n12 t + b#method 2\n15 t w a#wait 9\n18 t a a#wait 9" +
				"\n20 t - b#method 2\n30 t - a#lock 1",
			[]int64{0, 3},
			[]int64{8, 17},
		},
		{"of none", "10 t + a#method 1\n15 t w a#wait 9\n18 t a a#wait 9\n30 t - a#method 1", []int64{0}, []int64{20}},
		{
			"twice", "10 t + a#method 1\n15 t w a#wait 1\n18 t w a#wait 1\n22 t a a#wait 1\n30 t - a#method 1",
			[]int64{7},
			[]int64{13},
		},
		{"until its end", "10 t + a#method 1\n15 t w a#wait 1\n30 t - a#method 1", []int64{15}, []int64{5}},
	} {
		all, f := followed(t, c.log, nil)
		var slept, held []int64
		for _, e := range all {
			slept, held = append(slept, e.slept), append(held, e.heldNS())
		}
		if !slices.Equal(slept, c.slept) || !slices.Equal(held, c.held) {
			t.Errorf("%s: slept %d, held %d", c.name, slept, held)
		}
		if got := f.threads[0]; got.seen.SleptNS != slices.Max(c.slept) || got.sleeps {
			t.Errorf("%s: the thread slept %d", c.name, got.seen.SleptNS)
		}
	}
}

// TestMostDiffer: of very many locks, threads and callers of one section a most is counted.
func TestMostDiffer(t *testing.T) {
	b := builder{at: map[int]*section{}}
	b.follower = newFollower(b.count, nil)
	b.follower.log = &events.Log{Methods: make([]string, mostDiffer+9), Sections: map[int]events.Section{
		0: {Kind: Block}, 1: {Kind: Plain},
	}}
	for i := range mostDiffer + 2 {
		for number := range 2 {
			b.count(ended{hold: hold{section: number, object: uint32(i), caller: i}, thread: i, at: 5})
		}
	}
	if s := b.at[0]; len(s.locks) != mostDiffer || len(s.threads) != mostDiffer || len(s.callers) != mostDiffer {
		t.Errorf("%d locks, %d threads, %d callers", len(s.locks), len(s.threads), len(s.callers))
	}
	if s := b.at[1]; len(s.locks) != 0 || len(s.threads) != mostDiffer {
		t.Errorf("plain: %d locks, %d threads", len(s.locks), len(s.threads))
	}
	if b.ended != 2*(mostDiffer+2) {
		t.Errorf("%d ended", b.ended)
	}
}

// TestBehavioursOfTwo: code and times of two executions, at what just makes a behaviour and what just does not.
func TestBehavioursOfTwo(t *testing.T) {
	one := divergent.Divergent{N: 1, Named: make([]divergent.Execution, 1)}
	paper, ours := divergent.Series{N: 2, Paper: one}, divergent.Series{N: 2, Ours: one}
	spread := divergent.Series{N: 2, MeanNS: 10, SDNS: 2}
	narrow := spread
	narrow.SDNS = 1.99
	slow := divergent.Series{N: 2, SlowFromNS: 1}
	for _, c := range []struct {
		name        string
		times       divergent.Series
		code        Code
		kind        Kind
		collections [2]int
		want        string
	}{
		{"grows", paper, Code{Grows: "x"}, Block, [2]int{}, "C"},
		{"grows, by our rule", ours, Code{Grows: "x"}, Block, [2]int{}, "C"},
		{"grows, alike", spread, Code{Grows: "x"}, Block, [2]int{}, ""},
		{"grows at a collection", paper, Code{Grows: "x"}, Block, [2]int{1, 0}, "CE"},
		{"allocates at a collection", ours, Code{Allocations: 1}, Block, [2]int{0, 1}, "E"},
		{"a collection", paper, Code{}, Block, [2]int{1, 0}, ""},
		{"of one instruction", paper, Code{Size: 1}, Plain, [2]int{}, "G"},
		{"of none", paper, Code{}, Plain, [2]int{}, ""},
		{"that allocates", paper, Code{Size: 1, Allocations: 1}, Plain, [2]int{}, ""},
		{"reads", spread, Code{Reads: "x"}, Block, [2]int{}, "D"},
		{"reads, alike", narrow, Code{Reads: "x"}, Block, [2]int{}, ""},
		{"branches", slow, Code{Branches: 1}, Block, [2]int{}, "A"},
		{"no branch", slow, Code{}, Block, [2]int{}, ""},
		{"waits for a device", spread, Code{IO: "x"}, Block, [2]int{}, "F"},
	} {
		got := ""
		s := &Section{Kind: c.kind, Code: c.code, Times: &c.times, Collections: c.collections, WaitNS: 1}
		for _, b := range behaviours(s) {
			got += string(rune(b))
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestNested: a lock that was acquired twice is held until it was released twice.
func TestNested(t *testing.T) {
	log := "1 t + a#method 1\n2 t + b#method 1\n3 t - b#method 1"
	if _, f := followed(t, log, nil); f.locks[1].owner != 0 || f.locks[1].depth != 1 || f.locks[1].since != 1 {
		t.Errorf("released once: %+v", f.locks[1])
	}
	_, f := followed(t, log+"\n5 t - a#method 1", nil)
	if l := f.locks[1]; l.owner != -1 || l.depth != 0 || l.seen.HeldNS != 4 || l.seen.Executions != 2 {
		t.Errorf("released twice: %+v", l)
	}
}

// TestOthersAddUp: locks that are not told are in the sums of their class.
func TestOthersAddUp(t *testing.T) {
	b := builder{others: map[string]*Others{}, follower: newFollower(nil, nil)}
	b.follower.log = &events.Log{Objects: map[uint32]string{1: "a", 2: "a", 3: "b"}}
	for hash := range uint32(4) {
		n := int64(hash + 1)
		b.other(hash, &lock{seen: Lock{Executions: n, Contended: 10 * n, HeldNS: 100 * n, WaitNS: 1000 * n}})
	}
	want := map[string]Others{
		"unknown": {"unknown", 1, 1, 10, 100, 1000}, "a": {"a", 2, 5, 50, 500, 5000}, "b": {"b", 1, 4, 40, 400, 4000},
	}
	for class, w := range want {
		if got := b.others[class]; got == nil || *got != w {
			t.Errorf("%s: %+v, want %+v", class, got, w)
		}
	}
}

// TestFirstLine: a block in line 1 has its line, and one whose line is not known has none.
func TestFirstLine(t *testing.T) {
	for properties, want := range map[string]string{"block=1": `:1"`, "block=0": `C)",`, "block": `C)",`} {
		var b strings.Builder
		log := fmt.Sprintf("1 t + put#%s 7\n2 t - put#%s 7", properties, properties)
		if err := WriteCSV(testevents.File(t, log), &b); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %v\n%s", properties, err, b.String())
		}
	}
}
