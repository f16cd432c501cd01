package config

import (
	"fmt"
	"slices"
	"strings"

	"moobench/harness/suggest"
	"moobench/results"
)

// defaultAlpha is the chance of a wrong "yes" when a question doesn't say.
const defaultAlpha = 0.05

// What a question may ask for.
var (
	tests = []results.Comparison{
		results.TestPaired, results.TestWelch, results.TestStudent, results.TestSignedRank, results.TestMannWhitney, results.TestSign,
		results.TestTOST, results.TestRates,
	}
	alternatives = []string{twoSided, "less", "greater"}
)

const twoSided = "two-sided"

// asked are the quantiles that are kept of every invocation.
func asked(name string) (p float64, ok bool) {
	p, ok = map[string]float64{"p50": 0.5, "p99": 0.99, "p99.9": 0.999}[name]
	return p, ok
}

func (r *reader) questions(v any, at []any) []Question {
	if _, single := v.(map[string]any); single {
		r.fail(at, "write [[question]]", "[question] is one table, a campaign has a list of them")
		return nil
	}
	var all []Question
	for i, raw := range r.list(v, at) {
		all = append(all, r.question(raw, under(at, i)))
	}
	return all
}

// question reads one [[question]]. Whether its cells exist is for those to say
// who know the variants.
func (r *reader) question(v any, path []any) Question {
	q := Question{Question: results.Question{Test: results.TestPaired, Alpha: defaultAlpha, Asked: true}}
	var metric, margin string
	given := r.table(v, path, fields{
		"text":        func(v any, at []any) { q.Text = r.text(v, at) },
		"a":           func(v any, at []any) { q.A = r.text(v, at) },
		"b":           func(v any, at []any) { q.B = r.text(v, at) },
		"family":      func(v any, at []any) { q.Family = r.text(v, at) },
		"test":        func(v any, at []any) { q.Test = oneOf(r, v, at, tests) },
		"alternative": func(v any, at []any) { q.Alternative = oneOf(r, v, at, alternatives) },
		"alpha":       func(v any, at []any) { q.Alpha = r.alpha(v, at) },
		"scenario":    func(v any, at []any) { q.Scenario = r.text(v, at) },
		"metric":      func(v any, at []any) { metric = r.text(v, at) },
		"margin":      func(v any, at []any) { margin = r.text(v, at) },
	}, "text", "a", "b")
	if q.Alternative == twoSided {
		q.Alternative = ""
	}
	if q.Test == results.TestTOST && q.Alternative != "" {
		r.fail(under(path, "alternative"), "take it out", "tost asks on both sides: it has no alternative %q", q.Alternative)
	}
	if (q.Alternative != "" || q.Test == results.TestTOST) && q.Alpha >= 0.5 {
		r.fail(under(path, "alpha"), "such as 0.05", "alpha: %v is too much for one-sided tests: from 0.5 on their interval means nothing", q.Alpha)
	}
	schema := r.scenarioOf(&q, given, path)
	if _, said := given["metric"]; schema == nil || said && metric == "" {
		return q
	}
	m := r.metric(&q, schema, metric, path)
	if m == nil {
		return q
	}
	if margin != "" {
		r.margin(&q, m, margin, under(path, "margin"))
	}
	_, chosen := given["test"]
	if q.Quantile > 0 && !chosen {
		q.Test = results.TestSign // one long pause in one JVM moves a mean of quantiles at will
	}
	r.rates(&q, m, chosen, path)
	return q
}

// perMillion may stand behind the margin of a rate: it is its unit.
const perMillion = "per million"

func (r *reader) margin(q *Question, m *results.Metric, text string, path []any) {
	hint := marginHint(m)
	if m.Of != "" {
		text = strings.TrimSuffix(strings.TrimSpace(text), perMillion)
		hint = `such as "10 per million", or "50%" of the other's rate`
	}
	var err error
	if q.Margin, err = parseMargin(text, m.Unit); err != nil {
		r.fail(path, hint, "margin: %v", err)
	}
}

// rates has counts of events compared as rates, and nothing else: means and ranks
// of counts answer nothing. What calibration finds is not compared.
func (r *reader) rates(q *Question, m *results.Metric, chosen bool, path []any) {
	switch {
	case m.Of != "" && !chosen:
		q.Test = results.TestRates
	case m.Of != "" && q.Test != results.TestRates:
		r.fail(under(path, "test"), "take it out; a margin works without it", "%s counts events out of so many: rates are compared, and %s compares no rates", m.Name, q.Test)
	case m.Profile == results.ProfileCalibration:
		r.fail(under(path, "metric"), "ask about what is measured", "%s is found by calibration, before anything is compared", m.Name)
	case m.Of == "" && q.Test == results.TestRates:
		r.fail(under(path, "test"), "take it out", "%s is no count of events out of so many: there is no rate", m.Name)
	}
}

// scenarioOf finds the scenario that a question is about. The schema is nil when it
// is not known; an error was told already.
func (r *reader) scenarioOf(q *Question, given map[string]any, path []any) *Schema {
	if q.Scenario = r.labelOf(q.Scenario, given, "the question does not say which scenario it is about", path); q.Scenario == "" {
		return nil
	}
	i := slices.IndexFunc(r.file.Scenarios, func(s Scenario) bool { return s.Label == q.Scenario })
	use := r.file.Scenarios[i].Use
	for i := range r.known.Scenarios {
		if r.known.Scenarios[i].Name == use {
			return &r.known.Scenarios[i]
		}
	}
	return nil
}

// metric is what a question is about: the named metric or its quantile, of ""
// the scenario's primary metric; nil when there is none.
func (r *reader) metric(q *Question, s *Schema, text string, path []any) *results.Metric {
	name, quantile, cut := strings.Cut(text, "/")
	i := slices.IndexFunc(s.Metrics, func(m results.Metric) bool { return m.Name == name || text == "" && m.Primary })
	if i < 0 {
		r.noMetric(s, name, path)
		return nil
	}
	m := &s.Metrics[i]
	q.Metric = m.Name
	if !cut {
		return m
	}
	p, known := asked(quantile)
	at := under(path, "metric")
	if q.Quantile = p; !known {
		r.fail(at, "known: p50, p99, p99.9", "unknown quantile %q", quantile)
	} else if m.Series == "" {
		r.fail(at, fmt.Sprintf("ask about %q", name), "%s has no quantiles: it is one figure of the whole invocation", name)
	}
	return m
}

func (r *reader) noMetric(s *Schema, name string, path []any) {
	var names []string
	for _, m := range s.Metrics {
		names = append(names, m.Name)
	}
	if name == "" {
		r.fail(path, "add metric = …", "scenario %s has no primary metric", s.Name)
		return
	}
	r.fail(under(path, "metric"), suggest.Hint(name, names), "unknown metric %q", name)
}

func (r *reader) alpha(v any, path []any) float64 {
	x, isFloat := v.(float64)
	if n, ok := v.(int64); ok {
		x, isFloat = float64(n), true
	}
	switch {
	case !isFloat:
		r.wrongType(path, "such as 0.05", "a number", v)
	case !(x > 0 && x < 1): // NaN too
		r.fail(path, "such as 0.05", "alpha: %v is not between 0 and 1", x)
	default:
		return x
	}
	return defaultAlpha
}
