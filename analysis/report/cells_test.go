package report

import (
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/internal/testdoc"
	"moobench/analysis/report/doc"
	"moobench/results"
)

// Every row has as many cells as the head, numbers to sort by, and a drawing on
// the one axis.
func TestCellTable(t *testing.T) {
	for name, a := range map[string]*analysis.Answers{"troubled": shared(t, testcampaign.Troubled), "whole": whole(t), "unordered": shared(t, testcampaign.Unordered), "single": shared(t, testcampaign.Single)} {
		page := string(htmlOf(t, a, nil))
		_, table, _ := strings.Cut(page, `<table class="dense cells"`)
		table, _, _ = strings.Cut(table, "</table>")
		heads := strings.Count(table, `<th scope="col"`)
		rows := strings.Split(table, "<tr data-v=")[1:]
		if len(rows) == 0 {
			t.Errorf("%s: no row", name)
		}
		for _, row := range rows {
			if n := strings.Count(row, "<td") + strings.Count(row, "<th "); n != heads {
				t.Errorf("%s: %d cells under %d heads: %s", name, n, heads, row)
			}
		}
	}
}

// The keys that a page sorts by are those of the numbers that stand there.
func TestSortKeys(t *testing.T) {
	a := shared(t, testcampaign.Small)
	_, page, _ := strings.Cut(string(htmlOf(t, a, nil)), `<table class="dense cells"`)
	var keys []string
	for _, row := range strings.Split(page, `<tr data-v="`)[1:] {
		key, _, _ := strings.Cut(row, `"`)
		keys = append(keys, key)
	}
	if !strings.HasPrefix(keys[0], "56") || strings.Contains(keys[0], ",") || strings.Count(keys[1], ",") < 3 {
		t.Errorf("%q", keys)
	}
}

// The verdict of a row is that of the scenario's own question about its cost.
func TestVerdictsOfCells(t *testing.T) {
	s := analysis.Scenario{
		Primary: "duration", Metrics: []results.Metric{{Name: "duration", Better: results.Lower}},
		Cells: []analysis.Cell{{ID: "c0"}, {ID: "c1", Baseline: "c0"}, {ID: "c2", Baseline: "c0"}},
		Answers: []analysis.Answer{
			{Metric: "duration", A: "c1", B: "c0", Verdict: infer.Higher},
			{Metric: "duration", A: "c1", B: "c0", Verdict: infer.Lower, Asked: true},
			{Metric: "lost", A: "c2", B: "c0", Verdict: infer.Higher},
			{Metric: "duration", A: "c2", B: "c1", Verdict: infer.Higher},
		},
	}
	b := paged(&analysis.Answers{Scenarios: []analysis.Scenario{s}}, 0)
	if got := b.verdicts(); len(got) != 1 || got["c1"] != (doc.Badge{Text: "higher", Kind: "higher"}) {
		t.Errorf("%v", got)
	}
}

// Of very many questions the first are cards, those of benchmarks.toml all, and
// the rest is summed up.
func TestManyQuestions(t *testing.T) {
	s := analysis.Scenario{Primary: "duration", Metrics: []results.Metric{{Name: "duration", Better: results.Lower}}}
	for i := range 100 {
		a := analysis.Answer{ID: "q", Asked: i%2 == 0, Verdict: infer.Higher}
		if i > 90 {
			a.Verdict = infer.Undecided
		}
		s.Answers = append(s.Answers, a)
	}
	a := &analysis.Answers{Scenarios: []analysis.Scenario{s}}
	asked, own, tally := questions(paged(a, 0).answers().Blocks)
	if asked != 50 || own != detailFew || tally != "The other questions of this kind, which are in the table of cells: 30 higher, 5 undecided." {
		t.Errorf("%d asked, %d of the scenario, %q", asked, own, tally)
	}
	b := paged(a, 0)
	b.paged = false
	if asked, own, tally := questions(b.answers().Blocks); asked != 50 || own != 50 || tally != "" {
		t.Errorf("without a page: %d asked, %d of the scenario, %q", asked, own, tally)
	}
}

// questions counts those of benchmarks.toml and those of the scenario itself.
func questions(blocks []doc.Block) (asked, own int, tally string) {
	for _, e := range testdoc.Blocks[*doc.Entries](blocks) {
		if e.Title == "Questions of benchmarks.toml" {
			asked += len(e.Items)
		} else {
			own += len(e.Items)
		}
	}
	for _, p := range testdoc.Blocks[doc.Paragraph](blocks) {
		tally = p.Text
	}
	return asked, own, tally
}
