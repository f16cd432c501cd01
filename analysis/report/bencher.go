package report

import (
	"io"
	"strings"

	"moobench/analysis"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// bencherMetric is a value with its interval as Bencher reads it.
type bencherMetric struct {
	Value float64  `json:"value"`
	Lower *float64 `json:"lower_value,omitempty"`
	Upper *float64 `json:"upper_value,omitempty"`
}

// bencherLongest is how long a slug of a measure may be.
const bencherLongest = 64

// Bencher prints the answers in Bencher's metric format: benchmark, measure,
// value with its interval. The format holds numbers alone, so that what distorts
// the numbers of a benchmark is a measure too, which is there when the mark is.
func Bencher(w io.Writer, a *analysis.Answers) error {
	benchmarks, taken := map[string]map[string]bencherMetric{}, map[string]distinct{}
	for _, r := range readings(a) {
		if r.cell.Role == results.RoleAA {
			continue
		}
		name := doc.Clean(r.scenario.Label + " / " + r.cell.Label)
		add := func(measure string, value float64, i *analysis.Interval) {
			m := bencherMetric{Value: value}
			if i != nil {
				m.Lower, m.Upper = &i.Low, &i.High
			}
			benchmarks[name][taken[name].name(measure, "-")] = m
		}
		if benchmarks[name] == nil {
			benchmarks[name], taken[name] = map[string]bencherMetric{}, distinct{}
			marks := distinct{}
			for _, c := range r.against {
				mark := "caveat-" + doc.Slug(c.kind)
				if mark = mark[:min(len(mark), bencherLongest)]; !marks[mark] {
					marks[mark] = true
					add(mark, 1, nil)
				}
			}
		}
		add(measureOf(r.metric, r.unit), r.value, fromZero(r))
		if r.ratio != nil {
			add(measureOf(r.metric, "ratio"), r.ratio.Value, r.ratio.Interval)
		}
	}
	return WriteJSON(w, benchmarks)
}

// fromZero is the interval of a reading, that of a mean count from 0 on: the t
// interval knows nothing of counts, and would go on below.
func fromZero(r reading) *analysis.Interval {
	if r.interval == nil || r.unit != "1" || r.value < 0 || r.interval.Low >= 0 {
		return r.interval
	}
	i := *r.interval
	i.Low = 0
	return &i
}

// measureOf is the slug of a metric, with its unit: duration-ns, alloc-bytes.
func measureOf(m results.Metric, unit string) string {
	name := doc.Slug(bareName(m) + "-" + unitSlug(unit))
	if name == "" {
		name = "metric"
	}
	return strings.Trim(name[:min(len(name), bencherLongest-len("-99"))], "-")
}
