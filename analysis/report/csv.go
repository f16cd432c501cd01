package report

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// writeCSV prints one line for each cell and metric, RFC 4180, below a header line. FORMATS.md documents the
// columns. Unknown values are empty.
func writeCSV(w io.Writer, a *analysis.Answers, _ Options) error {
	var values []results.Value
	for _, s := range a.Scenarios {
		byCell := each(s.Cells, func(c analysis.Cell) []results.Value { return c.Factors })
		values = append(values, slices.Concat(byCell...)...)
	}
	factors := prose.Unique(each(values, func(f results.Value) string { return f.Name }))
	empty := &csvLine{}
	empty.metric(&a.Campaign, &analysis.Scenario{}, &analysis.Cell{}, results.Metric{}, "", factors)
	lines, campaign := [][]string{empty.heads}, campaignCaveats(a)
	for _, s := range a.Scenarios {
		for _, c := range s.Cells {
			marks := strings.Join(shows(s.CaveatsAgainst(&c, campaign)), "; ")
			left := s.CellRows(&c, campaign)
			for _, m := range s.Metrics {
				n := 0 // rows are in the order of the metrics
				for n < len(left) && left[n].Metric.Name == m.Name {
					n++
				}
				l := &csvLine{rows: left[:n]}
				left = left[n:]
				l.metric(&a.Campaign, &s, &c, m, marks, factors)
				lines = append(lines, l.fields)
			}
		}
		for _, r := range a.OwnRows(&s, campaign) {
			lines = append(lines, ownLine(&a.Campaign, r, empty.heads))
		}
	}
	out := csv.NewWriter(w)
	out.UseCRLF = true
	if err := out.WriteAll(lines); err != nil {
		return fmt.Errorf("writing answers as CSV: %w", err)
	}
	return nil
}

// csvLine is a line being written, the heads of its columns, and the rows of its metric.
type csvLine struct {
	heads, fields []string
	rows          []rows.Row
}

// add adds columns: pairs of a head and a text or number. All are empty unless known is true; a nil number is
// empty. Numbers are written so that they can be read back.
func (l *csvLine) add(known bool, columns ...any) {
	for column := range slices.Chunk(columns, 2) {
		field := ""
		switch v := column[1].(type) {
		case string:
			field = csvText(v)
		case int, int64:
			field = fmt.Sprint(v)
		case float64:
			field = formatG(v, -1)
		case *float64:
			field = doc.Optional(v, func(v float64) string { return formatG(v, -1) })
		}
		l.heads, l.fields = append(l.heads, csvText(column[0].(string))), append(l.fields, textIf(known, field))
	}
}

// metric adds the columns of one metric of a cell; the columns of factors depend on the campaign. No number of
// an invalid cell counts.
func (l *csvLine) metric(campaign *analysis.Campaign, s *analysis.Scenario, c *analysis.Cell, m results.Metric,
	marks string, factors []string,
) {
	created := campaign.Created.UTC().Format(csvTime)
	estimate := func(statistic rows.Statistic) { l.estimate(string(statistic), rows.Find(l.rows, m.Name, statistic)) }
	why := func(head string, statistic rows.Statistic) { l.add(true, head, rows.Why(l.rows, m.Name, statistic)) }
	l.add(true, "campaign", campaign.Name, "created", created, "scenario", s.Label)
	l.add(true, "cell", c.ID, "variant", c.Variant, "framework", c.Framework, "mode", c.Mode,
		"stage", c.Stage, "role", string(c.Role))
	l.add(true, "level", c.Level, "baseline", c.Baseline, "metric", m.Name, "unit", m.Unit, "better", string(m.Better))
	l.add(true, "primary", strings.ToUpper(strconv.FormatBool(m.Name == s.Primary)))
	l.add(true, "invalid", c.Invalid, "caveats", marks, "notes", strings.Join(s.Notes, "; "))
	estimate(rows.Mean)
	l.add(true, "absent", cmp.Or(c.Invalid, rows.Why(l.rows, m.Name, rows.Mean)))
	estimate(rows.Difference)
	difference := cmp.Or(rows.Find(l.rows, m.Name, rows.Difference), &analysis.Estimate{})
	l.add(true, "difference_detectable", difference.Detectable)
	why("no_difference", rows.Difference)
	estimate(rows.Ratio)
	why("no_ratio", rows.Ratio)
	l.add(true, "exposure_scalar", m.Of)
	a := metricOf(c, m.Name)
	if c.Invalid != "" {
		a = &analysis.MetricAnswer{}
	}
	// Counts of events: rates and differences per million, ratios as they are.
	rate := cmp.Or(a.Rate, &analysis.Rate{})
	v := cmp.Or(rate.Versus, &analysis.Rates{})
	l.add(a.Rate != nil, "rate_n", rate.N, "events", rate.Events, "exposure", rate.Exposure,
		"per_million", rate.PerMillion)
	l.interval("per_million", rate.Interval)
	l.add(rate.Versus != nil, "per_million_difference", v.Difference)
	l.interval("per_million_difference", v.Interval)
	l.add(true, "rate_ratio", v.Ratio, "rate_ratio_low", v.RatioLow, "rate_ratio_high", v.RatioHigh)
	for _, name := range []string{"p50", "p90", "p99", "p99.9", "max"} { // of calls: the median over invocations
		estimate(rows.QuantileOf(name))
	}
	// As measured, if numbers are at one speed of the CPU.
	speed := cmp.Or(a.Speed, &analysis.Speed{})
	l.add(a.Speed != nil, "reference_ns", speed.ReferenceNS, "at_ns", speed.AtNS,
		"elasticity", speed.Elasticity, "elasticity_se", speed.SE)
	estimate(rows.Unadjusted)
	at := cmp.Or(a.AtStandard, &analysis.AtStandard{})
	l.add(a.AtStandard != nil, "standard_ns", at.StandardNS)
	estimate(rows.MeanAtStandard)
	estimate(rows.DifferenceAtStandard)
	estimate(rows.RatioAtStandard)
	for _, name := range []string{"p50", "p90", "p99"} { // only these follow the speed
		estimate(rows.QuantileAtStandard(name))
	}
	why("no_at_standard", rows.MeanAtStandard)
	r := cmp.Or(c.Records, &analysis.Records{})
	l.add(true, "records_verdict", string(r.Verdict))
	// Counts exist only for records that somebody counted.
	l.add(r.Invocations > 0, "records_expected", r.Expected, "records_received", r.Received, "records_lost", r.Lost)
	for _, name := range factors {
		l.add(true, "factor_"+name, (&results.Cell{Factors: c.Factors}).Factor(name))
	}
}

// ownLine formats a number of a chapter, in the columns of a mean.
func ownLine(campaign *analysis.Campaign, r rows.Row, heads []string) []string {
	l := &csvLine{}
	l.add(true, "campaign", campaign.Name, "created", campaign.Created.UTC().Format(csvTime), "scenario", r.Scenario)
	l.add(true, "cell", r.Cell, "variant", r.Variant, "role", string(r.Role), "level", r.Level, "baseline", r.Against)
	l.add(true, "metric", r.Name(), "unit", r.Unit, "primary", "FALSE")
	l.add(true, "caveats", strings.Join(shows(r.Caveats()), "; "), "absent", r.Why)
	l.estimate("mean", r.Estimate)
	line := make([]string, len(heads))
	for i, head := range heads {
		if k := slices.Index(l.heads, head); k >= 0 {
			line[i] = l.fields[k]
		}
	}
	return line
}

// csvTime is the layout of times.
const csvTime = "2006-01-02T15:04:05Z"

// estimate adds the columns of an estimate; their heads begin with name.
func (l *csvLine) estimate(name string, e *analysis.Estimate) {
	known, e := e != nil, cmp.Or(e, &analysis.Estimate{})
	l.add(known, name+"_n", e.N, name, e.Value, name+"_sd", e.SD)
	l.interval(name, e.Interval)
}

// interval adds the columns of an interval.
func (l *csvLine) interval(name string, i *analysis.Interval) {
	known, i := i != nil, cmp.Or(i, &analysis.Interval{})
	l.add(known, name+"_low", i.Low, name+"_high", i.High, name+"_level", i.Level)
}

// csvText makes a text of a campaign safe for a cell: printable characters only, and no formula.
func csvText(s string) string { return figure.Cell(doc.Clean(s)) }
