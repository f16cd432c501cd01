package config

import (
	"fmt"
	"slices"
	"strings"

	"moobench/harness/suggest"
	"moobench/results"
)

const (
	// gateAlpha is the chance that a gate says worse of a variant that is worse
	// by exactly what it allows, when it doesn't say.
	gateAlpha = 0.01
	// mostWorse is the largest worse_by, in per cent: a hundredfold.
	mostWorse = 10_000
)

// gate reads [gate]. Whether its variants exist is for those to say who know the
// variants.
func (r *reader) gate(v any, path []any) *results.Gate {
	if _, several := v.([]map[string]any); several {
		r.fail(path, "write [gate]", "[[gate]] is a list, a campaign has one gate")
		return nil
	}
	g := &results.Gate{Alpha: gateAlpha}
	metric := ""
	given := r.table(v, path, fields{
		"metric":    func(v any, at []any) { metric = r.text(v, at) },
		"worse_by":  func(v any, at []any) { g.WorseBy = r.percentUpTo(v, at, mostWorse) },
		"alpha":     func(v any, at []any) { g.Alpha = r.oneSidedAlpha(v, at) },
		"reference": func(v any, at []any) { g.Reference = r.text(v, at) },
		"variants":  func(v any, at []any) { g.Variants = r.texts(v, at); r.distinct(v, g.Variants, at) },
	}, "worse_by")
	if _, said := given["metric"]; given == nil || said && metric == "" {
		return g
	}
	if s := r.gatedScenario(metric, under(path, "metric")); s != nil {
		g.Scenario = s.Label
		r.gatedMetric(g, s, metric, path)
	}
	return g
}

// oneSidedAlpha is an alpha that one-sided bounds can have.
func (r *reader) oneSidedAlpha(v any, path []any) float64 {
	alpha := r.alpha(v, path)
	if alpha >= 0.5 {
		r.fail(path, "such as 0.01", "alpha: %v is too much for one-sided bounds: from 0.5 on they mean nothing", alpha)
	}
	return alpha
}

// gatedScenario is the one before the slash, else the only one, and without any
// metric the first; nil when there is none, which is told.
func (r *reader) gatedScenario(metric string, at []any) *Scenario {
	var labels []string
	for _, s := range r.file.Scenarios {
		labels = append(labels, s.Label)
	}
	slash := strings.LastIndex(metric, "/")
	switch i := slices.Index(labels, metric[:max(0, slash)]); {
	case len(labels) == 0: // told already
	case i >= 0 && slash >= 0:
		return &r.file.Scenarios[i]
	case slash >= 0:
		if _, quantile := asked(metric[slash+1:]); quantile {
			r.fail(at, "ask a [[question]] about the quantile", "%q: a gate is about means", metric)
		} else {
			r.fail(at, suggest.Hint(metric[:slash], labels), "no scenario is called %q", metric[:slash])
		}
	case metric != "" && len(labels) > 1:
		r.fail(at, fmt.Sprintf("write %q", labels[0]+"/"+metric), "metric: there are several scenarios, and %q does not say whose", metric)
	default:
		return &r.file.Scenarios[0]
	}
	return nil
}

// gatedMetric finds the metric, of "" the primary one, and says why a gate can't
// be about it.
func (r *reader) gatedMetric(g *results.Gate, s *Scenario, metric string, path []any) {
	name := metric[strings.LastIndex(metric, "/")+1:]
	n := slices.IndexFunc(r.known.Scenarios, func(known Schema) bool { return known.Name == s.Use })
	if n < 0 {
		return // told already
	}
	schema := &r.known.Scenarios[n]
	i := slices.IndexFunc(schema.Metrics, func(m results.Metric) bool { return m.Name == name || metric == "" && m.Primary })
	if i < 0 {
		r.noMetric(schema, name, path)
		return
	}
	m := &schema.Metrics[i]
	g.Metric = m.Name
	at := under(path, "metric")
	switch {
	case m.Of != "":
		r.fail(at, "ask a [[question]] about it, or take a metric that is no count", "%s counts events: a gate is about means", m.Name)
	case m.Profile == results.ProfileCalibration:
		r.fail(at, "take what is measured", "%s is found by calibration, before anything is compared", m.Name)
	case m.Better != results.Lower && m.Better != results.Higher:
		r.fail(at, "take a metric of which less, or more, is better", "%s is there to know: neither less nor more of it is worse", m.Name)
	case m.Profile == results.ProfileResources && s.Resources == 0:
		r.fail(at, "let resources be 3 or more, or take another metric", "%s is read from the runs of resources, and scenario %s has resources = 0", m.Name, s.Label)
	}
}
