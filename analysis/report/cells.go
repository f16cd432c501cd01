package report

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/results"
)

// cellTable is the table of all cells, with each difference drawn beside its
// number on one axis: a forest plot that can be sorted and filtered.
type cellTable struct {
	Columns  []column
	Rows     []tableRow
	Drawn    bool   // some row has a drawing
	HasPer   bool   // some cell has a cost per record
	Verdicts bool   // some cell has an answer
	Zero     string // place of no difference, in per cent of the width
	Ends     []tick // of the axis: what fits over a narrow column
	unit     string // of the axis
}

// column is a head of the table. Key is the place of its numbers among the keys
// of a row, "" of texts and of what can't be sorted.
type column struct {
	Name, Title, Key string
	Number, Drawing  bool
}

// tableRow is one cell.
type tableRow struct {
	*analysis.Cell
	Keys                    string // what numbers are sorted by, in the metric's unit
	N                       string
	Mean, Difference, Ratio shown
	Detectable              string
	Per                     shown
	Verdict                 analysis.Verdict
	Line                    *cellLine
}

// newCells is the table of a scenario.
func newCells(s *analysis.Scenario) cellTable {
	var t cellTable
	drawn := t.draw(s)
	m := primary(s)
	verdicts := verdictsOf(s)
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Role == results.RoleAA {
			continue
		}
		r := newTableRow(c, s, m)
		r.Verdict, r.Line = verdicts[c.ID], drawn[c.ID]
		if len(s.Cells) > wideMost {
			r.Ratio.Interval = ""
		}
		t.HasPer = t.HasPer || c.PerRecord != nil && !m.Once && len(s.Cells) <= wideMost
		t.Drawn, t.Verdicts = t.Drawn || r.Line != nil, t.Verdicts || r.Verdict != ""
		t.Rows = append(t.Rows, r)
	}
	t.Columns = t.columns(s)
	return t
}

func newTableRow(c *analysis.Cell, s *analysis.Scenario, m results.Metric) tableRow {
	r := tableRow{Cell: c, N: strconv.Itoa(c.OK)}
	a := metricOf(c, s.Primary)
	if a == nil {
		a = &analysis.MetricAnswer{}
	}
	if c.Void == "" {
		r.N, r.Mean, r.Difference, r.Ratio = count(a.Mean), halved(a, m.Unit), differenceOf(a, m.Unit), showRatio(a.Ratio)
		r.Detectable, r.Per = detectable(a.Difference, m.Unit), showDifference(c.PerRecord, m.Unit)
		if c.PerRecord == nil && c.NoPerRecord != "" {
			r.Per.Value = "–"
		}
	} else {
		a = &analysis.MetricAnswer{}
	}
	var least *float64
	if a.Difference != nil {
		least = a.Difference.Detectable
	}
	keys := []string{sortKey(valueIn(a.Mean)), sortKey(valueIn(a.Difference)), sortKey(valueIn(a.Ratio)), sortKey(least), sortKey(valueIn(c.PerRecord))}
	r.Keys = strings.TrimRight(strings.Join(keys, ","), ",")
	return r
}

func valueIn(e *analysis.Estimate) *float64 {
	if e == nil {
		return nil
	}
	return &e.Value
}

// sortKey is a number as short as sorting allows, "" of none.
func sortKey(v *float64) string {
	if v == nil {
		return ""
	}
	return strings.Replace(strconv.FormatFloat(*v, 'g', 5, 64), "e+", "e", 1)
}

// columns are the heads of the table, in the order that the template prints.
func (t *cellTable) columns(s *analysis.Scenario) []column {
	all := []column{
		{Name: "cell"},
		{Name: "n", Number: true, Title: "invocations that gave a number"},
		{Name: unitHead(primary(s)), Number: true, Key: "0"},
	}
	if t.Drawn {
		all = append(all, column{Name: "more than the baseline, " + t.unit, Drawing: true})
	}
	all = append(
		all,
		column{Name: cmp.Or(versus(s), "difference"), Number: true, Key: "1"},
		column{Name: "ratio", Number: true, Key: "2"},
		column{Name: "detectable", Number: true, Key: "3", Title: "the smallest true difference that such a design finds four times in five"},
	)
	if t.HasPer {
		all = append(all, column{Name: "per record", Number: true, Key: "4", Title: "the difference from the baseline, divided by the records that were delivered"})
	}
	if t.Verdicts {
		all = append(all, column{Name: "verdict"})
	}
	return append(all, column{Name: "steady state"}, column{Name: "records"})
}

// verdictsOf are the answers to the scenario's own questions about the cost of
// each cell, by its ID.
func verdictsOf(s *analysis.Scenario) map[string]analysis.Verdict {
	of, baseline := map[string]analysis.Verdict{}, map[string]string{}
	for _, c := range s.Cells {
		baseline[c.ID] = c.Baseline
	}
	for _, a := range s.Answers {
		if !a.Asked && a.Rates == nil && a.Metric == s.Primary && a.B == baseline[a.A] && a.B != "" {
			of[a.A] = a.Verdict
		}
	}
	return of
}

// wideMost is up to how many cells the table has a column for the cost per record,
// and the intervals of ratios: a thousand rows must stay short.
const wideMost = 200

// cellLine is the difference of one cell: paths of an interval and of a dot, in a
// box of 100 by 9.
type cellLine struct{ Interval, Dot string }

// draw places all differences on one axis, and returns them by cell.
func (t *cellTable) draw(s *analysis.Scenario) map[string]*cellLine {
	f := newForest(s)
	place := func(x string) string {
		v, err := strconv.ParseFloat(x, 64)
		left, _ := strconv.ParseFloat(f.Left, 64)
		span, _ := strconv.ParseFloat(f.Span, 64)
		if err != nil || span <= 0 {
			return "0"
		}
		return strconv.FormatFloat(math.Round(1000*(v-left)/span)/10, 'f', -1, 64)
	}
	of := map[string]*cellLine{}
	for i := range f.Rows {
		r := &f.Rows[i]
		if !r.Dot {
			continue
		}
		l := &cellLine{Dot: "M" + place(r.X) + " 4h0"}
		if r.Line {
			l.Interval = "M" + place(r.Low) + " 4H" + place(r.High)
		}
		of[r.ID] = l
	}
	t.Zero, t.unit = place(f.Zero), f.Unit
	for _, e := range f.ends() {
		t.Ends = append(t.Ends, tick{place(e.X), e.Text})
	}
	return of
}

// ends are those ticks of the axis that have room over a narrow column: 0, the
// last, and the first where it is not next to 0.
func (f *forest) ends() []tick {
	var ends []tick
	for i, t := range f.Ticks {
		nextToZero := len(f.Ticks) > 1 && f.Ticks[1].X == f.Zero
		if t.X == f.Zero || i == len(f.Ticks)-1 || i == 0 && !nextToZero {
			ends = append(ends, t)
		}
	}
	return ends
}
