package reading_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/analysis"
	"moobench/results"
	"moobench/results/importer"
)

// answer is a request of a made-up server: how long it took in ms, and its outcome.
type answer struct {
	ms      int64
	outcome string
}

// loaded is a campaign of blocks, in which each cell gets its answers in every block, a little
// later from block to block.
func loaded(t *testing.T, none, agent []answer) *results.Store {
	t.Helper()
	series := func(name, column string) results.Metric {
		return results.Metric{Name: name, Unit: "ns", Better: results.Lower, About: name, Profile: results.ProfileTiming, Series: results.SeriesRequest, Column: column}
	}
	latency := series("latency", "latency")
	latency.Primary = true
	c := &results.Campaign{
		Name: "loaded", Source: "moobench", Design: results.DesignBlocks, Seed: 1,
		Scenarios: []results.Scenario{{Label: "server", Use: "server", Window: results.WindowAll, Metrics: []results.Metric{
			latency, series("service", "service"),
			{Name: "lost", Unit: "1", Better: results.Lower, Profile: results.ProfileTiming, Of: "requests", Key: true},
			{Name: "requests", Unit: "1", Better: results.Neither, Profile: results.ProfileTiming},
			{Name: "cpu_per_request", Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming, Key: true},
		}}},
		Cells: []results.Cell{
			{ID: "c00", Scenario: "server", Variant: "none", Role: results.RoleBaseline, Proof: results.ProofPlan{Kind: results.ProofBaseline}},
			{ID: "c01", Scenario: "server", Variant: "agent", Role: results.RoleVariant, Baseline: "c00", Proof: results.ProofPlan{Kind: results.ProofNone}},
		},
	}
	for b := 1; b <= 2; b++ {
		c.Blocks = append(c.Blocks, results.Block{Number: b, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c00", "c01"}})
	}
	s, err := results.Create(filepath.Join(t.TempDir(), "c"), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	for b := 1; b <= 2; b++ {
		for slot, answers := range [][]answer{none, agent} {
			load(t, s, results.Identity{Block: b, Slot: slot}, c.Cells[slot].ID, answers)
		}
	}
	return s
}

func load(t *testing.T, s *results.Store, id results.Identity, cell string, answers []answer) {
	t.Helper()
	start := time.Unix(1_700_000_000+int64(1000*id.Block+id.Slot), 0).UTC()
	inv := &results.Invocation{
		Cell: cell, Profile: results.ProfileTiming, Status: results.StatusOK, Start: start, End: start.Add(time.Minute),
		Scalars: map[string]float64{"requests": float64(len(answers)), "cpu_per_request": 1e6 * float64(1+id.Slot+id.Block%2)},
	}
	columns := results.RequestColumns()
	var all []importer.Samples
	for _, name := range []string{results.SeriesRequest, results.SeriesBroken} {
		values := make([][]int64, len(columns))
		for i, a := range answers {
			isBroken := slices.Contains([]string{"refused", "reset", "truncated"}, a.outcome)
			if isBroken != (name == results.SeriesBroken) {
				continue
			}
			ns := a.ms*1e6 + int64(id.Block)*1e3
			for c, v := range []int64{int64(i) * 1e6, ns, ns, 0, int64(slices.Index(results.Outcomes, a.outcome)), 0} {
				values[c] = append(values[c], v)
			}
			inv.Scalars[strings.ReplaceAll(a.outcome, " ", "_")]++
		}
		all = append(all, importer.Samples{Series: results.Series{Name: name, Columns: columns, Batch: 1}, Values: values})
	}
	lost := 0.0
	for _, o := range []string{"wrong", "refused", "reset", "timed_out", "truncated"} {
		inv.Scalars[o] += 0
		lost += inv.Scalars[o]
	}
	inv.Scalars["lost"] = lost
	if err := importer.Seal(s, id, inv, all...); err != nil {
		t.Fatal(err)
	}
}

// times are so many equal answers.
func times(n int, ms int64, outcome string) []answer {
	return slices.Repeat([]answer{{ms, outcome}}, n)
}

// Times of requests are over right answers, late ones too, whatever else is stored beside them;
// where too many are lost they are not compared, and CPU per request neither.
func TestTimesAreOfRightAnswers(t *testing.T) {
	fine := times(200, 20, "right")
	for name, c := range map[string]struct {
		agent []answer
		mean  float64 // in ms
		lost  string  // why nothing is compared
	}{
		"all right":     {times(200, 30, "right"), 30, ""},
		"late":          {append(times(100, 30, "right"), times(100, 50, "late")...), 40, ""},
		"few wrong":     {append(times(199, 30, "right"), times(1, 1, "wrong")...), 30, ""},
		"few timed out": {append(times(199, 30, "right"), times(1, 5000, "timed out")...), 30, ""},
		"1 %":           {append(times(198, 30, "right"), times(2, 1, "wrong")...), 30, ""},
		"more":          {append(times(197, 30, "right"), times(3, 1, "wrong")...), 30, "agent lost 6 of 400 requests (1.5 %)"},
		"timed out":     {append(times(100, 30, "right"), times(100, 5000, "timed out")...), 30, "agent lost 200 of 400 requests"},
		"broken off":    {append(times(100, 30, "right"), times(100, 1, "reset")...), 30, "agent lost 200 of 400 requests"},
		"none right":    {times(200, 1, "wrong"), math.NaN(), "agent lost 400 of 400 requests"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := analysis.Analyse(loaded(t, fine, c.agent))
			if err != nil {
				t.Fatal(err)
			}
			cell := a.Scenarios[0].Cell("c01")
			latency, cpu := cell.MetricNamed("latency"), cell.MetricNamed("cpu_per_request")
			if m := latency.Mean; (m == nil) != math.IsNaN(c.mean) || m != nil && math.Abs(m.Value/1e6-c.mean) > 0.01 {
				t.Errorf("mean %+v, %s; want %v ms", m, latency.Absent, c.mean)
			}
			for _, m := range []*analysis.MetricAnswer{latency, cpu} {
				if (m.Difference == nil) != (c.lost != "") || !strings.HasPrefix(m.NoDifference, c.lost) {
					t.Errorf("%s: difference %+v, %q, want %q", m.Metric, m.Difference, m.NoDifference, c.lost)
				}
			}
			if c.lost != "" && !a.Incomplete() {
				t.Error("nothing is said to lack an answer")
			}
			if c.mean == 30 && c.lost == "" && (len(latency.Quantiles) == 0 || math.Abs(latency.Quantiles[len(latency.Quantiles)-1].Estimate.Value/30e6-1) > 0.01) {
				t.Errorf("quantiles %+v", latency.Quantiles)
			}
		})
	}
}

// Where samples are gone and not all answers were right, their times are not known; where all
// were, the summary has them.
func TestTimesOfAnswersWithoutSamples(t *testing.T) {
	for wrong, known := range map[int]bool{0: true, 1: false} {
		s := loaded(t, times(200, 20, "right"), append(times(200-wrong, 30, "right"), times(wrong, 1, "wrong")...))
		list, err := s.Invocations()
		if err != nil {
			t.Fatal(err)
		}
		for _, inv := range list {
			if err := os.Remove(filepath.Join(s.Dir(), "invocations", fmt.Sprint(inv.Identity), "samples.parquet")); err != nil {
				t.Fatal(err)
			}
		}
		a, err := analysis.Analyse(s)
		if err != nil {
			t.Fatal(err)
		}
		m := a.Scenarios[0].Cell("c01").MetricNamed("latency")
		if (m.Mean != nil) != known || !known && !strings.Contains(m.Absent+m.NoDifference, "can't be told from those of the others") {
			t.Errorf("%d wrong: mean %+v, %q, %q", wrong, m.Mean, m.Absent, m.NoDifference)
		}
	}
}
