package report

import (
	"testing"

	"moobench/analysis"
	"moobench/analysis/report/doc"
)

// Cells that share a note share its text; what stands at their numbers is told
// for each, unless it is the same.
func TestFootnotes(t *testing.T) {
	mark := func(show string) analysis.Mark {
		return analysis.Mark{Kind: "lost", Show: show, Text: "enlarge its queue"}
	}
	f := &footnotes{}
	f.number(mark("lost 5 %"), "a")
	f.number(mark("lost 5 %"), "b")
	if n := f.number(mark("lost 7 %"), "c"); n != 1 || len(f.notes) != 1 {
		t.Fatalf("number %d of %d notes, want one", n, len(f.notes))
	}
	if got, want := f.paragraphs(0), "a: lost 5 %; b: lost 5 %; c: lost 7 %: enlarge its queue"; len(got) != 1 || got[0].(doc.Paragraph).Text != want || got[0].(doc.Paragraph).Mark != "!1" {
		t.Errorf("got %q, want %q", got, want)
	}
	same := &footnotes{}
	same.number(mark("lost 5 %"), "a")
	same.number(mark("lost 5 %"), "b")
	if got, want := same.paragraphs(0)[0].(doc.Paragraph).Text, "a, b: lost 5 %: enlarge its queue"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
