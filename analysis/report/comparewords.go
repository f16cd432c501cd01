package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// executionsOfCall is the number of monitored executions of a call, or the parameter that sets it if it varies.
// It is "" for one, if it is unknown, and if the campaigns don't agree: costs are then per call.
func (b comparedMetric) executionsOfCall() string {
	var all []string
	for _, r := range b.m.Rows {
		for _, s := range r.Sides {
			switch {
			case s.ID == "" || r.Role == results.RoleBaseline:
			case s.Executions == 0 && s.Difference == nil: // it has no cost
			case s.Executions == 0 || s.Executions != r.Sides[0].Executions:
				return ""
			default:
				all = append(all, strconv.FormatInt(s.Executions, 10))
			}
		}
	}
	return executionsOf(all, b.m.Metric)
}

// per is the divisor of a row's amounts: the monitored executions of a call, if costs are per execution. Means
// are per call.
func (b comparedMetric) per(r *compare.Row) float64 {
	if b.executions == "" || r.Role == results.RoleBaseline || isMean(r) {
		return 1
	}
	return float64(r.Sides[0].Executions)
}

// scaled divides a change of a row like the costs beside it.
func (b comparedMetric) scaled(r *compare.Row, c *compare.Change) *compare.Change {
	if c.Relative {
		return c
	}
	other := *c
	other.Estimate = c.Estimate.Over(b.per(r))
	return &other
}

// wouldSee is the smallest true change that such campaigns find; "" without one.
func wouldSee(c *compare.Change, m results.Metric) string {
	least := doc.Detectable(c.Estimate)
	if least != nil && c.Relative {
		return figure.Percent(least.Value)
	}
	return brief(least, m.Unit, figure.Scale.Number).Text
}

// changeOf formats the change of a cell: +260 ns (131 … 389), or for a ratio +3.2 % (1.1 … 5.4).
func changeOf(c *compare.Change, m results.Metric) doc.Cell {
	switch {
	case c.Estimate == nil:
		return doc.Cell{}
	case !c.Relative:
		cell := added(c.Estimate, m.Unit)
		if c.Estimate.Value > 0 && !strings.HasPrefix(cell.Text, "0 ") {
			cell.Text = "+" + cell.Text
		}
		return cell
	}
	share := func(ratio float64) float64 { return 100 * (ratio - 1) }
	v := share(c.Estimate.Value)
	cell, decimals := doc.Cell{Sort: &v}, shareDecimals(v)
	if i := c.Estimate.Interval; i != nil {
		low, high := share(i.Low), share(i.High)
		decimals = shareDecimals((high - low) / 2)
		cell.Interval = signedNumber(low, decimals, false) + " … " + signedNumber(high, decimals, false)
	}
	cell.Text = signedNumber(v, decimals, true) + " %"
	return cell
}

// shareDecimals is the number of decimals that shows a width with two significant digits, at most three.
func shareDecimals(width float64) int {
	for decimals, least := range []float64{9.95, 0.995, 0.0995} {
		if math.Abs(width) >= least {
			return decimals
		}
	}
	return 3
}

// signedNumber formats a number with a minus and, if plus is true, with a plus.
func signedNumber(v float64, decimals int, plus bool) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if math.Abs(v) >= 1e6 {
		text = strconv.FormatFloat(v, 'g', 4, 64)
	}
	switch {
	case v == 0:
		return "0"
	case strings.Trim(text, "-0.") == "":
		return strings.TrimPrefix(text, "-")
	case strings.HasPrefix(text, "-"):
		return "−" + text[1:]
	case plus:
		return "+" + text
	}
	return text
}

// figures are a row's figures in the first campaign and in another one, at one speed of the CPU if they were
// compared at one.
func (b comparedMetric) figures(r *compare.Row, newer int) []*analysis.Estimate {
	c := changeTo(r, b.c.Campaigns[newer].Title)
	if c != nil && c.OneSpeed != nil {
		return []*analysis.Estimate{c.OneSpeed.Old, c.OneSpeed.New}
	}
	return []*analysis.Estimate{sideFigure(r, &r.Sides[0]), sideFigure(r, &r.Sides[newer])}
}

// sideFigure is a row's figure in one campaign: the cost over the cell's own reference, the ratio to it if
// ratios are compared, or the mean of a cell without a reference.
func sideFigure(r *compare.Row, s *compare.Side) *analysis.Estimate {
	switch {
	case s.Invalid != "":
		return nil
	case r.Role == results.RoleBaseline || isMean(r):
		return s.Mean
	case areRatios(r):
		return s.Ratio
	}
	return s.Difference
}

// areRatios reports whether ratios to a reference are compared.
func areRatios(r *compare.Row) bool {
	return r.Role != results.RoleBaseline && !isMean(r) && slices.ContainsFunc(r.Changes, func(c compare.Change) bool { return c.Relative })
}

// oldToNew formats a row's figures in some campaigns, in one unit; "" if one of them has none.
func (b comparedMetric) oldToNew(r *compare.Row, figures ...*analysis.Estimate) string {
	if slices.ContainsFunc(r.Sides, func(s compare.Side) bool { return s.Invalid != "" }) && slices.Contains(figures, nil) {
		return "not instrumented"
	}
	if slices.Contains(figures, nil) {
		return ""
	}
	if areRatios(r) {
		return "× " + strings.Join(each(figures, func(e *analysis.Estimate) string { return figure.Ratio(e.Value) }), " → ")
	}
	var values, bounds []float64
	for _, e := range figures {
		part := e.Over(b.per(r))
		if values = append(values, part.Value); part.Interval != nil && !excludesZero(part) {
			bounds = append(bounds, part.Interval.Low, part.Interval.High)
		}
	}
	s := figure.Fit(b.m.Metric.Unit, values...).Coarser(1)
	if len(bounds) > 0 { // as coarse as their intervals
		s = figure.Fit(b.m.Metric.Unit, append(bounds, values...)...).Coarser(2)
	}
	return s.WithUnit(strings.Join(each(values, s.Number), " → "))
}

// sideMean formats a cell's own mean in one campaign: 2.072 µs ± 1.7 %.
func sideMean(s *compare.Side, m results.Metric) string {
	switch {
	case s.ID == "" || s.Invalid != "":
		return "–"
	case s.Rate != nil:
		return figure.Ratio(s.Rate.PerMillion) + " per million"
	}
	return doc.Mean(s.Mean, m.Unit).String()
}

// comparedLabel is the label of a row's cell, without its factor level.
func (b comparedMetric) comparedLabel(r *compare.Row) string {
	return r.Variant + cmp.Or(textIf(r.Role == results.RoleAA, " (A/A)"), textIf(isMean(r), " ("+b.statistic()+")"))
}

// statistic names the statistic of each invocation's samples that is compared: the mean, or p50.
func (b comparedMetric) statistic() string { return cmp.Or(b.m.Quantile, "mean") }

// standards reports whether both campaigns have costs at the same standard speed.
func (b comparedMetric) standards(newer int) bool {
	return slices.ContainsFunc(b.m.Rows, func(r compare.Row) bool {
		first, other := r.Sides[0].AtStandard, r.Sides[newer].AtStandard
		return first != nil && other != nil && first.StandardNS == other.StandardNS
	})
}

// atStandard is sideFigure at standard speed.
func atStandard(r *compare.Row, side int) *analysis.Estimate {
	s := r.Sides[side]
	at := s.AtStandard
	if at == nil {
		return nil
	}
	s.Mean, s.Ratio, s.Difference = at.Mean, at.Ratio, at.Difference
	return sideFigure(r, &s)
}

// isMean reports whether a row is about means themselves.
func isMean(r *compare.Row) bool {
	return slices.ContainsFunc(r.Changes, func(c compare.Change) bool { return c.Raw })
}
