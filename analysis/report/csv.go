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

// CSV prints one line for each cell and metric, RFC 4180, with a line of heads.
// FORMATS.md documents the columns. What is not known is empty.
func CSV(w io.Writer, a *analysis.Answers) error {
	columns, campaign := csvColumns(a), campaignCaveats(a)
	heads := make([]string, len(columns))
	for i, c := range columns {
		heads[i] = csvText(c.name)
	}
	lines := [][]string{heads}
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		for j := range s.Cells {
			c := &s.Cells[j]
			marks := showsOf(caveatsAgainst(s, c, campaign))
			for _, m := range s.Metrics {
				r := csvRow{&a.Campaign, s, c, m, metricOf(c, m.Name), marks}
				if c.Void != "" { // no number of an invalid cell counts
					r.answer = &analysis.MetricAnswer{Absent: c.Void}
				}
				line := make([]string, len(columns))
				for k, column := range columns {
					line[k] = csvField(column.of(r))
				}
				lines = append(lines, line)
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

// csvRow is what one line is about.
type csvRow struct {
	campaign *analysis.Campaign
	scenario *analysis.Scenario
	cell     *analysis.Cell
	metric   results.Metric
	answer   *analysis.MetricAnswer
	marks    string
}

// csvColumn is a column: its head, and what a line has in it: a text, a number, or nil.
type csvColumn struct {
	name string
	of   func(csvRow) any
}

// part makes a column of something that not every line has.
func part[T any](name string, of func(csvRow) *T, field func(*T) any) csvColumn {
	return csvColumn{name, func(r csvRow) any {
		if x := of(r); x != nil {
			return field(x)
		}
		return nil
	}}
}

// csvColumns are all columns; those of factors depend on the campaign.
func csvColumns(a *analysis.Answers) []csvColumn {
	difference := func(r csvRow) *analysis.Estimate { return r.answer.Difference }
	all := slices.Concat(
		[]csvColumn{
			{"campaign", func(r csvRow) any { return r.campaign.Name }},
			{"created", func(r csvRow) any { return r.campaign.Created.UTC().Format("2006-01-02T15:04:05Z") }},
			{"scenario", func(r csvRow) any { return r.scenario.Label }},
			{"cell", func(r csvRow) any { return r.cell.ID }},
			{"variant", func(r csvRow) any { return r.cell.Variant }},
			{"framework", func(r csvRow) any { return r.cell.Framework }},
			{"mode", func(r csvRow) any { return r.cell.Mode }},
			{"stage", func(r csvRow) any { return r.cell.Stage }},
			{"role", func(r csvRow) any { return string(r.cell.Role) }},
			{"level", func(r csvRow) any { return r.cell.Level }},
			{"baseline", func(r csvRow) any { return r.cell.Baseline }},
			{"metric", func(r csvRow) any { return r.metric.Name }},
			{"unit", func(r csvRow) any { return r.metric.Unit }},
			{"better", func(r csvRow) any { return string(r.metric.Better) }},
			{"primary", func(r csvRow) any { return strings.ToUpper(strconv.FormatBool(r.metric.Name == r.scenario.Primary)) }},
			{"invalid", func(r csvRow) any { return r.cell.Void }},
			{"caveats", func(r csvRow) any { return r.marks }},
			{"notes", func(r csvRow) any { return strings.Join(r.scenario.Notes, "; ") }},
		},
		csvEstimate("mean", func(r csvRow) *analysis.Estimate { return r.answer.Mean }),
		[]csvColumn{{"absent", func(r csvRow) any { return r.answer.Absent }}},
		csvEstimate("difference", difference),
		[]csvColumn{
			part("difference_detectable", difference, func(e *analysis.Estimate) any { return e.Detectable }),
			{"no_difference", func(r csvRow) any { return r.answer.NoDifference }},
		},
		csvEstimate("ratio", func(r csvRow) *analysis.Estimate { return r.answer.Ratio }),
		[]csvColumn{{"no_ratio", func(r csvRow) any { return r.answer.NoRatio }}},
		csvRates(),
	)
	for _, name := range []string{"p50", "p99", "p99.9", "max"} { // of calls: the median over invocations
		all = append(all, csvEstimate(name, func(r csvRow) *analysis.Estimate {
			i := slices.IndexFunc(r.answer.Quantiles, func(q analysis.Quantile) bool { return q.Name == name })
			if i < 0 {
				return nil
			}
			return &r.answer.Quantiles[i].Estimate
		})...)
	}
	all = append(all, csvRecords()...)
	var factors []string
	for _, s := range a.Scenarios {
		for _, c := range s.Cells {
			for _, f := range c.Factors {
				factors = withNew(factors, f.Name)
			}
		}
	}
	for _, name := range factors {
		all = append(all, csvColumn{"factor_" + name, func(r csvRow) any {
			i := slices.IndexFunc(r.cell.Factors, func(f results.Value) bool { return f.Name == name })
			if i < 0 {
				return nil
			}
			return r.cell.Factors[i].Value
		}})
	}
	return all
}

// csvEstimate are the columns of an estimate, their heads beginning with a name.
func csvEstimate(name string, of func(csvRow) *analysis.Estimate) []csvColumn {
	return append([]csvColumn{
		part(name+"_n", of, func(e *analysis.Estimate) any { return e.N }),
		part(name, of, func(e *analysis.Estimate) any { return e.Value }),
		part(name+"_sd", of, func(e *analysis.Estimate) any { return e.SD }),
	}, csvInterval(name, func(r csvRow) *analysis.Interval {
		if e := of(r); e != nil {
			return e.Interval
		}
		return nil
	})...)
}

// csvInterval are the columns of an interval.
func csvInterval(name string, of func(csvRow) *analysis.Interval) []csvColumn {
	return []csvColumn{
		part(name+"_low", of, func(i *analysis.Interval) any { return i.Low }),
		part(name+"_high", of, func(i *analysis.Interval) any { return i.High }),
		part(name+"_level", of, func(i *analysis.Interval) any { return i.Level }),
	}
}

// csvRates are the columns of events that are counted: rates and differences per
// million, ratios as they are.
func csvRates() []csvColumn {
	rate := func(r csvRow) *analysis.Rate { return r.answer.Rate }
	versus := func(r csvRow) *analysis.Rates {
		if r.answer.Rate == nil {
			return nil
		}
		return r.answer.Rate.Versus
	}
	return slices.Concat(
		[]csvColumn{
			{"exposure_scalar", func(r csvRow) any { return r.metric.Of }},
			part("rate_n", rate, func(x *analysis.Rate) any { return x.N }),
			part("events", rate, func(x *analysis.Rate) any { return x.Events }),
			part("exposure", rate, func(x *analysis.Rate) any { return x.Exposure }),
			part("per_million", rate, func(x *analysis.Rate) any { return x.PerMillion }),
		},
		csvInterval("per_million", func(r csvRow) *analysis.Interval {
			if x := rate(r); x != nil {
				return x.Interval
			}
			return nil
		}),
		[]csvColumn{part("per_million_difference", versus, func(x *analysis.Rates) any { return x.Difference })},
		csvInterval("per_million_difference", func(r csvRow) *analysis.Interval {
			if x := versus(r); x != nil {
				return x.Interval
			}
			return nil
		}),
		[]csvColumn{
			part("rate_ratio", versus, func(x *analysis.Rates) any { return x.Ratio }),
			part("rate_ratio_low", versus, func(x *analysis.Rates) any { return x.RatioLow }),
			part("rate_ratio_high", versus, func(x *analysis.Rates) any { return x.RatioHigh }),
		},
	)
}

// csvRecords are the columns of the records of a line's cell.
func csvRecords() []csvColumn {
	records := func(r csvRow) *analysis.Records { return r.cell.Records }
	counted := func(r csvRow) *analysis.Records { // there are counts only of records that somebody counted
		if r.cell.Records == nil || r.cell.Records.Invocations == 0 {
			return nil
		}
		return r.cell.Records
	}
	return []csvColumn{
		part("records_verdict", records, func(x *analysis.Records) any { return string(x.Verdict) }),
		part("records_expected", counted, func(x *analysis.Records) any { return x.Expected }),
		part("records_received", counted, func(x *analysis.Records) any { return x.Received }),
		part("records_lost", counted, func(x *analysis.Records) any { return x.Lost }),
	}
}

// csvField is a field: numbers as they can be read back, nothing of what is not known.
func csvField(v any) string {
	switch v := v.(type) {
	case string:
		return csvText(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case *float64:
		if v != nil {
			return strconv.FormatFloat(*v, 'g', -1, 64)
		}
	}
	return ""
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
