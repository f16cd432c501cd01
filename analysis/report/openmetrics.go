package report

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// OpenMetrics prints the answers as OpenMetrics text: gauges in base units
// (seconds, bytes, ratios), a value with its bounds, and where they come from.
// There are no time stamps, which a textfile collector would refuse.
func OpenMetrics(w io.Writer, a *analysis.Answers) error {
	x := &exposition{named: map[string]*family{}}
	x.provenance(a)
	x.gate(a)
	stamped := stamps(a)
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		for j := range s.Cells {
			x.cell(a, s, &s.Cells[j], stamped)
		}
	}
	_, err := io.WriteString(w, x.String())
	return err
}

// exposition is a set of metric families, in the order of their first samples.
type exposition struct {
	families []*family
	named    map[string]*family
}

// family is a gauge with its samples.
type family struct {
	name, unit, help string
	samples          []string
}

// add adds a sample; the first of a family brings its unit and its help.
func (x *exposition) add(name, unit, help string, labels []label, value float64) {
	f := x.named[name]
	if f == nil {
		f = &family{name: name, unit: unit, help: help}
		x.named[name], x.families = f, append(x.families, f)
	}
	f.samples = append(f.samples, name+braced(labels)+" "+strconv.FormatFloat(value, 'g', -1, 64))
}

// String is the text, with the end that tells it from one that was cut off.
func (x *exposition) String() string {
	var b strings.Builder
	for _, f := range x.families {
		fmt.Fprintf(&b, "# TYPE %s gauge\n", f.name)
		if f.unit != "" {
			fmt.Fprintf(&b, "# UNIT %s %s\n", f.name, f.unit)
		}
		fmt.Fprintf(&b, "# HELP %s %s\n", f.name, helpText(f.help))
		for _, s := range f.samples {
			b.WriteString(s + "\n")
		}
	}
	b.WriteString("# EOF\n")
	return b.String()
}

// label is a label of a sample; one without a value is left out, as the format
// takes both for the same.
type label struct{ name, value string }

func braced(labels []label) string {
	var parts []string
	for _, l := range labels {
		if l.value != "" {
			parts = append(parts, l.name+`="`+escapeLabel(l.value)+`"`)
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// helpText is a text behind HELP. A quotation mark is escaped there in OpenMetrics, and
// must not be in the older format that textfile collectors read: there is none.
func helpText(s string) string { return escapeLabel(strings.ReplaceAll(s, `"`, "'")) }

// escapeLabel escapes what would end a quoted text.
func escapeLabel(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(doc.CleanLines(s))
}

// provenance says where the numbers come from. The type of such a family is
// gauge, not info, because textfile collectors know no info.
func (x *exposition) provenance(a *analysis.Answers) {
	var labels []label
	taken := distinct{}
	for _, o := range provenance(a) {
		labels = append(labels, label{taken.name(metricWord(o.name), "_"), o.value})
	}
	x.add("moobench_campaign_info", "", "where the numbers come from", labels, 1)
	if end := a.Campaign.End; end != nil && !end.IsZero() {
		x.add("moobench_campaign_end_timestamp_seconds", "seconds", "when the last invocation ended", campaignLabel(a), float64(end.UnixMilli())/1e3)
	}
	for i := range a.Scenarios {
		s := &a.Scenarios[i]
		labels := append(campaignLabel(a), label{"scenario", s.Label}, label{"window", s.Window}, label{"notes", strings.Join(s.Notes, "; ")})
		x.add("moobench_scenario_info", "", "the samples that means are taken over, and what is true of all numbers", labels, 1)
	}
}

func campaignLabel(a *analysis.Answers) []label { return []label{{"campaign", a.Campaign.Name}} }

// cell adds the numbers of a cell, each with the kinds of its marks; the marks
// with their amounts stand in a family of their own.
func (x *exposition) cell(a *analysis.Answers, s *analysis.Scenario, c *analysis.Cell, stamped []spoil) {
	identity := append(campaignLabel(a), label{"scenario", s.Label}, label{"variant", c.Variant}, label{"level", c.Level}, label{"role", string(c.Role)})
	if c.Void != "" {
		x.add("moobench_cell_void", "", "cells of which no number counts", withLabels(identity, label{"why", c.Void}), 1)
		return
	}
	alone, against := spoils(c, stamped), spoilsAgainst(s, c, stamped)
	seen := distinct{}
	for _, p := range against {
		if key := p.kind + "\n" + p.show; !seen[key] {
			seen[key] = true
			x.add("moobench_cell_mark", "", "what spoils the numbers of a cell", withLabels(identity, label{"kind", p.kind}, label{"show", p.show}), 1)
		}
	}
	for _, m := range s.Metrics {
		labels := withLabels(identity, label{"metric", m.Name})
		x.metric(s, c, m, withLabels(labels, label{"marks", spoilKinds(alone)}), withLabels(labels, label{"marks", spoilKinds(against)}))
	}
}

// withLabels adds labels to a copy.
func withLabels(labels []label, more ...label) []label {
	return append(append([]label{}, labels...), more...)
}

// metric adds what is known of a metric: its mean, its difference from the
// baseline, of the primary one the ratio too; of events their rate. The labels
// of what is compared with the baseline are their own: it has marks too.
func (x *exposition) metric(s *analysis.Scenario, c *analysis.Cell, m results.Metric, alone, against []label) {
	a := metricOf(c, m.Name)
	if a == nil {
		return
	}
	about := cmp.Or(m.About, m.Name) + ":"
	if r := a.Rate; r != nil {
		x.estimate(sampled{m, perMillionUnit, alone}, "rate", about+" rate", &analysis.Estimate{N: r.N, Value: r.PerMillion, Interval: r.Interval})
		if v := r.Versus; v != nil {
			x.estimate(sampled{m, perMillionUnit, against}, "rate_difference", about+" rate minus the baseline's", &analysis.Estimate{N: v.A.N, Value: v.Difference, Interval: v.Interval})
		}
		return
	}
	x.estimate(sampled{m, m.Unit, alone}, "mean", about+" mean over invocations", a.Mean)
	x.estimate(sampled{m, m.Unit, against}, "difference", about+" mean minus the baseline's", a.Difference)
	if m.Name == s.Primary {
		x.estimate(sampled{m, "ratio", against}, "over_baseline", about+" times the baseline's", a.Ratio)
	}
}

// sampled is what the samples of an estimate have in common.
type sampled struct {
	metric results.Metric
	unit   string
	labels []label
}

// estimate adds a value, its bounds, and on how many invocations it rests.
func (x *exposition) estimate(q sampled, what, help string, e *analysis.Estimate) {
	if e == nil {
		return
	}
	unit, divisor := baseUnit(q.unit)
	name := func(part string) string {
		return strings.TrimSuffix("moobench_"+metricWord(bareName(q.metric))+"_"+what+part+"_"+unit, "_")
	}
	x.add(name(""), unit, help, q.labels, e.Value/divisor)
	x.add("moobench_"+metricWord(bareName(q.metric))+"_"+what+"_invocations", "invocations", help+": invocations, or pairs of them", q.labels, float64(e.N))
	if i := e.Interval; i != nil {
		level := withLabels(q.labels, label{"confidence", strconv.FormatFloat(i.Level, 'g', 6, 64)})
		x.add(name("_low"), unit, help+": lower bound", level, i.Low/divisor)
		x.add(name("_high"), unit, help+": upper bound", level, i.High/divisor)
	}
}

// baseUnit is the base unit of a unit, "" of a bare number, and by what values
// are divided to be in it.
func baseUnit(unit string) (base string, divisor float64) {
	switch unit {
	case "ns":
		return "seconds", 1e9
	case "B":
		return "bytes", 1
	case "%":
		return "ratio", 100
	case perMillionUnit:
		return "ratio", 1e6
	case "1", "":
		return "", 1
	case "1/s":
		return "per_second", 1
	}
	return metricWord(unit), 1
}

// metricWord is a text as part of the name of a metric or label.
func metricWord(s string) string {
	word := strings.ReplaceAll(doc.Slug(s), "-", "_")
	if word == "" || word[0] >= '0' && word[0] <= '9' {
		word = "x" + word
	}
	return word
}
