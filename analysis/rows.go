package analysis

import (
	"slices"

	"moobench/analysis/caveat"
	"moobench/analysis/rows"
	"moobench/results"
)

// Rows returns the numbers of all valid cells as one relation, in the order of the plan, followed by those of the
// chapters. A number that does not apply to a cell has no row.
// The caveats of all numbers (general) are in each row.
func (a *Answers) Rows(general []caveat.Mark) []rows.Row {
	var all []rows.Row
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		for k := range s.Cells {
			all = append(all, s.CellRows(&s.Cells[k], general)...)
		}
		all = append(all, a.OwnRows(s, general)...)
	}
	return all
}

// OwnRows returns the rows of the chapters about a scenario, and of those about the campaign that belong to it.
func (a *Answers) OwnRows(s *Scenario, general []caveat.Mark) []rows.Row {
	var all []rows.Row
	at := s.Scene("", false)
	for _, c := range Chapters() {
		if v := c.Of(s); v != nil {
			all = append(all, v.Rows(at)...)
		}
	}
	for _, v := range a.Overall() {
		all = append(all, slices.DeleteFunc(v.Rows(nil), func(r rows.Row) bool { return r.Scenario != s.Label })...)
	}
	for i := range all {
		all[i].Alone = slices.Concat(all[i].Alone, general)
		all[i].Compared = slices.Concat(all[i].Compared, general)
	}
	return all
}

// CellRows returns the rows of one cell; none if it is invalid.
func (s *Scenario) CellRows(c *Cell, general []caveat.Mark) []rows.Row {
	if c.Invalid != "" {
		return nil
	}
	var all []rows.Row
	alone, compared := slices.Concat(c.Marks, general), s.CaveatsAgainst(c, general)
	for i := range s.Metrics {
		m := &s.Metrics[i]
		a := c.MetricNamed(m.Name)
		if a == nil {
			continue
		}
		add := func(statistic rows.Statistic, against, unit string, e *Estimate, why string) {
			if e == nil && why == "" {
				return
			}
			all = append(all, rows.Row{
				Key:    s.key(c),
				Metric: m, Primary: m.Name == s.Primary,
				Statistic: statistic, Against: against, Unit: unit,
				Estimate: e, Why: why, Alone: alone, Compared: compared,
			})
		}
		a.rows(c, m, add)
		if m.Name == s.Primary {
			add(rows.Unadjusted, c.Baseline, m.Unit, c.Unadjusted, "")
			add(rows.PerExecution, c.Baseline, m.Unit, c.PerExecution, "")
			add(rows.PerRecord, c.Baseline, m.Unit, c.PerRecord, c.NoPerRecord)
		}
	}
	return all
}

// CaveatsAgainst returns the caveats of a cell's comparison with its baseline: its own, those of all numbers
// (general), and the baseline's.
func (s *Scenario) CaveatsAgainst(c *Cell, general []caveat.Mark) []caveat.Mark {
	all := slices.Concat(c.Marks, general)
	if b := s.Cell(c.Baseline); c.Baseline != "" && b != nil && b.ID != c.ID {
		for _, m := range b.Marks {
			all = append(all, caveat.Mark{Kind: "baseline " + m.Kind, Show: "baseline " + m.Show, Rank: m.Rank})
		}
	}
	return all
}

// key is the key of a cell's rows.
func (s *Scenario) key(c *Cell) rows.Key {
	return rows.Key{Scenario: s.Label, Cell: c.ID, Label: c.Label, Variant: c.Variant, Level: c.Level, Role: c.Role}
}

// rows adds the rows of one metric of a cell.
func (a *MetricAnswer) rows(c *Cell, m *results.Metric,
	add func(statistic rows.Statistic, against, unit string, e *Estimate, why string),
) {
	if r := a.Rate; r != nil {
		add(rows.Rate, "", rows.PerMillion, rows.RateOf(r), "")
		if v := r.Versus; v != nil {
			e := &Estimate{N: v.A.N, Value: v.Difference, Interval: v.Interval}
			add(rows.RateDifference, c.Baseline, rows.PerMillion, e, "")
		}
	}
	add(rows.Mean, "", m.Unit, a.Mean, a.Absent)
	add(rows.Difference, c.Baseline, m.Unit, a.Difference, a.NoDifference)
	add(rows.Ratio, c.Baseline, "", a.Ratio, a.NoRatio)
	for _, q := range a.Quantiles {
		add(rows.QuantileOf(q.Name), "", m.Unit, &q.Estimate, "")
		if s := q.AtStandard; s != nil {
			add(rows.QuantileAtStandard(q.Name), "", m.Unit, s.Estimate, s.Absent)
		}
	}
	if s := a.AtStandard; s != nil {
		add(rows.MeanAtStandard, "", m.Unit, s.Mean, s.Absent)
		add(rows.DifferenceAtStandard, c.Baseline, m.Unit, s.Difference, "")
		add(rows.RatioAtStandard, c.Baseline, "", s.Ratio, "")
		add(rows.PerExecutionAtStandard, c.Baseline, m.Unit, s.PerExecution, "")
	}
}
