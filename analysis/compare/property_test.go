package compare

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testnumber"
	"moobench/results"
)

// cells draws a baseline with its A/A and some variants, at up to two levels.
func cells(t *rapid.T, name string, variants int) []made {
	var all []made
	for _, level := range []string{"1", "10"} {
		base, aa := baseline(rapid.Float64Range(10, 1e6).Draw(t, name+" baseline")), variant("none", 0, 0.01)
		aa.role, aa.variant = results.RoleAA, "none"
		own := []made{base, aa}
		for i := range variants {
			v := variant(fmt.Sprint("v", i), rapid.Float64Range(-0.5, 3).Draw(t, name+" log"), rapid.SampledFrom([]float64{0, 0.0001, 0.004, 0.05, 1}).Draw(t, name+" se"))
			v.df = rapid.SampledFrom([]float64{1, 4, 9, 29}).Draw(t, name+" df")
			v.n = rapid.SampledFrom([]int{1, 2, 10, 30}).Draw(t, name+" n")
			own = append(own, v)
		}
		for i := range own {
			own[i].level = level
		}
		all = append(all, own...)
	}
	return all
}

// A campaign against itself never differs.
func TestItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := night(1, cells(t, "a", rapid.IntRange(1, 4).Draw(t, "variants"))...)
		c, err := two(a, a, Options{All: true})
		if err != nil {
			t.Fatal(err)
		}
		noChange(t, c)
	})
}

type failer interface{ Errorf(string, ...any) }

func noChange(t failer, c *Comparison) {
	for _, s := range c.Scenarios {
		for _, m := range s.Metrics {
			for _, r := range m.Rows {
				change := r.Changes[0]
				neutral := 0.0
				if change.Relative {
					neutral = 1
				}
				if change.Estimate != nil && change.Estimate.Value != neutral {
					t.Errorf("%s, %s: %v", r.Cell, m.Metric.Name, change.Estimate.Value)
				}
				switch change.Verdict {
				case infer.Regression, infer.Improvement, infer.Changed:
					t.Errorf("%s, %s is %s", r.Cell, m.Metric.Name, change.Verdict)
				}
			}
		}
	}
}

// So do whole campaigns, with whatever trouble they had.
func TestWholeCampaignsThemselves(t *testing.T) {
	for name, store := range map[string]*testcampaign.Store{
		"small": testcampaign.Small(), "troubled": testcampaign.Troubled(), "sized": testcampaign.Sized(), "unordered": testcampaign.Unordered(),
		"single": testcampaign.Single(), "repeated": testcampaign.Repeated(), "factored": testcampaign.Factored(), "hostile": testcampaign.Hostile(), "swapped": testcampaign.Swapped(),
	} {
		a, err := analysis.Analyse(store)
		if err != nil {
			t.Fatal(err)
		}
		c, err := two(a, a, Options{All: true})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		noChange(t, c)
		if len(c.Only)+len(c.Unlike)+len(c.Changed) > 0 || len(c.Scenarios) == 0 {
			t.Errorf("%s: only %v, unlike %v, changed %v, %d scenarios", name, c.Only, c.Unlike, c.Changed, len(c.Scenarios))
		}
	}
}

// Swapping the campaigns turns signs and verdicts round.
func TestSwapped(t *testing.T) {
	turned := map[infer.Judgement]infer.Judgement{infer.Regression: infer.Improvement, infer.Improvement: infer.Regression}
	d := infer.Solver{}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "variants")
		a, b := night(1, cells(t, "a", n)...), night(2, cells(t, "b", n)...)
		there, back := primaryOf(d, a, b, defaultMargin), primaryOf(d, b, a, defaultMargin)
		for i, r := range there.Rows {
			x, y := r.Changes[0], back.Rows[i].Changes[0]
			want := y.Verdict
			if v, ok := turned[want]; ok {
				want = v
			}
			if x.Verdict != want {
				t.Errorf("%s: %s there, %s back", r.Cell, x.Verdict, y.Verdict)
			}
			if x.Estimate != nil && !testnumber.Near(x.Estimate.Value, 1/y.Estimate.Value, 1e-9) {
				t.Errorf("%s: %v there, %v back", r.Cell, x.Estimate.Value, y.Estimate.Value)
			}
			if x.PHolm != nil && !testnumber.Near(*x.PHolm, *y.PHolm, 1e-6) {
				t.Errorf("%s: p %v there, %v back", r.Cell, *x.PHolm, *y.PHolm)
			}
		}
	})
}

// The order of cells changes nothing but that of the rows.
func TestShuffled(t *testing.T) {
	d := infer.Solver{}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "variants")
		a, b := night(1, cells(t, "a", n)...), night(2, cells(t, "b", n)...)
		before := sortedRows(d, a, b)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for _, one := range []*analysis.Answers{a, b} {
			cells := one.Scenarios[0].Cells
			random.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		}
		if diff := gocmp.Diff(before, sortedRows(d, a, b)); diff != "" {
			t.Errorf("(-ordered +shuffled)\n%s", diff)
		}
	})
}

func sortedRows(d infer.Solver, a, b *analysis.Answers) []Row {
	rows := primaryOf(d, a, b, defaultMargin).Rows
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Or(cmp.Compare(a.Cell, b.Cell), cmp.Compare(a.Role, b.Role)) })
	return rows
}

// A wider margin never makes "same" undecided, and a verdict never contradicts
// the interval that is printed.
func TestVerdictsFollowIntervals(t *testing.T) {
	d := infer.Solver{}
	rapid.Check(t, func(t *rapid.T) {
		a, b := night(1, cells(t, "a", 2)...), night(2, cells(t, "b", 2)...)
		margin := rapid.Float64Range(0.001, 0.5).Draw(t, "margin")
		narrow, wide := primaryOf(d, a, b, margin), primaryOf(d, a, b, 2*margin)
		for i, r := range narrow.Rows {
			x, y := r.Changes[0], wide.Rows[i].Changes[0]
			if x.Verdict == infer.Same && y.Verdict != infer.Same {
				t.Errorf("%s: same within %v, and %s within twice that", r.Cell, margin, y.Verdict)
			}
			if x.Estimate == nil || x.Estimate.Interval == nil {
				continue
			}
			low, high := x.Estimate.Interval.Low, x.Estimate.Interval.High
			if x.Verdict == infer.Regression && !(low > 1) || x.Verdict == infer.Improvement && !(high < 1) || x.Verdict == infer.UndecidedYet && (low > 1 || high < 1) {
				t.Errorf("%s: %s with %v to %v", r.Cell, x.Verdict, low, high)
			}
		}
	})
}
