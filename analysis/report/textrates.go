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

// scaled warns at the head of a replication that was made shorter.
func (p *printer) scaled(a *analysis.Answers) {
	if s := a.Campaign.Scale; s > 0 {
		p.wrapped(warn, "! ", "shortened to "+strconv.FormatFloat(s, 'g', -1, 64)+" of the paper's experiment: not a replication of its figures")
	}
}

// requests prints what only scenarios have that send requests: losses, how their
// load was found, and what toggles do.
func (p *printer) requests(s *analysis.Scenario, all bool) {
	for _, m := range s.Metrics {
		if m.Of != "" && (m.Key || m.Name == s.Primary || all && counted(s, m.Name)) {
			p.rates(s, m)
		}
	}
	p.capacities(s)
	p.toggleEffects(s)
}

// counted says whether a cell has an event of the metric.
func counted(s *analysis.Scenario, metric string) bool {
	return slices.ContainsFunc(s.Cells, func(c analysis.Cell) bool {
		m := metricOf(&c, metric)
		return m != nil && m.Rate != nil && m.Rate.Events > 0
	})
}

// rates prints the table of one count of events.
func (p *printer) rates(s *analysis.Scenario, m results.Metric) {
	rows := []row{{cells: []string{"", "n", m.Name + " of " + m.Of, "per million (95 % CI)", versus(s), "finds", "decided by"}, style: dim}}
	for _, level := range levels(s) {
		if level != "" {
			rows = append(rows, row{cells: []string{level}, style: bold})
		}
		for i := range s.Cells {
			if c := &s.Cells[i]; c.Level == level && c.Role != results.RoleAA {
				rows = append(rows, rateRow(c, m))
			}
		}
	}
	if len(rows) == 1 {
		return
	}
	p.print(plain, "")
	p.wrapped(bold, m.Name+"  ", m.About+"; exact intervals, of none the bound; finds: the smallest rate per million that so many would find four times in five")
	rows, _ = p.fit(rows, []int{0, 2, 0, 0, 1, 3, 4})
	p.table(rows)
}

func rateRow(c *analysis.Cell, m results.Metric) row {
	a := metricOf(c, m.Name)
	switch {
	case c.Void != "":
		return row{cells: []string{c.Variant}, span: "not instrumented", style: bad}
	case a == nil || a.Rate == nil:
		why := "not counted"
		if a != nil && a.Absent != "" {
			why = a.Absent
		}
		return row{cells: []string{c.Variant}, span: why, style: dim}
	}
	r := a.Rate
	cells := []string{c.Variant, strconv.Itoa(r.N), figure.Count(r.Events) + " of " + figure.Count(int64(min(r.Exposure, 1<<60))), perMillion(r), "", "", ""}
	if v := r.Versus; v != nil {
		cells[4], cells[6] = differenceOfRates(v), decidedBy(v)
		if v.Detectable != nil {
			cells[5] = figure.Ratio(*v.Detectable)
		}
	} else if r.NoVersus != "" {
		cells[4] = "–"
	}
	return row{cells: cells}
}

// perMillion is 8.337 (4.162 … 14.92), of none what it is less than.
func perMillion(r *analysis.Rate) string {
	switch {
	case r.Interval == nil:
		return figure.Ratio(r.PerMillion)
	case r.Events == 0:
		return "< " + figure.Ratio(r.Interval.High)
	}
	s := figure.Fit("", r.PerMillion, r.Interval.Low, r.Interval.High)
	text := s.Number(r.PerMillion) + " (" + s.Number(r.Interval.Low) + " … " + s.Number(r.Interval.High) + ")"
	if r.Scattered {
		text += " scattered"
	}
	return text
}

func differenceOfRates(v *analysis.Rates) string {
	if v.Interval == nil {
		return figure.Fit("", v.Difference).Signed(v.Difference)
	}
	s := figure.Fit("", v.Difference, v.Interval.Low, v.Interval.High)
	return s.Signed(v.Difference) + " (" + s.Number(v.Interval.Low) + " … " + s.Number(v.Interval.High) + ")"
}

// decidedBy names the p of the tests that decided, that of Poisson's struck out
// where it does not hold.
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

// capacities say what the loads are shares of.
func (p *printer) capacities(s *analysis.Scenario) {
	for i, c := range s.Calibrations {
		if i == 0 {
			p.print(plain, "")
		}
		scale := figure.Fit(c.Unit, append([]float64{c.Median}, c.Found...)...)
		var found []string
		for _, x := range c.Found {
			found = append(found, scale.Number(x))
		}
		p.wrapped(dim, "  ", fmt.Sprintf("calibrated: %s takes %s, the median of %s; loads that are a share are a share of that", c.Name, scale.WithUnit(scale.Number(c.Median)), strings.Join(found, ", ")))
	}
}

// toggleEffects say what a change does to the latency just after it.
func (p *printer) toggleEffects(s *analysis.Scenario) {
	rows := []row{{cells: []string{"", "n", "p50 higher by", "p99 higher by"}, style: dim}}
	within := 0.0
	for _, e := range s.ToggleEffects {
		i := slices.IndexFunc(s.Cells, func(c analysis.Cell) bool { return c.ID == e.Cell })
		if i < 0 {
			continue
		}
		within = max(within, e.WithinNS)
		rows = append(rows, row{cells: []string{s.Cells[i].Label, count(e.P50), showDifference(e.P50, "ns").String(), showDifference(e.P99, "ns").String()}})
	}
	if len(rows) == 1 {
		return
	}
	p.print(plain, "")
	p.wrapped(bold, "toggles  ", fmt.Sprintf("latency within %s of a change of what is monitored, against the rest of the time to the next; the median over the changes of each invocation, over invocations with 95 %% intervals", figure.Exactly(within, "ns")))
	p.table(rows)
}

// pooledRates prints a paper's scaled losses, far from ours.
func (p *printer) pooledRates(s *analysis.Scenario) {
	for i, x := range s.PooledRates {
		if i == 0 {
			p.print(plain, "")
			p.wrapped(warn, "! ", "the papers' t test of lost transactions: "+x.Wrong)
		}
		p.wrapped(dim, "  ", x.Text)
	}
}
