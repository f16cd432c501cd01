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
// primary one its ratio to the baseline of the same blocks.
func GitHubAction(w io.Writer, a *analysis.Answers) error {
	entries := []actionEntry{}
	for _, r := range readings(a) {
		if r.metric.Better != results.Lower || r.cell.Role == results.RoleAA {
			continue
		}
		entries = append(entries, actionOf(r))
		if r.ratio != nil {
			entries = append(entries, actionRatio(r))
		}
	}
	return WriteJSON(w, entries)
}

// actionOf is the entry of a number.
func actionOf(r reading) actionEntry {
	e := actionEntry{Name: actionName(r), Unit: doc.Clean(r.unit), Value: r.value, Extra: actionExtra(r, r.n, r.interval, r.spoils)}
	if r.unit == "1" || r.unit == "" {
		e.Unit = "count"
	}
	e.Range = actionRange(r.interval, r.unit == perMillionUnit, r.spoils)
	return e
}

// actionRatio is the entry of the ratio to the baseline, which the drift of the
// machine from night to night does not move.
func actionRatio(r reading) actionEntry {
	e := r.ratio
	return actionEntry{
		Name: actionName(r) + " / baseline", Unit: "times", Value: e.Value,
		Range: actionRange(e.Interval, true, r.against), Extra: actionExtra(r, e.N, e.Interval, r.against),
	}
}

func actionName(r reading) string {
	return doc.Clean(r.scenario.Label + " / " + r.cell.Label + " / " + r.metric.Name)
}

// actionRange is ± the half-width, of an interval that does not lie around its
// value the interval itself, and what spoils the number: it stands beside it
// wherever the action shows it.
func actionRange(i *analysis.Interval, lopsided bool, spoilt []spoil) string {
	var parts []string
	switch {
	case i != nil && lopsided:
		parts = append(parts, short(i.Low)+" … "+short(i.High))
	case i != nil:
		parts = append(parts, "± "+short(halfWidth(i)))
	}
	if len(spoilt) > 0 {
		parts = append(parts, "! "+spoilShows(spoilt))
	}
	return doc.Clean(strings.Join(parts, " "))
}

// actionExtra says what the number is, and what is not in its interval.
func actionExtra(r reading, n int, i *analysis.Interval, spoilt []spoil) string {
	lines := []string{"n = " + figure.Plural(n, "invocation", "invocations")}
	if i != nil {
		lines = append(lines, fmt.Sprintf("%s confidence interval %s … %s; variation between nights is not included", figure.Level(i.Level), short(i.Low), short(i.High)))
	} else {
		lines = append(lines, strings.TrimSuffix("no interval: "+r.noInterval, ": "))
	}
	lines = append(lines, "over "+r.scenario.Window)
	for _, s := range spoilt {
		lines = append(lines, "! "+s.show)
	}
	for _, note := range r.scenario.Notes {
		lines = append(lines, "! "+note)
	}
	return doc.CleanLines(strings.Join(lines, "\n"))
}

// short has five significant digits: the numbers of a remark.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 5, 64) }
