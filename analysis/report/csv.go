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
	columns := csvColumns(a)
	out := csv.NewWriter(w)
	out.UseCRLF = true
	head := make([]string, len(columns))
	for i, c := range columns {
		head[i] = csvText(c.name)
	}
	if err := out.Write(head); err != nil {
		return fmt.Errorf("writing answers as CSV: %w", err)
	}
	for _, r := range csvRows(a) {
		line := make([]string, len(columns))
		for i, c := range columns {
			line[i] = c.text(r)
		}
		if err := out.Write(line); err != nil {
			return fmt.Errorf("writing answers as CSV: %w", err)
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
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
	spoils   []spoil
}

func csvRows(a *analysis.Answers) []csvRow {
	stamped := stamps(a)
	var rows []csvRow
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		for j := range s.Cells {
			c := &s.Cells[j]
			spoilt := spoilsAgainst(s, c, stamped)
			for _, m := range s.Metrics {
				answer := metricOf(c, m.Name)
				if answer == nil || c.Void != "" { // of a void cell no number counts
					answer = &analysis.MetricAnswer{Absent: c.Void}
				}
				rows = append(rows, csvRow{&a.Campaign, s, c, m, answer, spoilt})
			}
		}
	}
	return rows
}

// csvColumn is a column: its head, and its text in a line.
type csvColumn struct {
	name string
	text func(csvRow) string
}

// csvColumns are all columns; those of factors depend on the campaign.
func csvColumns(a *analysis.Answers) []csvColumn {
	columns := csvIdentity()
	columns = append(columns, csvEstimate("mean", func(r csvRow) *analysis.Estimate { return r.answer.Mean })...)
	columns = append(columns, csvWord("absent", func(r csvRow) string { return r.answer.Absent }))
	columns = append(columns, csvEstimate("difference", func(r csvRow) *analysis.Estimate { return r.answer.Difference })...)
	columns = append(columns, csvNumber("difference_detectable", func(r csvRow) *float64 {
		if r.answer.Difference == nil {
			return nil
		}
		return r.answer.Difference.Detectable
	}))
	columns = append(columns, csvWord("no_difference", func(r csvRow) string { return r.answer.NoDifference }))
	columns = append(columns, csvEstimate("ratio", func(r csvRow) *analysis.Estimate { return r.answer.Ratio })...)
	columns = append(columns, csvWord("no_ratio", func(r csvRow) string { return r.answer.NoRatio }))
	columns = append(columns, csvRates()...)
	columns = append(columns, csvQuantiles()...)
	columns = append(columns, csvRecords()...)
	for _, name := range factorNames(a) {
		columns = append(columns, csvWord("factor_"+name, func(r csvRow) string { return factorValue(r.cell, name) }))
	}
	return columns
}

// csvIdentity says what a line is about, and what spoils its numbers.
func csvIdentity() []csvColumn {
	return []csvColumn{
		csvWord("campaign", func(r csvRow) string { return r.campaign.Name }),
		csvWord("created", func(r csvRow) string { return r.campaign.Created.UTC().Format("2006-01-02T15:04:05Z") }),
		csvWord("scenario", func(r csvRow) string { return r.scenario.Label }),
		csvWord("cell", func(r csvRow) string { return r.cell.ID }),
		csvWord("variant", func(r csvRow) string { return r.cell.Variant }),
		csvWord("framework", func(r csvRow) string { return r.cell.Framework }),
		csvWord("mode", func(r csvRow) string { return r.cell.Mode }),
		csvWord("stage", func(r csvRow) string { return r.cell.Stage }),
		csvWord("role", func(r csvRow) string { return string(r.cell.Role) }),
		csvWord("level", func(r csvRow) string { return r.cell.Level }),
		csvWord("baseline", func(r csvRow) string { return r.cell.Baseline }),
		csvWord("metric", func(r csvRow) string { return r.metric.Name }),
		csvWord("unit", func(r csvRow) string { return r.metric.Unit }),
		csvWord("better", func(r csvRow) string { return string(r.metric.Better) }),
		csvWord("primary", func(r csvRow) string { return strings.ToUpper(strconv.FormatBool(r.metric.Name == r.scenario.Primary)) }),
		csvWord("void", func(r csvRow) string { return r.cell.Void }),
		csvWord("marks", func(r csvRow) string { return spoilShows(r.spoils) }),
		csvWord("notes", func(r csvRow) string { return strings.Join(r.scenario.Notes, "; ") }),
	}
}

// csvEstimate are the columns of an estimate, their heads beginning with a name.
func csvEstimate(name string, of func(csvRow) *analysis.Estimate) []csvColumn {
	from := func(pick func(*analysis.Estimate) *float64) func(csvRow) *float64 {
		return func(r csvRow) *float64 {
			if e := of(r); e != nil {
				return pick(e)
			}
			return nil
		}
	}
	columns := []csvColumn{
		{name + "_n", func(r csvRow) string { return count(of(r)) }},
		csvNumber(name, from(func(e *analysis.Estimate) *float64 { return &e.Value })),
		csvNumber(name+"_sd", from(func(e *analysis.Estimate) *float64 { return e.SD })),
	}
	return append(columns, csvInterval(name, func(r csvRow) *analysis.Interval {
		if e := of(r); e != nil {
			return e.Interval
		}
		return nil
	})...)
}

// csvInterval are the columns of an interval.
func csvInterval(name string, of func(csvRow) *analysis.Interval) []csvColumn {
	from := func(pick func(*analysis.Interval) *float64) func(csvRow) *float64 {
		return func(r csvRow) *float64 {
			if i := of(r); i != nil {
				return pick(i)
			}
			return nil
		}
	}
	return []csvColumn{
		csvNumber(name+"_low", from(func(i *analysis.Interval) *float64 { return &i.Low })),
		csvNumber(name+"_high", from(func(i *analysis.Interval) *float64 { return &i.High })),
		csvNumber(name+"_level", from(func(i *analysis.Interval) *float64 { return &i.Level })),
	}
}

// csvQuantiles are the columns of the quantiles of calls: the median over
// invocations with its interval.
func csvQuantiles() []csvColumn {
	var columns []csvColumn
	for _, name := range []string{"p50", "p99", "p99.9", "max"} {
		columns = append(columns, csvEstimate(name, func(r csvRow) *analysis.Estimate {
			for i := range r.answer.Quantiles {
				if q := &r.answer.Quantiles[i]; q.Name == name {
					return &q.Estimate
				}
			}
			return nil
		})...)
	}
	return columns
}

func csvWord(name string, of func(csvRow) string) csvColumn {
	return csvColumn{name, func(r csvRow) string { return csvText(of(r)) }}
}

func csvNumber(name string, of func(csvRow) *float64) csvColumn {
	return csvColumn{name, func(r csvRow) string { return exactly(of(r)) }}
}

// exactly is a number so that it can be read back, empty when there is none.
func exactly(x *float64) string {
	if x == nil {
		return ""
	}
	return strconv.FormatFloat(*x, 'g', -1, 64)
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

// factorNames are the factors of all scenarios, each once, in their order.
func factorNames(a *analysis.Answers) []string {
	var names []string
	for _, s := range a.Scenarios {
		for _, c := range s.Cells {
			for _, f := range c.Factors {
				if !slices.Contains(names, f.Name) {
					names = append(names, f.Name)
				}
			}
		}
	}
	return names
}

// factorValue is a factor's value in a cell, as in benchmarks.toml.
func factorValue(c *analysis.Cell, name string) string {
	for _, f := range c.Factors {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
