package reading

import (
	"fmt"
	"math"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// cpuPerRequest is the metric of CPU time per request. Like a latency, it says nothing about right answers if
// answers are wrong.
const cpuPerRequest = "cpu_per_request"

// OfAnswers reports whether a metric only makes sense for right answers.
func (r *Reading) OfAnswers(m results.Metric) bool {
	return m.Sample() == results.SampleRequest || m.Name == cpuPerRequest
}

// LossText says how many requests of a cell got no right answer; "" if none is known to be lost.
func (r *Reading) LossText(cell string) string {
	lost, of := evidence.Losses(r.Primaries(cell))
	if lost == 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s requests (%s)",
		figure.Count(int64(lost)), figure.Count(int64(of)), figure.Share(int64(lost), int64(of)))
}

// TooManyLost reports whether too many requests of a cell got no right answer for the times of the others to be
// compared.
func (r *Reading) TooManyLost(cell string) bool {
	lost, of := evidence.Losses(r.Primaries(cell))
	return lost > evidence.WrongMost*of
}

// NoTimes says why two cells are not compared in a metric of answers: one of them lost too many requests, or
// they have no requests of the same kind.
func (r *Reading) NoTimes(a, b string, m results.Metric) string {
	if !r.OfAnswers(m) {
		return ""
	}
	for _, id := range []string{a, b} {
		if r.TooManyLost(id) {
			return fmt.Sprintf("%s lost %s: with more than %s lost, the times of the others are not compared",
				r.Campaign.Cell(id).Label(), r.LossText(id), figure.Level(evidence.WrongMost))
		}
	}
	for _, id := range []string{a, b} {
		if why := r.UnreadOf(id, m); why != "" {
			return why
		}
	}
	if p := r.PopulationOf(a); p != nil && len(p.Labels) == 0 && m.Sample() == results.SampleRequest {
		return fmt.Sprintf(
			"no label has 20 right answers in every run (%s): "+
				"the runs differ in what was asked, and are not compared; make them longer",
			prose.First(p.Rest, namedMost, ", ", " and %s more"))
	}
	return ""
}

// NoneRight says that no request of a cell got a right answer; "" otherwise.
func (r *Reading) NoneRight(cell string, m results.Metric) string {
	lost, of := evidence.Losses(r.Primaries(cell))
	return prose.If(r.OfAnswers(m) && of > 0 && lost == of, "none of its %s requests got a right answer",
		figure.Count(int64(of)))
}

// NoLabels says why there is no quantile over all requests; "" if there is one.
func (r *Reading) NoLabels(cell string, m results.Metric) string {
	if m.Sample() != results.SampleRequest || r.PopulationOf(cell) == nil {
		return ""
	}
	return "requests of several labels have quantiles label by label, and none together"
}

// Relate adds the ratio of two means of requests, in campaigns without pairs: the geometric mean of the labels'
// ratios, over labels and invocations.
func (r *Reading) Relate(found *infer.Answer, a, b string, m results.Metric) {
	if !r.Unordered() || m.Sample() != results.SampleRequest || found.Difference == nil {
		return
	}
	logs := r.Ask(infer.Question{Alpha: found.Alpha, Family: found.Family}, r.LogValues(a, m),
		r.LogValues(b, m), 0).Difference
	if logs == nil {
		return
	}
	ratio := infer.Estimate{N: logs.N, Value: math.Exp(logs.Value), NoInterval: logs.NoInterval}
	if i := logs.Interval; i != nil {
		ratio.Interval = &infer.Interval{Low: math.Exp(i.Low), High: math.Exp(i.High), Level: i.Level}
	}
	if stats.Finite(ratio.Value) && (ratio.Interval == nil || stats.Finite(ratio.Interval.Low, ratio.Interval.High)) {
		found.Ratio, found.NoRatio = &ratio, ""
	}
}
