package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// writeCSV prints one line for each cell and metric, RFC 4180, with a line of heads.
// FORMATS.md documents the columns. What is not known is empty.
func writeCSV(w io.Writer, a *analysis.Answers) error {
	var factors []string
	for _, s := range a.Scenarios {
		for _, c := range s.Cells {
			for _, f := range c.Factors {
				factors = withNew(factors, f.Name)
			}
		}
	}
	empty := &csvLine{}
	empty.metric(&a.Campaign, &analysis.Scenario{}, &analysis.Cell{}, results.Metric{}, "", factors)
	lines, campaign := [][]string{empty.heads}, campaignCaveats(a)
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		for j := range s.Cells {
			c := &s.Cells[j]
			marks := showsOf(caveatsAgainst(s, c, campaign))
			for _, m := range s.Metrics {
				l := &csvLine{}
				l.metric(&a.Campaign, s, c, m, marks, factors)
				lines = append(lines, l.fields)
			}
		}
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	if err := out.WriteAll(lines); err != nil {
		return fmt.Errorf("writing answers as CSV: %w", err)
	}
	return nil
}

// csvLine is a line that is being written, and the heads of its columns.
type csvLine struct{ heads, fields []string }

// add adds a column: its head, and a text, a number, or nil. Numbers are written as
// they can be read back.
func (l *csvLine) add(head string, v any) {
	field := ""
	switch v := v.(type) {
	case string:
		field = csvText(v)
	case int, int64:
		field = fmt.Sprint(v)
	case float64:
		field = formatG(v, -1)
	case *float64:
		field = optional(v, func(v float64) string { return formatG(v, -1) })
	}
	l.heads, l.fields = append(l.heads, csvText(head)), append(l.fields, field)
}

// metric adds the columns of one metric of a cell; those of factors depend on the
// campaign. No number of an invalid cell counts.
func (l *csvLine) metric(campaign *analysis.Campaign, s *analysis.Scenario, c *analysis.Cell, m results.Metric,
	marks string, factors []string,
) {
	a := metricOf(c, m.Name)
	if c.Invalid != "" {
		a = &analysis.MetricAnswer{Absent: c.Invalid}
	}
	l.add("campaign", campaign.Name)
	l.add("created", campaign.Created.UTC().Format("2006-01-02T15:04:05Z"))
	l.add("scenario", s.Label)
	l.add("cell", c.ID)
	l.add("variant", c.Variant)
	l.add("framework", c.Framework)
	l.add("mode", c.Mode)
	l.add("stage", c.Stage)
	l.add("role", string(c.Role))
	l.add("level", c.Level)
	l.add("baseline", c.Baseline)
	l.add("metric", m.Name)
	l.add("unit", m.Unit)
	l.add("better", string(m.Better))
	l.add("primary", strings.ToUpper(strconv.FormatBool(m.Name == s.Primary)))
	l.add("invalid", c.Invalid)
	l.add("caveats", marks)
	l.add("notes", strings.Join(s.Notes, "; "))
	l.estimate("mean", a.Mean)
	l.add("absent", a.Absent)
	l.estimate("difference", a.Difference)
	var detectable *float64
	if a.Difference != nil {
		detectable = a.Difference.Detectable
	}
	l.add("difference_detectable", detectable)
	l.add("no_difference", a.NoDifference)
	l.estimate("ratio", a.Ratio)
	l.add("no_ratio", a.NoRatio)
	l.add("exposure_scalar", m.Of)
	l.rate(a.Rate)
	for _, name := range []string{"p50", "p99", "p99.9", "max"} { // of calls: the median over invocations
		var e *analysis.Estimate
		if i := slices.IndexFunc(a.Quantiles, func(q analysis.Quantile) bool { return q.Name == name }); i >= 0 {
			e = &a.Quantiles[i].Estimate
		}
		l.estimate(name, e)
	}
	var verdict, expected, received, lost any
	if r := c.Records; r != nil {
		verdict = string(r.Verdict)
		if r.Invocations > 0 { // there are counts only of records that somebody counted
			expected, received, lost = r.Expected, r.Received, r.Lost
		}
	}
	l.add("records_verdict", verdict)
	l.add("records_expected", expected)
	l.add("records_received", received)
	l.add("records_lost", lost)
	for _, name := range factors {
		value := ""
		if i := slices.IndexFunc(c.Factors, func(f results.Value) bool { return f.Name == name }); i >= 0 {
			value = c.Factors[i].Value
		}
		l.add("factor_"+name, value)
	}
}

// estimate adds the columns of an estimate, their heads beginning with a name.
func (l *csvLine) estimate(name string, e *analysis.Estimate) {
	var n, value any
	if e == nil {
		e = &analysis.Estimate{}
	} else {
		n, value = e.N, e.Value
	}
	l.add(name+"_n", n)
	l.add(name, value)
	l.add(name+"_sd", e.SD)
	l.interval(name, e.Interval)
}

// interval adds the columns of an interval.
func (l *csvLine) interval(name string, i *analysis.Interval) {
	var low, high, level any
	if i != nil {
		low, high, level = i.Low, i.High, i.Level
	}
	l.add(name+"_low", low)
	l.add(name+"_high", high)
	l.add(name+"_level", level)
}

// rate adds the columns of events that are counted: rates and differences per million,
// ratios as they are.
func (l *csvLine) rate(r *analysis.Rate) {
	var n, events, exposure, perMillion, difference any
	v := &analysis.Rates{}
	if r == nil {
		r = &analysis.Rate{}
	} else {
		n, events, exposure, perMillion = r.N, r.Events, r.Exposure, r.PerMillion
	}
	if r.Versus != nil {
		v, difference = r.Versus, r.Versus.Difference
	}
	l.add("rate_n", n)
	l.add("events", events)
	l.add("exposure", exposure)
	l.add("per_million", perMillion)
	l.interval("per_million", r.Interval)
	l.add("per_million_difference", difference)
	l.interval("per_million_difference", v.Interval)
	l.add("rate_ratio", v.Ratio)
	l.add("rate_ratio_low", v.RatioLow)
	l.add("rate_ratio_high", v.RatioHigh)
}

// csvText is a text that no spreadsheet takes for a formula: before what one
// begins with stands an apostrophe, unless it is a number.
func csvText(s string) string {
	s = doc.Clean(s)
	start := strings.TrimLeft(s, " ")
	if start == "" || !strings.ContainsRune("=+-@＝＋－＠", []rune(start)[0]) {
		return s
	}
	if _, err := strconv.ParseFloat(start, 64); err == nil {
		return s
	}
	return "'" + s
}
