package sizing

import (
	"strings"
	"testing"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/doc"
	"moobench/analysis/rows"
	"moobench/results"
)

// The page has a row for each cell: what its pilot asked for, what came out, and what sets it apart.
func TestShow(t *testing.T) {
	s := &Sizing{
		Sizing: results.Sizing{Precision: 0.02, Decision: &results.Decision{Cells: []results.CellSize{
			{Cell: "a", Wanted: 1}, {Cell: "b", Wanted: 1234, SetAside: true}, {Cell: "c"},
		}}},
		Text: "wanted: ± 2 %",
		Reached: []Reached{
			{Cell: "a", Share: 0.015, PilotSD: 10, SD: 15, OK: true},
			{Cell: "b", Share: 0.08, PilotSD: 10, SD: 15.1},
			{Cell: "c", Share: 0.03, SD: 9},
		},
	}
	at := &chapter.Scene{Paged: true, Primary: "x", Metrics: []results.Metric{{Name: "x", Unit: "ns"}}}
	for _, id := range []string{"a", "b", "c"} {
		at.Cells = append(at.Cells, chapter.Cell{Key: rows.Key{Cell: id, Label: "cell " + id}})
	}
	table := testdoc.Blocks[*doc.Table](s.Show(at))[0]
	want := []string{
		"cell a|1.5 %|1|10.00 ns|15.00 ns|reached",
		"cell b|8 %|1,234|10.00 ns|15.10 ns|not reached, set aside: it needs far more blocks than the others",
		"cell c|3 %||0 ns|9.000 ns|not reached",
	}
	for i, r := range table.Rows {
		var texts []string
		for _, c := range r.Cells {
			texts = append(texts, c.Text)
		}
		if got := strings.Join(texts, "|"); i >= len(want) || got != want[i] {
			t.Errorf("row %d: %s, want %s", i, got, want[i])
		}
	}
	if marks := table.Rows[0].Cells[4].Marks; marks != nil {
		t.Errorf("1.5 times the pilot's spread is still like it: %q", marks)
	}
	if marks := table.Rows[1].Cells[4].Marks; len(marks) != 1 || marks[0] != "unlike its pilot" {
		t.Errorf("more than 1.5 times: %q", marks)
	}
	if table.Rows[1].Cells[5].Tone != doc.Warning || table.Rows[0].Cells[5].Tone == doc.Warning {
		t.Error("only what is not reached stands out")
	}
	var texts []string
	for _, p := range testdoc.Blocks[doc.Paragraph](s.Show(at)) {
		texts = append(texts, p.Text)
	}
	if got := strings.Join(texts, "; "); !strings.Contains(got, "within 2 % of their own means: cell a 1.5 %; ") ||
		!strings.Contains(got, "2 % not reached: cell b 8 % (its blocks vary 1.510 times as much as its pilot") {
		t.Errorf("%s", got)
	}
}

// Without a precision nothing is reached or missed.
func TestShowFixed(t *testing.T) {
	s := &Sizing{Text: "cut by max_time", Reached: []Reached{{Cell: "a", Share: 0.5}}}
	at := &chapter.Scene{Paged: true}
	if r := testdoc.Blocks[*doc.Table](s.Show(at))[0].Rows[0]; r.Cells[5].Text != "" {
		t.Errorf("%+v", r)
	}
	for _, p := range testdoc.Blocks[doc.Paragraph](s.Show(at)) {
		if strings.Contains(p.Text, "reached") || strings.Contains(p.Text, "within") {
			t.Errorf("nothing was wanted, and it says: %s", p.Text)
		}
	}
	var none *Sizing
	if none.Show(at) != nil || none.Marks() != nil || none.Notes() != nil || none.Rows(at) != nil {
		t.Error("no sizing says something")
	}
	marked := &Sizing{marks: map[string][]caveat.Mark{"a": {{Kind: "pilot"}}}}
	if len(marked.Marks()["a"]) != 1 {
		t.Errorf("%+v", marked.Marks())
	}
}
