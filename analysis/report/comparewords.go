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
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// comparedVerdict is a verdict in words.
func comparedVerdict(v infer.Judgement, margin float64) string {
	return cmp.Or(when(v == infer.Same, "same within "+figure.Level(margin)), v.Word())
}

// verdictOf is that of a change, of an undecided one with what would have shown.
func verdictOf(c *compare.Change, m results.Metric, margin float64) string {
	text := comparedVerdict(c.Verdict, margin)
	switch e := c.Estimate; {
	case e != nil && e.Detectable != nil && c.Relative:
		text += " (detects " + figure.Percent(*e.Detectable) + ")"
	case e != nil && e.Detectable != nil:
		text += " (detects " + figure.Quantity(*e.Detectable, m.Unit) + ")"
	}
	return text
}

// changeOf is what a cell changed by: +3.2 % (1.1 … 5.4).
func changeOf(c *compare.Change, m results.Metric) doc.Cell {
	switch {
	case c.Estimate == nil:
		return doc.Cell{}
	case !c.Relative:
		return difference(c.Estimate, m.Unit)
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

// overheadOf is a cell against its own reference in one campaign: × 36.94, or of
// what has no ratio +48.00 B.
func overheadOf(s *compare.Side, m results.Metric) string {
	switch {
	case s.ID == "":
		return ""
	case s.Invalid != "":
		return "not instrumented"
	case s.Ratio != nil:
		return "× " + figure.Ratio(s.Ratio.Value)
	case s.Difference != nil:
		return prose.Signed(s.Difference.Value, m.Unit)
	}
	return ""
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
