package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// A campaign that is not as it was sealed says so in every format, beside its
// numbers.
func TestChangedStampsEveryOutput(t *testing.T) {
	a := changeable(shared(t, testcampaign.Small))
	a.Changed = "changed since it was sealed: campaign.json; moobench verify says what became of them"
	a.Warnings = []string{a.Changed, "the summary of b0001.s00.r0 is damaged"}
	for _, format := range Formats() {
		var b bytes.Buffer
		if err := Write(&b, format, a, Options{Width: 200}); err != nil {
			t.Fatal(err)
		}
		want := "changed since it was sealed"
		if format == "bencher" { // has numbers alone
			want = "caveat-changed-since-sealed"
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s does not say %q", format, want)
		}
		said := strings.Contains(b.String(), "the summary of b0001.s00.r0 is damaged")
		if left := slices.Contains(Unsaid(format, a), a.Warnings[1]); said == left {
			t.Errorf("%s says a warning: %t, and it is left to be said beside it: %t", format, said, left)
		}
	}
}

// So does a comparison, of the campaign that it is true of.
func TestComparisonWarns(t *testing.T) {
	older, newer := twoNights(t)
	newer.Changed = "changed since it was sealed: campaign.json"
	newer.Warnings = []string{newer.Changed}
	c := comparisonOf(t, compare.Options{}, older, newer)
	for _, format := range DocumentFormats() {
		got := string(printedComparison(t, format, c, Options{Width: 120}))
		want := "new: changed since it was sealed: campaign.json"
		if format == "json" {
			want = `"changed since it was sealed: campaign.json"`
		}
		if n := strings.Count(got, want); n != 1 && (format != "latex" || n == 0) { // tables of LaTeX are read by themselves
			t.Errorf("%s does not say once %q:\n%.600s", format, want, got)
		}
	}
}

// TestSecondBaselineLacks: the answer's table has no row of a second baseline, and says why one has no result.
func TestSecondBaselineLacks(t *testing.T) {
	a := changeable(shared(t, testcampaign.Small))
	i := slices.IndexFunc(a.Scenarios[0].Cells, func(c analysis.Cell) bool { return c.Role == results.RoleAA })
	a.Scenarios[0].Cells[i].Invalid = "its calls waited"
	want := a.Scenarios[0].Cells[i].Label + ": no result: its calls waited"
	for _, format := range []string{"text", "markdown", "html"} {
		var b bytes.Buffer
		if err := Write(&b, format, a, Options{Width: 200}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s does not say %q", format, want)
		}
	}
}
