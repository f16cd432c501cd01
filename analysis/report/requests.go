package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/analysis/report/plot"
	"moobench/results"
)

// lost are the tables of what is counted of requests: a table for each count. Those
// that are no key metric are for readers who want everything.
func (b *builder) lost() []*doc.Section {
	s := b.s
	var all []*doc.Section
	var drawn []string // what is counted of, that has a drawing already
	for _, m := range s.Metrics {
		if m.Of == "" {
			continue
		}
		main := m.Key || m.Name == s.Primary
		if !main && !slices.ContainsFunc(s.Cells, func(c analysis.Cell) bool { return events(&c, m.Name) > 0 }) {
			continue
		}
		t := b.rates(m)
		if t == nil {
			continue
		}
		sec := &doc.Section{
			Title: m.Name, About: m.About + "; exact intervals, of none the bound; finds: the smallest rate per million that so many would find four times in five",
		}
		if !main {
			sec.Depth, sec.Folded = doc.Full, true
		}
		if b.paged && main && !slices.Contains(drawn, m.Of) {
			drawn = append(drawn, m.Of)
			sec.Blocks = append(sec.Blocks, b.lostFigure(m)...)
		}
		sec.Add(t)
		all = append(all, sec)
	}
	return all
}

// events is how often a cell saw what a metric counts.
func events(c *analysis.Cell, metric string) int64 {
	if a := metricOf(c, metric); a != nil && a.Rate != nil {
		return a.Rate.Events
	}
	return 0
}

// rates is the table of one count; nil without cells.
func (b *builder) rates(m results.Metric) *doc.Table {
	t := &doc.Table{
		Columns: []doc.Column{
			{Head: "variant"},
			{Head: "n", Number: true, Rank: 2},
			{Head: m.Name + " of " + m.Of, Number: true},
			{Head: "per million (95 % CI)", Number: true},
			{Head: versus(b.s), Number: true, Rank: 1},
			{Head: "finds", Number: true, Rank: 3},
			{Head: "ratio", Number: true, Depth: doc.Paged},
			{Head: "exact p", Number: true, Depth: doc.Paged, Help: "exact conditional test of Poisson counts; struck out where counts scatter more than chance makes them"},
			{Head: "scatter p", Number: true, Depth: doc.Paged, Help: "that counts vary as chance makes them"},
			{Head: "quasi-Poisson p", Number: true, Depth: doc.Paged},
			{Head: "permutation p", Number: true, Depth: doc.Paged},
			{Head: "decided by", Rank: 4},
			{Head: "void", Number: true, Depth: doc.Paged, Help: "invocations of requests that the load itself sent too late, say: in no number"},
			{Head: "marks", Depth: doc.Written},
		},
		Rows: byLevel(b.s, func(c *analysis.Cell) (doc.Row, bool) { return rateRow(c, m), true }),
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}

func rateRow(c *analysis.Cell, m results.Metric) doc.Row {
	a := metricOf(c, m.Name)
	switch {
	case c.Void != "":
		return doc.Row{Cells: doc.Texts(c.Variant), Span: "not instrumented", Tone: doc.Bad}
	case a == nil || a.Rate == nil:
		why := "not counted"
		if a != nil && a.Absent != "" {
			why = a.Absent
		}
		return doc.Row{Cells: doc.Texts(c.Variant), Span: why, Tone: doc.Soft}
	}
	r := a.Rate
	row := doc.Row{Cells: make([]doc.Cell, 14)}
	row.Cells[13] = marksOf(c)
	row.Cells[0].Text, row.Cells[1].Text = c.Variant, strconv.Itoa(r.N)
	row.Cells[2].Text, row.Cells[3] = figure.Count(r.Events)+" of "+figure.Count(int64(min(r.Exposure, 1<<60))), perMillion(r)
	if c.VoidInvocations > 0 {
		row.Cells[12] = doc.Cell{Text: strconv.Itoa(c.VoidInvocations), Tone: doc.Warning}
	}
	v := r.Versus
	if v == nil {
		if r.NoVersus != "" {
			row.Cells[4].Text = "–"
		}
		return row
	}
	row.Cells[4] = difference(&analysis.Estimate{Value: v.Difference, Interval: v.Interval}, "")
	if v.Detectable != nil {
		row.Cells[5].Text = figure.Ratio(*v.Detectable)
	}
	row.Cells[6], row.Cells[7], row.Cells[11].Text = rateRatio(v), probability(v.Poisson), decidedBy(v)
	row.Cells[7].Struck = v.PoissonFails && v.Poisson != nil
	if x := v.Scatter; x != nil {
		row.Cells[8], row.Cells[9], row.Cells[10] = probability(&x.P), probability(x.PQuasi), probability(x.PPermuted)
	}
	return row
}

// perMillion is 8.337 (4.162 … 14.92), of none what it is less than.
func perMillion(r *analysis.Rate) doc.Cell {
	if r.Events == 0 && r.Interval != nil {
		return doc.Cell{Text: "< " + figure.Ratio(r.Interval.High), Sort: &r.PerMillion}
	}
	c := quantity(&analysis.Estimate{Value: r.PerMillion, Interval: r.Interval}, "")
	if r.Interval == nil {
		c.Text = figure.Ratio(r.PerMillion)
	} else if r.Scattered {
		c.Remark = "scattered"
	}
	return c
}

// rateRatio is × 6.0 (2.1 … ∞); a side without a bound is open.
func rateRatio(v *analysis.Rates) doc.Cell {
	if v.Ratio == nil {
		return doc.Cell{Text: "–"}
	}
	low, high := "0", "∞"
	if v.RatioLow != nil {
		low = figure.Ratio(*v.RatioLow)
	}
	if v.RatioHigh != nil {
		high = figure.Ratio(*v.RatioHigh)
	}
	return doc.Cell{Text: "× " + figure.Ratio(*v.Ratio), Interval: low + " … " + high, Sort: v.Ratio}
}

// decidedBy names the p of the tests that decided, that of Poisson's struck out where
// it does not hold.
func decidedBy(v *analysis.Rates) string {
	switch s := v.Scatter; {
	case v.Poisson == nil:
		return ""
	case !v.PoissonFails:
		if s != nil && s.PQuasi != nil {
			return "exact, " + figure.P(*v.Poisson) + "; quasi-Poisson, " + figure.P(*s.PQuasi)
		}
		return v.Decided
	case s != nil && s.PQuasi != nil && s.PPermuted != nil:
		how := "permuted"
		if v.Blocked {
			how = "signs"
		}
		return fmt.Sprintf("quasi-Poisson %s, %s %s (exact: struck out)", figure.P(*s.PQuasi), how, figure.P(*s.PPermuted))
	}
	return v.Decided
}

// lostFigure draws the rates of all cells on a logarithmic axis, where 0 is an arrow.
func (b *builder) lostFigure(m results.Metric) []doc.Block {
	p := plot.Rows{Alt: m.Name + " per million of each cell; the table below has the same numbers", Axis: plot.Axis{Log: true, Title: m.Name + " per million " + m.Of + " (log)"}}
	for i := range b.s.Cells {
		c := &b.s.Cells[i]
		a := metricOf(c, m.Name)
		if c.Role == results.RoleAA || c.Void != "" || a == nil || a.Rate == nil {
			continue
		}
		row := plot.Row{Label: c.Label, Text: perMillion(a.Rate).String(), Value: &a.Rate.PerMillion}
		if i := a.Rate.Interval; i != nil {
			row.Low, row.High = &i.Low, &i.High
		}
		p.Items = append(p.Items, row)
	}
	return figureOf(p.SVG(), m.Name+" per million "+m.Of+" with their 95 % intervals. An arrow is a rate of 0 and its upper bound.")
}

// figureOf is a drawing with its caption, nothing without a drawing.
func figureOf(svg, caption string) []doc.Block {
	if svg == "" {
		return nil
	}
	return []doc.Block{&doc.Figure{SVG: svg, Caption: caption}}
}

// capacities say what loads are shares of.
func (b *builder) capacities() *doc.Section {
	sec := &doc.Section{
		Title: "How much load the baseline takes", Silent: true,
		About: "the highest load that lost nothing, found before the measurement by invocations of their own, which are in no other number; of an even number the median is the lower one of the middle",
	}
	for _, c := range b.s.Calibrations {
		scale := figure.Fit(c.Unit, append([]float64{c.Median}, c.Found...)...)
		var found []string
		for _, x := range c.Found {
			found = append(found, scale.Number(x))
		}
		sec.Add(doc.Paragraph{Tone: doc.Soft, Text: fmt.Sprintf("calibrated: %s takes %s, the median of %s; loads that are a share are a share of that", c.Name, scale.WithUnit(scale.Number(c.Median)), strings.Join(found, ", "))})
	}
	return sec
}

// toggles say what a change of what is monitored does to the latency just after it.
func (b *builder) toggles() *doc.Section {
	t := &doc.Table{Columns: []doc.Column{{Head: "cell"}, {Head: "n", Number: true}, {Head: "p50 higher by", Number: true}, {Head: "p99 higher by", Number: true}}}
	within := 0.0
	for _, e := range b.s.ToggleEffects {
		if c := cellOf(b.s, e.Cell); c != nil {
			within = max(within, e.WithinNS)
			t.Rows = append(t.Rows, doc.Row{Cells: []doc.Cell{{Text: c.Label}, {Text: count(e.P50)}, difference(e.P50, "ns"), difference(e.P99, "ns")}})
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return &doc.Section{
		Title:  "toggles",
		About:  fmt.Sprintf("latency within %s of a change of what is monitored, against the rest of the time to the next; the median over the changes of each invocation, over invocations with 95 %% intervals", figure.Exactly(within, "ns")),
		Blocks: []doc.Block{t},
	}
}

// pooledRates is a paper's arithmetic of scaled losses, far from ours.
func (b *builder) pooledRates() *doc.Section {
	s := b.s
	if len(s.PooledRates) == 0 {
		return nil
	}
	sec := &doc.Section{Title: "Lost transactions by a paper’s arithmetic", Silent: true, Tone: doc.Warning}
	sec.Add(doc.Paragraph{Mark: "!", Text: "the papers' t test of lost transactions: " + s.PooledRates[0].Wrong, Tone: doc.Warning})
	t := &doc.Table{Depth: doc.Paged, Columns: []doc.Column{
		{Head: "cells"},
		{Head: "scale"},
		{Head: "first", Number: true},
		{Head: "second", Number: true},
		{Head: "t", Number: true},
		{Head: "p", Number: true},
		{Head: "bound", Number: true, Help: "one-sided, at 5 %: the papers reject below it"},
	}, Legend: []string{"means ± standard deviations of the scaled losses of the invocations, and Student’s test of their difference"}}
	for _, p := range s.PooledRates {
		sec.Add(doc.Paragraph{Text: p.Text, Tone: doc.Soft})
		for _, scale := range []struct {
			name string
			of   analysis.PooledScale
		}{{"each cell’s own total", p.Own}, {"one million for both", p.Common}} {
			r := doc.Row{Cells: doc.Texts(labelOf(s, p.A.Cell)+" − "+labelOf(s, p.B.Cell), scale.name,
				figure.Quantity(scale.of.MeanA, "")+" ± "+figure.Quantity(scale.of.SDA, ""), figure.Quantity(scale.of.MeanB, "")+" ± "+figure.Quantity(scale.of.SDB, ""),
				"–", "–", figure.Ratio(scale.of.Bound))}
			if test := scale.of.Test; test != nil {
				r.Cells[4].Text, r.Cells[5] = figure.Ratio(test.T)+", df "+levelText(test.DF), probability(&test.P)
			}
			t.Rows = append(t.Rows, r)
		}
	}
	sec.Add(t)
	return sec
}

const (
	// timelineSteps is how many stretches are drawn at most: more could not be told
	// apart, and make the page large.
	timelineSteps = 190
	// timelineRows is how many the table has at most.
	timelineRows = 20
	// togglesDrawn is up to how many toggles have a line across the latencies.
	togglesDrawn = 60
	// togglesApart is up to how many are drawn each by itself.
	togglesApart = 300
	// multiplesMost is how many cells have a drawing of their own: more would make
	// the page slow, and nobody looks at them.
	multiplesMost = 60
)

// stretch is a part of a load: what was to be sent in it. Times are in ns; quantiles
// are 0 where nothing was answered.
type stretch struct {
	since, until     float64
	requests, lost   float64
	p50, p99, worst  float64
	on, off, longest float64 // toggles that began in it, and the longest of them
}

// stretches are those of a timeline, joined until there are most of them at most:
// counts add up, and of quantiles the largest stays, so that nothing that happened is
// hidden.
func stretches(t *analysis.Timeline, most int) []stretch {
	var all []stretch
	for _, r := range t.Rows {
		all = append(all, stretch{since: r.SinceNS, until: r.SinceNS + t.StepNS, requests: r.Requests, lost: r.Lost, p50: r.P50NS, p99: r.P99NS, worst: r.MaxNS})
	}
	for _, g := range t.Toggles {
		i := slices.IndexFunc(all, func(s stretch) bool { return g.SinceNS >= s.since && g.SinceNS < s.until })
		if i < 0 {
			continue
		}
		if g.On {
			all[i].on++
		} else {
			all[i].off++
		}
		all[i].longest = max(all[i].longest, g.TookNS)
	}
	var joined []stretch
	for some := range slices.Chunk(all, max(1, (len(all)+most-1)/most)) {
		s := some[0]
		for _, o := range some[1:] {
			s.until, s.requests, s.lost = o.until, s.requests+o.requests, s.lost+o.lost
			s.p50, s.p99, s.worst = max(s.p50, o.p50), max(s.p99, o.p99), max(s.worst, o.worst)
			s.on, s.off, s.longest = s.on+o.on, s.off+o.off, max(s.longest, o.longest)
		}
		joined = append(joined, s)
	}
	return joined
}

// timelines draw the load of each cell over time, all on the same axes, each with its
// table; nil where no load was observed over time.
func (b *builder) timelines() *doc.Section {
	if !b.paged {
		return nil
	}
	drawn := b.s.Timelines
	more := max(0, len(drawn)-multiplesMost)
	drawn = drawn[:len(drawn)-more]
	var latencies []float64
	end, most := 0.0, 0.0
	for i := range drawn {
		for _, s := range stretches(&drawn[i], timelineSteps) {
			end, most = max(end, s.until), max(most, s.lost)
			for _, v := range []float64{s.p50, s.p99, s.worst} {
				if v > 0 {
					latencies = append(latencies, v)
				}
			}
		}
	}
	if len(latencies) == 0 || end <= 0 {
		return nil
	}
	unit, timeUnit := figure.Fit("ns", slices.Max(latencies)), figure.Fit("ns", end)
	y := plot.NewAxis(latencies, plot.SpansDecades(latencies, 1))
	y.Factor, y.Title = unit.Factor, unit.Unit+logRemark(y)
	x := plot.NewAxis([]float64{0, end}, false)
	x.High, x.Factor, x.Title = end, timeUnit.Factor, timeUnit.Unit+" since the load began"
	sec := &doc.Section{Title: "Latency and losses over time"}
	var svg strings.Builder
	svg.WriteString(timelineLegend + `<div class="timelines">`)
	for i := range drawn {
		if len(drawn[i].Rows) > 0 {
			label := labelOf(b.s, drawn[i].Cell)
			fmt.Fprintf(&svg, `<div class="timeline">%s%s</div>`, plot.Heading(label), b.timeline(&drawn[i], x, y, most))
		}
	}
	svg.WriteString("</div>")
	caption := "Of each cell the invocation with the median latency, all on the same axes. The losses are those of each stretch; the number beside them is the most in any."
	if more > 0 {
		caption += fmt.Sprintf(" %d more cells are not drawn.", more)
	}
	sec.Blocks = figureOf(svg.String(), caption)
	for i := range drawn {
		if len(drawn[i].Rows) > 0 {
			sec.Add(&doc.Section{Title: labelOf(b.s, drawn[i].Cell), About: "over time, as a table", Folded: true, Depth: doc.Paged, Blocks: []doc.Block{timelineTable(&drawn[i])}})
		}
	}
	return sec
}

// timelineLegend tells the marks of timelines apart.
const timelineLegend = `<ul class="legend timed">` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><line class="worst" x1="0" x2="44" y1="7" y2="7"/></svg> longest</li>` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><line class="p99" x1="0" x2="44" y1="7" y2="7"/></svg> p99</li>` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><line class="p50" x1="0" x2="44" y1="7" y2="7"/></svg> median</li>` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><rect class="lost" x="16" y="1" width="12" height="12"/></svg> lost</li>` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><rect class="in" x="4" y="2" width="36" height="10"/><rect class="toggle" x="4" y="2" width="4" height="10"/></svg> the probe is in; a bar: it is put in or taken out</li>` +
	`<li><svg viewBox="0 0 44 14" width="44" height="14" aria-hidden="true"><rect class="ramp" x="4" y="0" width="36" height="14"/></svg> ramp</li></ul>`

// timeline draws one load: quantiles of latency above, losses and toggles below.
func (b *builder) timeline(t *analysis.Timeline, x, y plot.Axis, most float64) string {
	p := plot.XY{Alt: labelOf(b.s, t.Cell) + ": " + timelineSays(t), Frame: plot.Timeline, X: x, Y: y}
	if ramp := b.rampOf(t.Cell); ramp > 0 {
		p.Spans = append(p.Spans, plot.Span{To: ramp, Class: "ramp"})
	}
	losses := plot.Lane{Top: 120, Bottom: 150, High: max(1, most), Label: figure.Count(int64(math.Ceil(most))) + " lost"}
	all := stretches(t, timelineSteps)
	for _, of := range []struct {
		class string
		value func(stretch) float64
	}{
		{"worst", func(s stretch) float64 { return s.worst }}, {"p99", func(s stretch) float64 { return s.p99 }}, {"p50", func(s stretch) float64 { return s.p50 }},
	} {
		line := plot.Series{Class: of.class, Line: true}
		for _, s := range all {
			pt := plot.Point{X: (s.since + s.until) / 2, Y: of.value(s)}
			if pt.Y <= 0 {
				pt.Y = math.NaN()
			}
			line.Points = append(line.Points, pt)
		}
		p.Series = append(p.Series, line)
	}
	for _, s := range all {
		if s.lost > 0 {
			losses.Blocks = append(losses.Blocks, plot.Block{From: s.since, To: s.until, Value: s.lost, Class: "lost", Title: figure.Count(int64(math.Ceil(s.lost))) + " lost from " + figure.Quantity(s.since, "ns") + " on"})
		}
	}
	toggles := plot.Lane{Top: 156, Bottom: 165}
	if len(t.Toggles) > togglesApart {
		toggles.Blocks = []plot.Block{{To: x.High, Class: "toggle", Title: figure.Count(int64(len(t.Toggles))) + " toggles: too many to be drawn apart"}}
	} else {
		for i, g := range t.Toggles {
			until := x.High
			if i+1 < len(t.Toggles) {
				until = t.Toggles[i+1].SinceNS
			}
			state := "off at "
			if g.On {
				state = "on at "
				toggles.Blocks = append(toggles.Blocks, plot.Block{From: g.SinceNS, To: until, Class: "in"})
			}
			toggles.Blocks = append(toggles.Blocks, plot.Block{From: g.SinceNS, To: g.SinceNS + g.TookNS, Class: "toggle", Title: state + figure.Quantity(g.SinceNS, "ns") + ", took " + figure.Quantity(g.TookNS, "ns")})
			if len(t.Toggles) <= togglesDrawn {
				p.Rules = append(p.Rules, plot.Rule{X: &g.SinceNS, Class: "hair"})
			}
		}
	}
	p.Lanes = []plot.Lane{losses, toggles}
	return p.SVG()
}

// timelineSays is b0003.s02.r0: 163,000 requests, 12 lost, 39 toggles.
func timelineSays(t *analysis.Timeline) string {
	requests, lost := 0.0, 0.0
	for _, r := range t.Rows {
		requests, lost = requests+r.Requests, lost+r.Lost
	}
	text := figure.Plural(int(requests), "request", "requests") + ", " + figure.Count(int64(lost)) + " lost, " + figure.Plural(len(t.Toggles), "toggle", "toggles")
	if t.Invocation != "" {
		text = t.Invocation + ": " + text
	}
	return text
}

// timelineTable has a row for every few stretches.
func timelineTable(t *analysis.Timeline) *doc.Table {
	table := &doc.Table{
		Legend:  []string{timelineSays(t)},
		Columns: []doc.Column{{Head: "from", Number: true}, {Head: "requests", Number: true}, {Head: "lost", Number: true}, {Head: "median", Number: true}, {Head: "p99", Number: true}, {Head: "longest", Number: true}, {Head: "toggles"}},
	}
	for _, s := range stretches(t, timelineRows) {
		r := doc.Row{Cells: doc.Texts(figure.Exactly(s.since, "ns"), figure.Count(int64(math.Round(s.requests))), figure.Count(int64(math.Ceil(s.lost))), "–", "–", "–", "")}
		if s.worst > 0 {
			r.Cells[3].Text, r.Cells[4].Text, r.Cells[5].Text = figure.Quantity(s.p50, "ns"), figure.Quantity(s.p99, "ns"), figure.Quantity(s.worst, "ns")
		}
		if s.on+s.off > 0 {
			r.Cells[6].Text = figure.Count(int64(s.on)) + " on, " + figure.Count(int64(s.off)) + " off; the longest took " + figure.Quantity(s.longest, "ns")
		}
		table.Rows = append(table.Rows, r)
	}
	return table
}

// rampOf is how long the load of a cell grows, in ns; 0 when that is not said.
func (b *builder) rampOf(cell string) float64 {
	values := slices.Clone(b.s.Common)
	if c := cellOf(b.s, cell); c != nil {
		values = append(values, c.Factors...)
	}
	for _, v := range values {
		if ns, _ := v.Int(); v.Name == "ramp" && ns > 0 {
			return float64(ns)
		}
	}
	return 0
}
