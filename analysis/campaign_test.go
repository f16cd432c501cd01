package analysis

import (
	"slices"
	"strings"
	"testing"

	"moobench/analysis/evidence"
	"moobench/analysis/reading"
	"moobench/results"
)

// TestUnansweredCells: a cell has an answer in the primary metric, or a reason why it has none.
func TestUnansweredCells(t *testing.T) {
	wide := &Estimate{Interval: &Interval{}}
	none := &Estimate{NoInterval: "no interval"}
	for _, c := range []struct {
		name string
		cell Cell
		want string
	}{
		{"not measured", Cell{}, ""},
		{"invalid", Cell{Invalid: "invalid", Broken: "broken", GivenUp: "failed"}, "invalid"},
		{"broken", Cell{Broken: "broken", GivenUp: "failed"}, "broken"},
		{"given up", Cell{GivenUp: "failed"}, "given up: failed"},
		{"a rate", Cell{Metrics: []MetricAnswer{
			{Metric: "m", Rate: &reading.Rate{NoVersus: "no events"}},
		}}, "no events"},
		{"no mean", Cell{Metrics: []MetricAnswer{{Metric: "m", Absent: "no value"}}}, "no value"},
		{"a baseline", Cell{Metrics: []MetricAnswer{{Metric: "m", Mean: wide}}}, ""},
		{"without a baseline", Cell{Role: results.RoleVariant, Metrics: []MetricAnswer{{Metric: "m", Mean: wide}}}, ""},
		{"no difference", Cell{Role: results.RoleVariant, Baseline: "b", Metrics: []MetricAnswer{
			{Metric: "m", Mean: wide, NoDifference: "no pairs"},
		}}, "no pairs"},
		{"a second baseline", Cell{Role: results.RoleAA, Baseline: "b", Metrics: []MetricAnswer{
			{Metric: "m", Mean: wide, NoDifference: "no pairs"},
		}}, ""},
		{"two blocks", Cell{Role: results.RoleVariant, Baseline: "b", Planned: 2, Metrics: []MetricAnswer{
			{Metric: "m", Mean: wide, Difference: none},
		}}, "no interval"},
		{"one block", Cell{Role: results.RoleVariant, Baseline: "b", Planned: 1, Metrics: []MetricAnswer{
			{Metric: "m", Mean: wide, Difference: none},
		}}, ""},
		{"all of it", Cell{Role: results.RoleVariant, Baseline: "b", Planned: 2, Metrics: []MetricAnswer{
			{Metric: "m", Mean: wide, Difference: wide},
		}}, ""},
	} {
		if got := c.cell.Unanswered("m"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	a := &Answers{Scenarios: []Scenario{{
		Label: "s", Primary: "m", AA: []AA{{State: AAResolves}, {State: AAFailed, Level: "d=1"}},
		Cells: []Cell{{Label: "c", Missing: 2}, {Label: "d", Broken: "broken", Missing: 1}},
	}, {Label: "t"}}}
	want := []string{
		"s: the A/A" + reading.AtLevel("d=1") + " failed", "s: d has no answer: broken",
		"s: unfinished, 3 planned invocations are missing",
	}
	if got := a.unanswered(); !slices.Equal(got, want) || a.Incomplete() {
		t.Errorf("%q", got)
	}
	if a.Unanswered = want; !a.Incomplete() {
		t.Error("nothing lacks")
	}
}

// TestRecomputed: three invocations whose summaries were not used are named, and how many more there are.
func TestRecomputed(t *testing.T) {
	var all []Measured
	for block := range 5 {
		m := Measured{Invocation: &results.Invocation{Identity: results.Identity{Block: block + 1}}}
		if block != 1 {
			m.Anew = "why " + string('a'+rune(block))
		}
		all = append(all, m)
	}
	for n, want := range map[int]string{
		1: "the summary of b0001.s00.r0 is damaged, and was computed again from the samples: why a; ",
		4: "the summary of b0001.s00.r0, b0003.s00.r0, b0004.s00.r0 is damaged, and was computed again " +
			"from the samples: why d; ",
		5: "b0004.s00.r0 and 1 more is damaged, and was computed again from the samples: why e; ",
	} {
		if got := Recomputed(all[:n]); !strings.Contains(got, want) {
			t.Errorf("%d: %s", n, got)
		}
	}
	if got := Recomputed(all[1:2]); got != "" {
		t.Errorf("%s", got)
	}
}

// TestPilotsAreAdded: an invocation has the series of its pilot, if that has one.
func TestPilotsAreAdded(t *testing.T) {
	pilot := func(block int, trace ...float64) evidence.Invocation {
		e := evidence.Invocation{Invocation: &results.Invocation{Identity: results.Identity{Block: block}}}
		e.Samples.Trace, e.Samples.Calls = trace, int64(10*block)
		return e
	}
	a := &Answers{Invocations: []Invocation{{ID: "b0000.s00.r0"}, {ID: "b0001.s00.r0"}, {ID: "b0002.s00.r0"}}}
	a.addPilots([]evidence.Invocation{pilot(1, 7), pilot(2), pilot(9, 7), pilot(0, 5)})
	calls := results.Each(a.Invocations, func(i Invocation) int64 { return i.Calls })
	if !slices.Equal(calls, []int64{0, 10, 0}) || len(a.Invocations[0].Inside.Trace) != 1 ||
		len(a.Invocations[1].Inside.Trace) != 1 || a.Invocations[2].Inside.Trace != nil {
		t.Errorf("%+v", a.Invocations)
	}
}

// TestFindAnswers: scenarios, cells, metrics and quantiles are found by their names, in the answers themselves.
func TestFindAnswers(t *testing.T) {
	answer := MetricAnswer{Metric: "m", Quantiles: []Quantile{{Name: "p50"}, {Name: "p99"}}}
	a := &Answers{Scenarios: []Scenario{{Label: "s"}, {
		Label: "t", Metrics: []results.Metric{{Name: "m"}, {Name: "n"}},
		Cells: []Cell{{ID: "c"}, {ID: "d", Metrics: []MetricAnswer{answer}}},
	}}}
	s := a.Scenario("t")
	if s != &a.Scenarios[1] || a.Scenario("u") != nil || s.Cell("d") != &s.Cells[1] || s.Cell("e") != nil {
		t.Error("not what was looked for")
	}
	m := s.Cells[1].MetricNamed("m")
	if s.MetricNamed("n") != &s.Metrics[1] || s.MetricNamed("o") != nil || s.Cells[1].MetricNamed("n") != nil {
		t.Error("not the metric")
	}
	if m == nil {
		t.Fatal("no metric")
	}
	if m.Quantile("p99") != &m.Quantiles[1] || m.Quantile("max") != nil {
		t.Error("not the quantile")
	}
}

// TestLoopsOfCells: the share of loops is of the wall time without what agents take longer to start than baselines.
func TestLoopsOfCells(t *testing.T) {
	made := oneScenario(
		results.Cell{ID: "c0", Role: results.RoleBaseline},
		results.Cell{ID: "c1", Baseline: "c0", Role: results.RoleVariant},
	)
	inv := func(cell string, loop, wall, start float64) *evidence.Invocation {
		scalars := map[string]float64{loopScalar: loop, wallScalar: wall, startupScalar: start}
		for name, x := range scalars {
			if x < 0 {
				delete(scalars, name)
			}
		}
		return &evidence.Invocation{Invocation: &results.Invocation{
			Cell: cell, Profile: results.ProfileTiming, Status: results.StatusOK, Scalars: scalars,
		}}
	}
	for _, c := range []struct {
		name              string
		es                []*evidence.Invocation
		loop, wall, start float64
		share             float64 // 0: none
	}{
		{"none", nil, 0, 0, 0, 0},
		{"a baseline", []*evidence.Invocation{inv("c0", 60, 100, 10)}, 60, 100, 0, 0.6},
		{"an agent", []*evidence.Invocation{
			inv("c0", 60, 100, 10), inv("c0", 60, 100, 20), inv("c1", 60, 150, 65),
		}, 180, 350, 50, 0.6},
		{"a quicker one", []*evidence.Invocation{inv("c0", 60, 100, 10), inv("c1", 60, 100, 5)}, 120, 200, 0, 0.6},
		{"without a baseline", []*evidence.Invocation{inv("c1", 60, 100, 65)}, 60, 100, 0, 0.6},
		{"without a start", []*evidence.Invocation{inv("c0", 60, 100, 10), inv("c1", 60, 100, -1)}, 120, 200, 0, 0.6},
		{"without a loop", []*evidence.Invocation{inv("c0", -1, 100, 10)}, 0, 0, 0, 0},
		{"without a wall", []*evidence.Invocation{inv("c0", 60, -1, 10)}, 0, 0, 0, 0},
	} {
		byCell := map[string][]*evidence.Invocation{}
		for _, e := range c.es {
			byCell[e.Cell] = append(byCell[e.Cell], e)
		}
		for _, scenario := range []string{"", "s"} {
			l := loops(made, byCell, scenario)
			if l.LoopNS != c.loop || l.WallNS != c.wall || l.StartupNS != c.start {
				t.Errorf("%s: %+v", c.name, l)
			}
			if has := c.share > 0; (l.Share != nil) != has || has && *l.Share != c.share || (l.Absent == "") != has {
				t.Errorf("%s: %+v", c.name, l)
			}
		}
		if l := loops(made, byCell, "other"); l.WallNS != 0 || l.Share != nil {
			t.Errorf("%s, of another scenario: %+v", c.name, l)
		}
	}
}
