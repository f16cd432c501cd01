package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// TestHalf: the half-width of the difference, else of the mean.
func TestHalf(t *testing.T) {
	wide := func(half float64) *Estimate { return &Estimate{Interval: &Interval{Low: -half, High: half}} }
	for _, c := range []struct {
		m    MetricAnswer
		want float64
	}{
		{MetricAnswer{Metric: "m"}, 0},
		{MetricAnswer{Metric: "other", Mean: wide(3)}, 0},
		{MetricAnswer{Metric: "m", Mean: wide(3)}, 3},
		{MetricAnswer{Metric: "m", Mean: wide(3), Difference: wide(5)}, 5},
		{MetricAnswer{Metric: "m", Mean: wide(3), Difference: &Estimate{}}, 3},
		{MetricAnswer{Metric: "m", Mean: &Estimate{}, Difference: &Estimate{}}, 0},
	} {
		if got := (&Cell{Metrics: []MetricAnswer{c.m}}).half("m"); got != c.want {
			t.Errorf("%+v: %v", c.m, got)
		}
	}
}

// TestNotBelowZero: means of times and sizes are not below 0, unless they were measured so.
func TestNotBelowZero(t *testing.T) {
	for _, c := range []struct {
		unit       string
		value, low float64
		want       float64
	}{
		{"ns", 5, -1, 0},
		{"ns", 5, 1, 1},
		{"ns", 0, -1, 0},
		{"ns", -5, -9, -9},
		{"B", 5, -1, 0},
		{"1", 5, -1, -1},
	} {
		e := &Estimate{Value: c.value, Interval: &Interval{Low: c.low, High: 9}}
		if notBelowZero(e, results.Metric{Unit: c.unit}); e.Interval.Low != c.want || e.Interval.High != 9 {
			t.Errorf("%+v: %+v", c, e.Interval)
		}
	}
	notBelowZero(nil, results.Metric{Unit: "ns"})
	notBelowZero(&Estimate{Value: 1}, results.Metric{Unit: "ns"})
}

// TestGivenUp: a merged campaign gives a cell up if all shards that have it do; else it names those that did.
func TestGivenUp(t *testing.T) {
	up := func(shard int, why string) results.GivenUp {
		return results.GivenUp{Cell: "c", Shard: shard, Reason: why}
	}
	blocks := []results.Block{
		{Shard: 1, Order: []string{"c", "d"}},
		{Shard: 2, Order: []string{"c"}},
		{Shard: 3, Order: []string{"d"}},
	}
	for _, c := range []struct {
		name   string
		up     []results.GivenUp
		reason string
		by     []string
	}{
		{"none", nil, "", nil},
		{"another cell", []results.GivenUp{{Cell: "d", Reason: "why"}}, "", nil},
		{"one of two", []results.GivenUp{up(2, "why")}, "", []string{"shard 2/3: why"}},
		{"both", []results.GivenUp{up(2, "two"), up(1, "one")}, "one", nil},
	} {
		reason, by := givenUp(&results.Campaign{GivenUp: c.up, Blocks: blocks, Merged: &results.Merged{Count: 3}}, "c")
		if reason != c.reason || !slices.Equal(by, c.by) {
			t.Errorf("%s: %q, %q", c.name, reason, by)
		}
	}
	alone := &results.Campaign{
		GivenUp: []results.GivenUp{{Cell: "c", Reason: "why"}}, Blocks: []results.Block{{Order: []string{"c"}}},
	}
	if reason, by := givenUp(alone, "c"); reason != "why" || by != nil {
		t.Errorf("%q, %q", reason, by)
	}
}

// readerOf reads one scenario with these cells and invocations.
func readerOf(c *results.Campaign, es ...*evidence.Invocation) *reader {
	byCell := map[string][]*evidence.Invocation{}
	for _, e := range es {
		byCell[e.Cell] = append(byCell[e.Cell], e)
	}
	return &reader{Reading: reading.New(c, &c.Scenarios[0], byCell, infer.Solver{}, nil)}
}

// oneScenario is a campaign with one scenario and these cells.
func oneScenario(cells ...results.Cell) *results.Campaign {
	primary := results.Metric{Name: "m", Unit: "ns", Better: results.Lower, Primary: true}
	c := &results.Campaign{Scenarios: []results.Scenario{{Label: "s", Metrics: []results.Metric{primary}}}}
	for _, cell := range cells {
		cell.Scenario = "s"
		c.Cells = append(c.Cells, cell)
	}
	return c
}

// completed is an invocation of the cell c, with a change that may be nil.
func completed(block int, change func(*evidence.Invocation)) *evidence.Invocation {
	e := &evidence.Invocation{Invocation: &results.Invocation{
		Identity: results.Identity{Block: block}, Cell: "c",
		Profile: results.ProfileTiming, Status: results.StatusOK,
	}}
	if change != nil {
		change(e)
	}
	return e
}

// TestTally: what became of a cell's invocations, and how many are still to be made.
func TestTally(t *testing.T) {
	inv := completed
	c := oneScenario(results.Cell{ID: "c"})
	const timing = results.ProfileTiming
	with := []string{"c"}
	c.Blocks = []results.Block{
		{Number: 1, Kind: results.BlockPlanned, Profile: timing, Order: with},
		{Number: 2, Kind: results.BlockPlanned, Profile: timing, Order: with},
		{Number: 3, Kind: results.BlockPlanned, Profile: "counters", Order: with},
		{Number: 4, Kind: results.BlockExtra, Profile: timing, Order: with},
		{Number: 5, Kind: results.BlockProof, Profile: timing, Order: with},
		{Number: 6, Kind: results.BlockPlanned, Profile: timing, Order: []string{"d"}},
		{Number: 7, Kind: results.BlockPlanned, Profile: timing, Order: with},
	}
	failed := func(e *evidence.Invocation) { e.Status = results.StatusFailed }
	r := readerOf(
		c, inv(1, nil), inv(1, failed),
		inv(1, func(e *evidence.Invocation) {
			e.Status, e.Failure = results.StatusFailed, &results.Failure{Kind: "died", Message: "so"}
		}),
		inv(2, func(e *evidence.Invocation) {
			e.Disturbed, e.RepeatedBy = &results.Disturbance{}, "b0004.s00.r0"
			e.Warnings = []string{"b", "a"}
		}),
		inv(2, func(e *evidence.Invocation) { e.Disturbed, e.Warnings = &results.Disturbance{}, []string{"b"} }),
		inv(3, func(e *evidence.Invocation) { e.Profile = "counters" }),
		inv(3, func(e *evidence.Invocation) {
			e.Profile, e.Status, e.Warnings = results.ProfilePilot, results.StatusFailed, []string{"pilot"}
		}),
		inv(2, func(e *evidence.Invocation) { e.Invalid = "why" }),
	)
	a := Cell{ID: "c"}
	r.tally(&a)
	got := fmt.Sprintf("%d ok, %d failed, %d invalid, %d disturbed, %d repeated, %d planned, %d missing",
		a.OK, a.Failed, a.InvalidInvocations, a.Disturbed, a.Repeated, a.Planned, a.Missing)
	if want := "3 ok, 2 failed, 1 invalid, 2 disturbed, 1 repeated, 3 planned, 2 missing"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if !slices.Equal(a.Warnings, []Warning{{"a", 1}, {"b", 2}}) {
		t.Errorf("warnings %+v", a.Warnings)
	}
	if len(a.Failures) != 3 || a.Failures[0].Kind != "unknown" || a.Failures[0].Message != "it gives no reason" ||
		a.Failures[1].Kind != "died" {
		t.Errorf("failures %+v", a.Failures)
	}
}

// TestPaired: means of the blocks that both have, if these are not all.
func TestPaired(t *testing.T) {
	vs := func(xs ...float64) (all evidence.Values) {
		for i, x := range xs {
			if !math.IsNaN(x) {
				all = append(all, evidence.Value{Block: i + 1, X: x})
			}
		}
		return all
	}
	nan := math.NaN()
	for _, c := range []struct {
		name      string
		a, b      evidence.Values
		unordered bool
		want      *InPairs
	}{
		{"all have both", vs(1, 2), vs(3, 5), false, nil},
		{"one lacks the first", vs(1, 3, nan), vs(4, 6, 9), false, &InPairs{Blocks: 2, With: 2, Without: 5}},
		{"one lacks the second", vs(1, 3, 8), vs(4, 6), false, &InPairs{Blocks: 2, With: 2, Without: 5}},
		{"none has both", vs(1), vs(nan, 2), false, nil},
		{"no blocks", vs(1, 3, 8), vs(4, 6), true, nil},
	} {
		made := oneScenario()
		if c.unordered {
			made.Design = results.DesignUnordered
		}
		if d := cmp.Diff(c.want, readerOf(made).paired(c.a, c.b, stats.Mean)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	fails := func([]float64) (float64, error) { return 1, stats.ErrNotFinite }
	if got := readerOf(oneScenario()).paired(vs(1, 3, 8), vs(4, 6), fails); got != nil {
		t.Errorf("%+v", got)
	}
}

// TestUnlikeCPUs: cells of different numbers of CPUs are not compared, as planned or as they had them.
func TestUnlikeCPUs(t *testing.T) {
	cell := func(id, factor, parameter, level string) results.Cell {
		c := results.Cell{ID: id, Variant: id}
		if factor != "" {
			c.Factors = append(c.Factors, results.Value{Name: cpusFactor, Value: factor})
		}
		if parameter != "" {
			c.Parameters = append(c.Parameters, results.Value{Name: cpusFactor, Value: parameter})
		}
		if level != "" {
			c.Factors = append(c.Factors, results.Value{Name: "depth", Value: level})
		}
		return c
	}
	inv := func(cell, cpus string) *evidence.Invocation {
		return &evidence.Invocation{Invocation: &results.Invocation{
			Cell: cell, CPUs: cpus, Profile: results.ProfileTiming, Status: results.StatusOK,
		}}
	}
	plain, shallow, deep := cell("a", "", "", ""), cell("a", "", "", "1"), cell("b", "", "", "2")
	for _, c := range []struct {
		name       string
		a, b       results.Cell
		cpuA, cpuB string
		want       string
	}{
		{"nothing planned", plain, cell("b", "", "", ""), "0-3", "0", ""},
		{"as many", cell("a", "2", "", ""), cell("b", "2", "", ""), "", "", ""},
		{"one and two", cell("a", "1", "", ""), cell("b", "2", "", ""), "", "", "has 1 CPU and b cpus=2 has 2 CPUs"},
		{"by parameters", cell("a", "", "4", ""), cell("b", "", "2", ""), "", "", "a has 4 CPUs and b has 2 CPUs"},
		{"the machine's", plain, cell("b", "", "2", ""), "", "", "a has those of its machine and b has 2"},
		{"other levels", shallow, deep, "0-3", "0", "has 4 CPUs and b depth=2 has 1 CPU"},
		{"other levels, as many", shallow, deep, "0-3", "1-4", ""},
		{"other levels, not known", shallow, deep, "0-3", "", ""},
	} {
		made := oneScenario(c.a, c.b)
		r := readerOf(made, inv("a", c.cpuA), inv("b", c.cpuB))
		got := r.unlikeCPUs(&made.Cells[0], &made.Cells[1])
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
