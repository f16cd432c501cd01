package analysis

import (
	"fmt"
	"math"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
)

// answers answers the registered questions. Those of one family have
// simultaneous intervals.
func (r *reader) answers(cells []Cell) []Answer {
	size := map[string]int{}
	for _, q := range r.scenario.Questions {
		size[q.Family]++
	}
	var found []Answer
	for _, q := range r.scenario.Questions {
		a := Answer{ID: q.ID, Text: q.Text, Metric: q.Metric, A: q.A, B: q.B, Family: q.Family, FamilySize: 1, Verdict: VerdictNone}
		if q.Family != "" {
			a.FamilySize = size[q.Family]
		}
		r.settle(&a, cells)
		found = append(found, a)
	}
	return found
}

// settle fills in what the data say.
func (r *reader) settle(a *Answer, cells []Cell) {
	m, ca, cb := r.metric(a.Metric), r.campaign.Cell(a.A), r.campaign.Cell(a.B)
	switch {
	case m == nil:
		a.Sentence = fmt.Sprintf("no answer: the scenario has no metric %q", a.Metric)
		return
	case ca == nil || cb == nil:
		a.Sentence = "no answer: a cell it asks about is not in the campaign"
		return
	}
	for _, c := range []*results.Cell{ca, cb} {
		if why := r.void[c.ID]; why != "" {
			a.Sentence = fmt.Sprintf("no answer: %s is %s", c.Label(), why)
			return
		}
	}
	level := stats.Bonferroni(confidence, a.FamilySize)
	var why string
	a.Difference, a.Ratio, why, _ = r.compare(r.values(a.A, *m), a.B, *m, level)
	a.Verdict = verdict(a.Difference)
	a.Sentence = sentence(a, *m, ca.Label(), cb.Label(), why) + mind(cells, a)
	a.Detail = detail(a.Difference, r.unordered())
}

func verdict(d *Estimate) Verdict {
	switch {
	case d == nil || d.Interval == nil:
		return VerdictNone
	case d.Interval.Low > 0:
		return VerdictMore
	case d.Interval.High < 0:
		return VerdictLess
	}
	return VerdictUndecided
}

func sentence(a *Answer, m results.Metric, la, lb, why string) string {
	d := a.Difference
	switch {
	case d == nil:
		return "no answer: " + why
	case d.Interval == nil:
		s := figure.Fit(m.Unit, d.Value)
		return fmt.Sprintf("no answer: %s against %s is %s, but %s", la, lb, s.WithUnit(s.Signed(d.Value)), d.NoInterval)
	case a.Verdict == VerdictUndecided:
		return fmt.Sprintf("undecided: the difference of %s from %s lies within %s (%s)",
			la, lb, figure.Range(d.Interval.Low, d.Interval.High, m.Unit), kindOfInterval(a.FamilySize))
	}
	low, high := math.Abs(d.Interval.Low), math.Abs(d.Interval.High)
	s := figure.Fit(m.Unit, d.Value, low, high)
	text := fmt.Sprintf("%s %s (%s %s)", la, amount(a.Verdict, m.Better, s.WithUnit(s.Number(math.Abs(d.Value))), lb),
		kindOfInterval(a.FamilySize), figure.Range(min(low, high), max(low, high), m.Unit))
	if a.Ratio != nil {
		text += ", " + Times(a.Ratio.Value)
	}
	return text
}

func kindOfInterval(family int) string {
	if family > 1 {
		return "simultaneous 95 % CI"
	}
	return "95 % CI"
}

func amount(v Verdict, b results.Better, by, than string) string {
	verb, more, less := "is", "above", "below"
	switch b {
	case results.Lower:
		verb, more, less = "costs", "more than", "less than"
	case results.Higher:
		verb, more, less = "yields", "more than", "less than"
	}
	if v == VerdictLess {
		more = less
	}
	return strings.Join([]string{verb, by, more, than}, " ")
}

// Times says a ratio: in per cent from a half to twice, else as a multiple.
func Times(ratio float64) string {
	if ratio > 0.5 && ratio < 2 {
		sign := "+"
		if ratio < 1 {
			sign = "−"
		}
		return sign + figure.Percent(math.Abs(ratio-1))
	}
	return figure.Ratio(ratio) + " times as much"
}

// mind recalls the marks of what is compared; those of a baseline stand at its
// own number.
func mind(cells []Cell, a *Answer) string {
	var shows []string
	for _, c := range cells {
		for _, m := range c.Marks {
			switch {
			case c.ID == a.A:
				shows = append(shows, m.Show)
			case c.ID == a.B && c.Role == results.RoleVariant:
				shows = append(shows, c.Label+" "+m.Show)
			}
		}
	}
	if len(shows) == 0 {
		return ""
	}
	return "; mind: " + strings.Join(shows, ", ")
}

func detail(d *Estimate, unordered bool) string {
	if d == nil || d.Interval == nil {
		return ""
	}
	kind, n := "paired t", figure.Plural(d.N, "pair of invocations", "pairs of invocations")
	if unordered {
		kind, n = "Welch's t", fmt.Sprintf("at least %d invocations of each", d.N)
	}
	if d.Test == nil {
		return "the values do not vary, n = " + n
	}
	return fmt.Sprintf("%s = %s, df %s, %s, n = %s", kind, strings.Replace(fmt.Sprintf("%.4g", d.Test.T), "-", "−", 1), fmt.Sprintf("%.4g", d.Test.DF), figure.P(d.Test.P), n)
}
