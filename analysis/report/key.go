package report

import (
	"strings"

	"moobench/analysis"
	"moobench/results"
)

// keyTable is the scenario's key metrics over all cells: a row for each cell, a
// column for each metric.
type keyTable struct {
	Metrics []results.Metric
	Rows    []keyRow
}

// keyRow is one cell; without Values there is no number of it, because of Void.
type keyRow struct {
	Variant, Level string
	Values         []string
	Void           bool
	First          bool // of its level, where there are several
}

// Columns is the number of the table's columns.
func (t keyTable) Columns() int { return len(t.Metrics) + 1 }

// newKeys has no metrics when no key metric but the primary one was observed.
func newKeys(s *analysis.Scenario) keyTable {
	var t keyTable
	for _, m := range s.Metrics {
		if m.Key && m.Name != s.Primary && observed(s, m.Name) {
			t.Metrics = append(t.Metrics, m)
		}
	}
	for _, level := range levels(s) {
		for i := range s.Cells {
			c := &s.Cells[i]
			if c.Level != level || c.Role == results.RoleAA || len(t.Metrics) == 0 {
				continue
			}
			r := keyRow{Variant: c.Variant, Level: level, Void: c.Void != ""}
			r.First = level != "" && (len(t.Rows) == 0 || t.Rows[len(t.Rows)-1].Level != level)
			for _, m := range t.Metrics {
				if !r.Void {
					r.Values = append(r.Values, meanOrDash(c, m))
				}
			}
			t.Rows = append(t.Rows, r)
		}
	}
	return t
}

func meanOrDash(c *analysis.Cell, m results.Metric) string {
	if a := metricOf(c, m.Name); a != nil {
		return meanText(a, m.Unit)
	}
	return "–"
}

// keys prints them, in as many tables as the metrics need.
func (p *printer) keys(s *analysis.Scenario) {
	t := newKeys(s)
	if len(t.Metrics) == 0 {
		return
	}
	p.print(plain, "")
	p.wrapped(bold, "key metrics  ", "means ± half of their 95 % intervals over invocations")
	head, abouts := []string{""}, []string{}
	for _, m := range t.Metrics {
		head = append(head, m.Name)
		if m.About != "" {
			abouts = append(abouts, m.Name+": "+m.About)
		}
	}
	rows := []row{{cells: head, style: dim}}
	for _, r := range t.Rows {
		if r.First {
			rows = append(rows, row{cells: []string{r.Level}, style: bold})
		}
		if r.Void {
			rows = append(rows, row{cells: []string{r.Variant}, span: "not instrumented", style: bad})
		} else {
			rows = append(rows, row{cells: append([]string{r.Variant}, r.Values...)})
		}
	}
	p.split(rows)
	if len(abouts) > 0 {
		p.wrapped(dim, "  ", strings.Join(abouts, "; "))
	}
}
