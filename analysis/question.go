package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// answers answers the registered questions. Intervals are simultaneous over a family, which may span the
// campaign.
func (r *reader) answers(cells []Cell) []Answer {
	return results.Each(r.Scenario.Questions, func(q results.Question) Answer {
		a := Answer{
			ID: q.ID, Text: q.Text, Metric: q.Metric, A: q.A, B: q.B, Quantile: q.Quantile,
			Verdict: infer.NoAnswer, Asked: q.Asked, Alpha: reading.Alpha,
		}
		if q.Alternative != string(stats.TwoSided) {
			a.Alternative = q.Alternative
		}
		if a.Family, a.FamilySize = r.Campaign.FamilyOf(q); a.FamilySize == 1 {
			a.Family = q.Family
		}
		if q.Alpha > 0 && q.Alpha < 1 {
			a.Alpha = q.Alpha
		}
		if why := r.answerQuestion(&a, q, cells); why != "" {
			a.Sentence = prose.NoAnswer(why)
		}
		return a
	})
}

// answerQuestion fills in the answer, or says why there is none.
func (r *reader) answerQuestion(a *Answer, q results.Question, cells []Cell) (why string) {
	m, ca, cb := r.Metric(a.Metric), r.Campaign.Cell(a.A), r.Campaign.Cell(a.B)
	switch {
	case m.Name == "":
		return fmt.Sprintf("the scenario has no metric %q", a.Metric)
	case ca == nil || cb == nil:
		return "a cell it asks about is not in the campaign"
	}
	if why := cmp.Or(r.InvalidReason(ca.ID, cb.ID), r.unlikeCPUs(ca, cb)); why != "" {
		return why
	}
	a.Unit = m.Unit
	if why := cmp.Or(r.Broken[ca.ID], r.Broken[cb.ID]); why != "" && m.Of == "" {
		return why
	}
	question := infer.Question{
		Kind:        q.Test,
		Alternative: stats.Alternative(q.Alternative),
		Alpha:       a.Alpha,
		Family:      a.FamilySize,
		Margin:      q.Margin,
	}
	if m.Of != "" && q.Quantile == 0 {
		question.Kind = ""
		if a.Rates, why = r.CompareRates(question, ca, cb, m); a.Rates != nil {
			a.Verdict, a.Sentence, a.Detail = a.Rates.Verdict, a.Rates.Text, a.Rates.Detail
			a.Sentence.Rest += caveatsOf(cells, a)
		}
		return why
	}
	if q.Test == results.TestRates {
		return fmt.Sprintf("only counts of events have rates to compare, and %s is not one", m.Name)
	}
	if why := r.NoMean(a.A, a.B, m); why != "" && q.Quantile == 0 {
		return why
	}
	if why := r.NoTimes(a.A, a.B, m); why != "" {
		return why
	}
	if why := r.NoLabels(a.A, m); why != "" && q.Quantile != 0 {
		return why
	}
	x, y, first, quantile := r.Values(a.A, m), r.Values(a.B, m), r.SecondStage(m), ""
	if q.Quantile != 0 {
		x, y, first = nil, nil, 0
		for i, known := range evidence.Quantiles {
			if known.P == q.Quantile {
				x, y, quantile = r.QuantileValues(a.A, m, i), r.QuantileValues(a.B, m, i), known.Name
			}
		}
		question.Kind = cmp.Or(question.Kind, results.TestSign)
	}
	found := r.Ask(question, x, y, first)
	if q.Quantile == 0 {
		r.Relate(&found, a.A, a.B, m)
	}
	a.Difference = found.Difference
	a.Ratio = found.Ratio
	a.Equivalence = found.Equivalence
	a.Verdict = found.Verdict
	a.Caveats = found.Caveats
	a.Doubt = found.Doubt
	baseline, _ := stats.Mean(y.Numbers())
	words := prose.Difference{
		Answer: &found, First: ca.Label(), Second: cb.Label(), Unit: m.Unit, Better: m.Better,
		Quantile: quantile, Baseline: baseline, Unordered: r.Unordered(),
	}
	if r.standard(ca) == r.standard(cb) {
		ask := func(vs, others evidence.Values) infer.Answer { return r.Ask(question, vs, others, first) }
		at := r.atStandard
		if q.Quantile != 0 {
			at = r.quantileAtStandard
		}
		a.AtStandard = at(ca, x, y, ask)
		if s := a.AtStandard; s.differs(a.Difference) {
			words.Standard = &prose.Standard{Difference: s.Difference, Ratio: s.Ratio, Slower: s.Slower()}
		}
	}
	a.Sentence, a.Detail = words.Sentence(), words.Detail()
	a.Sentence.Rest += caveatsOf(cells, a)
	if q.Quantile == 0 && r.Scenario.Pool == results.PoolCalls {
		callsA, callsB := r.calls(a.A), r.calls(a.B)
		if t := studentTest(callsA, callsB); t != nil {
			a.Pooled = fmt.Sprintf(
				"over calls, as papers do it (pseudo-replication): t = %s, df %s, %s, n = %s + %s calls",
				prose.Number(t.T), figure.Count(int64(t.DF)), figure.P(t.P), figure.Count(int64(callsA.N)),
				figure.Count(int64(callsB.N)))
		}
	}
	return ""
}

// caveatsOf ends a sentence with the caveats of the compared cells. A baseline's caveats stand at its own
// number. Those of the second cell carry its name.
func caveatsOf(cells []Cell, a *Answer) string {
	var first, second Cell
	var shows, others []string
	for _, c := range cells {
		if a.Rates != nil { // the rates already say what was lost
			c.Marks = slices.DeleteFunc(slices.Clone(c.Marks), func(m caveat.Mark) bool {
				return m.Kind == markLost || m.Kind == markBaselineLost
			})
		}
		switch {
		case c.ID == a.A:
			first, shows = c, c.says()
		case c.ID == a.B && c.Role == results.RoleVariant:
			second, others = c, c.says()
		}
	}
	if len(others) == 0 {
		return prose.Caveats(shows)
	}
	named := []string{second.Label + ": " + strings.Join(others, ", ")}
	if len(shows) > 0 {
		named = []string{first.Label + ": " + strings.Join(shows, ", ") + "; " + named[0]}
	}
	return prose.Caveats(named)
}
