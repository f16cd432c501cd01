package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// actionEntry is one result as github-action-benchmark reads it, of its tool
// customSmallerIsBetter.
type actionEntry struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	Value float64 `json:"value"`
	Range string  `json:"range,omitempty"`
	Extra string  `json:"extra,omitempty"`
}

// GitHubAction prints the metrics of which less is better as
// github-action-benchmark reads them (tool customSmallerIsBetter), and of each
// primary one its ratio to the baseline of the same blocks, which the drift of the
// machine from night to night does not move.
func GitHubAction(w io.Writer, a *analysis.Answers) error {
	entries := []actionEntry{}
	for _, r := range readings(a) {
		if r.metric.Better != results.Lower || r.cell.Role == results.RoleAA {
			continue
		}
		e := actionEntry{Name: doc.Clean(r.scenario.Label + " / " + r.cell.Label + " / " + r.metric.Name), Unit: doc.Clean(r.unit), Value: r.value}
		if r.unit == "1" || r.unit == "" {
			e.Unit = "count"
		}
		e.Range, e.Extra = actionRange(r.interval, r.unit == perMillionUnit, r.caveats), actionExtra(r, r.n, r.interval, r.caveats)
		entries = append(entries, e)
		if x := r.ratio; x != nil {
			entries = append(entries, actionEntry{
				Name: e.Name + " / baseline", Unit: "times", Value: x.Value,
				Range: actionRange(x.Interval, true, r.against), Extra: actionExtra(r, x.N, x.Interval, r.against),
			})
		}
	}
	return WriteJSON(w, entries)
}

// actionRange is ± the half-width, of an interval that does not lie around its
// value the interval itself, and the caveats of the number: it stands beside it
// wherever the action shows it.
func actionRange(i *analysis.Interval, lopsided bool, caveats []caveat) string {
	text := ""
	switch {
	case i != nil && lopsided:
		text = short(i.Low) + " … " + short(i.High)
	case i != nil:
		text = "± " + short(i.High/2-i.Low/2)
	}
	return doc.Clean(join(text, behind("! ", showsOf(caveats))))
}

// actionExtra says what the number is, and what is not in its interval.
func actionExtra(r reading, n int, i *analysis.Interval, caveats []caveat) string {
	lines := []string{"n = " + figure.Plural(n, "invocation", "invocations")}
	if i != nil {
		lines = append(lines, fmt.Sprintf("%s confidence interval %s … %s; variation between nights is not included", figure.Level(i.Level), short(i.Low), short(i.High)))
	} else {
		lines = append(lines, strings.TrimSuffix("no interval: "+r.noInterval, ": "))
	}
	lines = append(lines, "over "+r.scenario.Window)
	for _, c := range caveats {
		lines = append(lines, "! "+c.show)
	}
	for _, note := range r.scenario.Notes {
		lines = append(lines, "! "+note)
	}
	return doc.CleanLines(strings.Join(lines, "\n"))
}

// short has five significant digits: the numbers of a remark.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }
