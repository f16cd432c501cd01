package report

import (
	"testing"

	"moobench/analysis"
	"moobench/analysis/report/doc"
)

// Cells that share a note share its text; what stands at their numbers is told
// for each, unless it is the same.
func TestFootnotes(t *testing.T) {
	cell := func(label, show string) *analysis.Cell {
		return &analysis.Cell{Label: label, Marks: []analysis.Mark{{Kind: "lost", Show: show, Text: "enlarge its queue"}}}
	}
	var f footnotes
	f.number(cell("a", "lost 5 %"))
	f.number(cell("b", "lost 5 %"))
	if n := f.number(cell("c", "lost 7 %")); n != "!1" || len(f) != 1 {
		t.Fatalf("number %s of %d notes, want one", n, len(f))
	}
	if got, want := f.paragraphs(), "a: lost 5 %; b: lost 5 %; c: lost 7 %: enlarge its queue"; len(got) != 1 || got[0].(doc.Paragraph).Text != want || got[0].(doc.Paragraph).Mark != "!1" {
		t.Errorf("got %q, want %q", got, want)
	}
	var same footnotes
	same.number(cell("a", "lost 5 %"))
	same.number(cell("b", "lost 5 %"))
	if got, want := same.paragraphs()[0].(doc.Paragraph).Text, "a, b: lost 5 %: enlarge its queue"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
