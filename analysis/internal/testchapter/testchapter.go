// Package testchapter holds what a chapter says of a made-up campaign against golden files.
package testchapter

import (
	"fmt"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/chapter"
	"moobench/analysis/report/doc"
	"moobench/internal/testgolden"
)

// Analyse returns the answers of a made-up campaign.
func Analyse(t *testing.T, src analysis.Source) *analysis.Answers {
	t.Helper()
	a, err := analysis.Analyse(src)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Check compares what the chapter of a name says of a scenario with golden files.
func Check(t *testing.T, src analysis.Source, scenario int, name string) {
	t.Helper()
	s := &Analyse(t, src).Scenarios[scenario]
	for _, c := range analysis.Chapters() {
		if c.Name == name {
			Golden(t, c.Of(s), s.Scene("s0", false), s.Scene("s0", true))
			return
		}
	}
	t.Fatalf("no chapter %q", name)
}

// Golden compares what a value says with testdata/shown.txt, for readers of a terminal and of exports, and with
// testdata/shown.html, for those of a page.
func Golden(t *testing.T, v chapter.Value, plain, paged *chapter.Scene) {
	t.Helper()
	var b strings.Builder
	d := &doc.Document{}
	d.Add(v.Show(plain)...)
	if err := doc.Text(&b, d, doc.TextOptions{Width: 140, Depth: doc.Full}); err != nil {
		t.Fatal(err)
	}
	for _, r := range v.Rows(plain) {
		fmt.Fprintf(&b, "\n%s %s of %s: %s", r.Scenario, r.Name(), r.Label, doc.Quantity(r.Estimate, r.Unit))
	}
	testgolden.Check(t, "testdata/shown.txt", b.String()+"\n")
	page := &doc.Document{}
	page.Add(v.Show(paged)...)
	html := doc.HTML(page)
	testgolden.Check(t, "testdata/shown.html", html.Head+html.Body)
}
