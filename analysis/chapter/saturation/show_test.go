package saturation

import (
	"testing"

	"moobench/analysis/chapter"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
)

// Exports have the rate that a cell sustains, with its interval only if there is one.
func TestRows(t *testing.T) {
	value, low, high := 23_400.0, 21_000.0, 25_100.0
	at := &chapter.Scene{Scenario: "saturation"}
	for _, id := range []string{"a", "b", "c", "d"} {
		at.Cells = append(at.Cells, chapter.Cell{Key: rows.Key{Cell: id, Label: "agent " + id}})
	}
	all := Curves{
		{Cell: "a", Knee: &Knee{JVMs: 10, Value: &value, Low: &low, High: &high, Level: 0.98}},
		{Cell: "b", Knee: &Knee{JVMs: 3, Value: &value, Low: &low, High: &high}}, // of so few, these are extremes
		{Cell: "c", Knee: &Knee{JVMs: 10, Above: &low}},                          // more than any rate that was tried
		{Cell: "d"},
	}
	found := all.Rows(at)
	if len(found) != 2 || found[0].Label != "agent a" || found[0].Name() != "calls_sustained" || found[0].Unit != "1/s" {
		t.Fatalf("rows %+v", found)
	}
	if e := found[0].Estimate; e.N != 10 || e.Value != value || e.Interval == nil || e.Interval.Low != low {
		t.Errorf("estimate %+v", e)
	}
	if e := found[1].Estimate; e.Interval != nil {
		t.Errorf("three JVMs have the interval %+v", e.Interval)
	}
}

// Without calls at set rates there is nothing to show.
func TestNothingToShow(t *testing.T) {
	if got := Curves(nil).Show(&chapter.Scene{Paged: true}); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	if got := (Curves{{Label: "none", Text: "bears 9"}}).Show(&chapter.Scene{}); got[0].(*doc.Section).Title != "Saturation" {
		t.Errorf("%+v", got)
	}
}
