package compare_test

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// seven are the values of seven identical campaigns that were measured one after the other
// within twelve minutes, on a shared machine whose speed changed by a third meanwhile.
func seven(t *testing.T) map[string][]testcampaign.Value {
	t.Helper()
	f, err := os.Open("testdata/tomorrow.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]testcampaign.Value{}
	for _, row := range rows[1:] {
		number := func(column string) float64 {
			x, _ := strconv.ParseFloat(row[slices.Index(rows[0], column)], 64)
			return x
		}
		slot, _ := strconv.Atoi(row[2][1:])
		all[row[0]] = append(all[row[0]], testcampaign.Value{
			Block: int(number("block")), Slot: slot, Cell: row[3], NS: number("unadjusted_ns"), ReferenceNS: number("reference_ns"), CPUNS: number("cpu_ns"),
		})
	}
	return all
}

// analysed are some blocks of a campaign; the variant's calls take times as long as they took.
func analysed(t *testing.T, values []testcampaign.Value, from, to int, times float64) *analysis.Answers {
	t.Helper()
	a, err := analysis.Analyse(made(values, from, to, times))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// made is the campaign that is analysed.
func made(values []testcampaign.Value, from, to int, times float64) *testcampaign.Store {
	var some []testcampaign.Value
	for _, v := range values {
		if v.Block < from || v.Block >= to {
			continue
		}
		if v.Cell == "c02" {
			v.NS *= times
			v.CPUNS *= times
		}
		some = append(some, v)
	}
	cells := append(testcampaign.Baselines(), testcampaign.Variant(2, "kieker/bci/collect", results.ProofPlan{Kind: results.ProofNone}))
	return testcampaign.FromValues(cells, some)
}

// change is that of the variant between two campaigns.
func change(t *testing.T, older, newer *analysis.Answers) compare.Change {
	t.Helper()
	c, err := compare.Several([]*analysis.Answers{older, newer}, compare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := c.Scenarios[0].Metrics[0].Rows
	return rows[len(rows)-1].Changes[0]
}

// apart says whether a change is told from none.
func apart(c compare.Change) bool {
	return c.Verdict != infer.UndecidedYet && c.Verdict != infer.Same
}

// pairs is the share of the pairs of campaigns that are told apart, in per cent.
func pairs(t *testing.T, all []*analysis.Answers) (share float64) {
	t.Helper()
	n, told := 0, 0
	for i := range all {
		for j := range i {
			n++
			if c := change(t, all[j], all[i]); apart(c) {
				told++
				t.Logf("%d, %d: %+.1f ± %.1f", j, i, c.Estimate.Value, c.Estimate.Interval.Half())
			}
		}
	}
	return 100 * float64(told) / float64(n)
}

// Identical campaigns are not told apart, however their machine's speed changed.
func TestTomorrow(t *testing.T) {
	all := seven(t)
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range all {
			if !yield(name) {
				return
			}
		}
	})
	for _, blocks := range []int{5, 7, 11, 23} {
		var cuts []*analysis.Answers
		half, plain := 0.0, 0.0
		for _, name := range names {
			for from := 1; from+blocks <= 24; from += blocks {
				a := analysed(t, all[name], from, from+blocks, 1)
				cuts = append(cuts, a)
				c := a.Scenarios[0].Cell("c02")
				m := c.MetricNamed("duration")
				half += m.Difference.Interval.Half() / m.Mean.Value
				plain += c.Unadjusted.Interval.Half() / m.Mean.Value
				if blocks == 23 {
					t.Logf("%s: %.0f ± %.1f, unadjusted %.0f", name, m.Difference.Value/10, m.Difference.Interval.Half()/10, c.Unadjusted.Value/10)
				}
			}
		}
		n := float64(len(cuts))
		share := pairs(t, cuts)
		t.Logf("%d blocks: %.1f %% of %.0f pairs; ± %.2f %% (unadjusted %.2f)", blocks, share, n*(n-1)/2, 100*half/n, 100*plain/n)
		if share > 5 {
			t.Errorf("%d blocks: %.1f %% of the pairs told apart, want at most 5", blocks, share)
		}
	}
}

// A change of 5 % is found between campaigns of 23 blocks, one of 10 % at 8.
func TestTomorrowFinds(t *testing.T) {
	all := seven(t)
	for _, c := range []struct {
		blocks int
		times  float64
	}{{23, 1.05}, {8, 1.10}} {
		found, n := 0, 0
		for _, first := range []string{"r1", "r4", "r6", "r7"} {
			for _, second := range []string{"r2", "r3", "r5"} {
				older, newer := analysed(t, all[first], 1, 1+c.blocks, 1), analysed(t, all[second], 1, 1+c.blocks, c.times)
				ch := change(t, older, newer)
				n++
				if apart(ch) && ch.Estimate.Value > 0 {
					found++
				}
			}
		}
		share := 100 * float64(found) / float64(n)
		t.Logf("× %.2f at %d blocks: found in %.0f %% of %d", c.times, c.blocks, share, n)
		if share < 80 || math.IsNaN(share) {
			t.Errorf("× %.2f at %d blocks is found in %.0f %%, want 80", c.times, c.blocks, share)
		}
	}
}

// Where calls and the agent's threads take turns on one CPU, beside other work, no campaign
// knows what the next one finds; and what is measured on another CPU model is not compared.
func TestNoAnswerTomorrow(t *testing.T) {
	all := seven(t)
	older, newer := made(all["r1"], 1, 24, 1), made(all["r2"], 1, 24, 1.1)
	verdict := func() compare.Change {
		t.Helper()
		var both []*analysis.Answers
		for _, s := range []*testcampaign.Store{older, newer} {
			a, err := analysis.Analyse(s)
			if err != nil {
				t.Fatal(err)
			}
			both = append(both, a)
		}
		c, err := compare.Several(both, compare.Options{Anyway: true})
		if err != nil {
			t.Fatal(err)
		}
		rows := c.Scenarios[0].Metrics[0].Rows
		return rows[len(rows)-1].Changes[0]
	}
	if c := verdict(); c.Verdict != infer.Differs {
		t.Fatalf("10 %% more: %s", c.Verdict)
	}
	for _, s := range []*testcampaign.Store{older, newer} {
		for _, name := range []string{"cpus_others_ns", "run_delay_ns"} {
			s.Made.Scenarios[0].Metrics = append(s.Made.Scenarios[0].Metrics, results.Metric{Name: name, Unit: "ns", Profile: results.ProfileTiming})
		}
		for _, inv := range s.Runs {
			inv.CPUs = "1"
			inv.Scalars["loop_ns"], inv.Scalars["cpus_others_ns"] = 1e9, 0.05e9
			if inv.Cell == "c02" {
				inv.Scalars["run_delay_ns"] = 0.4e9
			} else {
				inv.Scalars["run_delay_ns"] = 0.05e9
			}
		}
	}
	if c := verdict(); c.Verdict != infer.UndecidedYet || !strings.Contains(c.Absent, "take turns on one CPU, beside other work") {
		t.Errorf("taking turns: %s, %q", c.Verdict, c.Absent)
	}
	for _, inv := range newer.Runs {
		inv.Scalars["cpus_others_ns"] = 0
	}
	for _, inv := range older.Runs {
		inv.Scalars["cpus_others_ns"] = 0
	}
	if c := verdict(); c.Verdict != infer.Differs {
		t.Errorf("taking turns, alone: %s", c.Verdict)
	}
	newer.Hosts[0].CPU = "Another 9999X"
	if c := verdict(); c.Verdict != infer.NotJudged || !strings.Contains(c.Absent, "Another 9999X is another CPU model than Made-up 7402P") {
		t.Errorf("on another CPU model: %s, %q", c.Verdict, c.Absent)
	}
}

// Two programs may do unlike things to the reference, and one can't: what blocks leave open of
// that is taken from what is shown, unless turns have shown it before.
func TestRoomBetweenPrograms(t *testing.T) {
	values := seven(t)
	for name, c := range map[string]struct {
		times   float64
		other   bool
		known   bool
		verdict infer.Judgement
		decided bool
	}{
		"one program":              {1.06, false, false, infer.Differs, false},
		"two programs":             {1.06, true, false, infer.UndecidedYet, true},
		"two, known by turns":      {1.06, true, true, infer.Differs, false},
		"two, and much slower":     {1.5, true, false, infer.Differs, false},
		"two that cost the same":   {1, true, false, infer.UndecidedYet, false},
		"one that costs the same":  {1, false, false, infer.UndecidedYet, false},
		"two, much slower, known":  {1.5, true, true, infer.Differs, false},
		"one program, much slower": {1.5, false, false, infer.Differs, false},
	} {
		var sides []*analysis.Answers
		for i, campaign := range []string{"r1", "r3"} {
			s := made(values[campaign], 0, 100, []float64{1, c.times}[i])
			if c.other && i == 1 {
				s.Made.Cells[2].Launch.JVMArgs = append(s.Made.Cells[2].Launch.JVMArgs, "-Dagent=new")
			}
			if c.known {
				host := s.Hosts[0]
				s.Made.Influences = []results.Influence{{
					Cell: "c02", CPU: host.CPU, Stepping: host.Stepping, Core: host.Core, Runtime: s.Runs[0].Runtime,
					Reference: s.Made.Versions[results.VersionReference], LogRatio: 0.001, SE: 0.001, N: 10,
				}}
			}
			a, err := analysis.Analyse(s)
			if err != nil {
				t.Fatal(err)
			}
			sides = append(sides, a)
		}
		got := change(t, sides[0], sides[1])
		switch {
		case got.Verdict != c.verdict:
			t.Errorf("%s: %s (%s), want %s; doubt %+v", name, got.Verdict, got.Absent, c.verdict, got.Doubt)
		case (got.Doubt != nil) != c.other:
			t.Errorf("%s: doubt %+v", name, got.Doubt)
		case got.Doubt != nil && (got.Doubt.Decided != c.decided || c.decided != strings.Contains(got.Absent, "doctor --calibrate")):
			t.Errorf("%s: doubt %+v, %q", name, got.Doubt, got.Absent)
		}
	}
}
