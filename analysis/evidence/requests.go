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

// stratum holds the requests of one label in one invocation.
type stratum struct {
	sent      int64 // all requests
	right     int64 // those with a right answer, in time or late
	means     map[string]float64
	quantiles map[string][]float64
}

// Population says which requests of the invocations at one level are compared.
type Population struct {
	// Labels are combined with equal weights: each invocation has at least leastRight right answers
	// of each. If empty, nothing is combined.
	Labels []string
	Rest   []string // the other labels
}

// leastRight is the least number of right answers of a label in an invocation for a usable mean.
const leastRight = 20

// WrongMost is the largest share of requests without a right answer for times to be compared: above
// it, the remaining requests are no random sample, and the selection moves the mean by as much as
// the cost does.
const WrongMost = 0.01

// Losses counts the requests without a right answer, and all requests; 0 if they were not counted.
func Losses(es []*Invocation) (lost, of float64) {
	for _, e := range es {
		l, n := e.Scalar(results.ScalarLost), e.Scalar(results.ScalarRequests)
		if l >= 0 && n > 0 && stats.Finite(l, n) {
			lost, of = lost+l, of+n
		}
	}
	return lost, of
}

// isRight reports whether an outcome is a right answer, in time or late.
func isRight(outcome int64) bool {
	if outcome < 0 || outcome >= int64(len(results.Outcomes)) {
		return false
	}
	name := results.Outcomes[outcome]
	return name == "right" || name == "late"
}

// timed holds the samples of requests.
type timed struct {
	outcome, label []int64
	times          map[string][]int64 // of the request series, by column
	dict           []string
	broken         []int64 // labels of requests that broke off
}

// answered returns the summary without the times of requests that got no right answer, and stores
// the strata. The summary suffices if all its requests were answered rightly and are unnamed. If
// the source keeps no samples, the summary is used as it is.
func (e *Invocation) answered(src Source, sum *summary.Summary) *summary.Summary {
	source, ok := src.(sampled)
	if !ok || !e.mustRead() {
		return sum
	}
	t, err := readTimes(source, e.Invocation)
	right := *sum
	ofRequests := func(c summary.Column) bool { return c.Series == results.SeriesRequest }
	right.Columns = slices.DeleteFunc(slices.Clone(sum.Columns), ofRequests)
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

// mustRead reports whether the samples have to be read: they may contain times of wrong answers, or
// labels.
func (e *Invocation) mustRead() bool {
	has, named := false, false
	for _, s := range e.Invocation.Series {
		for _, c := range s.Columns {
			has = has || s.Name == results.SeriesRequest && c.Name == "outcome"
			named = named || s.Name == results.SeriesRequest && c.Name == "request" && len(c.Dict) > 0
		}
	}
	none := e.Scalar("wrong") == 0 && e.Scalar("timed_out") == 0 // the other failures have a series of their own
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
			n := len(t.outcome)
			return nil, fmt.Errorf("%d requests have %d outcomes and a time %s of %d", n, n, name, len(values))
		}
	}
	return t, nil
}

// picked returns the values of some rows.
func picked(values []int64, rows []int) []int64 {
	some := make([]int64, len(rows))
	for i, row := range rows {
		some[i] = values[row]
	}
	return some
}

// columnOf summarises values as a column named like another.
func columnOf(like summary.Column, values []int64) (summary.Column, error) {
	b := summary.NewBuilder(int64(len(values)))
	b.Add(values)
	c, err := b.Column()
	c.Series, c.Thread, c.Name = like.Series, like.Thread, like.Name
	return c, err
}

// strata returns the requests by label; nil if they are unnamed.
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

// take adds the times of a column, at least one.
func (s *stratum) take(column string, values []int64) {
	slices.Sort(values)
	sum := 0.0
	for _, v := range values {
		sum += float64(v)
	}
	s.means[column] = sum / float64(len(values))
	for _, q := range Quantiles {
		at := q.P * float64(len(values)-1) // definition 7 of Hyndman and Fan 1996
		low := int(at)
		high := min(low+1, len(values)-1)
		from, to := float64(values[low]), float64(values[high])
		s.quantiles[column] = append(s.quantiles[column], from+(at-float64(low))*(to-from))
	}
}

// stratify compares the requests of the invocations at one level label by label. An invocation's
// mean is the unweighted mean of its labels' means, so it does not depend on the mix of labels
// sent. Quantiles are given for single labels only.
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
// requests are not compared, and have no influence.
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

// stratified replaces the means of request metrics by means over the population.
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

// combined returns the weighted mean, over the labels of the population, of a function of their
// means; nil weights are equal. It is NaN if the invocation lacks a label.
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

// meanOf returns the mean of a label, NaN without right answers.
func (e *Invocation) meanOf(m results.Metric, label string) float64 {
	if s := e.strata[label]; s != nil {
		return orNaN(s.means, m.Column)
	}
	return math.NaN()
}

// logarithm returns the logarithm of the mean of a request metric; with several labels, the mean of
// their logarithms.
func (e *Invocation) logarithm(m results.Metric) float64 {
	if e.population != nil && len(e.population.Labels) > 0 {
		return e.combined(m, nil, math.Log)
	}
	return math.Log(e.Value(m.Name))
}

// PopulationOf returns the population of a cell; nil if its requests are unnamed, or all of one
// label.
func (v *View) PopulationOf(cell string) *Population {
	for _, e := range v.Primaries(cell) {
		if e.population != nil {
			return e.population
		}
	}
	return nil
}

// LogValues returns the logarithms of a request metric, averaged over labels.
func (v *View) LogValues(cell string, m results.Metric) Values {
	return ValuesOf(v.Succeeded(cell, ProfileOf(m)), func(e *Invocation) float64 { return e.logarithm(m) })
}

// MixedValues returns a request metric with weighted labels.
func (v *View) MixedValues(cell string, m results.Metric, weights map[string]float64) Values {
	mixed := func(e *Invocation) float64 { return e.combined(m, weights, same) }
	return ValuesOf(v.Succeeded(cell, ProfileOf(m)), mixed)
}

// LabelValues returns a request metric over the requests of some labels together.
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

// LabelQuantiles returns the i-th of Quantiles for the requests of a label.
func (v *View) LabelQuantiles(cell string, m results.Metric, label string, i int) Values {
	return ValuesOf(v.Succeeded(cell, ProfileOf(m)), func(e *Invocation) float64 {
		if s := e.strata[label]; s != nil && len(s.quantiles[m.Column]) > i {
			return s.quantiles[m.Column][i]
		}
		return math.NaN()
	})
}

// Sent counts the requests of some labels in a cell, and of all labels.
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

// UnreadOf says why the times of right answers in a cell are not known; "" if they are.
func (v *View) UnreadOf(cell string, m results.Metric) string {
	for _, e := range v.Succeeded(cell, ProfileOf(m)) {
		if e.unread != "" && m.Sample() == results.SampleRequest {
			const unread = "the times of its right answers can't be told from those of the others: "
			return unread + strings.TrimSpace(e.unread)
		}
	}
	return ""
}
