package analysis

import (
	"fmt"

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
		a := Answer{
			ID: q.ID, Text: q.Text, Metric: q.Metric, A: q.A, B: q.B, Family: q.Family, FamilySize: 1,
			Verdict: VerdictNone, Asked: q.Asked, Alpha: 1 - confidence,
		}
		if q.Family != "" {
			a.FamilySize = size[q.Family]
		}
		if q.Alpha > 0 && q.Alpha < 1 {
			a.Alpha = q.Alpha
		}
		r.settle(&a, q, cells)
		found = append(found, a)
	}
	return found
}

// settle fills in what the data say.
func (r *reader) settle(a *Answer, q results.Question, cells []Cell) {
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
	if a.Sentence = r.apart(ca, cb); a.Sentence != "" {
		return
	}
	a.unit = m.Unit
	switch {
	case m.Of != "" && q.Quantile == 0:
		if r.settleRates(a, q, *m); a.Rates != nil {
			a.Sentence += mind(cells, a)
		}
		return
	case q.Test == results.TestRates:
		a.Sentence = fmt.Sprintf("no answer: rates are compared of events that are counted, and %s is none", m.Name)
		return
	}
	f := r.findings(a, q, *m)
	a.Difference, a.Ratio, a.Equivalence = f.difference, f.ratio, f.equivalence
	a.Verdict = f.verdict()
	a.Sentence = f.sentence(a, q, *m, ca.Label(), cb.Label()) + mind(cells, a)
	a.Detail = f.detail(a)
	if q.Quantile == 0 {
		a.Pooled = r.pooled(a)
	}
}

// findings is what a test says before it is put into words.
type findings struct {
	difference, ratio *Estimate
	equivalence       *Equivalence
	kind              results.Comparison
	alternative       stats.Alternative
	baseline          float64 // mean of the second cell, 0 when it has none
	why               string  // there is no difference
	unordered         bool
}

// findings carries a question's test out. Its interval is two-sided; of a
// one-sided question it is the one at 1 - 2 alpha, whose one bound is the
// one-sided bound at alpha.
func (r *reader) findings(a *Answer, q results.Question, m results.Metric) findings {
	f := findings{kind: q.Test, alternative: stats.TwoSided, unordered: r.unordered()}
	if f.kind == "" {
		f.kind = results.TestPaired
	}
	alpha := a.Alpha / float64(a.FamilySize)
	level := 1 - alpha
	if alt, err := stats.ParseAlternative(q.Alternative); q.Alternative != "" && err == nil && alt != stats.TwoSided {
		f.alternative, level = alt, 1-2*alpha
	}
	x, y := r.asked(q, a.A, m), r.asked(q, a.B, m)
	f.baseline, _ = stats.Mean(numbers(y))
	c := r.compareValues(x, y, r.sized(m) && q.Quantile == 0)
	switch f.kind {
	case results.TestPaired, results.TestTOST:
		f.difference, f.ratio, f.why, _ = c.estimates(level)
		f.oneSided(c)
	default:
		f.difference, f.why = r.byAnotherTest(f.kind, x, y, f.alternative, level)
	}
	if f.difference != nil {
		f.equivalence = c.equivalence(q.Margin, f.baseline, alpha)
	}
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

// oneSided replaces the two-sided p by the one that was asked for.
func (f *findings) oneSided(c comparison) {
	if f.alternative == stats.TwoSided || c.unordered {
		return
	}
	for e, s := range map[*Estimate]scale{f.difference: c.difference, f.ratio: c.ratio} {
		if e == nil || e.Test == nil {
			continue
		}
		if t := stats.Studentised(s.value, s.se, s.df, f.alternative, confidence).Test; t != nil {
			e.Test.P, e.Test.Alternative = t.P, string(f.alternative)
		}
	}
}

// byAnotherTest is the difference by a test that is not the paired t.
func (r *reader) byAnotherTest(kind results.Comparison, vx, vy []value, alt stats.Alternative, level float64) (*Estimate, string) {
	x, y := numbers(vx), numbers(vy)
	var e stats.Estimate
	var p float64
	var err error
	switch kind {
	case results.TestSignedRank:
		if r.unordered() {
			return nil, "unordered: there are no pairs"
		}
		x, y = columnsOfPairs(pairs(vx, vy))
		e, p, err = ranks(stats.SignedRank, x, y, alt, level)
	case results.TestMannWhitney:
		e, p, err = ranks(stats.MannWhitney, x, y, alt, level)
	case results.TestWelch:
		e, p, err = samples(stats.Welch, x, y, alt, level)
	case results.TestStudent:
		e, p, err = samples(stats.Student, x, y, alt, level)
	default:
		return nil, fmt.Sprintf("there is no test %q", kind)
	}
	d, why := estimated(e, err)
	if d != nil && d.Test != nil {
		d.Test.Kind, d.Test.P = string(kind), p
		if alt != stats.TwoSided {
			d.Test.Alternative = string(alt)
		}
	}
	return d, why
}

type rankTest func(x, y []float64, alt stats.Alternative, level float64) (stats.RankTest, error)

// ranks is a rank test: the shift with its two-sided interval, and the p that
// was asked for.
func ranks(test rankTest, x, y []float64, alt stats.Alternative, level float64) (stats.Estimate, float64, error) {
	two, err := test(x, y, stats.TwoSided, level)
	if err != nil {
		return stats.Estimate{}, 0, err
	}
	one, err := test(x, y, alt, level)
	e := two.Shift
	e.Test = &stats.Test{T: one.Statistic, P: one.P}
	return e, one.P, err
}

type sampleTest func(x, y stats.Sample, alt stats.Alternative, level float64) (stats.Estimate, error)

func samples(test sampleTest, x, y []float64, alt stats.Alternative, level float64) (stats.Estimate, float64, error) {
	sx, err := stats.SampleOf(x)
	if err != nil {
		return stats.Estimate{}, 0, err
	}
	sy, err := stats.SampleOf(y)
	if err != nil {
		return stats.Estimate{}, 0, err
	}
	e, err := test(sx, sy, stats.TwoSided, level)
	if err != nil {
		return e, 0, err
	}
	one, err := test(sx, sy, alt, level)
	if one.Test == nil {
		return e, 0, err
	}
	return e, one.Test.P, err
}
