package compare

import (
	"math"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// judge says of each change what it is.
type judge struct {
	table  *table
	margin float64
	all    bool
	nights *nights
	solver infer.Solver
}

func newJudge(t *table, o Options) *judge {
	return &judge{table: t, margin: o.Margin, all: o.All, nights: newNights(t, o.Nights), solver: infer.Solver{}}
}

// scenario compares the metrics of a scenario: the primary one, the key ones,
// and where all are asked for the others.
func (j *judge) scenario(s section) Scenario {
	first := s.scenarios[0]
	sc := Scenario{Label: first.Label, Use: first.Use, About: first.About, Metrics: []Metric{}}
	ranks := []func(results.Metric) bool{
		func(m results.Metric) bool { return m.Name == first.Primary },
		func(m results.Metric) bool { return m.Name != first.Primary && m.Key },
		func(m results.Metric) bool { return m.Name != first.Primary && !m.Key && j.all },
	}
	for _, wanted := range ranks {
		for _, m := range first.Metrics {
			if !wanted(m) {
				continue
			}
			if one := j.metric(s, m, m.Name == first.Primary); len(one.Rows) > 0 {
				sc.Metrics = append(sc.Metrics, one)
			}
		}
	}
	return sc
}

// metric compares all cells in a metric. Cells of which no campaign has an
// answer are left out, except in the primary metric.
func (j *judge) metric(s section, m results.Metric, primary bool) Metric {
	one := Metric{Metric: m, Primary: primary, Rows: []Row{}}
	families := map[string]*family{}
	for _, cell := range s.cells {
		r, contrasts := j.row(cell, m)
		f := families[familyOf(r)]
		if f == nil {
			f = &family{margin: j.margin, better: m.Better, solver: j.solver}
			families[familyOf(r)] = f
		}
		f.size += len(r.Changes) // the plan fixes it, whatever answers there are
		if !primary && !answered(r) {
			continue
		}
		f.contrasts = append(f.contrasts, contrasts...)
		one.Rows = append(one.Rows, r)
		for i := range r.Changes {
			f.changes = append(f.changes, &r.Changes[i])
		}
		f.roles = append(f.roles, repeat(r.Role, len(r.Changes))...)
	}
	for _, f := range families {
		f.judge()
	}
	return one
}

func repeat(role results.Role, n int) []results.Role {
	roles := make([]results.Role, n)
	for i := range roles {
		roles[i] = role
	}
	return roles
}

// familyOf names the changes whose intervals hold together: those of the
// variants of one factor level. Baselines and A/As stand each by itself.
func familyOf(r Row) string {
	if r.Role == results.RoleVariant {
		return "variants\x00" + r.Level
	}
	return string(r.Role) + "\x00" + r.Cell
}

// answered says whether any campaign has a figure.
func answered(r Row) bool {
	for _, s := range r.Sides {
		if s.Mean != nil || s.Rate != nil {
			return true
		}
	}
	return false
}

// row sets the sides of a cell beside each other.
func (j *judge) row(cell matched, m results.Metric) (Row, []contrast) {
	r := Row{Cell: cell.label, Variant: cell.sides[0].cell.Variant, Role: cell.role(), Level: cell.level(), Changes: []Change{}}
	var figures []scales
	for _, s := range cell.sides {
		r.Sides = append(r.Sides, sideOf(s, m))
		figures = append(figures, j.figures(s, m))
	}
	var contrasts []contrast
	for i := 1; i < len(cell.sides); i++ {
		if cell.sides[i].cell == nil {
			continue
		}
		titles := [2]string{j.table.columns[0].title, j.table.columns[i].title}
		c := contrastOf(figures[0], figures[i], titles, j.margin)
		c.include(j.nights.of(cell, m.Name))
		contrasts = append(contrasts, c)
		r.Changes = append(r.Changes, Change{Campaign: titles[1]})
	}
	return r, contrasts
}

// figures are a side's, none where its metric means something else than the
// first campaign's.
func (j *judge) figures(s side, m results.Metric) scales {
	if s.cell == nil {
		return scales{why: "it has no such cell"}
	}
	if other := metricOf(s.scenario, m.Name); other != nil && meaning(*other) != meaning(m) {
		return scales{why: "its metric of this name is another one: " + meaning(*other)}
	}
	return scalesOf(s, m.Name)
}

// sideOf is what a campaign says of a cell, as it is printed.
func sideOf(s side, m results.Metric) Side {
	if s.cell == nil {
		return Side{Absent: "it has no such cell"}
	}
	one := Side{ID: s.cell.ID, Void: s.cell.Void, Marks: s.cell.Marks}
	a := s.answer(m.Name)
	switch {
	case a == nil:
		one.Absent = "it does not measure this"
	case s.cell.Void != "":
		one.Absent = s.cell.Void
	default:
		one.Mean, one.Ratio, one.Difference, one.Rate = a.Mean, a.Ratio, a.Difference, a.Rate
		if one.Mean == nil && one.Rate == nil {
			one.Absent = a.Absent
		}
	}
	return one
}

// family is the changes whose intervals hold together.
type family struct {
	size      int
	margin    float64
	better    results.Better
	solver    infer.Solver
	contrasts []contrast
	changes   []*Change
	roles     []results.Role
}

// judge fills in the changes: intervals at 1 - 0.05/size, so that each verdict is
// what its printed interval says.
func (f *family) judge() {
	level := infer.Level(alpha, f.size)
	for i := range f.changes {
		f.change(f.changes[i], &f.contrasts[i], f.roles[i], level)
	}
	f.holm()
}

func (f *family) change(to *Change, c *contrast, role results.Role, level float64) {
	to.Family, to.Relative, to.Raw, to.Between, to.Verdict = f.size, c.relative, c.raw, c.between, infer.NotJudged
	if to.Why, to.Whose = c.why, c.whose; c.why != "" {
		if to.Absent = c.why; c.whose != "" {
			to.Absent = c.whose + ": " + c.why
		}
		return
	}
	if to.Estimate, to.Absent = c.estimate(level); to.Estimate == nil {
		to.Why = to.Absent
		return
	}
	to.SE, to.Equivalence = to.Estimate.SE, c.equivalence(f.margin, infer.Share(alpha, f.size))
	if to.Estimate.Interval == nil && !c.same(to.Equivalence) {
		to.Absent, to.Why = to.Estimate.NoInterval, to.Estimate.NoInterval
		return
	}
	to.Verdict = verdict(to, c, f.wanted(role))
	if to.Verdict == infer.UndecidedYet {
		to.Estimate.Detectable = c.detectable(f.solver, level)
	}
}

// wanted is the direction that is better, of what is judged.
func (f *family) wanted(role results.Role) results.Better {
	if role != results.RoleVariant {
		return results.Neither
	}
	return f.better
}

// same says whether nothing changed that matters: what is shown to lie within the
// margin, though it may be shown to differ too; and what never varies and is equal.
func (c *contrast) same(e *infer.Equivalence) bool {
	return e != nil && e.Within || c.Still() && c.Value == 0
}

// detectable is the smallest true change that such a pair of campaigns finds with
// 80 % power: of a relative one the excess over 1.
func (c *contrast) detectable(by infer.Solver, level float64) *float64 {
	d := by.Detectable(c.Scale, level)
	if d != nil && c.relative {
		*d = math.Expm1(*d)
	}
	return d
}

// verdict is what the difference's verdict means of a change.
func verdict(to *Change, c *contrast, better results.Better) infer.Judgement {
	if c.same(to.Equivalence) {
		return infer.Same
	}
	return infer.Judge(infer.VerdictOf(to.Estimate, c.neutral(), stats.TwoSided, nil), better, to.Between == nil)
}

// holm adjusts the p values over the family as it was planned: a change without a
// test has none, and counts all the same.
func (f *family) holm() {
	ps := make([]float64, max(f.size, len(f.changes)))
	for i := range ps {
		ps[i] = 1
	}
	for i, c := range f.changes {
		if t := testOf(c); t != nil {
			ps[i] = t.P
		}
	}
	adjusted := stats.Holm(ps)
	for i, c := range f.changes {
		if testOf(c) != nil && !math.IsNaN(adjusted[i]) {
			c.PHolm = &adjusted[i]
		}
	}
}

func testOf(c *Change) *analysis.Test {
	if c.Estimate == nil {
		return nil
	}
	return c.Estimate.Test
}
