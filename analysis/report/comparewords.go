package report

import (
	"fmt"
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

// comparedName is what a comparison is called: the campaigns' names, each once.
func comparedName(c *compare.Comparison) string {
	var names []string
	for _, one := range c.Campaigns {
		if !slices.Contains(names, one.Name) {
			names = append(names, one.Name)
		}
	}
	return strings.Join(names, ", ")
}

// campaignFacts are what tells a campaign from others, its title left out.
func campaignFacts(c compare.Campaign) []string {
	parts := []string{c.Name}
	if c.Start != nil && !c.Start.IsZero() {
		parts = append(parts, c.Start.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if c.Blocks > 0 { // those of imported campaigns are not known
		parts = append(parts, figure.Plural(c.Blocks, "block", "blocks"))
	}
	parts = append(parts, c.Machines...)
	for _, r := range c.Runtimes {
		parts = append(parts, "JDK "+r)
	}
	if c.Folder != "" {
		parts = append(parts, c.Folder)
	}
	return parts
}

// comparisonStamps stand at the top of every output: why nothing below can be
// trusted.
func comparisonStamps(c *compare.Comparison) []string {
	var stamps []string
	if len(c.Unlike) > 0 {
		var names []string
		for _, d := range c.Unlike {
			if !slices.Contains(names, d.What) {
				names = append(names, d.What)
			}
		}
		stamps = append(stamps, "NOT ALIKE: compared all the same (--anyway), although these differ, and may be what is seen below: "+strings.Join(names, ", "))
	}
	for _, one := range c.Campaigns {
		for _, f := range one.Failed {
			stamps = append(stamps, "A/A FAILED in "+one.Title+": "+f)
		}
	}
	return stamps
}

// comparedWarnings are those about the campaigns' files.
func comparedWarnings(c *compare.Comparison) []string {
	var all []string
	for _, one := range c.Campaigns {
		for _, w := range one.Warnings {
			all = append(all, one.Title+": "+w)
		}
	}
	return all
}

// incompleteness says what the campaigns lack.
func incompleteness(c *compare.Comparison) []string {
	var all []string
	for _, one := range c.Campaigns {
		for _, why := range one.Incomplete {
			all = append(all, one.Title+": "+why)
		}
	}
	return all
}

// tally counts the verdicts of a metric: "1 worse, 0 better, 2 same within 3 %".
func tally(c *compare.Comparison, m *compare.Metric) string {
	var parts []string
	add := func(v infer.Judgement, always bool) {
		if n := m.Count(v); n > 0 || always {
			parts = append(parts, fmt.Sprintf("%d %s", n, comparedVerdict(v, c.Margin)))
		}
	}
	judged := m.Metric.Better == results.Lower || m.Metric.Better == results.Higher
	judged = judged && m.Count(infer.DiffersTonight) == 0
	add(infer.Regression, judged)
	add(infer.Improvement, judged)
	add(infer.DiffersTonight, false)
	add(infer.Changed, false)
	add(infer.Same, true)
	add(infer.UndecidedYet, false)
	add(infer.NotJudged, false)
	return strings.Join(parts, ", ")
}

// comparedVerdict is a verdict in words.
func comparedVerdict(v infer.Judgement, margin float64) string {
	if v == infer.Same {
		return "same within " + figure.Level(margin)
	}
	return string(v)
}

// verdictOf is that of a change, of an undecided one with what would have shown.
func verdictOf(c *compare.Change, m results.Metric, margin float64) string {
	text := comparedVerdict(c.Verdict, margin)
	if c.Estimate == nil || c.Estimate.Detectable == nil {
		return text
	}
	d := *c.Estimate.Detectable
	if c.Relative {
		return text + " (detects " + figure.Percent(d) + ")"
	}
	return text + " (detects " + figure.Quantity(d, m.Unit) + ")"
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
	if c.Estimate.Interval == nil {
		return doc.Cell{Text: signedNumber(v, shareDecimals(v), true) + " %", Sort: &v}
	}
	low, high := share(c.Estimate.Interval.Low), share(c.Estimate.Interval.High)
	decimals := shareDecimals((high - low) / 2)
	return doc.Cell{Text: signedNumber(v, decimals, true) + " %", Interval: signedNumber(low, decimals, false) + " … " + signedNumber(high, decimals, false), Sort: &v}
}

// shareDecimals are those in which a width reads with two significant digits, at
// most three.
func shareDecimals(width float64) int {
	width = math.Abs(width)
	for decimals, least := range []float64{9.95, 0.995, 0.0995} {
		if width >= least {
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
	case s.Void != "":
		return "not instrumented"
	case s.Ratio != nil:
		return "× " + figure.Ratio(s.Ratio.Value)
	case s.Difference != nil:
		scale := figure.Fit(m.Unit, s.Difference.Value)
		return scale.WithUnit(scale.Signed(s.Difference.Value))
	}
	return ""
}

// sideMean is a cell's own mean in one campaign: 2.072 µs ± 1.7 %.
func sideMean(s *compare.Side, m results.Metric) string {
	switch {
	case s.ID == "" || s.Void != "":
		return "–"
	case s.Rate != nil:
		return figure.Ratio(s.Rate.PerMillion) + " per million"
	}
	return meanOf(s.Mean, m.Unit).String()
}

// adjustedP is the p of a change, as Holm adjusts it.
func adjustedP(c *compare.Change) string {
	if c.PHolm == nil {
		return ""
	}
	return strings.TrimPrefix(figure.P(*c.PHolm), "p = ")
}

// comparedLabel is the cell of a row, its factor level left out.
func comparedLabel(r *compare.Row) string {
	switch {
	case r.Role == results.RoleAA:
		return r.Variant + " (A/A)"
	case isRaw(r):
		return r.Variant + " (raw)"
	}
	return r.Variant
}

// isRaw says whether a row is about means themselves.
func isRaw(r *compare.Row) bool {
	return slices.ContainsFunc(r.Changes, func(c compare.Change) bool { return c.Raw })
}

// legendOf says what the numbers of a table are.
func legendOf(c *compare.Comparison, m *compare.Metric) []string {
	family, raw, detects, nights := 1, false, false, false
	for i := range m.Rows {
		r := &m.Rows[i]
		raw = raw || isRaw(r)
		for _, change := range r.Changes {
			if r.Role == results.RoleVariant {
				family = max(family, change.Family)
			}
			detects = detects || change.Estimate != nil && change.Estimate.Detectable != nil
			nights = nights || change.Between != nil
		}
	}
	text := "change: of the overhead against each campaign's own reference"
	if family > 1 {
		text += fmt.Sprintf("; the intervals of the %d changes of a level hold together at %s, and p is Holm's over them", family, figure.Level(c.Confidence))
	} else {
		text += "; its interval holds at " + figure.Level(c.Confidence)
	}
	legend := []string{text}
	if raw {
		legend = append(legend, "(raw): of the mean itself, with what the machine did that night in it")
	}
	if detects {
		legend = append(legend, "detects: the smallest true change that such campaigns find four times in five")
	}
	if nights {
		legend = append(legend, "what nights differ by of themselves is in the intervals of "+strings.Join(withNights(m), ", "))
	}
	return legend
}

// withNights are the cells whose intervals hold what nights differ by.
func withNights(m *compare.Metric) []string {
	var all []string
	for i := range m.Rows {
		for _, change := range m.Rows[i].Changes {
			if change.Between == nil {
				continue
			}
			text := fmt.Sprintf("%s (sd %s over %s)", m.Rows[i].Cell, figure.Percent(change.Between.SD), figure.Plural(change.Between.Nights, "night", "nights"))
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

// onlyText says where a cell is.
func onlyText(o compare.Only, scenarios int) string {
	text := o.Cell
	if scenarios > 1 {
		text = o.Scenario + ": " + text
	}
	return text + " (only in " + strings.Join(o.In, ", ") + ")"
}

// onlyTexts are the cells that not all campaigns have.
func onlyTexts(c *compare.Comparison) []string {
	var all []string
	for _, o := range c.Only {
		all = append(all, onlyText(o, len(c.Scenarios)))
	}
	return all
}

// aboutCells says which cells a difference is about, "" when it is all.
func aboutCells(d compare.Difference) string {
	const few = 3
	if len(d.Cells) <= few {
		return strings.Join(d.Cells, ", ")
	}
	return strings.Join(d.Cells[:few], ", ") + " and " + figure.Count(int64(len(d.Cells)-few)) + " more"
}
