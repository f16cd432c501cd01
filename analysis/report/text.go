package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/results"
)

// Text prints the answers for a terminal.
func Text(w io.Writer, a *analysis.Answers, o Options) error {
	p := &printer{w: w, width: o.Width, colour: o.Color}
	if p.width <= 0 {
		p.width = 80
	}
	p.width = max(p.width, 40)
	p.header(a)
	for i := range a.Scenarios {
		p.scenario(&a.Scenarios[i], o.All)
	}
	p.gate(a)
	p.payoffs(a)
	p.footer(a)
	return p.err
}

func (p *printer) header(a *analysis.Answers) {
	p.wrapped(bold, "", strings.Join(headline(a), " · "))
	for _, failed := range failedSelfTests(a) {
		p.wrapped(bad, "! ", failed)
	}
	p.scaled(a)
	p.machines(a)
	if about := a.Campaign.About; about != "" {
		p.wrapped(dim, "", about)
	}
}

// failedSelfTests stamp every output: what a campaign says whose two equal
// baselines differ can't be trusted.
func failedSelfTests(a *analysis.Answers) []string {
	var failed []string
	for _, s := range a.Scenarios {
		for _, aa := range s.AA {
			if aa.State != analysis.AAFailed {
				continue
			}
			where := s.Label
			if aa.Level != "" {
				where += " at " + aa.Level
			}
			failed = append(failed, "A/A FAILED ("+where+"): "+strings.TrimPrefix(aa.Text, "failed: "))
		}
	}
	return failed
}

func headline(a *analysis.Answers) []string {
	c := a.Campaign
	parts := []string{c.Name}
	if c.Scale > 0 {
		parts = append(parts, fmt.Sprintf("shortened to %v", c.Scale))
	}
	cells, aa := 0, ""
	for _, s := range a.Scenarios {
		for _, cell := range s.Cells {
			if cell.Role == results.RoleAA {
				aa = " + A/A"
			} else {
				cells++
			}
		}
	}
	shape := figure.Plural(cells, "cell", "cells") + aa
	if c.Design == results.DesignUnordered {
		shape += ", unordered, from " + c.Source
	} else {
		shape += " × " + figure.Plural(c.Blocks, "block", "blocks")
	}
	parts = append(parts, shape, figure.Plural(len(a.Invocations), "invocation", "invocations"))
	if c.Start != nil && c.End != nil && !c.Start.IsZero() {
		parts = append(parts, c.Start.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if c.Design != results.DesignUnordered {
		parts = append(parts, fmt.Sprintf("seed %d", c.Seed))
	}
	return parts
}

func machineLine(m *results.Machine, runtimes []string) []string {
	var parts []string
	for _, s := range []string{m.Host, m.CPU} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if m.CPUs > 0 {
		parts = append(parts, figure.Plural(m.CPUs, "CPU", "CPUs"))
	}
	if m.Kernel != "" {
		parts = append(parts, "Linux "+m.Kernel)
	}
	for _, r := range runtimes {
		parts = append(parts, "JDK "+r)
	}
	return parts
}

func (p *printer) scenario(s *analysis.Scenario, all bool) {
	p.print(plain, "")
	p.wrapped(bold, s.Label+"  ", describe(s))
	for _, n := range s.Notes {
		p.wrapped(warn, "! ", n)
	}
	notes := &footnotes{}
	p.metrics(s, notes, all)
	p.sizing(s)
	for i, n := range notes.notes {
		p.wrapped(warn, fmt.Sprintf("!%d ", i+1), n.text())
	}
	p.requests(s, all)
	p.keys(s)
	p.figures(s, all)
	p.contrasts(s)
	p.growths(s)
	if all {
		p.warmups(s)
	}
	if all || primary(s).Sample() == results.SampleRequest {
		p.quantiles(s)
	}
	p.pooled(s)
	p.pooledRates(s)
	p.answers(s, all)
}

// metrics prints the table of the primary metric, and of the others where all
// are asked for.
func (p *printer) metrics(s *analysis.Scenario, notes *footnotes, all bool) {
	var others []string
	for _, m := range s.Metrics {
		switch {
		case m.Name == s.Primary:
			rows, kept := p.rows(s, m, notes)
			p.table(rows)
			if !kept[columnSteady] {
				p.steady(s)
			}
			p.legend(s)
		case all && observed(s, m.Name):
			p.print(plain, "")
			p.wrapped(bold, m.Name+"  ", m.About)
			rows, _ := p.rows(s, m, nil)
			p.table(rows)
			others = append(others, m.Name)
		}
	}
	if len(others) > 0 {
		p.print(plain, "")
		p.wrapped(dim, "  ", otherCaption(s, others))
	}
}

// otherCaption says what holds of the tables of other metrics than the primary.
func otherCaption(s *analysis.Scenario, metrics []string) string {
	text := "in the tables of other metrics: mean ± half of its 95 % interval over invocations; each comparison at 95 % by itself, and not together with others"
	for i := range s.Cells {
		for _, name := range metrics {
			if m := metricOf(&s.Cells[i], name); m != nil && m.Mean != nil && m.Mean.N > 1 && m.Mean.N < infer.FewInvocations {
				return text + "; of fewer than six invocations they lean on values that are normally distributed, which so few can't show"
			}
		}
	}
	return text
}

// describe says what was done, with the parameters that all cells share.
func describe(s *analysis.Scenario) string {
	text := s.About
	if text == "" {
		text = primary(s).About
	}
	for _, v := range s.Common {
		text += ", " + v.Name + " " + v.Readable()
	}
	return strings.TrimPrefix(text, ", ")
}

func primary(s *analysis.Scenario) results.Metric {
	for _, m := range s.Metrics {
		if m.Name == s.Primary {
			return m
		}
	}
	return results.Metric{}
}

// observed says whether any cell has a value of the metric.
func observed(s *analysis.Scenario, metric string) bool {
	for i := range s.Cells {
		if m := metricOf(&s.Cells[i], metric); m != nil && m.Mean != nil {
			return true
		}
	}
	return false
}

func metricOf(c *analysis.Cell, name string) *analysis.MetricAnswer {
	for i := range c.Metrics {
		if c.Metrics[i].Metric == name {
			return &c.Metrics[i]
		}
	}
	return nil
}

// legend says what the numbers are.
func (p *printer) legend(s *analysis.Scenario) {
	p.wrapped(dim, "  ", caption(s))
	if s.Loops.Share != nil {
		p.wrapped(dim, "  ", figure.Percent(*s.Loops.Share)+" of the wall time lay inside the loops, agents' own start-up left out")
	}
}

// caption says what the numbers of a table of cells are.
func caption(s *analysis.Scenario) string {
	ci := "mean ± half of its 95 % interval over invocations"
	if n := compared(s); n > 1 {
		ci += fmt.Sprintf("; the %d comparisons of a level hold together at 95 %%", n)
	} else if n == 1 {
		ci += "; the comparison at 95 %"
	}
	return ci + "; over " + s.Window
}

// compared is the number of cells of the largest level that are compared with
// its baseline.
func compared(s *analysis.Scenario) int {
	most, n := 0, map[string]int{}
	for _, c := range s.Cells {
		if c.Role == results.RoleVariant {
			n[c.Level]++
			most = max(most, n[c.Level])
		}
	}
	return most
}

func (p *printer) answers(s *analysis.Scenario, all bool) {
	if len(s.Answers) > 0 {
		p.print(plain, "")
	}
	for _, a := range ordered(s.Answers) {
		p.wrapped(bold, "", a.Text)
		p.wrapped(plain, "  ", a.Sentence)
		for _, more := range []string{a.Detail, a.Pooled, a.Without} {
			if more != "" && (all || more != a.Without) {
				p.wrapped(dim, "  ", more)
			}
		}
	}
	if s.Unseen != "" {
		p.wrapped(dim, "", s.Unseen)
	}
}

// ordered puts the questions of benchmarks.toml first.
func ordered(as []analysis.Answer) []analysis.Answer {
	as = slices.Clone(as)
	slices.SortStableFunc(as, func(a, b analysis.Answer) int {
		switch {
		case a.Asked == b.Asked:
			return 0
		case a.Asked:
			return -1
		}
		return 1
	})
	return as
}

func (p *printer) footer(a *analysis.Answers) {
	calibrated := calibrations(a)
	if len(a.Warnings)+len(a.Unanswered)+len(calibrated) > 0 {
		p.print(plain, "")
	}
	for _, w := range a.Warnings {
		p.wrapped(warn, "! ", w)
	}
	for _, w := range a.Unanswered {
		p.wrapped(bad, "! incomplete: ", w)
	}
	for _, c := range calibrated {
		if c.Bad {
			p.wrapped(bad, "! ", c.Text)
		} else {
			p.wrapped(dim, "", c.Text)
		}
	}
}
