package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/caveat"
	"moobench/analysis/chapter/contrasts"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/stats"
	"moobench/results"
)

// measures are the known metrics of the answer besides the primary one: those that people decide by come first.
func measures(s *analysis.Scenario) []results.Metric {
	known := func(m *results.Metric) bool {
		return slices.ContainsFunc(s.Cells, func(c analysis.Cell) bool {
			a := metricOf(&c, m.Name)
			return a.Mean != nil || a.Rate != nil || a.AtLeast != nil
		})
	}
	rank := func(m results.Metric) int {
		_, rank := m.InAnswer()
		return cmp.Or(rank, math.MaxInt)
	}
	var all []results.Metric
	for _, m := range s.Metrics {
		key := m.Key && m.Better != results.Neither
		if m.Name != s.Primary && (rank(m) < math.MaxInt || key) && known(&m) {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(x, y results.Metric) int { return cmp.Compare(rank(x), rank(y)) })
	return all
}

// titleOf is the name of a metric in the answer.
func titleOf(m results.Metric) string {
	title, _ := m.InAnswer()
	return cmp.Or(title, prose.Spaced(m.Name))
}

// comparedMost is the largest number of variants of requests or programs that are compared with their baseline
// metric by metric; more get a row each.
const comparedMost = 4

// answer is the scenario's result: a table with each number once, misleading caveats in their row, and remarks
// below.
func (b *builder) answer() *doc.Table {
	var t *doc.Table
	variants := cellsOf(b.s, func(c *analysis.Cell) bool { return c.Role == results.RoleVariant || b.alone(c) })
	if n := len(variants); n > 0 && n <= comparedMost && runs(b.s) != jvms {
		t = b.compared(variants)
		t.Notes = prose.NonEmpty(pairsAlone(variants))
	} else {
		t = b.costs()
	}
	t.Notes = append(t.Notes, b.remarks()...)
	return t
}

// executions is the number of monitored executions of a call, or the parameter that sets it if it varies; ""
// for one, or if it is unknown.
func executions(s *analysis.Scenario) string {
	return executionsOf(each(s.Cells, func(c analysis.Cell) string {
		return textIf(c.PerExecution != nil, strconv.FormatInt(c.Executions, 10))
	}), primary(s))
}

// executionsOf is the number that all cells agree on, or the parameter of the metric that sets it; "" for one,
// or none.
func executionsOf(numbers []string, m results.Metric) string {
	switch all := prose.Unique(prose.NonEmpty(numbers...)); {
	case len(all) > 1:
		return m.Executions
	case len(all) == 1 && all[0] != "1":
		return all[0]
	}
	return ""
}

// costOf says that costs are per execution, if a call makes several monitored executions; else "".
func costOf(executions string) string {
	return textIf(executions != "", "cost of one monitored execution; a call makes "+executions+" of them")
}

// priced describes the work that a scenario's costs refer to.
func priced(s *analysis.Scenario) string {
	return cmp.Or(costOf(executions(s)), s.About, primary(s).About)
}

// costs has a row for each variant, the cheapest first: what it adds, alone and with its interval, and how long
// a call takes.
func (b *builder) costs() *doc.Table {
	s, m := b.s, primary(b.s)
	one := sampled(m)
	cost := func(c *analysis.Cell) doc.Cell { return added(costTold(s, c), m.Unit) }
	adds := doc.Column{Head: addsHead(s), Number: true, Help: addsHelp(s)}
	adds.Short = textIf(s.AtStandard(), "adds at standard")
	columns := doc.View[*analysis.Cell]{
		variantColumn(),
		doc.NewColumn(adds, func(c *analysis.Cell) doc.Cell {
			return doc.Cell{Text: cmp.Or(cost(c).Text, "–"), Sort: cost(c).Sort}
		}),
		doc.NumberColumn("95 % CI", func(c *analysis.Cell) string { return cost(c).Interval }),
	}
	if s.AtStandard() {
		asItRan := doc.Column{
			Head: "as it ran", Number: true, Rank: 1, Help: "the same at the speed that the CPU had here",
		}
		columns = append(columns, doc.NewColumn(asItRan, func(c *analysis.Cell) doc.Cell {
			ran := added(costAsItRan(s, c), m.Unit)
			return doc.Cell{Text: ran.Text, Sort: ran.Sort}
		}))
	}
	number := func(head, help string, cell func(*analysis.Cell) doc.Cell) { // the first ones get room first
		column := doc.Column{Head: head, Help: help, Number: true, Rank: len(columns) - 2}
		columns = append(columns, doc.NewColumn(column, cell))
	}
	for _, name := range []string{"p50", "p99"} {
		number(join(one, name), quantileHelp(one, name), func(c *analysis.Cell) doc.Cell {
			return brief(quantileOf(metricOf(c, m.Name), name), m.Unit, figure.Scale.Number)
		})
	}
	number(join(one, "mean"), "the mean"+prefixed(" of a ", one)+", over "+runs(s), func(c *analysis.Cell) doc.Cell {
		return brief(metricOf(c, m.Name).Mean, m.Unit, figure.Scale.Number)
	})
	for _, x := range measures(s) {
		number(titleOf(x), x.About, func(c *analysis.Cell) doc.Cell {
			return besideBaseline(c, metricOf(c, x.Name), x)
		})
	}
	columns = append(columns, marksColumn())
	t, said := &doc.Table{Columns: columns.Heads()}, map[string]bool{}
	t.Rows = cellRows(&analysis.Scenario{Cells: ranked(s)}, func(c *analysis.Cell) doc.Row {
		why := c.Unanswered(s.Primary)
		if why != "" && !hasNumbers(s, c) {
			return doc.Row{Cells: doc.Texts(c.Variant), Span: "no result", Under: why, Tone: doc.Bad}
		}
		r := cellRow(columns, c)
		if r.Note = misleadingCaveats(c, m.Unit, said); r.Note != "" {
			r.Tone = doc.Warning
		}
		if why != "" {
			r.Note, r.Tone = strings.Join(prose.NonEmpty("no result: "+why, r.Note), "; "), doc.Bad
		}
		return r
	})
	for i := range t.Columns {
		alike := func(r doc.Row) bool { return i < len(r.Cells) && r.Cells[i].Text == noDifference }
		if slices.ContainsFunc(t.Rows, alike) {
			t.Columns[i].Note = noDifference + ": shown to differ by less than 1 % of the baseline, " +
				"or by 1 ns or 1 B where that is below 100"
		}
	}
	if len(t.Rows) <= rowsMost {
		return t
	}
	left := 0
	for i := range t.Rows[rowsMost:] {
		r := &t.Rows[rowsMost+i]
		if r.Depth = doc.Full; r.Group == "" {
			left++
		}
	}
	if b.paged { // the page's table of cells has them all
		t.Rows = t.Rows[:drawnMost]
	}
	more := "and " + figure.Plural(left, "more cell", "more cells") + ": moobench report --all"
	t.Rows = append(t.Rows, doc.Row{Cells: doc.Texts("…"), Span: more, Depth: doc.Terse})
	return t
}

// addsHelp explains the costs of a scenario.
func addsHelp(s *analysis.Scenario) string {
	if n := executions(s); n != "" {
		return "what one monitored execution takes longer than without monitoring; " +
			"the other columns are of a call, which makes " + n
	}
	return "what is added to the baseline, on average"
}

// quantileHelp explains a quantile: it is taken in each invocation by itself.
func quantileHelp(one, name string) string {
	return "the median over all runs of the " + name + " of each run's " + cmp.Or(one, "sample") + "s"
}

// addsHead is the head of the column of added costs.
func addsHead(s *analysis.Scenario) string {
	return "adds" + textIf(s.AtStandard(), " at standard speed")
}

// costAsItRan is a cell's cost per monitored execution, or per call, at the speed that the CPU had.
func costAsItRan(s *analysis.Scenario, c *analysis.Cell) *analysis.Estimate {
	return cmp.Or(c.PerExecution, metricOf(c, s.Primary).Difference)
}

// costTold is a cell's cost as it is reported: at standard speed if that makes a difference in the scenario.
func costTold(s *analysis.Scenario, c *analysis.Cell) *analysis.Estimate {
	if a := metricOf(c, s.Primary).AtStandard; a != nil && s.AtStandard() {
		return cmp.Or(a.PerExecution, a.Difference, costAsItRan(s, c))
	}
	return costAsItRan(s, c)
}

// rowsMost is the largest number of rows of the answer: the cheapest cells of many. Later sections have the
// others.
const rowsMost = 40

// drawnMost is the largest number of cells that are drawn.
const drawnMost = 24

// ranked are the cells, the cheapest first. Baselines come before all, cells without a result last.
func ranked(s *analysis.Scenario) []analysis.Cell {
	place := func(c *analysis.Cell) float64 {
		switch d := metricOf(c, s.Primary).Difference; {
		case c.Role != results.RoleVariant:
			return math.Inf(-1)
		case d == nil || c.Invalid != "":
			return math.Inf(1)
		default:
			return d.Value
		}
	}
	all := slices.Clone(s.Cells)
	slices.SortStableFunc(all, func(x, y analysis.Cell) int { return cmp.Compare(place(&x), place(&y)) })
	return all
}

// added formats what monitoring adds, to three significant digits, and its interval in the same unit. If the
// interval contains 0, round as coarsely as the interval.
func added(e *analysis.Estimate, unit string) doc.Cell {
	if e == nil {
		return doc.Cell{}
	}
	s, c := addedScale(e, unit), doc.Cell{Sort: &e.Value}
	if i := e.Interval; i != nil {
		c.Interval = s.Number(i.Low) + " … " + s.Number(i.High)
	}
	c.Text = s.WithUnit(s.Number(e.Value))
	return c
}

// addedScale is the scale of an estimate and its interval.
func addedScale(e *analysis.Estimate, unit string) figure.Scale {
	if i := e.Interval; i != nil && !excludesZero(e) {
		return figure.Fit(unit, i.Low, i.High).Coarser(2)
	}
	return figure.Fit(unit, e.Value).Coarser(1)
}

// excludesZero reports whether the interval of a difference excludes 0. It only decides how a number is
// written; infer makes the verdicts.
func excludesZero(e *analysis.Estimate) bool {
	return e != nil && e.Interval != nil && e.Interval.Side(0) != 0
}

// brief formats a value to three significant digits, with a function of the scale.
func brief(e *analysis.Estimate, unit string, write func(figure.Scale, float64) string) doc.Cell {
	if e == nil {
		return doc.Cell{}
	}
	value := e.Value
	if unit == "B" && math.Abs(value) < leastBytes {
		value = 0
	}
	s := figure.Fit(unit, value).Coarser(1)
	return doc.Cell{Text: s.WithUnit(write(s, value)), Sort: &e.Value}
}

// leastBytes is the smallest mean size that is not written as 0: bytes are whole, and 0.0004 B per call are a
// few that the JVM itself allocated once.
const leastBytes = 0.05

// quantileOf returns the quantile of a name, or nil.
func quantileOf(a *analysis.MetricAnswer, name string) *analysis.Estimate {
	if q := a.Quantile(name); q != nil {
		return &q.Estimate
	}
	return nil
}

// besideBaseline formats a baseline's value, or what another cell adds to it: ±0 if that is shown to be within
// the margin, else an upper bound if the interval contains 0, and a question mark without an interval.
func besideBaseline(c *analysis.Cell, a *analysis.MetricAnswer, m results.Metric) doc.Cell {
	d := a.Difference
	switch {
	case a.Rate != nil:
		return doc.Cell{Text: figure.Count(a.Rate.Events)}
	case c.Baseline == "":
		return brief(a.Mean, m.Unit, figure.Scale.Number)
	case d == nil:
		return doc.Cell{}
	case a.Verdict == infer.Equivalent:
		return doc.Cell{Text: noDifference, Sort: &d.Value}
	case a.Verdict.Shown():
		return brief(d, m.Unit, figure.Scale.Signed)
	}
	return doc.Cell{Text: bound(d, m), Sort: &d.Value}
}

// noDifference stands for a difference that is shown to lie within its margin.
const noDifference = "±0"

// bound formats the bound of a difference whose interval contains 0: the upper one, or the lower one if more is
// better; "?" without an interval.
func bound(d *analysis.Estimate, m results.Metric) string {
	i := d.Interval
	if i == nil || excludesZero(d) { // verdicts leave room beside the interval
		return "?"
	}
	if m.Better == results.Higher {
		s := figure.Fit(m.Unit, i.Low).Coarser(2)
		return relation(i.Low, "> ", "≥ ") + s.WithUnit(s.Down(i.Low))
	}
	s := figure.Fit(m.Unit, i.High).Coarser(2)
	return relation(i.High, "< ", "≤ ") + s.WithUnit(s.Up(i.High))
}

// relation is the sign in front of a bound: exact for 0, else strict, since other bounds are rounded away from
// the estimate.
func relation(bound float64, strict, exact string) string {
	if bound == 0 {
		return exact
	}
	return strict
}

// misleadingCaveats lists the caveats that a reader of a cell's number must know.
func misleadingCaveats(c *analysis.Cell, unit string, said map[string]bool) string {
	all := explained(misleads(c), said)
	if r := c.Records; r != nil && r.Lost > 0 && c.PerRecord != nil {
		all = append(all, "a record that arrived cost "+added(c.PerRecord, unit).String())
	}
	return strings.Join(all, "; ")
}

// alone reports whether a cell is a baseline without any variant.
func (b *builder) alone(c *analysis.Cell) bool {
	compared := func(o analysis.Cell) bool { return o.Baseline == c.ID }
	return c.Role == results.RoleBaseline && !slices.ContainsFunc(b.s.Cells, compared)
}

// differenceVerdict formats the verdict on a difference; one that is shown is given as a ratio.
func differenceVerdict(a *analysis.MetricAnswer, m results.Metric) string {
	switch v := a.Verdict; {
	case a.Difference == nil:
		return a.NoDifference
	case a.Difference.Interval == nil:
		return "no interval"
	case v.Shown() && a.Ratio != nil:
		return string(v) + ", " + prose.Factor(a.Ratio.Value)
	default:
		return prose.Verdict(v, a.Equivalence, m.Unit)
	}
}

// atMost formats a bound per million, in per cent if that is shorter.
func atMost(perMillion float64) string {
	if perMillion >= 1000 {
		return figure.Ratio(perMillion/1e4) + " %"
	}
	return figure.Ratio(perMillion) + " ppm"
}

// remarks are said once for all cells.
func (b *builder) remarks() []string {
	s := b.s
	all := slices.Clone(s.Notes)
	all = append(all, together(s, ""), b.agreement())
	all = append(all, b.lacking()...)
	variants := cellsOf(s, func(c *analysis.Cell) bool {
		return c.Role == results.RoleVariant && c.Invalid == "" && c.Records != nil && c.Records.Expected > 0
	})
	missing := func(c *analysis.Cell) bool { return c.Records.Lost != 0 || c.Records.Received != c.Records.Expected }
	all = append(all, textIf(len(variants) > 0 && !slices.ContainsFunc(variants, missing), "every record arrived"))
	for _, c := range s.Calibrations {
		scale := figure.Fit(c.Unit, c.Median)
		all = append(all, "loads given as shares are shares of "+scale.WithUnit(scale.Number(c.Median))+
			", which "+c.Name+" takes")
	}
	all = append(all, b.unlike()...)
	all = append(all, each(s.Interactions, func(x contrasts.Interaction) string { return x.Text })...)
	disagree := prose.NonEmpty(each(s.Closures, func(c contrasts.Closure) string {
		return textIf(c.Disagree, c.Text)
	})...)
	if n := len(disagree); n > 0 {
		all = append(all, disagree[0]+textIf(n > 1, "; "+figure.Plural(n-1,
			"other pair of routes disagrees", "other pairs of routes disagree")+", too"))
	}
	return prose.NonEmpty(all...)
}

// agreement says how closely the identical baselines agree.
func (b *builder) agreement() string {
	least, most := math.Inf(1), 0.0
	for _, a := range b.s.AA {
		if a.Resolves != nil && a.Metric == "" {
			least, most = min(least, *a.Resolves), max(most, *a.Resolves)
		}
	}
	switch {
	case most == 0:
		return textIf(slices.ContainsFunc(b.s.AA, func(a analysis.AA) bool { return a.State == analysis.AATooFew }),
			"too few blocks to say how far apart two identical baselines are")
	case figure.Percent(least) == figure.Percent(most):
		return "the two identical baselines agree within " + figure.Percent(most)
	}
	return "the two identical baselines agree within " + figure.Percent(least) + " to " + figure.Percent(most)
}

// lacking says why second baselines have no result. Those of other cells stand below their rows, and the table has no
// rows of second baselines.
func (b *builder) lacking() []string {
	second := func(c *analysis.Cell) bool { return c.Role == results.RoleAA && c.Unanswered(b.s.Primary) != "" }
	return each(cellsOf(b.s, second), func(c *analysis.Cell) string {
		return c.Label + ": no result: " + c.Unanswered(b.s.Primary)
	})
}

// remarked describes kinds of caveats whose names say too little by themselves.
var remarked = map[string]string{
	"few": "fewer than six invocations", "queue": "queue not filled", "autocorrelated": "neighbouring blocks alike",
	"precision": "precision not reached", "pilot": "pilot not typical", "warned": "warnings", "modes": "two modes",
	"reference": "verdicts allow for the CPU's speed",
}

// unlike are the remarks on cells, each kind once.
func (b *builder) unlike() []string {
	var said []cellMark
	for _, c := range cellsOf(b.s, func(c *analysis.Cell) bool { return c.Invalid == "" }) {
		remarks := ofRank(c.Marks, caveat.Remark)
		said = append(said, each(remarks, func(m analysis.Mark) cellMark { return cellMark{m, c.Label} })...)
	}
	var texts []string
	for _, all := range stats.Grouped(said, func(m cellMark) string { return m.Kind }) {
		count, of, n, kind := 0, 0, len(all), all[0].Kind
		for _, m := range all {
			count, of = count+m.Count, of+m.Of
		}
		who := strings.Join(each(all, func(m cellMark) string { return m.cell }), ", ")
		if n > 2 {
			who = fmt.Sprintf("%d of %d cells", n, len(b.s.Cells))
		}
		switch {
		case kind == "warned":
			first, _, more := strings.Cut(all[0].Text, "; ")
			texts = append(texts, fmt.Sprintf("warnings: %s%s: %s", first, textIf(more || n > 1, ", and others"), who))
		case of > 0:
			texts = append(texts, fmt.Sprintf("%s: %d of %d %s (%s)", kind, count, of, runs(b.s), who))
		case n == 1:
			texts = append(texts, all[0].Show+": "+who)
		default:
			texts = append(texts, cmp.Or(remarked[kind], kind)+": "+who)
		}
	}
	return texts
}

// jvms is the word for the invocations of most scenarios.
const jvms = "JVMs"

// runs is the word for the invocations of a scenario.
func runs(s *analysis.Scenario) string {
	if sample := primary(s).Sample(); sample == results.SampleNone || sample == results.SampleRequest {
		return "runs"
	}
	return jvms
}
