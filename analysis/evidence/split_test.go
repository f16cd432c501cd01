package evidence

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/steady"
	"moobench/results"
	"moobench/results/summary"
)

// threadsOf are the CPU times of threads by name, all of them without an owner that they show themselves.
func threadsOf(ended float64, names ...results.ThreadTime) *results.Threads {
	return &results.Threads{EndedNS: ended, Names: names}
}

// TestParts: a thread is the variant's if no baseline has one of its name, and the reference runs in the application.
func TestParts(t *testing.T) {
	const agent, application = results.ThreadsAgent, results.ThreadsApplication
	main, writer := results.ThreadTime{Name: "main", RunNS: 60}, results.ThreadTime{Name: "writer", RunNS: 30}
	idle, gc := results.ThreadTime{Name: "idle"}, results.ThreadTime{Name: "GC", RunNS: 10, Group: "jvm"}
	known := map[string]bool{"main": true}
	reference := func(ns float64) map[string]float64 { return map[string]float64{referenceTotal: ns} }
	type shares = map[results.ThreadGroup]float64
	for name, c := range map[string]struct {
		role      results.Role
		threads   *results.Threads
		baselines map[string]bool
		scalars   map[string]float64
		want      shares
		agents    []string
	}{
		"a variant": {
			results.RoleVariant, threadsOf(0, main, writer, gc, idle), known, nil,
			shares{results.ThreadsEnded: 0, application: 0.6, agent: 0.3, "jvm": 0.1},
			[]string{"writer"},
		},
		"with ended ones": {
			results.RoleVariant, threadsOf(10, main, writer), known, nil,
			shares{results.ThreadsEnded: 0.1, application: 0.6, agent: 0.3},
			[]string{"writer"},
		},
		"without a baseline": {
			results.RoleVariant, threadsOf(0, main, writer, gc), nil, nil,
			shares{results.ThreadsEnded: 0, application: 0.9, "jvm": 0.1},
			nil,
		},
		"a baseline": {
			results.RoleBaseline, threadsOf(0, main, writer, gc), known, nil,
			shares{results.ThreadsEnded: 0, application: 0.9, "jvm": 0.1},
			nil,
		},
		"with a reference": {
			results.RoleVariant, threadsOf(0, main, writer), known, reference(30),
			shares{results.ThreadsEnded: 0, application: 0.5, agent: 0.5},
			[]string{"writer"},
		},
		"with more than there is": {
			results.RoleVariant, threadsOf(0, main, writer), known, reference(70),
			shares{results.ThreadsEnded: 0, application: 0, agent: 1},
			[]string{"writer"},
		},
		"nothing ran": {
			results.RoleVariant, threadsOf(0, idle), known, nil, shares{results.ThreadsEnded: 0, agent: 0}, nil,
		},
	} {
		e := scored(c.scalars)
		e.Threads = c.threads
		got := e.parts(&results.Cell{Role: c.role}, c.baselines)
		for group, share := range got {
			got[group] = math.Round(share*1e9) / 1e9
		}
		if diff := cmp.Diff(c.want, got); diff != "" || !slices.Equal(e.agentThreads, c.agents) {
			t.Errorf("%s: threads %q (-want +got):\n%s", name, e.agentThreads, diff)
		}
	}
}

// TestSplitCPU: the parts of a CPU time are of the invocations that have it, beside the baselines of their scenario.
func TestSplitCPU(t *testing.T) {
	part := results.Metric{Name: "cpu_agent", PartOf: "cpu", Threads: results.ThreadsAgent}
	other := part
	other.Name, other.Profile = "cpu_other", "counters"
	c := &results.Campaign{
		Scenarios: []results.Scenario{
			{Label: "s", Metrics: []results.Metric{{Name: "cpu"}, part, other}},
			{Label: "t"},
		},
		Cells: []results.Cell{
			{ID: "c00", Scenario: "s", Role: results.RoleBaseline},
			{ID: "c01", Scenario: "s", Role: results.RoleVariant},
			{ID: "c02", Scenario: "t", Role: results.RoleBaseline},
			{ID: "c03", Scenario: "s", Role: results.RoleAA},
		},
	}
	of := func(cell string, names ...string) Invocation {
		e := scored(nil)
		e.Cell, e.Profile, e.Threads = cell, results.ProfileTiming, threadsOf(0)
		e.Values = map[string]float64{"cpu": 100}
		for _, name := range names {
			e.Threads.Names = append(e.Threads.Names, results.ThreadTime{Name: name, RunNS: 1})
		}
		return *e
	}
	all := []Invocation{
		of("c00", "main"), of("c03", "pool"), of("c02", "writer"), of("c01", "main", "pool", "writer", "sender"),
		of("c01", "main"), of("c01", "writer"), of("c01", "writer"), of("c01"),
	}
	all[5].Status = results.StatusFailed
	delete(all[6].Values, "cpu")
	all[7].Threads = nil
	splitCPU(c, all)
	var got []string
	for i := range all {
		got = append(got, fmt.Sprint(all[i].Value("cpu_agent"), all[i].Value("cpu_other")))
	}
	want := []string{"0 NaN", "0 NaN", "NaN NaN", "50 NaN", "0 NaN", "NaN NaN", "NaN NaN", "NaN NaN"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAgentThreads: those that most invocations have come first, others in their order.
func TestAgentThreads(t *testing.T) {
	got := AgentThreadsOf([]*Invocation{
		{agentThreads: []string{"a", "b"}},
		{agentThreads: []string{"c", "b"}},
		{agentThreads: []string{"d", "c", "b"}},
		{},
	})
	if !slices.Equal(got, []string{"b", "c", "a", "d"}) {
		t.Errorf("%q", got)
	}
}

// one is a source of one campaign with one summary.
type one struct {
	Source
	campaign *results.Campaign
	all      []*results.Invocation
	sum      *summary.Summary
}

func (o one) Campaign() *results.Campaign { return o.campaign }

func (o one) Invocations() ([]*results.Invocation, error) { return o.all, nil }

func (o one) Summary(*results.Invocation) (*summary.Summary, error) {
	if o.sum == nil {
		return nil, errors.New("no summary")
	}
	return o.sum, nil
}

// summaryOf is a summary of one column.
func summaryOf(t *testing.T, series, name string, values ...int64) *summary.Summary {
	t.Helper()
	b := summary.NewBuilder(int64(len(values)))
	b.Add(values)
	c, err := b.Column()
	if err != nil {
		t.Fatal(err)
	}
	c.Series, c.Name = series, name
	return &summary.Summary{Columns: []summary.Column{c}}
}

// TestPrimaryMean: the value of the primary metric, of a scalar or of samples, if it counts.
func TestPrimaryMean(t *testing.T) {
	scalar := results.Metric{Name: "m", Unit: "ns", Primary: true}
	calls, unmarked := scalar, scalar
	calls.Series, calls.Column = "duration", "t"
	unmarked.Primary = false
	requests := calls
	requests.Series = results.SeriesRequest
	inv := func(change func(*results.Invocation)) *results.Invocation {
		i := &results.Invocation{Cell: "c00", Scalars: map[string]float64{"m": 7}}
		change(i)
		return i
	}
	usual, just := inv(func(*results.Invocation) {}), []results.Metric{scalar}
	without := inv(func(i *results.Invocation) { i.Scalars = nil })
	invalid := inv(func(i *results.Invocation) { i.Invalid = "why" })
	stray := inv(func(i *results.Invocation) { i.Cell = "c09" })
	void := func(name string) *results.Invocation {
		return inv(func(i *results.Invocation) { i.Void = map[string]string{name: "why"} })
	}
	batched := inv(func(i *results.Invocation) { i.Series = []results.Series{{Name: "duration", Batch: 10}} })
	answers := summaryOf(t, results.SeriesRequest, "t", 10, 40)
	for name, c := range map[string]struct {
		metrics []results.Metric
		inv     *results.Invocation
		sum     *summary.Summary
		want    string
	}{
		"a scalar":         {[]results.Metric{{Name: "x"}, scalar}, usual, nil, "7 ns true"},
		"not marked":       {[]results.Metric{unmarked}, usual, nil, "0  false"},
		"no metrics":       {nil, usual, nil, "0  false"},
		"no scalar":        {just, without, nil, "0 ns false"},
		"invalid":          {just, invalid, nil, "0  false"},
		"void":             {just, void("m"), nil, "0  false"},
		"another's void":   {just, void("x"), nil, "7 ns true"},
		"a stray":          {just, stray, nil, "0  false"},
		"samples":          {[]results.Metric{calls}, usual, summaryOf(t, "duration", "t", 10, 30), "20 ns true"},
		"batches":          {[]results.Metric{calls}, batched, summaryOf(t, "duration", "t", 10, 30), "2 ns true"},
		"requests":         {[]results.Metric{requests}, usual, answers, "25 ns true"},
		"unreadable":       {[]results.Metric{calls}, usual, nil, "0  false"},
		"other samples":    {[]results.Metric{calls}, usual, summaryOf(t, "other", "t", 10), "0  false"},
		"without a sample": {[]results.Metric{calls}, usual, summaryOf(t, "duration", "t"), "NaN ns false"},
	} {
		src := one{sum: c.sum, campaign: &results.Campaign{
			Scenarios: []results.Scenario{{Label: "s", Metrics: c.metrics, Window: results.WindowAll}},
			Cells:     []results.Cell{{ID: "c00", Scenario: "s"}},
		}}
		if value, unit, ok := PrimaryMean(src, c.inv); fmt.Sprint(value, " ", unit, " ", ok) != c.want {
			t.Errorf("%s: %v %s %t, want %s", name, value, unit, ok, c.want)
		}
	}
}

// TestPilots: a campaign's pilots alone are seen, as of the time of a call, and the campaign itself stays.
func TestPilots(t *testing.T) {
	own := []results.Metric{{Name: "m"}}
	c := &results.Campaign{Scenarios: []results.Scenario{
		{Label: "s", Metrics: own, Settling: &results.Settling{Series: "duration"}}, {Label: "t", Metrics: own},
	}}
	all := []*results.Invocation{
		{Cell: "a", Profile: results.ProfileTiming},
		{Cell: "b", Profile: results.ProfilePilot},
		{Cell: "c", Profile: results.ProfileCalibration},
	}
	seen := Pilots(one{campaign: c, all: all})
	found, err := seen.Invocations()
	if err != nil || len(found) != 1 || found[0].Cell != "b" || found[0].Profile != results.ProfileTiming {
		t.Errorf("%v, %v", found, err)
	}
	want := []results.Metric{{Name: "duration", Unit: "ns", Series: "duration", Column: "t", Primary: true}}
	scenarios := seen.Campaign().Scenarios
	got := [][]results.Metric{scenarios[0].Metrics, scenarios[1].Metrics}
	if diff := cmp.Diff([][]results.Metric{want, own}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c.Scenarios[0].Metrics[0].Name != "m" || all[1].Profile != results.ProfilePilot {
		t.Error("the campaign itself has changed")
	}
}

// TestWholeReference: the mean time of the reference; a summary that was read is not read again.
func TestWholeReference(t *testing.T) {
	with := &results.Invocation{Series: []results.Series{{Name: results.SeriesReference}}}
	sum := summaryOf(t, results.SeriesReference, "t", 1900, 2100)
	for name, c := range map[string]struct {
		src  Source
		inv  *results.Invocation
		sum  *summary.Summary
		want float64
		fail bool
	}{
		"none was taken": {one{}, &results.Invocation{}, nil, 0, false},
		"read":           {one{}, with, sum, 2000, false},
		"to be read":     {one{sum: sum}, with, nil, 2000, false},
		"unreadable":     {one{}, with, nil, 0, true},
		"without it":     {one{}, with, &summary.Summary{}, 0, false},
	} {
		if got, err := wholeReference(c.src, c.inv, c.sum); got != c.want || (err != nil) != c.fail {
			t.Errorf("%s: %v, %v; want %v", name, got, err, c.want)
		}
	}
}

// TestSettle: what is taken out, and why there is no mean.
func TestSettle(t *testing.T) {
	const end = "; end them, give the JVM CPUs of its own (pin in [machine]), " +
		"or read p50 and CPU, which hardly depend on it"
	for name, c := range map[string]struct {
		w       Waiting
		takes   bool
		taken   float64
		refused string
	}{
		"nothing to take": {Waiting{Taken: 0.9, Names: []string{"x"}}, false, 0, ""},
		"taken":           {Waiting{Taken: 0.35, doubt: 0.05, Few: true, KeptShare: 0.05}, true, 0.35, ""},
		"more than that": {
			Waiting{Taken: 0.36, Names: []string{"x", "y"}}, true, 0.36, "36 % of their time for other programs (x; y)",
		},
		"not known": {
			Waiting{Taken: 0.1, doubt: 0.06, Names: []string{"x"}}, true, 0.1, "other programs (x) took the CPU",
		},
		"too few": {
			Waiting{Few: true, KeptShare: 0.06, Kept: []string{"x"}},
			false, 0,
			"waited 6 % of their time for other programs (x), and fewer than 5",
		},
		"enough to tell that": {Waiting{KeptShare: 0.06, Kept: []string{"x"}}, true, 0, ""},
	} {
		c.w.settle(c.takes)
		said := strings.Contains(c.w.Refused, c.refused) && (c.w.Refused == "") == (c.refused == "")
		if c.w.Taken != c.taken || !said {
			t.Errorf("%s: %+v", name, c.w)
		}
		if c.w.Refused != "" && !strings.HasSuffix(c.w.Refused, end) {
			t.Errorf("%s: %s", name, c.w.Refused)
		}
		if !c.takes && c.w.Names != nil {
			t.Errorf("%s: names %q of nothing", name, c.w.Names)
		}
	}
}

// TestNamedWaits: the three programs that most was waited for, equal ones by their names, and none for a moment's wait.
func TestNamedWaits(t *testing.T) {
	a, b := scored(nil), scored(nil)
	all := waits{
		a: {"d": 0.2, "c": 0.1, "b": 0.1, "a": 0.1, "kept": 0.3, "least": 0.004, "less": 0.0039},
		b: {"d": 0.2, "c": 0.1, "b": 0.1, "a": 0.1, "kept": 0.1},
	}
	stay, out := all.named([]*Invocation{a, b}, map[string]bool{"kept": true})
	if !slices.Equal(stay, []string{"kept"}) || !slices.Equal(out, []string{"d", "a", "b"}) {
		t.Errorf("stay %q, out %q", stay, out)
	}
	only := waits{a: {"least": 0.002, "less": 0.0019}}
	if _, out := only.named([]*Invocation{a}, nil); !slices.Equal(out, []string{"least"}) {
		t.Errorf("out %q", out)
	}
	if got := all.taken(a, map[string]bool{"kept": true}); math.Abs(got-0.5079) > 1e-12 {
		t.Errorf("taken %v", got)
	}
}

// TestThreadsNS: the time of all measuring threads, as they tell it, or as their series are numbered.
func TestThreadsNS(t *testing.T) {
	e := scored(map[string]float64{loopLength: 100})
	for threads, want := range []float64{100, 100, 200, 300} {
		e.Series = nil
		for i := range threads {
			e.Series = append(e.Series, results.Series{Thread: threads - 1 - i})
		}
		if got := e.threadsNS(); got != want {
			t.Errorf("%d series: %v, want %v", threads, got, want)
		}
	}
	if e.Waited = (&results.Waited{ThreadsNS: 7}); e.threadsNS() != 7 {
		t.Errorf("told: %v", e.threadsNS())
	}
}

// TestGoesWith: a program goes with a variant if more was waited for it, by more than a tenth and a little.
func TestGoesWith(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		want bool
	}{
		{nil, nil, false},
		{[]float64{0.5}, []float64{0}, false}, // one block has no spread
		{[]float64{0.1, 0.1}, []float64{0.1, 0.1}, false},
		{[]float64{0.113, 0.113}, []float64{0.1, 0.1}, true},
		{[]float64{0.111, 0.111}, []float64{0.1, 0.1}, false},
		{[]float64{0.2, 0.21, 0.19}, []float64{0.1, 0.1, 0.1}, true},
		{[]float64{0.5, 0.0, 0.1}, []float64{0.1, 0.1, 0.1}, false},
	} {
		if got := goesWith(Pairs{X: c.x, Y: c.y}, 0.05); got != c.want {
			t.Errorf("%v beside %v: %t", c.x, c.y, got)
		}
	}
}

// TestRowsOf: a series is read row by row if it is short, whole and finite.
func TestRowsOf(t *testing.T) {
	long := summaryOf(t, "s", "a", make([]int64, summary.MaxBatches+1)...)
	two := summaryOf(t, "s", "a", 1, 2)
	two.Columns = append(two.Columns, summaryOf(t, "s", "b", 3, 4).Columns...)
	uneven := summaryOf(t, "s", "a", 1, 2)
	uneven.Columns = append(uneven.Columns, summaryOf(t, "s", "b", 3).Columns...)
	twice := summaryOf(t, "s", "a", 1)
	twice.Columns = append(twice.Columns, twice.Columns[0])
	infinite := summaryOf(t, "s", "a", 1)
	infinite.Columns[0].Sum[0] = math.Inf(1)
	for name, c := range map[string]struct {
		sum     *summary.Summary
		columns []string
		want    [][]float64
	}{
		"two columns":    {two, []string{"a", "b"}, [][]float64{{1, 3}, {2, 4}}},
		"one of them":    {two, []string{"b"}, [][]float64{{3}, {4}}},
		"not there":      {two, []string{"a", "c"}, nil},
		"uneven":         {uneven, []string{"a", "b"}, nil},
		"of two threads": {twice, []string{"a"}, nil},
		"infinite":       {infinite, []string{"a"}, nil},
		"too long":       {long, []string{"a"}, nil},
	} {
		if diff := cmp.Diff(c.want, rowsOf(c.sum, "s", c.columns...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	most := summaryOf(t, "s", "a", make([]int64, summary.MaxBatches)...)
	if got := rowsOf(most, "s", "a"); len(got) != summary.MaxBatches {
		t.Errorf("%d rows of the most", len(got))
	}
}

// TestWindowsOfColumns: which batches count, by the wanted window and the class.
func TestWindowsOfColumns(t *testing.T) {
	column := &summaryOf(t, "s", "t", make([]int64, 200)...).Columns[0]
	one, half := column.Whole(), column.Half()
	for name, c := range map[string]struct {
		kind  results.Window
		class string
		from  int
		want  summary.Window
		parts int
		whole bool
	}{
		"all":                    {results.WindowAll, "flat", 60, one, 1, false},
		"half":                   {results.WindowHalf, "flat", 60, half, 1, false},
		"steady":                 {results.WindowSteady, "warmup", 60, half, 1, false},
		"from the beginning":     {results.WindowSteady, "flat", 0, one, 2, false},
		"by default":             {"", "flat", 0, one, 2, false},
		"no steady state":        {results.WindowSteady, "no steady state", 0, half, 1, false},
		"no class":               {results.WindowSteady, "", 0, half, 1, false},
		"nothing of it is there": {results.WindowSteady, "warmup", 199, one, 1, true},
	} {
		compiling := make([]bool, 200)
		compiling[70] = true
		of := columns{columns: []*summary.Column{column}, longest: column, from: c.from, compiling: compiling}
		of.class = steady.Class(c.class)
		got := of.over(c.kind)
		if got.window != c.want || len(got.parts) != c.parts || got.whole != c.whole {
			t.Errorf("%s: %v in %d parts, whole: %t", name, got.window, len(got.parts), got.whole)
		}
	}
	for kind, want := range map[results.Window]results.Window{
		results.WindowAll: results.WindowSteady, results.WindowHalf: results.WindowSteady,
		results.WindowSteady: results.WindowHalf, "": results.WindowHalf,
	} {
		if got := OtherWindow(kind); got != want {
			t.Errorf("beside %q: %s", kind, got)
		}
	}
}
