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
// value with its interval. The format holds numbers alone, so that what spoils
// the numbers of a benchmark is a measure too, which is there when the mark is.
func Bencher(w io.Writer, a *analysis.Answers) error {
	b := bencherMetrics{map[string]map[string]bencherMetric{}, map[string]distinct{}}
	for _, r := range readings(a) {
		if r.cell.Role != results.RoleAA {
			b.read(r)
		}
	}
	return WriteJSON(w, b.benchmarks)
}

// bencherMetrics are values by benchmark and measure, and the names of measures
// that a benchmark has.
type bencherMetrics struct {
	benchmarks map[string]map[string]bencherMetric
	taken      map[string]distinct
}

// read adds a number, the first of a cell with what spoils all of them.
func (b *bencherMetrics) read(r reading) {
	name := doc.Clean(r.scenario.Label + " / " + r.cell.Label)
	if b.benchmarks[name] == nil {
		b.benchmarks[name], b.taken[name] = map[string]bencherMetric{}, distinct{}
		for _, kind := range bencherMarks(r.against) {
			b.add(name, kind, 1, nil)
		}
	}
	b.add(name, measureOf(r.metric, r.unit), r.value, fromZero(r))
	if r.ratio != nil {
		b.add(name, measureOf(r.metric, "ratio"), r.ratio.Value, r.ratio.Interval)
	}
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

func (b *bencherMetrics) add(benchmark, measure string, value float64, i *analysis.Interval) {
	m := bencherMetric{Value: value}
	if i != nil {
		m.Lower, m.Upper = &i.Low, &i.High
	}
	b.benchmarks[benchmark][b.taken[benchmark].name(measure, "-")] = m
}

// measureOf is the slug of a metric, with its unit: duration-ns, alloc-bytes.
func measureOf(m results.Metric, unit string) string {
	name := doc.Slug(bareName(m) + "-" + unitSlug(unit))
	if name == "" {
		name = "metric"
	}
	return strings.Trim(name[:min(len(name), bencherLongest-len("-99"))], "-")
}

// bencherMarks are the slugs of what spoils, each once.
func bencherMarks(spoils []spoil) []string {
	var names []string
	taken := distinct{}
	for _, s := range spoils {
		name := "mark-" + doc.Slug(s.kind)
		if name = name[:min(len(name), bencherLongest)]; !taken[name] {
			names = append(names, taken.name(name, "-"))
		}
	}
	return names
}
