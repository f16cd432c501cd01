package analysis

import (
	"fmt"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// answers answers the registered questions. Those of one family, wherever in the
// campaign they are, have simultaneous intervals.
func (r *reader) answers(cells []Cell) []Answer {
	var found []Answer
	for _, q := range r.scenario.Questions {
		a := Answer{
			ID: q.ID, Text: q.Text, Metric: q.Metric, A: q.A, B: q.B,
			Verdict: infer.NoAnswer, Asked: q.Asked, Alpha: alpha,
		}
		a.Family, a.FamilySize = r.campaign.FamilyOf(q)
		if a.FamilySize == 1 {
			a.Family = q.Family
		}
		if q.Alpha > 0 && q.Alpha < 1 {
			a.Alpha = q.Alpha
		}
		r.settle(&a, q, cells)
		found = append(found, a)
	}
	return found
}

// unseenModes says once for all answers that claim no or little cost what so few
// JVMs may have missed.
func unseenModes(answers []Answer) string {
	var all []infer.Caveat
	for _, a := range answers {
		all = append(all, a.Caveats...)
		if a.Rates != nil {
			all = append(all, a.Rates.Caveats...)
		}
	}
	if text := unseenBy(all); text != "" {
		return "what is free, or within its margin, is so for " + text
	}
	return ""
}

// settle fills in what the data say.
func (r *reader) settle(a *Answer, q results.Question, cells []Cell) {
	m, ca, cb := r.metric(a.Metric), r.campaign.Cell(a.A), r.campaign.Cell(a.B)
	switch {
	case m == nil:
		a.Sentence = noAnswer(fmt.Sprintf("the scenario has no metric %q", a.Metric))
		return
	case ca == nil || cb == nil:
		a.Sentence = noAnswer("a cell it asks about is not in the campaign")
		return
	}
	for _, c := range []*results.Cell{ca, cb} {
		if why := r.void[c.ID]; why != "" {
			a.Sentence = noAnswer(fmt.Sprintf("%s is %s", c.Label(), why))
			return
		}
	}
	if why := r.apart(ca, cb); why != "" {
		a.Sentence = noAnswer(why)
		return
	}
	a.Unit = m.Unit
	switch {
	case m.Of != "" && q.Quantile == 0:
		if r.settleRates(a, q, *m); a.Rates != nil {
			a.Sentence.Rest += mind(cells, a)
		}
		return
	case q.Test == results.TestRates:
		a.Sentence = noAnswer(fmt.Sprintf("rates are compared of events that are counted, and %s is none", m.Name))
		return
	}
	f := r.findings(a, q, *m)
	a.Difference, a.Ratio, a.Equivalence, a.Verdict, a.Caveats = f.Difference, f.Ratio, f.Equivalence, f.Verdict, f.Caveats
	a.Sentence = f.sentence(a, q, *m, ca.Label(), cb.Label())
	a.Sentence.Rest += mind(cells, a)
	a.Detail = f.detail(a)
	if q.Quantile == 0 {
		a.Pooled = r.pooled(a)
	}
}

// findings are an answer with what its sentence needs beside it.
type findings struct {
	infer.Answer
	baseline  float64 // mean of the second cell, 0 when it has none
	unordered bool
}

// findings carries a question's test out.
func (r *reader) findings(a *Answer, q results.Question, m results.Metric) findings {
	asked := infer.Question{Kind: q.Test, Alpha: a.Alpha, Family: a.FamilySize, Margin: q.Margin}
	if asked.Kind == "" && q.Quantile != 0 {
		asked.Kind = results.TestSign
	}
	if alt, err := stats.ParseAlternative(q.Alternative); err == nil {
		asked.Alternative = alt
	}
	x, y := r.asked(q, a.A, m), r.asked(q, a.B, m)
	f := findings{Answer: r.ask(asked, x, y, r.sized(m) && q.Quantile == 0), unordered: r.unordered()}
	f.baseline, _ = stats.Mean(numbers(y))
	return f
}

// asked are the values that a question is about.
func (r *reader) asked(q results.Question, cell string, m results.Metric) []value {
	if q.Quantile == 0 {
		return r.values(cell, m)
	}
	for i, known := range quantiles {
		if known.p == q.Quantile {
			return quantileValues(succeeded(r.all[cell], profile(m)), m.Name, i)
		}
	}
	return nil
}
