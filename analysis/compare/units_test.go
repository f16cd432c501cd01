package compare

import (
	"math"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/results"
)

// took is a metric with these values.
func took(metric string, xs ...float64) analysis.MetricAnswer {
	m := analysis.MetricAnswer{Metric: metric}
	for i, x := range xs {
		m.Values = append(m.Values, evidence.Value{Block: i + 1, X: x})
	}
	return m
}

// TestBusySide: others count from more than a fiftieth of the CPU time on, in the median invocation.
func TestBusySide(t *testing.T) {
	for _, c := range []struct {
		name    string
		metrics []analysis.MetricAnswer
		want    bool
	}{
		{"a fiftieth", []analysis.MetricAnswer{took(othersMetric, 2), took(loopMetric, 100)}, false},
		{"more", []analysis.MetricAnswer{took(othersMetric, 2.1), took(loopMetric, 100)}, true},
		{"the median", []analysis.MetricAnswer{took(othersMetric, 1, 1, 99), took(loopMetric, 100, 100, 100)}, false},
		{"nobody told the others", []analysis.MetricAnswer{took(loopMetric, 100)}, false},
		{"nobody told the loop", []analysis.MetricAnswer{took(othersMetric, 9)}, false},
		{"no values of others", []analysis.MetricAnswer{took(othersMetric), took(loopMetric, 100)}, false},
		{"no values of the loop", []analysis.MetricAnswer{took(othersMetric, 9), took(loopMetric)}, false},
	} {
		s := &side{cell: &analysis.Cell{Metrics: c.metrics}}
		if got := s.busy(); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestHandsOver: calls take turns if they wait for their one CPU longer than the baseline's, by a twentieth
// of the loop.
func TestHandsOver(t *testing.T) {
	waits := func(delay, loop float64) []analysis.MetricAnswer {
		return []analysis.MetricAnswer{took(runDelayMetric, delay), took(loopMetric, loop)}
	}
	nothing := []analysis.MetricAnswer{took(runDelayMetric), took(loopMetric, 9)}
	for _, c := range []struct {
		name       string
		cpus       []string
		cell, base []analysis.MetricAnswer
		want       bool
	}{
		{"more by a twentieth", []string{"3"}, waits(15, 100), waits(10, 100), false},
		{"more than that", []string{"3"}, waits(16, 100), waits(10, 100), true},
		{"much, as the baseline", []string{"3"}, waits(50, 100), waits(50, 100), false},
		{"less than the baseline", []string{"3"}, waits(10, 100), waits(50, 100), false},
		{"two CPUs", []string{"3,4"}, waits(50, 100), waits(10, 100), false},
		{"a range", []string{"3-4"}, waits(50, 100), waits(10, 100), false},
		{"now one, now another", []string{"3", "4"}, waits(50, 100), waits(10, 100), false},
		{"not known", nil, waits(50, 100), waits(10, 100), false},
		{"a cell that does not tell", []string{"3"}, nil, waits(10, 100), false},
		{"a baseline that does not tell", []string{"3"}, waits(50, 100), nil, false},
		{"no loop", []string{"3"}, waits(50, 0), waits(10, 100), false},
		{"no values", []string{"3"}, nothing, waits(1, 100), false},
		{"no delay", []string{"3"}, []analysis.MetricAnswer{took(loopMetric, 9)}, waits(1, 100), false},
	} {
		sc := &analysis.Scenario{Cells: []analysis.Cell{
			{ID: "c0", Metrics: c.base}, {ID: "c1", Baseline: "c0", Metrics: c.cell},
		}}
		s := &side{scenario: sc, cell: &sc.Cells[1], observed: observed{cpus: c.cpus}}
		if got := s.handsOver(); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
		if s.cell = &sc.Cells[0]; s.handsOver() {
			t.Errorf("%s: a baseline takes turns", c.name)
		}
	}
}

// TestSameProgram: the same files in any order, with the same options.
func TestSameProgram(t *testing.T) {
	a, b := results.Artifact{Name: "a.jar", SHA256: "1"}, results.Artifact{Name: "b.jar", SHA256: "2"}
	base := results.Launch{
		Artifacts: []results.Artifact{a, b}, JVMArgs: []string{"-Xa", "-Xb"}, Env: []string{"A=1"},
		Prepare: []string{"p"},
	}
	files := func(all ...results.Artifact) func(*results.Launch) {
		return func(x *results.Launch) { x.Artifacts = all }
	}
	for name, c := range map[string]struct {
		change func(*results.Launch)
		want   bool
	}{
		"the same":         {func(*results.Launch) {}, true},
		"in another order": {files(b, a), true},
		"one file fewer":   {files(a), false},
		"another content":  {files(a, results.Artifact{Name: "b.jar", SHA256: "3"}), false},
		"another name":     {files(a, results.Artifact{Name: "c.jar", SHA256: "2"}), false},
		"other arguments":  {func(x *results.Launch) { x.JVMArgs = []string{"-Xb", "-Xa"} }, false},
		"no environment":   {func(x *results.Launch) { x.Env = nil }, false},
		"no preparation":   {func(x *results.Launch) { x.Prepare = nil }, false},
		"another fixture":  {func(x *results.Launch) { x.Fixture = "f" }, true},
	} {
		other := base
		c.change(&other)
		if sameProgram(base, other) != c.want || sameProgram(other, base) != c.want {
			t.Errorf("%s: %t", name, !c.want)
		}
	}
}

// TestOwnNext: what campaigns differ by is a share, or of a cost its amount.
func TestOwnNext(t *testing.T) {
	cost := func(value float64) scales { return scales{added: &infer.Scale{Value: value}} }
	for _, c := range []struct {
		older, newer scales
		relative     bool
		want         float64
	}{
		{cost(100), cost(300), false, 6},
		{cost(-400), cost(300), false, 8},
		{cost(100), cost(300), true, 0.02},
		{scales{}, scales{}, false, 0.02},
	} {
		a := &atOneSpeed{sides: [2]scales{c.older, c.newer}, next: 0.02}
		if got := a.own(c.relative); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %v, want %v", c, got, c.want)
		}
	}
	a := &atOneSpeed{room: 0.01, sides: [2]scales{{}, {mean: &infer.Scale{Value: -300}}}}
	if d := a.doubt(); d == nil || d.Share != 0.01 || math.Abs(d.Amount-3) > 1e-12 {
		t.Errorf("%+v", d)
	}
	if a.room = 0; a.doubt() != nil {
		t.Error("one program has a doubt")
	}
	if a = (&atOneSpeed{room: 0.01}); a.doubt() != nil {
		t.Error("a doubt without a mean")
	}
	if got := (&OneSpeed{OldNS: 2000, NewNS: 1900}).Slower(); math.Abs(got+0.05) > 1e-12 {
		t.Errorf("slower by %v", got)
	}
}

// TestOptionsOfTheJVM: the JVM's own options are seen, without paths and those that a variant has of its own.
func TestOptionsOfTheJVM(t *testing.T) {
	inv := func(profile results.Profile, status results.Status, machine string, command ...string) analysis.Invocation {
		return analysis.Invocation{
			Cell: "c1", Profile: profile, Status: status, Runtime: "17", CPUs: machine, Command: command,
		}
	}
	a := &analysis.Answers{
		Scenarios: []analysis.Scenario{{Cells: []analysis.Cell{
			{ID: "c1", Launch: results.Launch{JVMArgs: []string{"-Xown"}}},
		}}},
		Invocations: []analysis.Invocation{
			inv(results.ProfileTiming, results.StatusFailed, "9", "-Xfailed"),
			inv(results.ProfilePilot, results.StatusOK, "9", "-Xpilot"),
			inv(results.ProfileTiming, results.StatusOK, "2"),
			inv(results.ProfileTiming, results.StatusOK, "1", "java", "-Xmx1g", "-Xlog:/x", "-Xown", "-cp", "-Xss1m"),
			inv(results.ProfileTiming, results.StatusOK, "2", "-Xlater"),
			inv(results.ProfileResources, results.StatusOK, "2", "java"),
		},
	}
	o := observe(a)["c1"]
	if !slices.Equal(o.runtimes, []string{"17"}) || !slices.Equal(o.cpus, []string{"1", "2"}) {
		t.Errorf("%+v", o)
	}
	if o.options[results.ProfileTiming] != "-Xmx1g -Xss1m" || o.options[results.ProfileResources] != none {
		t.Errorf("%q", o.options)
	}
	list := insert(insert(insert(insert(nil, "b"), "a"), "b"), "")
	if !slices.Equal(list, []string{"a", "b"}) {
		t.Errorf("%q", list)
	}
}

// TestFirstFew: three names, and how many more there are.
func TestFirstFew(t *testing.T) {
	for n, want := range map[int]string{
		1: "a", 3: "a, b, c", 4: "a, b, c and 1 more", 5: "a, b, c and 2 more",
	} {
		if got := firstFew([]string{"a", "b", "c", "d", "e"}[:n]); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// TestNotesOfNights: the intervals include the variation between nights or not, of all cells or some, known or a guess.
func TestNotesOfNights(t *testing.T) {
	const oneNight, included = "one night against one night", ": the intervals include the variation between nights"
	const aGuess = " by chance, a guess; "
	se := 1.0
	plain := func() Change { return Change{SE: &se} }
	known := func() Change { return Change{SE: &se, Between: &Between{}} }
	guess := func(sd float64) Change { return Change{SE: &se, OneSpeed: &OneSpeed{Between: sd}} }
	raw := Change{SE: &se, Raw: true}
	for _, c := range []struct {
		name    string
		changes []Change
		history bool
		want    string
	}{
		{"no history", []Change{plain()}, false, oneNight + ": " + notIncluded + "; --history FILE includes it"},
		{"no nights", []Change{plain()}, true, ": " + notIncluded + ", because the history has fewer than"},
		{"all", []Change{known(), known()}, true, oneNight + included},
		{"some", []Change{known(), plain()}, true, included + "; " + notIncluded + " for v (m), of"},
		{"a guess", []Change{guess(0.005)}, false, "differ by 0.5 %" + aGuess + "--history FILE"},
		{
			"two guesses",
			[]Change{guess(0.02), guess(0.005)},
			true,
			"differ by 0.5 to 2.0 %" + aGuess + "the history",
		},
		{"a guess and not", []Change{guess(0.02), plain()}, false, ": " + notIncluded + "; --history FILE includes it"},
		{"a guess and known", []Change{guess(0.02), known()}, true, oneNight + included},
		{"without a reference", []Change{raw, known()}, true, oneNight + included},
		{"without an error", []Change{{}, known()}, true, oneNight + included},
	} {
		cmp := &Comparison{Campaigns: make([]Campaign, 2), Scenarios: []Scenario{{Metrics: []Metric{{
			Metric: results.Metric{Name: "m"}, Rows: []Row{
				{Cell: "v", Role: results.RoleVariant, Changes: c.changes},
				{Cell: "b", Role: results.RoleBaseline, Changes: []Change{plain(), known()}},
			},
		}}}}}
		cmp.addNotes(c.history)
		if len(cmp.Notes) != 1 || !strings.Contains(cmp.Notes[0], c.want) {
			t.Errorf("%s: %q, want %q", c.name, cmp.Notes, c.want)
		}
		if strings.HasSuffix(c.want, included) && !strings.HasSuffix(cmp.Notes[0], c.want) {
			t.Errorf("%s: %q goes on", c.name, cmp.Notes)
		}
	}
}

// TestSharperHolm: changes that Holm's p shows and the interval leaves undecided are named, with the
// campaign of several.
func TestSharperHolm(t *testing.T) {
	p := func(v float64) *float64 { return &v }
	for campaigns, want := range map[int]string{
		2: "v (m): Holm's p is below 0.05",
		3: "v (m, B): Holm's p is below 0.05",
	} {
		c := &Comparison{Campaigns: make([]Campaign, campaigns), Scenarios: []Scenario{{Metrics: []Metric{{
			Metric: results.Metric{Name: "m"}, Rows: []Row{
				{Cell: "v", Changes: []Change{{Campaign: "B", Verdict: infer.UndecidedYet, PHolm: p(0.049)}}},
				{Cell: "w", Changes: []Change{{Campaign: "B", Verdict: infer.UndecidedYet, PHolm: p(alpha)}}},
				{Cell: "x", Changes: []Change{{Campaign: "B", Verdict: infer.Regression, PHolm: p(0.001)}}},
				{Cell: "y", Changes: []Change{{Campaign: "B", Verdict: infer.UndecidedYet}}},
			},
		}}}}}
		if c.addNotes(false); len(c.Notes) != 2 || !strings.HasPrefix(c.Notes[1], want) {
			t.Errorf("%d campaigns: %q", campaigns, c.Notes)
		}
		first := map[int]string{2: "one night against one night: ", 3: "each campaign is one night: "}[campaigns]
		if !strings.HasPrefix(c.Notes[0], first) {
			t.Errorf("%d campaigns: %q", campaigns, c.Notes)
		}
	}
}

// TestMargins: a margin is a share above 0; none is 3 %.
func TestMargins(t *testing.T) {
	for margin, want := range map[float64]float64{
		0: defaultMargin, 0.001: 0.001, 2: 2, -0.01: 0, math.Inf(1): 0, math.NaN(): 0,
	} {
		c, err := Several([]*analysis.Answers{night(1, variant("a", 0.5, 0.01)), night(2, variant("a", 0.5, 0.01))},
			Options{Margin: margin})
		if (err == nil) != (want > 0) || err == nil && c.Margin != want {
			t.Errorf("%v: %v", margin, err)
		}
	}
	for n, want := range map[int]bool{0: false, 1: false, 2: true, most: true, most + 1: false} {
		as := make([]*analysis.Answers, n)
		for i := range as {
			as[i] = night(i+1, variant("a", 0.5, 0.01))
		}
		if _, err := Several(as, Options{}); (err == nil) != want {
			t.Errorf("%d campaigns: %v", n, err)
		}
	}
}

// TestCount: the changes of variants with a verdict, and whether a campaign lacks answers.
func TestCount(t *testing.T) {
	changes := []Change{{Verdict: infer.Regression}, {Verdict: infer.Same}, {Verdict: infer.Regression}}
	m := &Metric{Rows: []Row{
		{Role: results.RoleVariant, Changes: changes},
		{Role: results.RoleBaseline, Changes: changes},
		{Role: results.RoleVariant, Changes: changes[:1]},
	}}
	if m.Count(infer.Regression) != 3 || m.Count(infer.Same) != 1 || m.Count(infer.Improvement) != 0 {
		t.Errorf("%d, %d", m.Count(infer.Regression), m.Count(infer.Same))
	}
	c := &Comparison{Campaigns: []Campaign{{}, {}}}
	if c.Incomplete() {
		t.Error("nothing lacks")
	}
	if c.Campaigns[1].Incomplete = []string{"c"}; !c.Incomplete() {
		t.Error("an answer lacks")
	}
}

// TestRoom: the doubt is a share of ratios, and an amount of costs.
func TestRoom(t *testing.T) {
	doubt := &infer.Doubt{Share: 0.01, Amount: 7}
	for _, c := range []struct {
		change Change
		want   float64
	}{{Change{}, 0}, {Change{Doubt: doubt}, 7}, {Change{Doubt: doubt, Relative: true}, 0.01}} {
		if got := (contrast{Change: &c.change}).room(); got != c.want {
			t.Errorf("%+v: %v", c.change, got)
		}
	}
}
