package infer_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/analysis/numbers"
	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

var many = flag.Int("campaigns", 100, "random campaigns of TestRoutesAgree")

// drawn is a random campaign whose only metric is a scalar.
type drawn struct {
	made results.Campaign
	runs []*results.Invocation
}

func (d *drawn) Campaign() *results.Campaign { return &d.made }
func (d *drawn) Machines() ([]*results.Machine, error) {
	return []*results.Machine{{ID: "m1", Host: "bench-01"}}, nil
}
func (d *drawn) Invocations() ([]*results.Invocation, error) { return d.runs, nil }
func (d *drawn) Summary(*results.Invocation) (*summary.Summary, error) {
	return nil, fmt.Errorf("there is none")
}

const (
	family  = "s/x"
	gateEnd = 0.02 // of the gate
)

// draw makes a campaign up: one to three variants, two to twenty blocks, drift,
// invocations that failed, now and then constant values or a pilot.
func draw(rng *rand.Rand) *drawn {
	blocks, variants := 2+rng.IntN(19), 1+rng.IntN(3)
	spread, constant := math.Exp(-6*rng.Float64()), rng.IntN(20) == 0
	d := &drawn{made: results.Campaign{
		Format: 1, Name: "drawn", Source: "moobench", Design: results.DesignBlocks, Seed: rng.Uint64(), Created: time.Unix(1e9, 0),
		Scenarios: []results.Scenario{{Label: "s", Use: "overhead", Metrics: []results.Metric{{Name: "x", Unit: "ns", Better: results.Lower, Primary: true, Profile: results.ProfileTiming}, {Name: "lost", Of: "requests", Unit: "1", Better: results.Lower, Profile: results.ProfileTiming}}}},
		Gate:      &results.Gate{Scenario: "s", Metric: "x", Reference: "none", WorseBy: 0.1, Alpha: gateEnd},
	}}
	s := &d.made.Scenarios[0]
	if pilot := 2 + rng.IntN(9); blocks > pilot && rng.IntN(4) == 0 {
		s.Sizing = &results.Sizing{Precision: 0.02, Pilot: pilot, Decision: &results.Decision{Blocks: blocks}}
	}
	d.made.Cells = []results.Cell{
		{ID: "c0", Scenario: "s", Variant: "none", Role: results.RoleBaseline},
		{ID: "c1", Scenario: "s", Variant: "none", Role: results.RoleAA, Baseline: "c0"},
	}
	for i := range variants {
		id := fmt.Sprintf("c%d", i+2)
		d.made.Cells = append(d.made.Cells, results.Cell{ID: id, Scenario: "s", Variant: fmt.Sprintf("v%d", i), Role: results.RoleVariant, Baseline: "c0"})
		s.Questions = append(s.Questions, results.Question{ID: "q" + id, Metric: "x", A: id, B: "c0", Family: family, Margin: &results.Margin{Share: 0.05}})
		s.Questions = append(s.Questions, results.Question{ID: "lost" + id, Metric: "lost", A: id, B: "c0", Family: family + "/lost", Test: results.TestRates})
		for _, kind := range []results.Comparison{results.TestTOST, results.TestWelch, results.TestStudent, results.TestSignedRank, results.TestMannWhitney, results.TestSign} {
			q := results.Question{ID: fmt.Sprintf("%s%s", kind, id), Metric: "x", A: id, B: "c0", Test: kind, Alpha: 0.05, Asked: true}
			if kind == results.TestTOST {
				q.Margin = &results.Margin{Share: 0.05}
			} else {
				q.Alternative = []string{"", "less", "greater"}[rng.IntN(3)]
			}
			s.Questions = append(s.Questions, q)
		}
	}
	for b := 1; b <= blocks; b++ {
		block := results.Block{Number: b, Kind: results.BlockPlanned, Profile: results.ProfileTiming}
		drift := math.Exp(0.1 * rng.NormFloat64())
		for slot, c := range d.made.Cells {
			inv := &results.Invocation{
				Identity: results.Identity{Block: b, Slot: slot}, Cell: c.ID, Profile: results.ProfileTiming, Status: results.StatusOK, Machine: "m1",
				Start: time.Unix(int64(1e9+100*b+slot), 0), End: time.Unix(int64(1e9+100*b+slot+1), 0),
			}
			x := 100 * (1 + 0.1*float64(slot))
			if !constant {
				x *= drift * math.Exp(spread*rng.NormFloat64())
			}
			rate := 3 * math.Exp(rng.NormFloat64()*float64(rng.IntN(2))) * float64(1+slot%3)
			inv.Scalars = map[string]float64{"x": x, "lost": math.Floor(rate * rng.ExpFloat64()), "requests": 1e5 * (1 + rng.Float64())}
			if rng.IntN(25) == 0 {
				inv.Status, inv.Scalars = results.StatusFailed, nil
			}
			d.runs, block.Order = append(d.runs, inv), append(block.Order, c.ID)
		}
		d.made.Blocks = append(d.made.Blocks, block)
	}
	return d
}

// columns are the exported samples of a cell and its baseline: of the blocks that
// hold both, and all.
func (d *drawn) columns(cell string) (px, py, x, y []float64, inPilot int) {
	of := map[string]map[int]float64{cell: {}, "c0": {}}
	for _, inv := range d.runs {
		if m := of[inv.Cell]; m != nil && inv.Scalars != nil {
			m[inv.Block] = inv.Scalars["x"]
			if inv.Cell == cell {
				x = append(x, inv.Scalars["x"])
			} else {
				y = append(y, inv.Scalars["x"])
			}
		}
	}
	for b := 1; b <= len(d.made.Blocks); b++ {
		v, okX := of[cell][b]
		w, okY := of["c0"][b]
		if okX && okY {
			px, py = append(px, v), append(py, w)
			if s := d.made.Scenarios[0].Sizing; s != nil && b <= s.Pilot {
				inPilot++
			}
		}
	}
	return px, py, x, y, inPilot
}

// figures are what a route says. Those that it does not say are NaN.
type figures struct {
	value, se, df, low, high, p float64
	verdict                     infer.Verdict
}

var unsaid = math.NaN()

func of(e *infer.Estimate, v infer.Verdict) figures {
	f := figures{unsaid, unsaid, unsaid, unsaid, unsaid, unsaid, v}
	if e == nil {
		return f
	}
	f.value = e.Value
	if e.SE != nil {
		f.se, f.df = *e.SE, *e.DF
	}
	if e.Interval != nil {
		f.low, f.high = e.Interval.Low, e.Interval.High
	}
	if e.Test != nil {
		f.p = e.Test.P
	}
	return f
}

// alike is by how much neighbours that resemble each other widen the variance of a mean,
// computed by other code.
func alike(ds []float64) float64 {
	if len(ds) < 8 {
		return 1
	}
	mean, n, neighbours, all := stat.Mean(ds, nil), float64(len(ds)), 0.0, 0.0
	for i, d := range ds {
		all += (d - mean) * (d - mean)
		if i > 0 {
			neighbours += (d - mean) * (ds[i-1] - mean)
		}
	}
	rho := min(0.6, max(0, neighbours/all+1/n)) * n / (n + 8)
	return (1 + rho) / (1 - rho)
}

// reference is the textbook's answer about the mean of some differences, at 1 -
// alpha: what the routes have to say, computed by other code.
func reference(ds []float64, pilot int, alpha float64) figures {
	mean, sd := stat.MeanStdDev(ds, nil)
	n, df := float64(len(ds)), float64(len(ds)-1)
	if pilot > 1 && pilot < len(ds) {
		_, first := stat.MeanStdDev(ds[:pilot], nil)
		sd, df = max(sd, first), float64(pilot-1)
	}
	f := figures{value: mean, se: sd / math.Sqrt(n) * math.Sqrt(alike(ds)), df: df}
	t := distuv.StudentsT{Sigma: 1, Nu: df}
	half := t.Quantile(1-alpha/2) * f.se
	f.low, f.high, f.p = mean-half, mean+half, 2*t.Survival(math.Abs(mean)/f.se)
	f.verdict = infer.Undecided
	if f.low > 0 {
		f.verdict = infer.Higher
	} else if f.high < 0 {
		f.verdict = infer.Lower
	}
	return f
}

// TestRoutesAgree: whatever two ways through the program answer the same question
// of the same data agree. Estimate, standard error and degrees of freedom are the
// same bits on each; interval, p and verdict at the same level and family.
//
//	route                          value se df  interval p  verdict
//	cell table                     yes          yes      yes  none: a table has no verdict
//	registered question, paired    yes          yes      yes  yes
//	test --kind paired             yes, no se   yes      yes  yes
//	gate                           yes (ratio)  another level: one-sided, at the gate's alpha
//	history's night                yes (log)    none: at 95 %, and it is not a family
//	compare with itself            0, √2 se     none: about another difference
//	tost, welch, student, ranks: registered question and test --kind, all figures
//	rates: cell and registered question, all figures; test --kind poisson has the
//	ratio, and none per million
func TestRoutesAgree(t *testing.T) {
	const parts = 4
	for part := range uint64(parts) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			agree(t, rand.New(rand.NewPCG(20261122, part)), (*many+parts-1)/parts)
		})
	}
}

func agree(t *testing.T, rng *rand.Rand, n int) {
	solver := infer.Solver{}
	for i := range n {
		d := draw(rng)
		a, pinned, err := analysis.Pin(d, "")
		if err != nil {
			t.Fatal(err)
		}
		self, err := compare.Several([]*analysis.Answers{a, a}, compare.Options{All: true})
		if err != nil {
			t.Fatal(err)
		}
		r := routes{T: t, d: d, solver: solver, a: a, nights: history.Nights(a, pinned, history.Origin{}), self: self}
		for _, c := range a.Scenarios[0].Cells {
			if c.Role == results.RoleVariant {
				r.name = fmt.Sprintf("campaign %d, %s", i, c.ID)
				r.cell(c)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// routes are the ways through the program for one campaign.
type routes struct {
	*testing.T
	name   string
	d      *drawn
	solver infer.Solver
	a      *analysis.Answers
	nights []history.Night
	self   *compare.Comparison
}

func (r *routes) cell(c analysis.Cell) {
	px, py, x, y, pilot := r.d.columns(c.ID)
	m := c.Metrics[0]
	asked := r.answer("q" + c.ID)
	n := 0
	for _, o := range r.a.Scenarios[0].Cells {
		if o.Role == results.RoleVariant {
			n++
		}
	}
	alpha := 0.05 / float64(n)
	table, question := of(m.Difference, ""), of(asked.Difference, asked.Verdict)
	r.same("cell table and question", table, question, "verdict")
	r.same("their ratios", of(m.Ratio, ""), of(asked.Ratio, ""))
	ds := make([]float64, len(px))
	for i := range px {
		ds[i] = px[i] - py[i]
	}
	if _, sd := stat.MeanStdDev(ds, nil); len(ds) > 1 && sd > 1e-9 {
		want := reference(ds, pilot, alpha)
		if asked.Equivalence != nil && asked.Equivalence.Within {
			want.verdict = map[infer.Verdict]infer.Verdict{infer.Undecided: infer.Equivalent, infer.Higher: infer.Negligible, infer.Lower: infer.Negligible}[want.verdict]
		}
		r.near("reference and question", want, question)
		if pilot == 0 || pilot >= len(ds) { // anybody's samples know no pilot
			r.test("paired", "", alpha, px, py, asked, "verdict") // which has no margin
		}
	}
	r.rates(c, alpha)
	r.gate(c, m)
	r.night(c, m)
	r.itself(c, m)
	for _, kind := range []string{"tost", "welch", "student", "signed-rank", "mann-whitney", "sign"} {
		q := r.answer(kind + c.ID)
		switch {
		case kind == "tost" && (pilot > 0 && pilot < len(ds)):
		case len(px) < 2 || len(x) < 2 || len(y) < 2:
		case kind == "welch" || kind == "student" || kind == "mann-whitney":
			r.test(kind, q.alternative(r.d), 0.05, x, y, q)
		default:
			r.test(kind, q.alternative(r.d), 0.05, px, py, q)
		}
	}
}

// registered is an answer with its question.
type registered struct{ *analysis.Answer }

func (q registered) alternative(d *drawn) stats.Alternative {
	for _, o := range d.made.Scenarios[0].Questions {
		if o.ID == q.ID && o.Alternative != "" {
			return stats.Alternative(o.Alternative)
		}
	}
	return stats.TwoSided
}

func (r *routes) answer(id string) registered {
	for i := range r.a.Scenarios[0].Answers {
		if r.a.Scenarios[0].Answers[i].ID == id {
			return registered{&r.a.Scenarios[0].Answers[i]}
		}
	}
	r.Fatalf("%s: no answer %s", r.name, id)
	return registered{}
}

// test asks moobench test of the exported samples.
func (r *routes) test(kind string, alt stats.Alternative, alpha float64, x, y []float64, asked registered, without ...string) {
	if alt == "" {
		alt = stats.TwoSided
	}
	o := numbers.Options{Kind: numbers.Kind(kind), Alternative: alt, Alpha: alpha, Unit: "ns", Solver: r.solver}
	o.Ordered = slices.Contains([]string{"paired", "tost", "signed-rank", "sign"}, kind)
	if kind == "tost" {
		o.Paired, o.Margin = true, numbers.Margin{Size: 0.05, Relative: true}
	}
	lines := make([]int, max(len(x), len(y)))
	report, err := numbers.Compare(o, []numbers.Sample{{Name: "a", Values: x, Lines: lines[:len(x)]}, {Name: "b", Values: y, Lines: lines[:len(y)]}})
	if err != nil {
		if asked.Verdict != infer.NoAnswer {
			r.Errorf("%s: test --kind %s refuses what is answered with %s: %v", r.name, kind, asked.Verdict, err)
		}
		return
	}
	got := figures{unsaid, unsaid, unsaid, unsaid, unsaid, unsaid, report.Comparisons[0].Verdict}
	c := report.Comparisons[0]
	if e := c.Estimate; e != nil {
		got.value = *e.Value
		if e.Low != nil {
			got.low = *e.Low
		}
		if e.High != nil {
			got.high = *e.High
		}
	}
	if c.Statistic != nil && c.Statistic.DF != nil {
		got.df = *c.Statistic.DF
	}
	if c.P != nil {
		got.p = *c.P
	}
	want := of(asked.Difference, asked.Verdict)
	if kind == "tost" { // whose p is that of the equivalence
		if want.p = unsaid; asked.Equivalence != nil {
			want.p = max(asked.Equivalence.P, math.SmallestNonzeroFloat64)
		}
	}
	if alt != stats.TwoSided { // it has one bound, that of the two-sided interval at 1 - 2 alpha
		if math.IsNaN(got.low) {
			want.low = unsaid
		} else {
			want.high = unsaid
		}
	}
	if c.Statistic == nil || c.Statistic.DF == nil {
		want.df = unsaid
	}
	want.se = unsaid
	r.same("question and test --kind "+kind, want, got, without...)
}

// rates are what the cell, the registered question and moobench test say of the
// losses. moobench test tells the ratio, and knows no rate per million.
func (r *routes) rates(c analysis.Cell, alpha float64) {
	var versus *analysis.Rates
	for _, m := range c.Metrics {
		if m.Metric == "lost" && m.Rate != nil {
			versus = m.Rate.Versus
		}
	}
	asked := r.answer("lost" + c.ID).Rates
	if (versus == nil) != (asked == nil) {
		r.Fatalf("%s: rates of the cell %v, of the question %v", r.name, versus, asked)
	}
	if asked == nil {
		return
	}
	told := func(x *analysis.Rates) figures {
		f := figures{x.Difference, unsaid, unsaid, unsaid, unsaid, unsaid, x.Verdict}
		if x.Interval != nil {
			f.low, f.high = x.Interval.Low, x.Interval.High
		}
		if x.Poisson != nil {
			f.p = *x.Poisson
		}
		return f
	}
	r.same("rates of cell and question", told(versus), told(asked))
	var arms [2]numbers.Counts
	for b := 1; b <= len(r.d.made.Blocks); b++ {
		var pair [2]*results.Invocation
		for _, inv := range r.d.runs {
			if inv.Block == b && inv.Scalars != nil && inv.Cell == c.ID {
				pair[0] = inv
			} else if inv.Block == b && inv.Scalars != nil && inv.Cell == "c0" {
				pair[1] = inv
			}
		}
		if pair[0] == nil || pair[1] == nil {
			continue
		}
		for i, inv := range pair {
			arms[i].Events, arms[i].Exposure = append(arms[i].Events, int64(inv.Scalars["lost"])), append(arms[i].Exposure, inv.Scalars["requests"])
		}
	}
	arms[0].Name, arms[1].Name = "a", "b"
	report, err := numbers.CompareRates(numbers.Options{Kind: "poisson", Alternative: stats.TwoSided, Alpha: alpha, Paired: true}, arms[:])
	if err != nil {
		r.Fatalf("%s: test --kind poisson: %v", r.name, err)
	}
	t := report.Comparisons[0]
	want, got := figures{unsaid, unsaid, unsaid, unsaid, unsaid, unsaid, asked.Verdict}, figures{unsaid, unsaid, unsaid, unsaid, unsaid, unsaid, t.Verdict}
	for _, x := range []struct {
		of   *figures
		from [4]*float64
	}{{&want, [4]*float64{asked.Ratio, asked.RatioLow, asked.RatioHigh, asked.Poisson}}, {&got, [4]*float64{nil, nil, nil, t.P}}} {
		if t.Estimate == nil {
			continue
		}
		if x.of == &got {
			x.from = [4]*float64{t.Estimate.Value, t.Estimate.Low, t.Estimate.High, t.P}
		}
		for i, to := range []*float64{&x.of.value, &x.of.low, &x.of.high, &x.of.p} {
			if v := x.from[i]; v != nil && !math.IsInf(*v, 0) && *v != 0 {
				*to = *v
			}
		}
	}
	r.same("rates of question and test --kind poisson", want, got)
}

// gate is about the ratio, at a level of its own.
func (r *routes) gate(c analysis.Cell, m analysis.MetricAnswer) {
	for _, g := range r.a.Gate.Cells {
		if g.Cell == c.ID {
			r.same("cell table and gate", of(m.Ratio, ""), of(g.Ratio, ""), "interval", "verdict")
		}
	}
}

// night is about the logarithm of the ratio.
func (r *routes) night(c analysis.Cell, m analysis.MetricAnswer) {
	for _, n := range r.nights {
		if n.Cell != c.Label || m.Ratio == nil || m.Ratio.SE == nil {
			continue
		}
		if math.Exp(n.Log) != m.Ratio.Value || n.SE != *m.Ratio.SE || n.DF != *m.Ratio.DF {
			r.Errorf("%s: night exp %v, se %v, df %v; cell table %v, %v, %v", r.name, n.Log, n.SE, n.DF, m.Ratio.Value, *m.Ratio.SE, *m.Ratio.DF)
		}
	}
}

// itself: a campaign against itself differs by exactly nothing, and its standard
// error is that of two independent campaigns: of differences, in the metric's unit, where
// the reference is not monitored, else of ratios.
func (r *routes) itself(c analysis.Cell, m analysis.MetricAnswer) {
	for _, row := range r.self.Scenarios[0].Metrics[0].Rows {
		if row.Cell != c.Label {
			continue
		}
		change, own, neutral := row.Changes[0], m.Difference, 0.0
		if change.Relative {
			own, neutral = m.Ratio, 1
		}
		if own == nil || own.SE == nil {
			continue
		}
		if change.Estimate == nil || change.Estimate.Value != neutral {
			r.Errorf("%s: against itself %+v", r.name, change)
			continue
		}
		if se := *own.SE * math.Sqrt2; se > 0 && (math.Abs(*change.SE/se-1) > 1e-12 || change.Verdict == infer.Regression || change.Verdict == infer.Improvement) {
			r.Errorf("%s: against itself se %v, want %v; %s", r.name, *change.SE, se, change.Verdict)
		}
	}
}

// same wants equal bits.
func (r *routes) same(what string, a, b figures, without ...string) {
	r.compare(what, a, b, 0, without)
}

// near wants what other code computes the same way.
func (r *routes) near(what string, a, b figures) { r.compare(what, a, b, 1e-8, nil) }

func (r *routes) compare(what string, a, b figures, tolerance float64, without []string) {
	r.Helper()
	skip := map[string]bool{}
	for _, w := range without {
		skip[w] = true
	}
	equal := func(x, y float64) bool {
		return x == y || math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) <= tolerance*max(math.Abs(a.value), math.Abs(x))
	}
	bad := !equal(a.value, b.value) || !equal(a.se, b.se) || !equal(a.df, b.df)
	if !skip["interval"] {
		bad = bad || !equal(a.low, b.low) || !equal(a.high, b.high)
	}
	bad = bad || !equal(a.p, b.p)
	if !skip["verdict"] && a.verdict != "" && b.verdict != "" {
		bad = bad || a.verdict != b.verdict
	}
	if bad {
		r.Errorf("%s: %s differ: %+v and %+v", r.name, what, a, b)
	}
}
