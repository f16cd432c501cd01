package compare_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// calledBlocks is how many blocks a campaign of calls has.
const calledBlocks = 9

// called is a campaign whose calls of 10 µs, or 30 µs of the variant times a factor, are samples.
// The CPU is slower by a share, and the last call of the variant waited so many times its time.
func called(seed uint64, slower, times float64, waited int64) *testcampaign.Store {
	r := rand.New(rand.NewPCG(seed, 50))
	cells := append(testcampaign.Baselines(), testcampaign.Variant(2, "kieker/bci/collect", results.ProofPlan{Kind: results.ProofNone}))
	var values []testcampaign.Value
	for b := range calledBlocks {
		for slot, ns := range []float64{10_000, 10_000, 30_000 * times} {
			speed := math.Log1p(slower) + 0.05*r.NormFloat64()
			calls := slices.Repeat([]int64{int64(ns * math.Exp(speed) * (1 + 0.005*r.NormFloat64()))}, 24)
			if slot == 2 {
				calls[23] += waited * (1 + r.Int64N(2)) * calls[23]
			}
			values = append(values, testcampaign.Value{Block: b + 1, Slot: slot, Cell: cells[slot].ID, Calls: calls, ReferenceNS: 2000 * math.Exp(speed), CPUNS: ns})
		}
	}
	return testcampaign.FromValues(cells, values)
}

// metrics are those that two campaigns are compared in.
func metrics(t *testing.T, o compare.Options, stores ...*testcampaign.Store) []compare.Metric {
	t.Helper()
	all := results.Each(stores, func(s *testcampaign.Store) *analysis.Answers {
		a, err := analysis.Analyse(s)
		if err != nil {
			t.Fatal(err)
		}
		return a
	})
	c, err := compare.Several(all, o)
	if err != nil {
		t.Fatal(err)
	}
	return c.Scenarios[0].Metrics
}

// changesOf are those of the baseline and of the variant in a metric or quantile.
func changesOf(t *testing.T, all []compare.Metric, name string) (base, variant compare.Change) {
	t.Helper()
	m := results.Find(all, func(m *compare.Metric) bool { return m.Metric.Name == name })
	if m == nil || len(m.Rows) != 3 {
		t.Fatalf("no rows of %s: %+v", name, m)
	}
	return m.Rows[0].Changes[0], m.Rows[2].Changes[0]
}

func TestQuantilesAreComparedWithAll(t *testing.T) {
	named := func(all []compare.Metric) []string {
		return results.Each(all, func(m compare.Metric) string { return m.Metric.Name + " " + m.Quantile })
	}
	older, newer := called(1, 0, 1, 0), called(2, 0.2, 1, 0)
	if got := named(metrics(t, compare.Options{}, older, newer)); slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "/") }) {
		t.Errorf("without all: %q", got)
	}
	all := metrics(t, compare.Options{All: true}, older, newer)
	if got := named(all); !slices.Equal(got[:3], []string{"duration ", "duration/p50 p50", "duration/p90 p90"}) || slices.Contains(got, "cpu_ns/p50 p50") {
		t.Errorf("with all: %q", got)
	}
	if m := all[1]; m.Primary || m.Metric.Primary || m.Metric.Unit != "ns" || m.Metric.Better != results.Lower {
		t.Errorf("p50: %+v", m.Metric)
	}
	side := all[1].Rows[2].Sides[1]
	if side.Mean == nil || side.Difference == nil || side.Ratio == nil || math.Abs(side.Difference.Value/24_000-1) > 0.05 || math.Abs(side.Ratio.Value/3-1) > 0.02 {
		t.Errorf("p50 of the new campaign: %+v", side)
	}
	batches := all[0].Metric
	for _, inv := range newer.Runs {
		for i := range inv.Series {
			inv.Series[i].Batch = 10
		}
	}
	if got := named(metrics(t, compare.Options{All: true}, newer, newer)); batches.Name != "duration" || slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "/") }) {
		t.Errorf("of samples that cover ten calls: %q", got)
	}
}

// The p50 of two campaigns is compared at one speed, whatever calls waited for.
func TestQuantilesTomorrow(t *testing.T) {
	older, newer := called(1, 0, 1, 0), called(2, 0.2, 1, 60)
	all := metrics(t, compare.Options{All: true}, older, newer)
	if _, c := changesOf(t, all, "duration"); c.Verdict != infer.Differs {
		t.Errorf("calls that waited: the mean is %s", c.Verdict)
	}
	for _, name := range []string{"duration/p50", "duration/p90"} {
		for _, c := range []compare.Change{first(changesOf(t, all, name)), second(changesOf(t, all, name))} {
			x := c.OneSpeed
			if apart(c) || x == nil || math.Abs(x.Slower()-0.2) > 0.06 || x.Between != 0.005 || x.Old == nil || math.Abs(x.Old.Value/x.New.Value-1) > 0.05 {
				t.Errorf("%s: %s, %+v", name, c.Verdict, x)
			}
		}
	}
	_, c := changesOf(t, metrics(t, compare.Options{All: true}, older, called(3, 0.2, 1.1, 0)), "duration/p50")
	if c.Verdict != infer.Differs || c.Relative || math.Abs(c.Estimate.Value/3300-1) > 0.2 {
		t.Errorf("10 %% more: %s, %+v", c.Verdict, c.Estimate)
	}
}

func first(c, _ compare.Change) compare.Change  { return c }
func second(_, c compare.Change) compare.Change { return c }

// That calls take turns with the agent's threads leaves means without a verdict, and not the p50.
func TestQuantilesTakeNoTurns(t *testing.T) {
	older, newer := called(1, 0, 1, 0), called(3, 0.2, 1.2, 0)
	for _, s := range []*testcampaign.Store{older, newer} {
		for _, name := range []string{"loop_ns", "cpus_others_ns", "run_delay_ns"} {
			s.Made.Scenarios[0].Metrics = append(s.Made.Scenarios[0].Metrics, results.Metric{Name: name, Unit: "ns", Profile: results.ProfileTiming})
		}
		for _, inv := range s.Runs {
			inv.CPUs = "1"
			inv.Scalars["loop_ns"], inv.Scalars["cpus_others_ns"], inv.Scalars["run_delay_ns"] = 1e9, 0.05e9, 0
			if inv.Cell == "c02" {
				inv.Scalars["run_delay_ns"] = 0.4e9
			}
		}
	}
	all := metrics(t, compare.Options{All: true, Anyway: true}, older, newer)
	if _, c := changesOf(t, all, "duration"); c.Verdict != infer.UndecidedYet || c.OneSpeed.Between != 0.02 {
		t.Errorf("the mean: %s, %+v", c.Verdict, c.OneSpeed)
	}
	if _, c := changesOf(t, all, "duration/p50"); c.Verdict != infer.Differs || c.OneSpeed.Between != 0.02 {
		t.Errorf("the p50: %s, %+v", c.Verdict, c.OneSpeed)
	}
}

// A p50 that was carried to one speed is not compared with one that was not.
func TestQuantilesUnadjusted(t *testing.T) {
	older, newer := called(1, 0, 1, 0), called(2, 0.2, 1, 0)
	unadjusted := func(s *testcampaign.Store) {
		for _, inv := range s.Runs {
			inv.Series = inv.Series[:1]
			s.Summaries[inv.Identity].Columns = s.Summaries[inv.Identity].Columns[:1]
		}
	}
	unadjusted(newer)
	all := metrics(t, compare.Options{All: true}, older, newer)
	if _, c := changesOf(t, all, "duration/p50"); c.Verdict != infer.NotJudged || !strings.Contains(c.Absent, "old is adjusted for the speed of the CPU and new is not") {
		t.Errorf("adjusted and not: %s, %q", c.Verdict, c.Absent)
	}
	unadjusted(older)
	all = metrics(t, compare.Options{All: true}, older, newer)
	if _, c := changesOf(t, all, "duration/p50"); c.OneSpeed != nil || c.Verdict != infer.Differs {
		t.Errorf("neither is adjusted, and one is 20 %% slower: %s, %+v", c.Verdict, c.OneSpeed)
	}
}

// Both sides say what they are at the standard speed, where there is one.
func TestSidesAtStandard(t *testing.T) {
	older, newer := called(1, 0, 1, 0), called(2, 0.2, 1, 0)
	for _, s := range []*testcampaign.Store{older, newer} {
		s.Made.Standards = []results.Standard{{NS: 2000, From: "benchmarks.toml"}}
	}
	for _, s := range metrics(t, compare.Options{}, older, newer)[0].Rows[2].Sides {
		if a := s.AtStandard; a == nil || a.StandardNS != 2000 || a.Difference == nil || math.Abs(a.Difference.Value/20_000-1) > 0.03 {
			t.Errorf("%s at the standard: %+v", s.ID, a)
		}
	}
}
