package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// columnOfValues is a column of these values, each of which is a batch.
func columnOfValues(t *testing.T, series string, thread int, values ...int64) summary.Column {
	t.Helper()
	c := summaryOf(t, series, "t", values...).Columns[0]
	c.Thread = thread
	return c
}

// twoThreads are columns: the first with batches of 10 calls, the second with single calls, and one batch less.
func twoThreads(t *testing.T) columns {
	t.Helper()
	s := &summary.Summary{Columns: []summary.Column{
		columnOfValues(t, "s", 0, 100, 200, 300, 400), columnOfValues(t, "s", 1, 5, 6, 7),
	}}
	inv := &results.Invocation{Series: []results.Series{{Name: "s", Batch: 10}, {Name: "s", Thread: 1, Batch: 0}}}
	c := newColumns(results.Metric{Series: "s", Column: "t"}, inv, s)
	c.window = c.longest.Whole()
	c.parts = []summary.Window{c.window}
	return c
}

// TestColumnsOfThreads: means are of all threads' calls together, by the calls that their samples cover.
func TestColumnsOfThreads(t *testing.T) {
	c := twoThreads(t)
	if len(c.columns) != 2 || !slices.Equal(c.batches, []int64{10, 1}) || c.longest != c.columns[0] || c.least() != 3 {
		t.Fatalf("%+v, least %d", c, c.least())
	}
	if mean, calls := c.mean(); calls != 43 || math.Abs(mean-1018.0/43) > 1e-12 {
		t.Errorf("mean %v of %d calls", mean, calls)
	}
	if got := c.between(0, 1); math.Abs(got-105.0/11) > 1e-12 {
		t.Errorf("the first batches %v", got)
	}
	if got := c.between(1, 3); math.Abs(got-513.0/22) > 1e-12 {
		t.Errorf("the second and third %v", got)
	}
	if got := c.means(1, 3); len(got) != 2 || math.Abs(got[0]-206.0/11) > 1e-12 || math.Abs(got[1]-307.0/11) > 1e-12 {
		t.Errorf("means %v", got)
	}
	if got := c.means(3, 1); len(got) != 0 {
		t.Errorf("means of nothing %v", got)
	}
	if got := c.inWindow(); len(got) != 3 {
		t.Errorf("%d means in the window of batches that all threads have", len(got))
	}
	if m := c.moments(); m.N != 7 || m.Min != 5 || m.Max != 400 {
		t.Errorf("%+v", m)
	}
	c.shift = []float64{0, 4, 8, 0}
	if got := c.between(1, 3); math.Abs(got-(513.0/22-6)) > 1e-12 || c.meanShift() != 3 {
		t.Errorf("shifted %v, by %v on average", got, c.meanShift())
	}
	if got := c.between(1, 1); !math.IsNaN(got) {
		t.Errorf("between nothing %v", got)
	}
	if c.shift = []float64{99, 0, 0, 0}; c.between(0, 1) != 0 {
		t.Errorf("shifted below 0: %v", c.between(0, 1))
	}
	c.parts = []summary.Window{{From: 0, To: 1}, {From: 2, To: 9}}
	if got := c.meanOf([]float64{1, 50, 3}); got != 2 {
		t.Errorf("the mean over parts is %v", got)
	}
	if length(c.parts) != 8 || length(nil) != 0 {
		t.Errorf("%d batches in parts", length(c.parts))
	}
	if c.shift = nil; c.meanShift() != 0 || c.referenceMean() != 0 {
		t.Error("without a shift and a reference they have a mean")
	}
	c.parts = nil
	if mean, calls := c.mean(); !math.IsNaN(mean) || calls != 0 {
		t.Errorf("of no part: %v, %d", mean, calls)
	}
	none := newColumns(results.Metric{Series: "x", Column: "t"}, &results.Invocation{}, &summary.Summary{})
	if none.longest != nil || none.reference != nil {
		t.Errorf("%+v", none)
	}
}

// TestCompilingBatches: a compilation marks the batches that it spanned, and a quarter of its time before.
func TestCompilingBatches(t *testing.T) {
	calls := columnOfValues(t, "s", 0, slices.Repeat([]int64{90}, 10)...)
	reference := columnOfValues(t, results.SeriesReference, 0, slices.Repeat([]int64{10}, 10)...) // a batch is 100
	for _, c := range []struct {
		name string
		took map[int]int64
		want []int // batches; nil: none
	}{
		{"none", nil, nil},
		{"below a half per cent of the loop", map[int]int64{5: 4}, nil},
		{"a half per cent", map[int]int64{5: 5}, []int{5}},
		{"of 80 %", map[int]int64{5: 80}, []int{5}},
		{"of a bit more", map[int]int64{5: 81}, []int{4, 5}},
		{"of two batches", map[int]int64{5: 200}, []int{3, 4, 5}},
		{"at the beginning", map[int]int64{0: 500}, []int{0}},
		{"two", map[int]int64{2: 50, 9: 90}, []int{2, 8, 9}},
	} {
		took := make([]int64, 10)
		for i, ns := range c.took {
			took[i] = ns
		}
		s := &summary.Summary{Columns: []summary.Column{
			calls, reference, columnOfValues(t, results.SeriesCompiling, 0, took...),
		}}
		var got []int
		for i, is := range compiling(s, &s.Columns[0], 10) {
			if is {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if compiling(s, &s.Columns[0], 9) != nil {
			t.Errorf("%s: of another number of batches", c.name)
		}
	}
	ten := columnOfValues(t, results.SeriesCompiling, 0, slices.Repeat([]int64{90}, 10)...)
	short := columnOfValues(t, results.SeriesCompiling, 0, 90)
	for name, s := range map[string]*summary.Summary{
		"nobody told":    {Columns: []summary.Column{calls, reference}},
		"no reference":   {Columns: []summary.Column{calls, ten}},
		"another length": {Columns: []summary.Column{calls, reference, short}},
		"a short one":    {Columns: []summary.Column{calls, columnOfValues(t, results.SeriesReference, 0, 10), ten}},
	} {
		if got := compiling(s, &s.Columns[0], 10); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestShiftsOfBatches: the machine's part of a batch is the slope times how much slower the reference was than its
// median.
func TestShiftsOfBatches(t *testing.T) {
	c := columns{reference: []float64{100, 110, 90, 100}}
	if got := c.shifts(0.5); !slices.Equal(got, []float64{0, 5, -5, 0}) {
		t.Errorf("%v", got)
	}
	if c.shifts(0) != nil || (columns{}).shifts(0.5) != nil {
		t.Error("without a slope or a reference something is shifted")
	}
	// By hand: xx = 4, noise = 0.005 × 10 / 2, four groups.
	r := response{xx: 4, xy: 2, x: 10, y: 100, groups: 4, invocations: 2}
	if want := 2 / (4 + 4*0.025*0.025); math.Abs(r.slope()-want) > 1e-12 {
		t.Errorf("slope %v, want %v", r.slope(), want)
	}
	r.y = 1
	if got := r.slope(); math.Abs(got-0.2) > 1e-12 {
		t.Errorf("a slope beyond twice the times: %v", got)
	}
	var sum response
	sum.add([]float64{1, 2}, []float64{1, 2}) // no group
	if sum != (response{}) {
		t.Errorf("of no group: %+v", sum)
	}
	ramp := make([]float64, 40)
	for i := range ramp {
		ramp[i] = float64(100 + i)
	}
	sum.add(ramp, slices.Concat(ramp, []float64{9999, 9999}))
	want := response{xx: 125, xy: 125, x: 129.5, y: 129.5, groups: 4, invocations: 1}
	if sum != want {
		t.Errorf("%+v", sum)
	}
	if program(&results.Cell{ID: "a", Baseline: "b", Role: results.RoleAA}) != "b" ||
		program(&results.Cell{ID: "a", Baseline: "b", Role: results.RoleVariant}) != "a" {
		t.Error("a second baseline runs its baseline's program, and no other cell does")
	}
}

// TestFindRepeats: a disturbed invocation is replaced by that of its cell in the extra block that names it.
func TestFindRepeats(t *testing.T) {
	const timing, failed = results.ProfileTiming, results.StatusFailed
	for _, c := range []struct {
		name   string
		change func(c *results.Campaign, all []Invocation)
		want   string
	}{
		{"it is", func(*results.Campaign, []Invocation) {}, "b0002.s01.r0"},
		{"a planned block", func(c *results.Campaign, _ []Invocation) { c.Blocks[0].Kind = results.BlockPlanned }, ""},
		{"another one", func(c *results.Campaign, _ []Invocation) { c.Blocks[0].Repeats[0] = "b0007.s00.r0" }, ""},
		{"not disturbed", func(_ *results.Campaign, all []Invocation) { all[1].Disturbed = nil }, ""},
		{"invalid", func(_ *results.Campaign, all []Invocation) { all[1].Invalid = "why" }, ""},
		{"of another profile", func(c *results.Campaign, _ []Invocation) { c.Blocks[0].Profile = "counters" }, ""},
		{"before it", func(c *results.Campaign, _ []Invocation) { c.Blocks[0].Number = 1 }, ""},
		{"the repeat failed", func(_ *results.Campaign, all []Invocation) { all[3].Status = failed }, ""},
		{"its baseline failed", func(_ *results.Campaign, all []Invocation) { all[2].Status = failed }, ""},
		{"without a baseline", func(c *results.Campaign, all []Invocation) {
			c.Cells[1].Baseline, all[2].Status = "", failed
		}, "b0002.s01.r0"},
	} {
		made := &results.Campaign{
			Cells: []results.Cell{{ID: "c0"}, {ID: "c1", Baseline: "c0"}},
			Blocks: []results.Block{{
				Number: 2, Kind: results.BlockExtra, Profile: timing, Repeats: []string{"b0001.s01.r0"},
			}},
		}
		var all []Invocation
		for block := 1; block <= 2; block++ {
			for slot := range 2 {
				all = append(all, Invocation{Invocation: &results.Invocation{
					Identity: results.Identity{Block: block, Slot: slot}, Cell: fmt.Sprint("c", slot),
					Profile: timing, Status: results.StatusOK,
				}})
			}
		}
		all[1].Disturbed = &results.Disturbance{}
		c.change(made, all)
		findRepeats(made, all)
		for i := range all {
			if want := map[bool]string{true: c.want}[i == 1]; all[i].RepeatedBy != want {
				t.Errorf("%s: %s is repeated by %q, want %q", c.name, all[i].Identity, all[i].RepeatedBy, want)
			}
		}
	}
}

// TestSortByHost: hosts are numbered by their first invocation, and each has its turns in the order of time.
func TestSortByHost(t *testing.T) {
	c := &results.Campaign{Blocks: []results.Block{
		{Number: 1}, {Number: 2}, {Number: 3, Shard: 2, Turn: &results.Turn{Number: 7, Others: 1}},
	}}
	inv := func(minute, block, slot int, machine, boot string) Invocation {
		return Invocation{Invocation: &results.Invocation{
			Identity: results.Identity{Block: block, Slot: slot}, Machine: machine, Boot: boot,
			Start: time.Date(2026, 11, 1, 0, minute, 0, 0, time.UTC),
		}}
	}
	all := &All{Invocations: []Invocation{
		inv(9, 2, 1, "b", "x"), inv(5, 3, 0, "a", "x"), inv(2, 1, 1, "a", "x"), inv(1, 2, 0, "b", "x"),
		inv(3, 1, 0, "a", "x"), inv(10, 4, 0, "a", "y"),
	}}
	all.sortByHost(c)
	var got []string
	for _, e := range all.Invocations {
		got = append(got, fmt.Sprintf("%s host %d turn %d lane %d of %d",
			e.Identity, e.Host, e.turn, e.Lane, e.inTurn.Number))
	}
	want := []string{
		"b0002.s00.r0 host 0 turn 0 lane 0 of 0", "b0002.s01.r0 host 0 turn 0 lane 0 of 0",
		"b0001.s00.r0 host 1 turn 1 lane 0 of 0", "b0001.s01.r0 host 1 turn 1 lane 0 of 0",
		"b0003.s00.r0 host 2 turn 2 lane 2 of 7", "b0004.s00.r0 host 3 turn 3 lane 0 of 0",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	hosts := []Host{{Machine: "b", Boot: "x"}, {Machine: "a", Boot: "x"}, {"a", "x", 2}, {Machine: "a", Boot: "y"}}
	if !slices.Equal(all.Hosts, hosts) {
		t.Errorf("hosts %v", all.Hosts)
	}
}

// TestCarryRest: what stands beside a value follows it to another speed.
func TestCarryRest(t *testing.T) {
	of := func(beside float64) *Invocation {
		return &Invocation{
			Values: map[string]float64{"m": 50}, Unadjusted: 100, adjusted: "m",
			Samples: Samples{Trace: []float64{100, 120}, WarmMean: 200, Other: 90, beside: beside},
		}
	}
	law := &Law{Elasticity: stats.Elasticity{Value: 1}}
	with, without := of(3000), of(0)
	carryRest([]*Invocation{with, without}, law, math.Log(2000))
	if math.Abs(with.Samples.Other-60) > 1e-9 || without.Samples.Other != 90 {
		t.Errorf("the other window: %v and %v", with.Samples.Other, without.Samples.Other)
	}
	for _, e := range []*Invocation{with, without} {
		if !slices.Equal(e.Samples.Trace, []float64{50, 60}) || e.Samples.WarmMean != 100 {
			t.Errorf("%+v", e.Samples)
		}
	}
	if got := (Carried{Measured: 7}).sensitivity(); got != nil {
		t.Errorf("as measured it hangs on %v", got)
	}
	c := Carried{Measured: 100, Speed: math.Log(2200), To: math.Log(2000), Law: law}
	s := c.sensitivity()
	if len(s) != 1 || s[0].On != &law.Elasticity || math.Abs(s[0].By+100/1.1*math.Log(1.1)) > 1e-9 {
		t.Errorf("%+v", s)
	}
	e := &Invocation{carried: map[string]Carried{"m": c, "n": {Measured: 3}}}
	if got, ok := e.CarriedOf("m"); !ok || got != c {
		t.Errorf("%+v, %t", got, ok)
	}
	if _, ok := e.CarriedOf("n"); ok {
		t.Error("what is as measured is carried")
	}
	if _, ok := e.CarriedOf("x"); ok {
		t.Error("what was not measured is carried")
	}
}

// TestQuarters: the third and the last quarter of a trace, whatever its length.
func TestQuarters(t *testing.T) {
	for _, c := range []struct {
		trace       []float64
		third, last float64
	}{
		{nil, 0, 0},
		{[]float64{1, 2, 3, 4}, 3, 4},
		{[]float64{1, 2, 3, 4, 5, 6, 7, 8}, 5.5, 7.5},
		{[]float64{1, 2, 3, 4, 5, 6, 7}, 5, 7},
		{[]float64{5}, 5, 0},
	} {
		if third, last := (&Samples{Trace: c.trace}).LateQuarters(); third != c.third || last != c.last {
			t.Errorf("%v: %v and %v", c.trace, third, last)
		}
	}
	for class, want := range map[string]bool{"": false, "flat": true, "warmup": true, "no steady state": false} {
		e := &Invocation{Class: class, WindowFrom: 0.5, Samples: Samples{settled: 0.25, Trace: []float64{1}}}
		i := e.Inside()
		if e.CameToRest() != want || (i.SteadyFrom != nil) != want || want && *i.SteadyFrom != 0.25 || i.From != 0.5 {
			t.Errorf("%q: %t, %+v", class, e.CameToRest(), i)
		}
	}
}

// TestPrimaryOf: the metric marked, else the first; its profile is timing unless it has another.
func TestPrimaryOf(t *testing.T) {
	a, b := results.Metric{Name: "a"}, results.Metric{Name: "b", Primary: true, Profile: "counters"}
	for _, c := range []struct {
		metrics []results.Metric
		want    string
	}{{nil, ""}, {[]results.Metric{a}, "a"}, {[]results.Metric{a, b}, "b"}, {[]results.Metric{b, a}, "b"}} {
		if got := primaryOf(&results.Scenario{Metrics: c.metrics}); got.Name != c.want {
			t.Errorf("%v: %s", c.metrics, got.Name)
		}
	}
	if ProfileOf(a) != results.ProfileTiming || ProfileOf(b) != "counters" {
		t.Errorf("%s, %s", ProfileOf(a), ProfileOf(b))
	}
}

// TestWaitsOf: waits are shares of the loop, without compilers. A program counts as much as it ran.
func TestWaitsOf(t *testing.T) {
	of := func(w *results.Waited) *Invocation { return &Invocation{Invocation: &results.Invocation{Waited: w}} }
	told := of(&results.Waited{
		ThreadsNS: 120, CompilersNS: 20, StealNS: 10, ForeignNS: 40,
		Programs: []results.Program{{Name: "a", Session: 1, RunNS: 3}, {Name: "b", Session: 2, RunNS: 1}},
	})
	idle := of(&results.Waited{
		ThreadsNS: 50, ForeignNS: 5, Programs: []results.Program{{Name: "other", Session: 1}},
	})
	all := waitsOf([]*Invocation{told, idle})
	want := map[string]float64{host: 0.1, "a, session 1": 0.3, "b, session 2": 0.1}
	for name, share := range all[told] {
		if math.Abs(share-want[name]) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, share, want[name])
		}
	}
	if len(all[told]) != 3 || !cmp.Equal(all[idle], map[string]float64{host: 0}) {
		t.Errorf("%v, %v", all[told], all[idle])
	}
	for name, w := range map[string]*results.Waited{
		"untold": nil, "compilers alone": {ThreadsNS: 20, CompilersNS: 20}, "nothing": {},
	} {
		if got := waitsOf([]*Invocation{told, of(w)}); got != nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	w := waits{told: all[told]}.of([]*Invocation{told}, map[string]bool{"a, session 1": true}, false)
	if math.Abs(w.Taken-0.2) > 1e-12 || math.Abs(w.KeptShare-0.3) > 1e-12 || math.Abs(w.Foreign-0.4) > 1e-12 ||
		math.Abs(w.Steal-0.1) > 1e-12 || !w.Told || !slices.Equal(w.Kept, []string{"a, session 1"}) {
		t.Errorf("%+v", w)
	}
	untold := of(nil)
	untold.Scalars = map[string]float64{runDelay: 20, loopLength: 80}
	if w := waits(nil).of([]*Invocation{untold}, nil, true); w.Told || w.Delay != 0.25 || !w.Few || w.Taken != 0 {
		t.Errorf("%+v", w)
	}
	untold.Scalars = map[string]float64{runDelay: 20}
	if w := waits(nil).of([]*Invocation{untold}, nil, false); w.Delay != 0 {
		t.Errorf("of no loop %+v", w)
	}
}

// TestTouchedAtItsBounds: three blocks can show that a variant slows the reference down, by more than 0.2 %.
func TestTouchedAtItsBounds(t *testing.T) {
	c := &results.Campaign{Cells: []results.Cell{
		{ID: "c0", Role: results.RoleBaseline},
		{ID: "c1", Baseline: "c0", Role: results.RoleAA},
		{ID: "c2", Baseline: "c0", Role: results.RoleVariant, Variant: "agent"},
	}}
	measured := func(cell string, ns ...float64) (es []*Invocation) {
		for i, x := range ns {
			es = append(es, &Invocation{Reference: x, Invocation: &results.Invocation{
				Cell: cell, Identity: results.Identity{Block: i + 1},
			}})
		}
		return es
	}
	base := []float64{1000, 1000, 1000, 1000}
	for _, x := range []struct {
		name string
		cell string
		ns   []float64
		want string
	}{
		{"as fast", "c2", []float64{1000, 1001, 999, 1000}, ""},
		{"slower", "c2", []float64{1100, 1101, 1099, 1100}, "beside agent it took 110.0 % of the time"},
		{"faster", "c2", []float64{900, 901, 899, 900}, "beside agent it took 90.0 % of the time"},
		{"of three blocks", "c2", []float64{1100, 1101, 1099}, "110.0 %"},
		{"of two blocks", "c2", []float64{1100, 1101}, ""},
		{"without spread", "c2", []float64{1100, 1100, 1100}, ""},
		{"by the least", "c2", []float64{1002, 1002.001, 1001.999, 1002}, ""},
		{"by more", "c2", []float64{1003, 1003.001, 1002.999, 1003}, "100.3 %"},
		{"a second baseline", "c1", []float64{1100, 1101, 1099, 1100}, ""},
		{"not a time", "c2", []float64{1100, -1, 1099, 1100}, ""},
	} {
		got := touched(c, slices.Concat(measured("c0", base...), measured(x.cell, x.ns...)))
		if !strings.Contains(got, x.want) || (got == "") != (x.want == "") {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}

// TestRatedRows: windows of calls at a fixed rate have a time, a rate and calls.
func TestRatedRows(t *testing.T) {
	names := results.Each(results.RatedColumns(), func(c results.Column) string { return c.Name })
	row := func(first ...int64) []int64 {
		all := slices.Repeat([]int64{1}, len(names))
		copy(all, first)
		return all
	}
	rows := [][]int64{row(5, 6, 7), row(0, 6, 7), row(5, 0, 7), row(5, 6, 0), row(1, 1, 1)}
	_, sum := levelled(t, results.SeriesRated, names, rows...)
	if got := ratedOf(sum); len(got) != 2 {
		t.Errorf("%d windows", len(got))
	}
	if got := ratedOf(&summary.Summary{}); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestCourseOf: a timeline has two rows at least, one after the other, and its toggles.
func TestCourseOf(t *testing.T) {
	columns := []string{"since", "requests", "lost", "p50", "p99", "max"}
	_, sum := levelled(t, results.SeriesTimeline, columns, []int64{10, 1, 2, 3, 4, 5}, []int64{30, 6, 7, 8, 9, 10})
	changes := [][]int64{{15, 2, 1}, {25, 3, 0}}
	_, toggles := levelled(t, results.SeriesToggle, []string{"since", "took", "on"}, changes...)
	sum.Columns = append(sum.Columns, toggles.Columns...)
	want := &Course{
		StepNS: 20, Rows: []TimelineRow{{10, 1, 2, 3, 4, 5}, {30, 6, 7, 8, 9, 10}},
		Toggles: []Toggle{{15, 2, true}, {25, 3, false}},
	}
	if d := cmp.Diff(want, courseOf(sum)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	one := []int64{10, 1, 2, 3, 4, 5}
	for name, rows := range map[string][][]int64{"one row": {one}, "at one time": {one, one}, "none": nil} {
		if _, sum := levelled(t, results.SeriesTimeline, columns, rows...); courseOf(sum) != nil {
			t.Errorf("%s: %+v", name, courseOf(sum))
		}
	}
	for step, want := range map[float64]float64{10e6: leastAfterNS, 50e6: 100e6, 60e6: 120e6} {
		if got := (&Course{StepNS: step}).AfterNS(); got != want {
			t.Errorf("steps of %v: %v", step, got)
		}
	}
}

// TestPrimaryFigures: figures of the primary metric over the invocation, centred on what was measured in the window.
func TestPrimaryFigures(t *testing.T) {
	column := columnOfValues(t, "s", 0, 400, 100, 100, 100)
	c := columns{
		columns: []*summary.Column{&column}, longest: &column, batches: []int64{1}, from: 1, class: "warmup",
		window: summary.Window{From: 0, To: 4}, shift: []float64{40, 0, 0, 0}, reference: []float64{10, 20, 30, 40},
	}
	for _, x := range []struct {
		name                   string
		parts                  []summary.Window
		off, leftOut, warmMean float64
	}{
		{"all of the window", []summary.Window{{From: 0, To: 4}}, 10, 0, 370},
		{"without a batch", []summary.Window{{From: 0, To: 1}, {From: 2, To: 4}}, 40.0 / 3, 0.25, 360 + 40.0/3},
	} {
		c.parts = x.parts
		e := &Invocation{}
		e.primary(c, results.WindowAll)
		s := e.Samples
		if e.Class != "warmup" || s.WarmCalls != 1 || s.Calls != 4 || s.settled != 0.25 || e.WindowFrom != 0 {
			t.Errorf("%s: %+v", x.name, s)
		}
		if math.Abs(s.WarmMean-x.warmMean) > 1e-9 || s.LeftOut != x.leftOut || s.Other != 175 || s.beside != 25 {
			t.Errorf("%s: %+v", x.name, s)
		}
		want := []float64{360 + x.off, 100 + x.off, 100 + x.off, 100 + x.off}
		for i, mean := range s.Trace {
			if math.Abs(mean-want[i]) > 1e-9 || len(s.Trace) != 4 {
				t.Errorf("%s: trace %v, want %v", x.name, s.Trace, want)
			}
		}
	}
	c.class, c.from = "", 0
	e := &Invocation{}
	if e.primary(c, results.WindowAll); e.Samples.WarmCalls != 0 || !math.IsNaN(e.Samples.WarmMean) || e.Class != "" {
		t.Errorf("without a class: %+v", e.Samples)
	}
	long := columnOfValues(t, "s", 0, slices.Repeat([]int64{7}, 250)...)
	c = columns{columns: []*summary.Column{&long}, longest: &long, batches: []int64{10}, window: long.Half()}
	c.parts = []summary.Window{c.window}
	e.Samples = Samples{}
	e.primary(c, results.WindowHalf)
	trace := e.Samples.Trace
	if len(trace) != traceSteps || trace[99] != 0.7 || e.Samples.Calls != 2500 || e.WindowFrom != 0.6 {
		t.Errorf("%d steps, %d calls, from %v", len(trace), e.Samples.Calls, e.WindowFrom)
	}
}
