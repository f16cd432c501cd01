package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// stratum is what became of the requests of one label in one invocation.
type stratum struct {
	sent      int64 // requests, whatever came of them
	right     int64 // those that got a right answer, in time or late
	means     map[string]float64
	quantiles map[string][]float64
}

// Population says which requests of the invocations at one level are compared.
type Population struct {
	// Labels are combined with equal weights: each invocation has at least leastRight right
	// answers of each. Without any nothing is combined.
	Labels []string
	Rest   []string // the other labels
}

// leastRight is how many right answers a label must have in an invocation before its mean there
// says something.
const leastRight = 20

// WrongMost is the share of requests without a right answer up to which the times of the others
// are compared: with more, which requests are left is no chance, and moves the mean by as much as
// costs do.
const WrongMost = 0.01

// Losses are the requests of invocations that got no right answer, and all of them; 0 where they
// were not counted.
func Losses(es []*Invocation) (lost, of float64) {
	for _, e := range es {
		l, n := e.Scalar(results.ScalarLost), e.Scalar(results.ScalarRequests)
		if l >= 0 && n > 0 && stats.Finite(l, n) {
			lost, of = lost+l, of+n
		}
	}
	return lost, of
}

// isRight says whether a request with this outcome got a right answer, in time or late.
func isRight(outcome int64) bool {
	if outcome < 0 || outcome >= int64(len(results.Outcomes)) {
		return false
	}
	name := results.Outcomes[outcome]
	return name == "right" || name == "late"
}

// timed are the samples of requests that were read.
type timed struct {
	outcome, label []int64
	times          map[string][]int64 // of the series of requests, by column
	dict           []string
	broken         []int64 // labels of those that broke off
}

// answered is a summary without the times of requests that got no right answer, and adds what
// became of the requests of each label. What the summary says alone is enough where all requests
// in it were answered rightly, and have no names. A source that keeps no samples is believed.
func (e *Invocation) answered(src Source, sum *summary.Summary) *summary.Summary {
	source, ok := src.(sampled)
	if !ok || !e.mustRead() {
		return sum
	}
	t, err := readTimes(source, e.Invocation)
	right := *sum
	right.Columns = slices.DeleteFunc(slices.Clone(sum.Columns), func(c summary.Column) bool { return c.Series == results.SeriesRequest })
	if err != nil {
		e.unread = err.Error()
		return &right
	}
	var rows []int
	for i, outcome := range t.outcome {
		if isRight(outcome) {
			rows = append(rows, i)
		}
	}
	for _, c := range sum.Columns {
		values, known := t.times[c.Name]
		if c.Series != results.SeriesRequest || !known || len(rows) == 0 {
			continue
		}
		column, err := columnOf(c, picked(values, rows))
		if err != nil {
			e.unread = err.Error()
			return &right
		}
		right.Columns = append(right.Columns, column)
	}
	e.strata = t.strata()
	return &right
}

// mustRead says whether the samples have to be read: there may be times of what was no right
// answer among them, or labels.
func (e *Invocation) mustRead() bool {
	has, named := false, false
	for _, s := range e.Invocation.Series {
		for _, c := range s.Columns {
			has = has || s.Name == results.SeriesRequest && c.Name == "outcome"
			named = named || s.Name == results.SeriesRequest && c.Name == "request" && len(c.Dict) > 0
		}
	}
	none := e.Scalar("wrong") == 0 && e.Scalar("timed_out") == 0 // the others are in a series of their own
	return has && (named || !none)
}

// readTimes reads the times, outcomes and labels of requests.
func readTimes(source sampled, inv *results.Invocation) (*timed, error) {
	t, n := &timed{times: map[string][]int64{}}, 0
	err := source.Samples(inv, func(s results.Series, column int, values []int64) error {
		c := s.Columns[column]
		request := s.Name == results.SeriesRequest
		switch {
		case !request && (s.Name != results.SeriesBroken || c.Name != "request"):
			return nil
		case n > mostDerived:
			return fmt.Errorf("more than %d times of requests: too many to hold", mostDerived)
		}
		n += len(values)
		switch {
		case !request:
			t.broken = append(t.broken, values...)
		case c.Name == "outcome":
			t.outcome = append(t.outcome, values...)
		case c.Name == "request":
			t.label, t.dict = append(t.label, values...), c.Dict
		case c.Kind == results.KindDuration:
			t.times[c.Name] = append(t.times[c.Name], values...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for name, values := range t.times {
		if len(values) != len(t.outcome) {
			return nil, fmt.Errorf("%d requests have %d outcomes and a time %s of %d", len(t.outcome), len(t.outcome), name, len(values))
		}
	}
	return t, nil
}

// picked are the values of some rows.
func picked(values []int64, rows []int) []int64 {
	some := make([]int64, len(rows))
	for i, row := range rows {
		some[i] = values[row]
	}
	return some
}

// columnOf summarises values as another column of the same name.
func columnOf(like summary.Column, values []int64) (summary.Column, error) {
	b := summary.NewBuilder(int64(len(values)))
	b.Add(values)
	c, err := b.Column()
	c.Series, c.Thread, c.Name = like.Series, like.Thread, like.Name
	return c, err
}

// strata are the requests by their labels; nil where they have none.
func (t *timed) strata() map[string]*stratum {
	if len(t.dict) == 0 || len(t.label) != len(t.outcome) {
		return nil
	}
	all, rows := map[string]*stratum{}, map[string][]int{}
	of := func(label int64) *stratum {
		if label < 0 || label >= int64(len(t.dict)) {
			return nil
		}
		name := t.dict[label]
		if all[name] == nil {
			all[name] = &stratum{means: map[string]float64{}, quantiles: map[string][]float64{}}
		}
		return all[name]
	}
	for i, label := range t.label {
		s := of(label)
		if s == nil {
			continue
		}
		if s.sent++; isRight(t.outcome[i]) {
			s.right++
			rows[t.dict[label]] = append(rows[t.dict[label]], i)
		}
	}
	for _, label := range t.broken {
		if s := of(label); s != nil {
			s.sent++
		}
	}
	for name, some := range rows {
		for column, values := range t.times {
			all[name].take(column, picked(values, some))
		}
	}
	return all
}

// take takes the times of a column, which are one or more.
func (s *stratum) take(column string, values []int64) {
	slices.Sort(values)
	sum := 0.0
	for _, v := range values {
		sum += float64(v)
	}
	s.means[column] = sum / float64(len(values))
	for _, q := range Quantiles {
		at := q.P * float64(len(values)-1) // type 7
		low := int(at)
		high := min(low+1, len(values)-1)
		s.quantiles[column] = append(s.quantiles[column], float64(values[low])+(at-float64(low))*(float64(values[high])-float64(values[low])))
	}
}

// stratify has the requests of the invocations at one level compared label by label. The mean of
// an invocation is that of its labels' means, each with the same weight, so that it does not hang
// on how often each was sent. Quantiles are of labels alone.
func stratify(c *results.Campaign, all []Invocation) {
	var named []*Invocation
	for i := range all {
		if all[i].strata != nil && all[i].counts() {
			named = append(named, &all[i])
		}
	}
	level := func(e *Invocation) [2]string {
		cell := c.Cell(e.Cell)
		return [2]string{cell.Scenario, cell.Level()}
	}
	for _, es := range stats.Grouped(named, level) {
		p := populationOf(es)
		if len(p.Labels)+len(p.Rest) < 2 {
			continue
		}
		for _, e := range es {
			e.stratified(p, scenarioOf(c, e.Invocation).Metrics)
		}
	}
}

// populationOf finds the labels that each invocation has often enough. Cells that lost too many
// requests are compared with nothing, and have no say.
func populationOf(es []*Invocation) *Population {
	var judged []*Invocation
	for _, cell := range stats.Grouped(es, func(e *Invocation) string { return e.Cell }) {
		if lost, of := Losses(cell); !(lost > WrongMost*of) {
			judged = append(judged, cell...)
		}
	}
	if judged == nil {
		judged = es
	}
	p, seen := &Population{}, map[string]bool{}
	for _, e := range es {
		for label := range e.strata {
			seen[label] = true
		}
	}
	for label := range seen {
		lacks := func(e *Invocation) bool { return e.strata[label] == nil || e.strata[label].right < leastRight }
		if label == results.OtherLabels || slices.ContainsFunc(judged, lacks) {
			p.Rest = append(p.Rest, label)
		} else {
			p.Labels = append(p.Labels, label)
		}
	}
	slices.Sort(p.Labels)
	slices.Sort(p.Rest)
	return p
}

// stratified takes the means of the metrics of requests over the population.
func (e *Invocation) stratified(p *Population, metrics []results.Metric) {
	e.population = p
	e.Samples.Other, e.Samples.Counts = math.NaN(), summary.Distribution{}
	for _, m := range metrics {
		if m.Sample() != results.SampleRequest {
			continue
		}
		delete(e.quantiles, m.Name)
		delete(e.Batches, m.Name)
		if mean := e.combined(m, nil, same); stats.Finite(mean) {
			e.Values[m.Name] = mean
		}
	}
}

func same(x float64) float64 { return x }

// combined is the mean of the labels of the population, of a function of their means: weighted, or
// alike without weights. It is NaN where the invocation lacks one.
func (e *Invocation) combined(m results.Metric, weights map[string]float64, of func(float64) float64) float64 {
	if e.population == nil || len(e.population.Labels) == 0 {
		return math.NaN()
	}
	sum, all := 0.0, 0.0
	for _, label := range e.population.Labels {
		w := 1.0
		if weights != nil {
			w = weights[label]
		}
		sum, all = sum+w*of(e.meanOf(m, label)), all+w
	}
	return sum / all
}

// meanOf is the mean of a label, NaN without right answers.
func (e *Invocation) meanOf(m results.Metric, label string) float64 {
	if s := e.strata[label]; s != nil {
		return orNaN(s.means, m.Column)
	}
	return math.NaN()
}

// logarithm is that of the mean of a metric of requests, label by label where there are
// several: their mean.
func (e *Invocation) logarithm(m results.Metric) float64 {
	if e.population != nil && len(e.population.Labels) > 0 {
		return e.combined(m, nil, math.Log)
	}
	return math.Log(e.Value(m.Name))
}

// PopulationOf is that of a cell; nil where its requests are of one kind, or have no names.
func (v *View) PopulationOf(cell string) *Population {
	for _, e := range v.Primaries(cell) {
		if e.population != nil {
			return e.population
		}
	}
	return nil
}

// LogValues are the logarithms of a metric of requests, as mean over the labels.
func (v *View) LogValues(cell string, m results.Metric) Values {
	return ValuesOf(v.Succeeded(cell, ProfileOf(m)), func(e *Invocation) float64 { return e.logarithm(m) })
}

// MixedValues are a metric of requests as it is when labels are weighted.
func (v *View) MixedValues(cell string, m results.Metric, weights map[string]float64) Values {
	return ValuesOf(v.Succeeded(cell, ProfileOf(m)), func(e *Invocation) float64 { return e.combined(m, weights, same) })
}

// LabelValues are a metric of the requests of some labels, all of these together.
func (v *View) LabelValues(cell string, m results.Metric, labels ...string) Values {
	return ValuesOf(v.Succeeded(cell, ProfileOf(m)), func(e *Invocation) float64 {
		sum, n := 0.0, 0.0
		for _, label := range labels {
			if s := e.strata[label]; s != nil && s.right > 0 {
				sum, n = sum+orNaN(s.means, m.Column)*float64(s.right), n+float64(s.right)
			}
		}
		return sum / n
	})
}

// LabelQuantiles are the i-th quantile of the requests of a label.
func (v *View) LabelQuantiles(cell string, m results.Metric, label string, i int) Values {
	return ValuesOf(v.Succeeded(cell, ProfileOf(m)), func(e *Invocation) float64 {
		if s := e.strata[label]; s != nil && len(s.quantiles[m.Column]) > i {
			return s.quantiles[m.Column][i]
		}
		return math.NaN()
	})
}

// Sent counts the requests of some labels in a cell, and those of all labels.
func (v *View) Sent(cell string, labels ...string) (some, all int64) {
	for _, e := range v.Primaries(cell) {
		for label, s := range e.strata {
			if all += s.sent; slices.Contains(labels, label) {
				some += s.sent
			}
		}
	}
	return some, all
}

// UnreadOf says why the times of right answers of a cell are not known; "" where they are.
func (v *View) UnreadOf(cell string, m results.Metric) string {
	for _, e := range v.Succeeded(cell, ProfileOf(m)) {
		if e.unread != "" && m.Sample() == results.SampleRequest {
			return "the times of its right answers can't be told from those of the others: " + strings.TrimSpace(e.unread)
		}
	}
	return ""
}
