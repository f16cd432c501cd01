package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/results"
)

// load is what a section shows of requests that were sent.
type load struct {
	Lost       []lostTable // the first is of the count that matters most
	Drawn      []timeline
	DrawnMore  int // cells whose timelines are left out
	Effects    []effectRow
	Capacities []capacityRow
}

// shortened warns of figures that are no replication; "" of a campaign in full
// length.
func shortened(a *analysis.Answers) string {
	if a.Campaign.Scale <= 0 || a.Campaign.Scale >= 1 {
		return ""
	}
	return fmt.Sprintf("Shortened to %v of the paper’s experiment: its figures are not a replication.", a.Campaign.Scale)
}

// lostTable is what was lost of each cell.
type lostTable struct {
	Title    string
	About    string // what is counted
	Caption  string
	Outcomes []string // heads of the columns
	Rows     []lostRow
	Plot     lostPlot
	Compared []lostCompared
	Paper    []paperRow
	PaperSay []string // what is wrong with it
}

// paperRow is a comparison by a paper's arithmetic, on one of its scales.
type paperRow struct{ Label, Scale, A, B, T, P, Bound string }

type lostRow struct {
	Label, N, Requests, Lost string
	Rate                     shown
	Outcomes                 []string
	Void                     string // invocations that are in no number
}

// lostCompared is the comparison of a cell with its baseline.
type lostCompared struct {
	Label, Why              string // Why there is none
	Difference, Ratio       shown
	Poisson                 string
	Fails                   bool // Poisson's p does not hold
	Scatter, Quasi, Permute string
	Decided, Detectable     string
}

// capacityRow is what a baseline takes.
type capacityRow struct{ Label, Capacity, Found string }

func newCapacities(s *analysis.Scenario) []capacityRow {
	var rows []capacityRow
	for _, c := range s.Calibrations {
		scale := figure.Fit(c.Unit, c.Median)
		var found []string
		for _, v := range c.Found {
			found = append(found, scale.Number(v))
		}
		rows = append(rows, capacityRow{c.Name, scale.WithUnit(scale.Number(c.Median)), strings.Join(found, ", ")})
	}
	return rows
}

func newLoad(s *analysis.Scenario) load {
	l := load{Lost: newLosts(s), Capacities: newCapacities(s), Effects: newToggleEffects(s)}
	l.Drawn, l.DrawnMore = newTimelines(s)
	return l
}

// newLosts are the scenario's counts, by what they are counts of.
func newLosts(s *analysis.Scenario) []lostTable {
	var all []lostTable
	var seen []string
	for _, m := range s.Metrics {
		if m.Of == "" || slices.Contains(seen, m.Of) {
			continue
		}
		seen = append(seen, m.Of)
		if t := newLost(s, m.Of); len(t.Rows) > 0 {
			all = append(all, t)
		}
	}
	if len(all) > 0 {
		all[0].Title = "Lost transactions"
		all[0].paper(s)
	}
	return all
}

// newLost is about the counts of these chances.
func newLost(s *analysis.Scenario, of string) lostTable {
	main, parts := countedMetrics(s, of)
	t := lostTable{
		Title: main.Name + " of " + of, About: main.About,
		Caption: "Of all invocations of a cell together; rates with their 95 % intervals, wider where invocations differ more than chance makes them. Counted as " + main.Name + ": " + main.About + ".",
	}
	for _, m := range parts {
		t.Outcomes = append(t.Outcomes, strings.ReplaceAll(m.Name, "_", " "))
	}
	var items []lostItem
	for i := range s.Cells {
		c := &s.Cells[i]
		of := metricOf(c, main.Name)
		if c.Role == results.RoleAA || of == nil || of.Rate == nil {
			continue
		}
		row, item := newLostRow(c, of.Rate)
		for _, m := range parts {
			row.Outcomes = append(row.Outcomes, eventsOf(c, m.Name))
		}
		t.Rows, items = append(t.Rows, row), append(items, item)
		if c.Role == results.RoleVariant {
			t.Compared = append(t.Compared, newLostCompared(c.Label, of.Rate))
		}
	}
	t.Plot = newLostPlot(items)
	return t
}

// paper adds the arithmetic of papers that scale counts.
func (t *lostTable) paper(s *analysis.Scenario) {
	for _, p := range s.PooledRates {
		if !slices.Contains(t.PaperSay, p.Wrong) {
			t.PaperSay = append(t.PaperSay, p.Wrong)
		}
		for _, scale := range []struct {
			name string
			of   analysis.PooledScale
		}{{"each cell’s own total", p.Own}, {"one million for both", p.Common}} {
			row := paperRow{
				Label: labelOf(s, p.A.Cell) + " − " + labelOf(s, p.B.Cell), Scale: scale.name, T: "–", P: "–",
				A: figure.Quantity(scale.of.MeanA, "") + " ± " + figure.Quantity(scale.of.SDA, ""), B: figure.Quantity(scale.of.MeanB, "") + " ± " + figure.Quantity(scale.of.SDB, ""),
				Bound: figure.Ratio(scale.of.Bound),
			}
			if test := scale.of.Test; test != nil {
				row.T, row.P = figure.Ratio(test.T)+", df "+levelText(test.DF), probability(test.P)
			}
			t.Paper = append(t.Paper, row)
		}
	}
}

// countedMetrics are, of the counts of these chances, the one that matters,
// which is the first key metric, and the others that are no good news.
func countedMetrics(s *analysis.Scenario, of string) (main results.Metric, parts []results.Metric) {
	for _, m := range s.Metrics {
		if m.Of == of && (main.Name == "" || m.Key && !main.Key) {
			main = m
		}
	}
	for _, m := range s.Metrics {
		if m.Of == of && m.Name != main.Name && m.Better != results.Higher {
			parts = append(parts, m)
		}
	}
	return main, parts
}

// eventsOf is how often a cell saw what a metric counts.
func eventsOf(c *analysis.Cell, metric string) string {
	if a := metricOf(c, metric); a != nil && a.Rate != nil {
		return figure.Count(a.Rate.Events)
	}
	return "–"
}

func newLostRow(c *analysis.Cell, r *analysis.Rate) (lostRow, lostItem) {
	row := lostRow{Label: c.Label, N: strconv.Itoa(r.N), Requests: wholeNumber(r.Exposure), Lost: figure.Count(r.Events)}
	if c.VoidInvocations > 0 {
		row.Void = strconv.Itoa(c.VoidInvocations)
	}
	item := lostItem{label: c.Label, rate: r.PerMillion, low: r.PerMillion, high: r.PerMillion, known: true}
	row.Rate = showQuantity(&analysis.Estimate{Value: r.PerMillion, Interval: r.Interval}, "")
	if i := r.Interval; i != nil {
		item.low, item.high = i.Low, i.High
		if r.Events == 0 {
			row.Rate = shown{"0", "0 … " + figure.Quantity(i.High, "")}
		}
	}
	item.text = row.Rate.String()
	return row, item
}

func newLostCompared(label string, r *analysis.Rate) lostCompared {
	x := r.Versus
	if x == nil {
		return lostCompared{Label: label, Why: r.NoVersus}
	}
	row := lostCompared{
		Label: label, Decided: x.Decided, Fails: x.PoissonFails,
		Difference: showDifference(&analysis.Estimate{Value: x.Difference, Interval: x.Interval}, ""), Ratio: shownRatio(x),
	}
	if x.Poisson != nil {
		row.Poisson = probability(*x.Poisson)
	}
	if x.Detectable != nil {
		row.Detectable = figure.Quantity(*x.Detectable, "")
	}
	if c := x.Scatter; c != nil {
		row.Scatter = probability(c.P)
		if c.PQuasi != nil {
			row.Quasi = probability(*c.PQuasi)
		}
		if c.PPermuted != nil {
			row.Permute = probability(*c.PPermuted)
		}
	}
	return row
}

// probability is that of a column whose head says that it is one.
func probability(p float64) string {
	return strings.TrimPrefix(strings.TrimPrefix(figure.P(p), "p = "), "p ")
}

// shownRatio is × 6.0 (2.1 … ∞); a side without a bound is open.
func shownRatio(x *analysis.Rates) shown {
	if x.Ratio == nil {
		return shown{Value: "–"}
	}
	low, high := "0", "∞"
	if x.RatioLow != nil {
		low = figure.Ratio(*x.RatioLow)
	}
	if x.RatioHigh != nil {
		high = figure.Ratio(*x.RatioHigh)
	}
	return shown{"× " + figure.Ratio(*x.Ratio), low + " … " + high}
}
