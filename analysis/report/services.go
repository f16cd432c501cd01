package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/analysis/stats"
	"moobench/results"
)

// actionEntry is one result for github-action-benchmark, of its tool customSmallerIsBetter.
type actionEntry struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Range string  `json:"range,omitempty"`
	Extra string  `json:"extra,omitempty"`
}

// writeGitHubAction prints the metrics of which less is better for github-action-benchmark (tool
// customSmallerIsBetter), and for each primary one its ratio to the baseline of the same blocks, which the
// drift of the machine from night to night does not move.
func writeGitHubAction(w io.Writer, a *analysis.Answers, _ Options) error {
	entries, ran := []actionEntry{}, environment(a)
	for _, r := range followed(a) {
		if r.Metric.Better != results.Lower {
			continue
		}
		e, name, unit := r.Estimate, r.Scenario+" / "+r.Label+" / "+r.Name(), r.Unit
		lopsided := r.Statistic == rows.Ratio || unit == rows.PerMillion
		switch {
		case r.Statistic == rows.Ratio:
			name, unit = name+" / baseline", "times"
		case unit == "1" || unit == "":
			unit = "count"
		}
		// ± the half-width, or the interval itself if it is lopsided, followed by the number's caveats, because
		// the action shows this beside the number everywhere.
		reach, interval := "", strings.TrimSuffix("no interval: "+e.NoInterval, ": ")
		if i := e.Interval; i != nil {
			reach = "± " + short(i.High/2-i.Low/2)
			if lopsided {
				reach = short(i.Low) + " … " + short(i.High)
			}
			interval = fmt.Sprintf("%s confidence interval %s … %s; variation between nights is not included",
				figure.Level(i.Level), short(i.Low), short(i.High))
		}
		// Describe the number, and say what its interval leaves out.
		s := cmp.Or(a.Scenario(r.Scenario), &analysis.Scenario{})
		extra := ran + "n = " + figure.Plural(e.N, "invocation", "invocations") + "\n" + interval + "\nover " + s.Window
		marks := shows(r.Caveats())
		entries = append(entries, actionEntry{
			doc.Clean(name), doc.Clean(unit), e.Value,
			doc.Clean(join(reach, prefixed("! ", strings.Join(marks, "; ")))),
			doc.CleanLines(extra + strings.Join(behind("\n! ", append(marks, s.Notes...)), "")),
		})
	}
	return WriteJSON(w, entries)
}

// followed are the numbers that a tracker of results follows: means and rates, the ratio of the primary metric to its
// baseline, and those that chapters have of their own. Second baselines are left out.
func followed(a *analysis.Answers) []rows.Row {
	return slices.DeleteFunc(a.Rows(campaignCaveats(a)), func(r rows.Row) bool {
		ratio := r.Statistic == rows.Ratio && r.Primary
		value := r.Statistic == rows.Mean || r.Statistic == rows.Rate || r.Own()
		return r.Estimate == nil || r.Role == results.RoleAA || !ratio && !value
	})
}

// environment describes the place of the measurement as lines key=value, like OpenTelemetry's repository of
// benchmarks: it shows if a step in a series came from the machine, and not from the code.
func environment(a *analysis.Answers) string {
	several := func(of func(*results.Machine) string) string {
		return strings.Join(prose.Unique(prose.NonEmpty(each(a.Machines, of)...)), ", ")
	}
	text := ""
	for _, line := range [][2]string{
		{"runner", several(func(m *results.Machine) string { return m.Host })},
		{"runtime", strings.Join(jdks(a.Campaign.Runtimes), ", ")},
		{"cpu", several(func(m *results.Machine) string { return m.CPU })},
		{"kernel", several(func(m *results.Machine) string { return m.Kernel })},
		{"framework", strings.TrimSpace("moobench " + a.Campaign.Versions["moobench"])},
	} {
		text += textIf(line[1] != "", line[0]+"="+line[1]+"\n")
	}
	return text
}

// short formats a number of a remark, with five significant digits.
func short(x float64) string { return formatG(x, 5) }

// bencherMetric is a value with its interval as Bencher reads it.
type bencherMetric struct {
	Value float64  `json:"value"`
	Lower *float64 `json:"lower_value,omitempty"`
	Upper *float64 `json:"upper_value,omitempty"`
}

// bencherLongest is the largest length of a measure's slug.
const bencherLongest = 64

// writeBencher prints the answers in Bencher's metric format: benchmark, measure, value with its interval. The
// format holds only numbers, so that a caveat is a measure that is present as long as the caveat is.
func writeBencher(w io.Writer, a *analysis.Answers, _ Options) error {
	benchmarks := map[string]map[string]bencherMetric{}
	name := func(r rows.Row) string { return doc.Clean(r.Scenario + " / " + r.Label) }
	for _, some := range stats.Grouped(followed(a), name) {
		measures, taken := map[string]bencherMetric{}, distinct{}
		add := func(measure string, value float64, i *analysis.Interval) {
			m := bencherMetric{Value: value}
			if i != nil {
				m.Lower, m.Upper = &i.Low, &i.High
			}
			measures[taken.name(measure, "-")] = m
		}
		marks := each(some[0].Compared, func(m analysis.Mark) string {
			mark := "caveat-" + doc.Slug(m.Kind)
			return mark[:min(len(mark), bencherLongest)]
		})
		for _, mark := range prose.Unique(marks) {
			add(mark, 1, nil)
		}
		for _, r := range some {
			unit := r.Unit
			if r.Statistic == rows.Ratio {
				unit = "ratio"
			}
			add(measureOf(bareName(r.Name(), r.Metric.Unit), unit), r.Estimate.Value, fromZero(r))
		}
		benchmarks[name(some[0])] = measures
	}
	return WriteJSON(w, benchmarks)
}

// fromZero is the interval of a row. That of a mean count is cut at 0: the t interval knows nothing of counts, and
// may go below.
func fromZero(r rows.Row) *analysis.Interval {
	e := r.Estimate
	if e.Interval == nil || r.Unit != "1" || e.Value < 0 {
		return e.Interval
	}
	i := *e.Interval
	i.Low = max(0, i.Low)
	return &i
}

// measureOf is the slug of a metric, with its unit: duration-ns, alloc-bytes.
func measureOf(bare, unit string) string {
	slug, known := map[string]string{"1": "", "": "", "B": "bytes", "%": "percent", "1/s": "per-second"}[unit]
	if !known {
		slug = doc.Slug(strings.ReplaceAll(unit, "/", "-per-"))
	}
	name := cmp.Or(doc.Slug(bare+"-"+slug), "metric")
	return strings.Trim(name[:min(len(name), bencherLongest-len("-99"))], "-")
}

// bareName is the name of a metric in a unit, without that unit at its end.
func bareName(name, unit string) string {
	for suffixed, end := range map[string]string{"ns": "_ns", "B": "_bytes", "%": "_percent"} {
		if bare := strings.TrimSuffix(name, end); unit == suffixed && bare != "" {
			return bare
		}
	}
	return name
}

// distinct appends a number to repeated texts, from 2 on.
type distinct map[string]bool

func (d distinct) name(s, separator string) string {
	name := s
	for i := 2; d[name]; i++ {
		name = s + separator + strconv.Itoa(i)
	}
	d[name] = true
	return name
}
