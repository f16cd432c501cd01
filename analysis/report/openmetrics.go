package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/analysis/stats"
)

// writeOpenMetrics prints the answers as OpenMetrics text: gauges in base units (seconds, bytes, ratios),
// values with their bounds, and their provenance. There are no time stamps, which a textfile collector would
// refuse.
func writeOpenMetrics(w io.Writer, a *analysis.Answers, _ Options) error {
	x := &exposition{campaign: []fact{{"campaign", a.Campaign.Name}}}
	// The family with the provenance has the type gauge, not info, because textfile collectors don't know info.
	taken := distinct{}
	labels := each(provenance(a), func(f fact) fact { return fact{taken.name(metricWord(f.Name), "_"), f.Value} })
	x.add("moobench_campaign_info", "", "where the numbers come from", labels, 1)
	if end := a.Campaign.End; end != nil && !end.IsZero() {
		x.add("moobench_campaign_end_timestamp_seconds", "seconds", "when the last invocation ended", x.campaign,
			float64(end.UnixMilli())/1e3)
	}
	for _, s := range a.Scenarios {
		labels := withLabels(x.campaign, fact{"scenario", s.Label}, fact{"window", s.Window},
			fact{"notes", strings.Join(s.Notes, "; ")})
		x.add("moobench_scenario_info", "",
			"the samples behind the means, and what holds for all numbers", labels, 1)
	}
	x.speeds(a)
	x.gate(a.Gate)
	campaign := campaignCaveats(a)
	for _, s := range a.Scenarios {
		for _, c := range s.Cells {
			x.cell(&s, &c, campaign)
		}
		for _, r := range a.OwnRows(&s, campaign) {
			if r.Estimate != nil {
				x.estimate(r, withLabels(x.identity(r.Key), fact{"metric", r.Metric.Name}), string(r.Statistic), r.About)
			}
		}
	}
	var b strings.Builder
	for _, family := range stats.Grouped(x.samples, func(s sample) string { return s.family }) {
		first := family[0]
		fmt.Fprintf(&b, "# TYPE %s gauge\n", first.family)
		if first.unit != "" {
			fmt.Fprintf(&b, "# UNIT %s %s\n", first.family, first.unit)
		}
		// OpenMetrics escapes a quotation mark after HELP, but the older format that textfile collectors read
		// doesn't: avoid it.
		fmt.Fprintf(&b, "# HELP %s %s\n", first.family, escapeLabel(strings.ReplaceAll(first.help, `"`, "'")))
		for _, s := range family {
			b.WriteString(s.line)
		}
	}
	b.WriteString("# EOF\n") // distinguishes the text from a truncated one
	_, err := io.WriteString(w, b.String())
	return err
}

// exposition is the samples of all metric families.
type exposition struct {
	samples  []sample
	campaign []fact // of all samples
}

// sample is a line with the name of its family, a gauge; the first one of a family brings unit and help.
type sample struct{ family, unit, help, line string }

// add adds a sample. A label without a value is left out: to the format that is the same.
func (x *exposition) add(name, unit, help string, labels []fact, value float64) {
	parts := prose.NonEmpty(each(labels, func(l fact) string {
		return textIf(l.Value != "", l.Name+`="`+escapeLabel(l.Value)+`"`)
	})...)
	x.samples = append(x.samples, sample{name, unit, help, fmt.Sprintf(
		"%s{%s} %s\n", name, strings.Join(parts, ","), formatG(value, -1))})
}

// escapeLabel escapes characters that would end a quoted text.
func escapeLabel(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(doc.CleanLines(s))
}

// withLabels returns a copy with more labels.
func withLabels(labels []fact, more ...fact) []fact { return slices.Concat(labels, more) }

// speeds adds the speed of the CPU that costs are at.
func (x *exposition) speeds(a *analysis.Answers) {
	for _, s := range a.Scenarios {
		for _, r := range s.References {
			if r.Unused != "" {
				continue
			}
			labels := withLabels(x.campaign, fact{"scenario", s.Label},
				fact{"machine", r.Machine}, fact{"jvm", r.Runtime})
			x.add("moobench_reference_at_seconds", "seconds",
				"how long the reference takes at the CPU speed of the costs", labels, r.At/1e9)
		}
	}
}

// gate adds the gate's verdict on each cell, and whether it fails the campaign: an alert on
// moobench_gate_failed is the exit status of the run. A cell without an answer has its verdict, and no number.
func (x *exposition) gate(g *analysis.GateAnswer) {
	if g == nil {
		return
	}
	labels := func(metric string) []fact {
		return withLabels(x.campaign, fact{"scenario", g.Gate.Scenario}, fact{"metric", metric},
			fact{"reference", g.Gate.Reference})
	}
	failed := map[bool]float64{true: 1}[g.Worse()]
	x.add("moobench_gate_failed", "", "1 when a cell is shown to be worse than its reference by more than is allowed",
		withLabels(labels(g.Gate.Metric), fact{"verdict", string(g.Verdict)}), failed)
	for _, l := range g.Gate.Limits() {
		x.add("moobench_gate_allowed_ratio", "ratio", "by how much a cell may be worse than its reference",
			labels(l.Metric), l.WorseBy)
	}
	for _, c := range g.Cells {
		metric := g.Gate.Metric
		if c.Limit != nil {
			metric = c.Limit.Metric
		}
		own := withLabels(labels(metric), fact{"cell", c.Label})
		said := withLabels(own, fact{"caveats", strings.Join(c.Marks, ", ")}, fact{"verdict", string(c.Verdict)})
		x.add("moobench_gate_verdict", "", "what the gate says of a cell", said, 1)
		if c.Ratio == nil {
			continue
		}
		x.add("moobench_gate_regression_ratio", "ratio",
			"by how much a cell is worse than its reference of the same blocks: 0.05 is 5 %, below 0 is better",
			own, c.Ratio.Value-1)
		if c.Ratio.Interval != nil {
			level := withLabels(own, fact{"confidence", strconv.FormatFloat(g.Level, 'g', 6, 64)})
			x.add("moobench_gate_regression_low_ratio", "ratio",
				"by how much a cell is worse than its reference: one-sided lower bound", level, c.Low-1)
			x.add("moobench_gate_regression_high_ratio", "ratio",
				"by how much a cell is worse than its reference: one-sided upper bound", level, c.High-1)
		}
	}
}

// identity has the labels of a number.
func (x *exposition) identity(k rows.Key) []fact {
	return withLabels(x.campaign, fact{"scenario", k.Scenario}, fact{"variant", k.Variant}, fact{"level", k.Level},
		fact{"role", string(k.Role)})
}

// cell adds the numbers of a cell. Its caveats, and its baseline's, are a family of their own. If they were
// labels of each value, a changed caveat would begin a new series.
func (x *exposition) cell(s *analysis.Scenario, c *analysis.Cell, campaign []analysis.Mark) {
	identity := x.identity(rows.Key{Scenario: s.Label, Variant: c.Variant, Level: c.Level, Role: c.Role})
	if c.Invalid != "" {
		x.add("moobench_cell_invalid", "", "cells of which no number counts",
			withLabels(identity, fact{"reason", c.Invalid}), 1)
		return
	}
	kind := func(m analysis.Mark) [2]string { return [2]string{m.Kind, m.Show} }
	for _, same := range stats.Grouped(s.CaveatsAgainst(c, campaign), kind) {
		said := withLabels(identity, fact{"kind", same[0].Kind}, fact{"show", same[0].Show})
		x.add("moobench_cell_caveat", "", "what spoils the numbers of a cell", said, 1)
	}
	for _, r := range s.CellRows(c, campaign) {
		g, known := gauges[r.Statistic]
		if known && r.Estimate != nil && (r.Primary || !g.primary) {
			x.estimate(r, withLabels(identity, fact{"metric", r.Metric.Name}), g.name, g.help)
		}
	}
}

// gauge is the family of a statistic.
type gauge struct {
	name, help string
	primary    bool // only of the primary metric
}

// gauges are the statistics that a cell's families have.
var gauges = map[rows.Statistic]gauge{
	rows.Mean:       {"mean", "mean over invocations", false},
	rows.Difference: {"difference", "mean minus the baseline's", false},
	rows.Unadjusted: {
		"difference_unadjusted",
		"mean minus the baseline's, as it was measured, at whatever speed the CPU had", true,
	},
	rows.Ratio:          {"over_baseline", "times the baseline's", true},
	rows.Rate:           {"rate", "rate", false},
	rows.RateDifference: {"rate_difference", "rate minus the baseline's", false},
}

// estimate adds a value, its bounds, and the number of invocations behind it.
func (x *exposition) estimate(r rows.Row, labels []fact, what, help string) {
	e, unit := r.Estimate, r.Unit
	if r.Statistic == rows.Ratio {
		unit = "ratio"
	}
	help = cmp.Or(r.Metric.About, r.Metric.Name) + ": " + help
	// Values are converted to the base unit of their unit; "" for a bare number.
	divisor := cmp.Or(map[string]float64{"ns": 1e9, "%": 100, rows.PerMillion: 1e6}[unit], 1)
	base, known := map[string]string{
		"ns": "seconds", "B": "bytes", "%": "ratio", rows.PerMillion: "ratio", "1/s": "per_second", "1": "", "": "",
	}[unit]
	if !known {
		base = metricWord(unit)
	}
	stem := "moobench_" + metricWord(bareName(r.Metric.Name, r.Metric.Unit)) + "_" + metricWord(what)
	name := func(part string) string { return strings.TrimSuffix(stem+part+"_"+base, "_") }
	x.add(name(""), base, help, labels, e.Value/divisor)
	x.add(stem+"_invocations", "invocations", help+": invocations, or pairs of them", labels, float64(e.N))
	if i := e.Interval; i != nil {
		level := withLabels(labels, fact{"confidence", strconv.FormatFloat(i.Level, 'g', 6, 64)})
		x.add(name("_low"), base, help+": lower bound", level, i.Low/divisor)
		x.add(name("_high"), base, help+": upper bound", level, i.High/divisor)
	}
}

// metricWord turns a text into a part of the name of a metric or label.
func metricWord(s string) string {
	word := strings.ReplaceAll(doc.Slug(s), "-", "_")
	if word == "" || word[0] >= '0' && word[0] <= '9' {
		word = "x" + word
	}
	return word
}
