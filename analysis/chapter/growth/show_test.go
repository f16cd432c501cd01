package growth

import (
	"testing"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// slope is a slope of 9.974 ± 1 ns.
func slope() *infer.Estimate {
	return &infer.Estimate{N: 6, Value: 9.974, Interval: &infer.Interval{Low: 8.974, High: 10.974, Level: 0.95}}
}

// The row of a line has its slope and its verdict in columns: below it stands why,
// and what spoils it, and neither is said twice.
func TestSlopeRow(t *testing.T) {
	g := Line{
		Verdict: Flat, Slope: slope(), Text: "+9.974 ns (8 … 11 ns) per class; flat: it grows by 1 µs; no more",
		Why:     "it grows by 1 µs; no more",
		Caveats: []caveat.Mark{{Text: "of 4 values"}}, Against: []SlopeRatio{{Text: "1/41 of the other"}, {}},
	}
	r := slopeRow(g, "ns")
	if r.Note != "it grows by 1 µs; no more; of 4 values; 1/41 of the other" || r.Cells[2].Text != "flat" ||
		r.Cells[1].Text != "+9.97 ns" {
		t.Errorf("%+v", r)
	}
}

// Lines of one metric and one factor share a section; exports have each slope, under a name of its own.
func TestShow(t *testing.T) {
	metric := results.Metric{Name: "turnaround", Unit: "ns"}
	lines := Lines{
		{Metric: metric.Name, Factor: "loaded", Variant: "a", At: "one=true", Slope: slope(), Verdict: Linear},
		{Metric: metric.Name, Factor: "loaded", Variant: "b", Verdict: Undecided},
		{Metric: metric.Name, Factor: "depth", Variant: "a", Slope: slope(), Verdict: Flat},
	}
	at := &chapter.Scene{Scenario: "swap", Metrics: []results.Metric{metric}}
	var titles []string
	for _, b := range lines.Show(at) {
		titles = append(titles, b.(*doc.Section).Title)
	}
	if len(titles) != 2 || titles[0] != "growth of turnaround against loaded" {
		t.Errorf("sections %q", titles)
	}
	found := lines.Rows(at)
	if len(found) != 2 || found[0].Statistic != "slope_per_loaded" || found[0].Label != "a one=true" ||
		found[0].Unit != "ns" || found[1].Statistic != "slope_per_depth" || found[0].Scenario != "swap" {
		t.Errorf("rows %+v", found)
	}
}
