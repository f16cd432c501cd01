package config

import (
	"fmt"
	"slices"
	"strings"

	"moobench/harness/strict"
	"moobench/results"
)

// Question is one [[question]]. A and B are as written: variants, or labels of cells. ID is
// empty. Margin is nil if none is given.
type Question struct {
	results.Question
	Scenario string // label
	Within   bool   // its test asks whether the difference lies within a margin
}

const twoSided = "two-sided"

// quantiles are the quantiles that every invocation records, by name.
var quantiles = map[string]float64{"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}

// question describes one [[question]]. The plan checks that its cells exist.
func (r *reader) question(q *Question, _ strict.Value) strict.Table {
	q.Asked = true
	var metric, margin string
	tests := results.Each(r.known.Tests, func(t Test) results.Comparison { return t.Name })
	return strict.NewTable("A comparison that is registered before the first JVM starts, and answered in words.",
		strict.NewKey("text", strict.String(&q.Text),
			"the question, for people").Must().Like("Does my agent cost less than Kieker's?"),
		strict.NewKey("a", strict.String(&q.A),
			"what is compared: a variant of the scenario, or the label of a cell; the answer is about a - b").
			Must().Like("mine"),
		strict.NewKey("b", strict.String(&q.B), "what it is compared with, likewise").Must().Like("kieker/bci/tcp"),
		strict.NewKey("scenario", strict.String(&q.Scenario),
			"label of the scenario; needed where there are several").Like("overhead"),
		strict.NewKey("metric", strict.String(&metric),
			"metric of the scenario, or a quantile of it; by default the scenario's primary metric").
			Like("duration/p99"),
		strict.NewKey("test", strict.OneOf(&q.Test, tests...),
			"how it is answered; sign by default about a quantile, rates about a count of events").
			Or(string(results.TestPaired)),
		strict.NewKey("alternative", strict.OneOf(&q.Alternative, twoSided, "less", "greater"),
			"what is expected of a - b; not of tost").Or(twoSided),
		strict.NewKey("alpha", strict.Func("number", &q.Alpha, alpha),
			`chance of a wrong "yes", shared by all questions of its family; below 0.5 where one side is asked about`).
			Or(0.05),
		strict.NewKey("margin", strict.String(&margin),
			"what counts as no difference: a percentage of the other's value, an amount with the metric's unit, "+
				"or of a rate so many per million; of tost by default that of the scenario's own question, else 1%").
			Like("5ns"),
		strict.NewKey("family", strict.String(&q.Family),
			"name of the questions whose intervals hold together; by default all levels at which it is asked").
			Like("agents"),
	).Checked(func(v strict.Value) {
		if q.Alternative == twoSided {
			q.Alternative = ""
		}
		var test Test
		if i := slices.Index(tests, q.Test); i >= 0 {
			test = r.known.Tests[i]
		}
		if test.TwoSided && q.Alternative != "" {
			v.Key("alternative").Fail("take it out",
				"%s asks on both sides: it has no alternative %q", q.Test, q.Alternative)
		}
		q.Within = test.Margin
		if (q.Alternative != "" || test.Margin) && q.Alpha >= 0.5 {
			v.Key("alpha").Fail("such as 0.05",
				"alpha: %v is too much for one-sided tests: from 0.5 on their interval means nothing", q.Alpha)
		}
		q.Scenario = r.labelOf(v, q.Scenario, "the question does not say which scenario it is about")
		if s := r.schemaOf(q.Scenario); s != nil && (metric != "" || !v.Has("metric")) {
			checkMetric(q, s, metric, margin, v)
		}
	})
}

// alpha reads a probability.
func alpha(v strict.Value) (float64, bool) {
	x, ok := v.Raw.(float64)
	if n, whole := v.Raw.(int64); whole {
		x, ok = float64(n), true
	}
	switch {
	case !ok:
		v.WrongType("such as 0.05", "a number")
	case !(x > 0 && x < 1): // NaN too
		v.Fail("such as 0.05", "alpha: %v is not between 0 and 1", x)
	default:
		return x, true
	}
	return 0, false
}

// labelOf returns the label of the scenario that a section names, or else of the only scenario. "": no
// such scenario; already reported. unsaid is the message if the section must name one and does not.
func (r *reader) labelOf(v strict.Value, label, unsaid string) string {
	labels := r.labels()
	said := v.Has("scenario")
	switch {
	case len(labels) == 0 || said && label == "": // reported already
	case !said && len(labels) > 1:
		v.Fail("add scenario = …, one of: "+strings.Join(labels, ", "), "%s", unsaid)
	case !said:
		return labels[0]
	case !slices.Contains(labels, label):
		v.Key("scenario").Fail(strict.Hint(label, labels), "no scenario is called %q", label)
	default:
		return label
	}
	return ""
}

// labels returns the labels of the scenarios read so far.
func (r *reader) labels() []string {
	return results.Each(r.file.Scenarios, func(s Scenario) string { return s.Label })
}

// schemaOf returns the schema of the scenario with a label, or nil.
func (r *reader) schemaOf(label string) *Schema {
	for i, s := range r.known.Scenarios {
		uses := func(one Scenario) bool { return one.Label == label && one.Use == s.Name }
		if slices.ContainsFunc(r.file.Scenarios, uses) {
			return &r.known.Scenarios[i]
		}
	}
	return nil
}

// metric finds a metric by name. said is the whole value of the key metric, of which name may
// be a part; "" stands for the primary metric. nil: no such metric; already reported.
func (s *Schema) metric(name, said string, v strict.Value) *results.Metric {
	var names []string
	for i, m := range s.Metrics {
		if m.Name == name || said == "" && m.Primary {
			return &s.Metrics[i]
		}
		names = append(names, m.Name)
	}
	if name == "" {
		v.Fail("add metric = …", "scenario %s has no primary metric", s.Name)
	} else {
		v.Key("metric").Fail(strict.Hint(name, names), "unknown metric %q", name)
	}
	return nil
}

// perMillion is the unit of a rate's margin.
const perMillion = "per million"

// checkMetric sets the metric, and the quantile of it, that a question is about. Counts of
// events are compared as rates, and only they are: means and ranks of counts answer no useful
// question. Results of calibration cannot be compared.
func checkMetric(q *Question, s *Schema, text, margin string, v strict.Value) {
	name, quantile, cut := strings.Cut(text, "/")
	m := s.metric(name, text, v)
	if m == nil {
		return
	}
	q.Metric = m.Name
	at := v.Key("metric")
	chosen := v.Has("test")
	if p, known := quantiles[quantile]; cut && !known {
		at.Fail("known: p50, p90, p99, p99.9", "unknown quantile %q", quantile)
	} else if cut && m.Series == "" {
		at.Fail(fmt.Sprintf("ask about %q", name),
			"%s has no quantiles: it is one figure of the whole invocation", name)
	} else if cut {
		q.Quantile = p
		if !chosen {
			q.Test = results.TestSign // one long pause in one JVM can move a mean of quantiles arbitrarily far
		}
	}
	if margin != "" {
		hint := marginHint(m)
		if m.Of != "" {
			margin = strings.TrimSuffix(strings.TrimSpace(margin), perMillion)
			hint = `such as "10 per million", or "50%" of the other's rate`
		}
		var err error
		if q.Margin, err = parseMargin(margin, m.Unit); err != nil {
			v.Key("margin").Fail(hint, "margin: %v", err)
		}
	}
	switch test := v.Key("test"); {
	case chosen && test.Raw != string(q.Test): // invalid, already reported
	case m.Of != "" && !chosen:
		q.Test = results.TestRates
	case m.Of != "" && q.Test != results.TestRates:
		test.Fail("take it out; a margin works without it",
			"%s counts events out of so many: rates are compared, and %s compares no rates", m.Name, q.Test)
	case m.Profile == results.ProfileCalibration:
		at.Fail("ask about what is measured", "%s is found by calibration, before anything is compared", m.Name)
	case m.Of == "" && q.Test == results.TestRates:
		test.Fail("take it out", "%s is not a count of events out of so many: there is no rate", m.Name)
	}
}
