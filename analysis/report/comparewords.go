package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/compare"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// comparedVerdict is a verdict in words.
func comparedVerdict(v infer.Judgement, margin float64) string {
	return cmp.Or(when(v == infer.Same, "same within "+figure.Level(margin)), v.Word())
}

// wouldSee is the smallest true change that such campaigns find, "" where that is not asked.
func wouldSee(c *compare.Change, m results.Metric) string {
	least := detectable(c.Estimate)
	if least != nil && c.Relative {
		return figure.Percent(least.Value)
	}
	return brief(least, m.Unit, figure.Scale.Number).Text
}

// changeOf is what a cell changed by: +260 ns (131 … 389), or of a ratio +3.2 % (1.1 … 5.4).
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

// shareDecimals are those in which a width reads with two significant digits, at
// most three.
func shareDecimals(width float64) int {
	for decimals, least := range []float64{9.95, 0.995, 0.0995} {
		if math.Abs(width) >= least {
			return decimals
		}
	}
	return 3
}

// signedNumber has a minus, and where it is asked for a plus.
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

// oldToNew is what a row has in some campaigns, in one unit: what a cell adds to its own
// reference, its ratio to that where ratios are compared, and of a baseline its mean.
func oldToNew(r *compare.Row, m results.Metric, sides ...compare.Side) string {
	ratios := slices.ContainsFunc(r.Changes, func(c compare.Change) bool { return c.Relative })
	var values []float64
	for _, s := range sides {
		e := s.Difference
		switch {
		case r.Role == results.RoleBaseline:
			e = s.Mean
		case ratios:
			e = s.Ratio
		}
		if s.Invalid != "" || e == nil {
			return when(s.Invalid != "", "not instrumented")
		}
		values = append(values, e.Value)
	}
	if ratios && r.Role != results.RoleBaseline {
		return "× " + strings.Join(each(values, figure.Ratio), " → ")
	}
	s := figure.Fit(m.Unit, values...).Coarser(1)
	return s.WithUnit(strings.Join(each(values, s.Number), " → "))
}

// sideMean is a cell's own mean in one campaign: 2.072 µs ± 1.7 %.
func sideMean(s *compare.Side, m results.Metric) string {
	switch {
	case s.ID == "" || s.Invalid != "":
		return "–"
	case s.Rate != nil:
		return figure.Ratio(s.Rate.PerMillion) + " per million"
	}
	return meanOf(s.Mean, m.Unit).String()
}

// comparedLabel is the cell of a row, its factor level left out.
func comparedLabel(r *compare.Row) string {
	return r.Variant + cmp.Or(when(r.Role == results.RoleAA, " (A/A)"), when(isRaw(r), " (raw)"))
}

// isRaw says whether a row is about means themselves.
func isRaw(r *compare.Row) bool {
	return slices.ContainsFunc(r.Changes, func(c compare.Change) bool { return c.Raw })
}
