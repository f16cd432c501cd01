package contrasts

import (
	"strings"
	"testing"

	"moobench/analysis/chapter"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// scene shows the cells a and b of a scenario.
func scene() *chapter.Scene {
	return &chapter.Scene{
		ID: "s0", Partial: true, Primary: "duration", Metrics: []results.Metric{{Name: "duration", Unit: "ns"}},
		Cells: []chapter.Cell{{Key: rows.Key{Cell: "a", Label: "one"}}, {Key: rows.Key{Cell: "b", Label: "two"}}},
	}
}

// Parts of cells that are not shown have no row; routes that disagree are all named, of those that agree only few.
func TestShow(t *testing.T) {
	route := func(a, b string) Route {
		return Route{A: a, B: b, Estimate: &infer.Estimate{N: 6, Value: 20}}
	}
	all := Parts{
		Contrasts: []Contrast{{Name: "I", Route: route("a", "b")}, {Name: "C", Route: route("gone", "b")}},
		Closures: []Closure{
			{First: route("a", "b"), Second: route("a", "b"), Disagree: true, Text: "they disagree"},
			{First: route("a", "b"), Second: route("gone", "b"), Text: "not shown"},
		},
	}
	for range agreeMost + 1 {
		all.Closures = append(all.Closures, Closure{First: route("a", "b"), Second: route("a", "b"), Text: "they agree"})
	}
	var table *doc.Table
	var texts []string
	for _, b := range all.Show(scene())[0].(*doc.Section).Blocks {
		switch b := b.(type) {
		case *doc.Table:
			table = b
		case doc.Paragraph:
			texts = append(texts, b.Text)
		}
	}
	if len(table.Rows) != 1 || table.Rows[0].Cells[1].Text != "I" || table.Rows[0].Cells[5].Text != "one − two" {
		t.Errorf("%+v", table.Rows)
	}
	want := "they disagree; 13 other pairs of routes to a part can't be told apart"
	if got := strings.Join(texts, "; "); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
