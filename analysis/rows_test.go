package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/caveat"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/analysis/rows"
	"moobench/results"
)

// TestCellRows: each number of a cell is a row with its unit, what it is compared with, and the caveats of either.
func TestCellRows(t *testing.T) {
	n := 0.0
	e := func() *Estimate { n++; return &Estimate{Value: n} }
	variant := Cell{
		ID: "c1", Baseline: "c0", Role: results.RoleVariant, Label: "agent d=1", Variant: "agent", Level: "d=1",
		Marks:      []caveat.Mark{{Kind: "own", Show: "own"}},
		Unadjusted: e(), PerExecution: e(), NoPerRecord: "no record",
		Metrics: []MetricAnswer{
			{
				Metric: "m", Mean: e(), Difference: e(), NoRatio: "no ratio",
				Quantiles: []Quantile{
					{Name: "p50", Estimate: *e(), AtStandard: &AtStandard{Estimate: e()}},
					{Name: "max", Estimate: *e(), AtStandard: &AtStandard{Absent: "too far"}},
				},
				AtStandard: &AtStandard{Mean: e(), Difference: e(), Ratio: e(), PerExecution: e()},
			},
			{
				Metric: "lost", Absent: "a count", NoDifference: "a count",
				Rate: &reading.Rate{
					Arm: infer.Arm{N: 4, PerMillion: 70}, Versus: &reading.Rates{Rates: infer.Rates{Difference: 7}},
				},
			},
		},
	}
	s := &Scenario{
		Label: "s", Primary: "m",
		Metrics: []results.Metric{{Name: "m", Unit: "ns"}, {Name: "lost", Unit: "1"}, {Name: "gone"}},
		Cells: []Cell{
			{
				ID: "c0", Marks: []caveat.Mark{{Kind: "few", Show: "only 3", Text: "text", Rank: caveat.Remark}},
				Metrics: []MetricAnswer{{Metric: "m", Mean: &Estimate{Value: 99}}},
			},
			variant,
			{ID: "c2", Invalid: "why", Metrics: variant.Metrics},
		},
	}
	general := []caveat.Mark{{Kind: "general"}}
	var got []string
	for _, r := range s.CellRows(&s.Cells[1], general) {
		value := r.Why
		if r.Estimate != nil {
			value = fmt.Sprint(r.Estimate.Value)
		}
		got = append(got, fmt.Sprintf("%s %s %t, %q against %q: %s",
			r.Metric.Name, r.Statistic, r.Primary, r.Unit, r.Against, value))
		if r.Key != (rows.Key{
			Scenario: "s", Cell: "c1", Label: "agent d=1", Variant: "agent", Level: "d=1", Role: results.RoleVariant,
		}) {
			t.Errorf("%+v", r.Key)
		}
		kinds := func(marks []caveat.Mark) string {
			return strings.Join(results.Each(marks, func(m caveat.Mark) string { return m.Kind }), ", ")
		}
		if kinds(r.Alone) != "own, general" || kinds(r.Compared) != "own, general, baseline few" {
			t.Errorf("alone %s, compared %s", kinds(r.Alone), kinds(r.Compared))
		}
	}
	want := []string{
		`m mean true, "ns" against "": 3`, `m difference true, "ns" against "c0": 4`,
		`m ratio true, "" against "c0": no ratio`,
		`m p50 true, "ns" against "": 5`, `m p50_at_standard true, "ns" against "": 6`,
		`m max true, "ns" against "": 7`, `m max_at_standard true, "ns" against "": too far`,
		`m mean_at_standard true, "ns" against "": 8`, `m difference_at_standard true, "ns" against "c0": 9`,
		`m ratio_at_standard true, "" against "c0": 10`, `m per_execution_at_standard true, "ns" against "c0": 11`,
		`m unadjusted true, "ns" against "c0": 1`, `m per_execution true, "ns" against "c0": 2`,
		`m per_record true, "ns" against "c0": no record`,
		`lost per_million false, "per million" against "": 70`,
		`lost per_million_difference false, "per million" against "c0": 7`,
		`lost mean false, "1" against "": a count`, `lost difference false, "1" against "c0": a count`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := s.CellRows(&s.Cells[2], nil); got != nil {
		t.Errorf("an invalid cell has rows: %+v", got)
	}
	baseline := s.CaveatsAgainst(&s.Cells[1], nil)[1]
	if baseline != (caveat.Mark{Kind: "baseline few", Show: "baseline only 3", Rank: caveat.Remark}) {
		t.Errorf("%+v", baseline)
	}
	if got := s.CaveatsAgainst(&s.Cells[0], general); len(got) != 2 {
		t.Errorf("a baseline is compared with itself: %+v", got)
	}
	alone := (&Answers{Scenarios: []Scenario{*s}}).Rows(general)
	if len(alone) != 1+len(want) || alone[0].Cell != "c0" || alone[0].Statistic != rows.Mean {
		t.Errorf("%d rows, the first %+v", len(alone), alone[0])
	}
}

// TestTakeVerdicts: a scenario's own question gives its verdict to the difference that it is about.
func TestTakeVerdicts(t *testing.T) {
	eq := &Equivalence{}
	for _, c := range []struct {
		name           string
		a              Answer
		mean, p99, p50 Verdict
	}{
		{"of means", Answer{A: "c1", B: "c0", Metric: "m"}, "asked", "q", "q"},
		{"of a quantile", Answer{A: "c1", B: "c0", Metric: "m", Quantile: 0.99}, "d", "asked", "q"},
		{"of another quantile", Answer{A: "c1", B: "c0", Metric: "m", Quantile: 0.9}, "d", "q", "q"},
		{"the reverse", Answer{A: "c0", B: "c1", Metric: "m"}, "d", "q", "q"},
		{"another cell", Answer{A: "c9", B: "c0", Metric: "m"}, "d", "q", "q"},
		{"another metric", Answer{A: "c1", B: "c0", Metric: "x"}, "d", "q", "q"},
		{"asked by somebody", Answer{A: "c1", B: "c0", Metric: "m", Asked: true}, "d", "q", "q"},
		{"of rates", Answer{A: "c1", B: "c0", Metric: "m", Rates: &reading.Rates{}}, "d", "q", "q"},
	} {
		c.a.Difference, c.a.Verdict, c.a.Equivalence = &Estimate{}, "asked", eq
		metric := MetricAnswer{
			Metric: "m", Difference: &Estimate{}, Verdict: "d",
			Quantiles: []Quantile{{P: 0.5, Verdict: "q"}, {P: 0.99, Verdict: "q"}},
		}
		cells := []Cell{{ID: "c0"}, {ID: "c1", Baseline: "c0", Metrics: []MetricAnswer{metric}}}
		s := &Scenario{Answers: []Answer{c.a}, Cells: cells}
		s.takeVerdicts()
		m := s.Cells[1].Metrics[0]
		if m.Verdict != c.mean || m.Quantiles[0].Verdict != c.p50 || m.Quantiles[1].Verdict != c.p99 {
			t.Errorf("%s: %s, %s, %s", c.name, m.Verdict, m.Quantiles[0].Verdict, m.Quantiles[1].Verdict)
		}
		if (m.Equivalence == eq) != (c.mean == "asked") || (m.Quantiles[1].Equivalence == eq) != (c.p99 == "asked") {
			t.Errorf("%s: equivalence %v and %v", c.name, m.Equivalence, m.Quantiles[1].Equivalence)
		}
		s.Answers[0].Difference, s.Answers[0].Verdict = nil, "none"
		if s.takeVerdicts(); s.Cells[1].Metrics[0].Verdict == "none" {
			t.Errorf("%s: an answer without a difference has a verdict", c.name)
		}
	}
}

// TestMeasuredShare: records of a swapped-in probe are those of the measured calls, as the plan knows them.
func TestMeasuredShare(t *testing.T) {
	for _, c := range []struct {
		planned, expected int64
		deactivate        string
		want              float64
	}{
		{100, 0, "", 1},
		{100, 100, "", 1},
		{100, 100, "x", 1},
		{100, 400, "", 0.25},
		{100, 400, "x", 0},
		{0, 400, "", 1},
		{0, 400, "x", 0},
		{100, -1, "x", 1},
	} {
		cell := &results.Cell{Launch: results.Launch{Deactivate: c.deactivate}}
		cell.Proof.Expected = c.planned
		if got := measuredShare(cell, results.Proof{Expected: c.expected}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// waited is a reader of a variant whose calls waited.
func waited(w *evidence.Waiting) *reader {
	c := oneScenario(results.Cell{ID: "c", Role: results.RoleVariant})
	return readerOf(c, &evidence.Invocation{Waiting: w, Invocation: &results.Invocation{
		Cell: "c", Profile: results.ProfileTiming, Status: results.StatusOK,
	}})
}

// TestWaitingMarks: what calls waited for is a caveat from a fiftieth of their time on.
func TestWaitingMarks(t *testing.T) {
	for _, c := range []struct {
		name  string
		w     *evidence.Waiting
		marks string
		text  string // of the first one
		taken bool
	}{
		{"nobody knows", nil, "", "", false},
		{"not told", &evidence.Waiting{Taken: 0.1, Others: 0.5}, "", "", true},
		{"nothing", &evidence.Waiting{Told: true}, "", "", false},
		{
			"taken out", &evidence.Waiting{Told: true, Taken: 0.1, Names: []string{"a", "b"}},
			"waited 10 %", "for others (a; b): taken", true,
		},
		{"unnamed", &evidence.Waiting{Told: true, Taken: 0.1}, "waited 10 %", "for others: taken", true},
		{
			"refused", &evidence.Waiting{Told: true, Taken: 0.5, Refused: "too long", Foreign: 0.4, Steal: 0.2},
			"waited 60 %", "too long", false,
		},
		{"others", &evidence.Waiting{Told: true, Others: 0.02}, "waited 2.0 % for some", "its calls", false},
		{"hardly others", &evidence.Waiting{Told: true, Others: 0.0199}, "", "", false},
		{
			"kept", &evidence.Waiting{Told: true, KeptShare: 0.02, Kept: []string{"k"}},
			"others ran more beside it", "beside its baseline (k): it seems to cause this", false,
		},
		{"hardly kept", &evidence.Waiting{Told: true, KeptShare: 0.0199}, "", "", false},
		{"few", &evidence.Waiting{Told: true, KeptShare: 0.02, Few: true}, "waited 2.0 %", "so few blocks", false},
		{"hardly, of few", &evidence.Waiting{Told: true, KeptShare: 0.0199, Few: true}, "", "", false},
		{
			"refused, of few", &evidence.Waiting{Told: true, KeptShare: 0.3, Few: true, Refused: "x"},
			"waited 0 %", "x", false,
		},
		{"took turns", &evidence.Waiting{Told: true, Taken: 0.02, Own: 0.2}, "waited 2.0 %, took turns", "its", true},
		{"hardly took turns", &evidence.Waiting{Told: true, Taken: 0.02, Own: 0.19}, "waited 2.0 %", "its calls", true},
		{"hardly taken out", &evidence.Waiting{Told: true, Taken: 0.019, Own: 0.2}, "waited 1.9 %", "its calls", true},
	} {
		r := waited(c.w)
		ms := r.waitingMarks(&Cell{ID: "c", Role: results.RoleVariant})
		got := strings.Join(results.Each(ms, func(m caveat.Mark) string { return m.Show }), ", ")
		if got != c.marks || len(ms) > 0 && !strings.Contains(ms[0].Text, c.text) {
			t.Errorf("%s: %s; %+v", c.name, got, ms)
		}
		if got := r.taken(); (got != nil) != c.taken {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	turns := &evidence.Waiting{Told: true, Taken: 0.02, Own: 0.2}
	if ms := waited(turns).waitingMarks(&Cell{ID: "c", Role: results.RoleBaseline}); len(ms) != 1 {
		t.Errorf("a baseline took turns: %+v", ms)
	}
}

// TestDisturbedText: what became of the time that other programs took.
func TestDisturbedText(t *testing.T) {
	for _, c := range []struct {
		w    *evidence.Waiting
		want string
	}{
		{nil, "kept: expect numbers that are too high"},
		{&evidence.Waiting{Delay: 0.25, Taken: 0.1}, "an unrecorded part of the 25 % of their time"},
		{&evidence.Waiting{Told: true, Refused: "x", Taken: 0.1}, "they waited for these too long"},
		{&evidence.Waiting{Told: true, Taken: 0.1}, "is taken out of the mean if they ran before the campaign"},
		{&evidence.Waiting{Told: true}, "they stay in; calls hardly waited for them"},
	} {
		if got := waited(c.w).disturbedText("c"); !strings.Contains(got, c.want) {
			t.Errorf("%+v: %s", c.w, got)
		}
	}
}

// TestThreadMarks: threads that take more CPU time than calls take longer are a caveat, each kind another one.
func TestThreadMarks(t *testing.T) {
	for _, c := range []struct {
		name    string
		group   results.ThreadGroup
		more    float64
		verdict Verdict
		longer  float64
		change  func(*Cell, *results.Campaign)
		want    string
		rank    caveat.Rank
	}{
		{"the agent's", results.ThreadsAgent, 300, infer.Higher, 200, nil, "CPU of its threads", caveat.Misleading},
		{
			"the collector's", results.ThreadsCollector, 300, infer.Higher, 200, nil,
			"CPU of the collector", caveat.Misleading,
		},
		{"compilers", results.ThreadsCompiler, 300, infer.Higher, 200, nil, "CPU of compilers", caveat.Remark},
		{"the application's", results.ThreadsApplication, 300, infer.Higher, 200, nil, "", ""},
		{"as much", results.ThreadsAgent, 200, infer.Higher, 200, nil, "", ""},
		{
			"beside a cheaper call", results.ThreadsAgent, 10, infer.Higher, -200, nil,
			"CPU of its threads", caveat.Misleading,
		},
		{"less, beside a cheaper call", results.ThreadsAgent, -10, infer.Higher, -200, nil, "", ""},
		{"undecided", results.ThreadsAgent, 300, infer.Undecided, 200, nil, "", ""},
		{"a baseline", results.ThreadsAgent, 300, infer.Higher, 200, func(c *Cell, _ *results.Campaign) {
			c.Role = results.RoleBaseline
		}, "", ""},
		{"another unit", results.ThreadsAgent, 300, infer.Higher, 200, func(_ *Cell, c *results.Campaign) {
			c.Scenarios[0].Metrics[0].Unit = "B"
		}, "", ""},
		{"requests", results.ThreadsAgent, 300, infer.Higher, 200, func(_ *Cell, c *results.Campaign) {
			c.Scenarios[0].Metrics[0].Series = results.SeriesRequest
		}, "CPU of its threads", caveat.Misleading},
		{"no samples", results.ThreadsAgent, 300, infer.Higher, 200, func(_ *Cell, c *results.Campaign) {
			c.Scenarios[0].Metrics[0].Series = ""
		}, "", ""},
		{"no difference", results.ThreadsAgent, 300, infer.Higher, 200, func(c *Cell, _ *results.Campaign) {
			c.Metrics[0].Difference = nil
		}, "", ""},
	} {
		made := oneScenario(results.Cell{ID: "c", Role: results.RoleVariant})
		metrics := &made.Scenarios[0].Metrics
		(*metrics)[0].Series = "duration"
		*metrics = append(*metrics, results.Metric{Name: "cpu", Unit: "ns", Threads: c.group})
		cell := &Cell{ID: "c", Role: results.RoleVariant, AgentThreads: []string{"t"}, Metrics: []MetricAnswer{
			{Metric: "m", Difference: &Estimate{Value: c.longer}},
			{Metric: "cpu", Difference: &Estimate{Value: c.more}, Verdict: c.verdict},
		}}
		if c.change != nil {
			c.change(cell, made)
		}
		ms := readerOf(made).threadMarks(cell)
		if (len(ms) == 1) != (c.want != "") || len(ms) == 1 && (ms[0].Kind != c.want || ms[0].Rank != c.rank) {
			t.Errorf("%s: %+v", c.name, ms)
		}
	}
	with := &Scenario{Cells: []Cell{{}, {AgentThreads: []string{"t"}}}}
	if !with.HasAgentThreads() || (&Scenario{Cells: []Cell{{}}}).HasAgentThreads() {
		t.Error("threads of an agent are not told")
	}
}

// TestScenes: chapters see the cells of a scenario with their keys, factors and caveats.
func TestScenes(t *testing.T) {
	marks := []caveat.Mark{{Kind: "few"}}
	s := &Scenario{
		Label: "s", Primary: "m", Metrics: []results.Metric{{Name: "m"}},
		Common: []results.Value{{Name: "n", Value: "1"}},
		Cells: []Cell{{ID: "c0"}, {
			ID: "c1", Label: "v d=1", Variant: "v", Level: "d=1", Role: results.RoleVariant,
			Factors: []results.Value{{Name: "d", Value: "1"}}, Marks: marks,
		}},
	}
	at := s.Scene("id", true)
	if at.ID != "id" || !at.Paged || at.Scenario != "s" || at.Primary != "m" || len(at.Metrics) != 1 ||
		len(at.Common) != 1 || len(at.Cells) != 2 {
		t.Fatalf("%+v", at)
	}
	c := at.Cells[1]
	want := rows.Key{Scenario: "s", Cell: "c1", Label: "v d=1", Variant: "v", Level: "d=1", Role: results.RoleVariant}
	if c.Key != want || len(c.Factors) != 1 || len(c.Marks) != 1 || at.Cells[0].Key.Cell != "c0" {
		t.Errorf("%+v", c)
	}
	if got := len((&Answers{}).Overall()); got != 2 {
		t.Errorf("%d chapters are about a campaign as a whole", got)
	}
}

// TestLossMarks: lost requests are a caveat of a cell, and of its baseline, whose name they have.
func TestLossMarks(t *testing.T) {
	inv := func(cell string, lost float64) *evidence.Invocation {
		return &evidence.Invocation{Invocation: &results.Invocation{
			Cell: cell, Profile: results.ProfileTiming, Status: results.StatusOK,
			Scalars: map[string]float64{results.ScalarLost: lost, results.ScalarRequests: 1000},
		}}
	}
	for _, c := range []struct {
		name           string
		series         string
		base, own      float64
		baseline, cell string
	}{
		{"none", results.SeriesRequest, 0, 0, "", ""},
		{"the cell", results.SeriesRequest, 0, 5, "", "lost 5 of 1,000 requests (0.50 %)"},
		{
			"the baseline", results.SeriesRequest, 5, 0, "lost 5 of 1,000 requests (0.50 %)",
			"the baseline lost 5 of 1,000 requests (0.50 %)",
		},
		{
			"both", results.SeriesRequest, 5, 6, "lost 5 of 1,000 requests (0.50 %)",
			"lost 6 of 1,000 requests (0.60 %), the baseline lost 5 of 1,000 requests (0.50 %)",
		},
		{"no requests", "duration", 5, 6, "", ""},
	} {
		made := oneScenario(
			results.Cell{ID: "c0", Variant: "none", Role: results.RoleBaseline},
			results.Cell{ID: "c1", Variant: "agent", Baseline: "c0", Role: results.RoleVariant},
		)
		made.Scenarios[0].Metrics[0].Series = c.series
		r := readerOf(made, inv("c0", c.base), inv("c1", c.own))
		shows := func(cell *Cell) string {
			return strings.Join(results.Each(r.requestMarks(cell), func(m caveat.Mark) string { return m.Show }), ", ")
		}
		baseline, cell := shows(&Cell{ID: "c0"}), shows(&Cell{ID: "c1", Baseline: "c0"})
		if baseline != c.baseline || cell != c.cell {
			t.Errorf("%s: %q, %q; want %q, %q", c.name, baseline, cell, c.baseline, c.cell)
		}
		if notes := r.requestNotes(); (len(notes) == 1) != (c.series == results.SeriesRequest) {
			t.Errorf("%s: %q", c.name, notes)
		}
	}
}
