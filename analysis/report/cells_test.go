package report

import (
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// Every row has as many cells as the head, numbers to sort by, and a drawing on
// the one axis.
func TestCellTable(t *testing.T) {
	for name, a := range map[string]*analysis.Answers{"troubled": analyse(t, testcampaign.Troubled()), "whole": whole(t), "unordered": analyse(t, testcampaign.Unordered()), "single": analyse(t, testcampaign.Single())} {
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

func TestSortKeys(t *testing.T) {
	a := analyse(t, testcampaign.Small())
	var keys []string
	for _, r := range newCells(&a.Scenarios[0]).Rows {
		keys = append(keys, r.Keys)
	}
	if !strings.HasPrefix(keys[0], "56") || strings.Contains(keys[0], ",") || strings.Count(keys[1], ",") < 3 {
		t.Errorf("%q", keys)
	}
	for v, want := range map[float64]string{2072.4531: "2072.5", 1.5e22: "1.5e22", 0: "0", -0.25: "-0.25"} {
		if got := sortKey(&v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	if got := sortKey(nil); got != "" {
		t.Errorf("none: %q", got)
	}
}

// The verdict of a row is that of the scenario's own question about its cost.
func TestVerdictsOfCells(t *testing.T) {
	s := &analysis.Scenario{
		Primary: "duration", Cells: []analysis.Cell{{ID: "c0"}, {ID: "c1", Baseline: "c0"}, {ID: "c2", Baseline: "c0"}},
		Answers: []analysis.Answer{
			{Metric: "duration", A: "c1", B: "c0", Verdict: analysis.VerdictMore},
			{Metric: "duration", A: "c1", B: "c0", Verdict: analysis.VerdictLess, Asked: true},
			{Metric: "lost", A: "c2", B: "c0", Verdict: analysis.VerdictMore},
			{Metric: "duration", A: "c2", B: "c1", Verdict: analysis.VerdictMore},
		},
	}
	if got := verdictsOf(s); len(got) != 1 || got["c1"] != analysis.VerdictMore {
		t.Errorf("%v", got)
	}
}

// Of very many questions the first are cards, those of benchmarks.toml all, and
// the rest is summed up.
func TestManyQuestions(t *testing.T) {
	s := &analysis.Scenario{Primary: "duration", Metrics: []results.Metric{{Name: "duration", Better: results.Lower}}}
	for i := range 100 {
		a := analysis.Answer{Asked: i%2 == 0, Verdict: analysis.VerdictMore}
		if i > 90 {
			a.Verdict = analysis.VerdictUndecided
		}
		s.Answers = append(s.Answers, a)
	}
	groups, tally := newGroups(s)
	if len(groups[0].Answers) != 50 || len(groups[1].Answers) != detailFew || tally != "29 dearer, 5 undecided" {
		t.Errorf("%d asked, %d of the scenario, %q", len(groups[0].Answers), len(groups[1].Answers), tally)
	}
}

// Invocations whose command lines differ in single words share one, and each
// keeps its own words.
func TestCommands(t *testing.T) {
	s := &analysis.Scenario{Label: "s", Cells: []analysis.Cell{{ID: "c0", Variant: "none"}, {ID: "c1", Variant: "none", Role: results.RoleAA}, {ID: "c2", Variant: "agent"}}}
	a := &analysis.Answers{Invocations: []analysis.Invocation{
		{ID: "i0", Cell: "c0", Command: []string{"java", "-Dport=1", "Main"}, Env: []string{"A=b c"}},
		{ID: "i1", Cell: "c1", Command: []string{"java", "-Dport=2", "Main"}, Env: []string{"A=b c"}},
		{ID: "i2", Cell: "c2", Command: []string{"java", "-javaagent:x.jar", "-Dport=3", "Main"}},
		{ID: "i3", Cell: "c0", Status: results.StatusFailed},
		{ID: "of another scenario", Cell: "c9", Command: []string{"java"}},
	}}
	groups, more := newCommands(a, s)
	if len(groups) != 3 || more != 0 {
		t.Fatalf("%d groups, %d more", len(groups), more)
	}
	g := groups[0]
	var words []string
	for _, w := range g.Words {
		words = append(words, w.Text)
	}
	if got := strings.Join(words, " "); got != "A='b c' java -Dport=1 Main" || !g.Words[2].Differs || g.Words[1].Differs || !g.Differ {
		t.Errorf("%s, %+v", got, g.Words)
	}
	if len(g.Runs) != 2 || strings.Join(g.Runs[1].Words, " ") != "-Dport=2" || g.Runs[1].Cell != "A/A" {
		t.Errorf("%+v", g.Runs)
	}
	if groups[2].Variant != "agent" || groups[2].Differ || len(groups[1].Words) != 0 {
		t.Errorf("%+v, %+v", groups[1], groups[2])
	}
}

// Of very many invocations the first of each cell is listed.
func TestManyCommands(t *testing.T) {
	s := &analysis.Scenario{Cells: []analysis.Cell{{ID: "c0", Variant: "none"}, {ID: "c1", Variant: "agent"}}}
	a := &analysis.Answers{}
	for i := range runsMost + 100 {
		a.Invocations = append(a.Invocations, analysis.Invocation{ID: "i", Cell: s.Cells[i%2].ID, Command: []string{"java"}})
	}
	groups, more := newCommands(a, s)
	if len(groups) != 2 || len(groups[0].Runs) != 1 || more != runsMost+98 || groups[0].Count != "350 invocations, 1 of them listed" {
		t.Errorf("%d groups, %d more, %q", len(groups), more, groups[0].Count)
	}
}

// What stands at the foot of every printed page can't be more than text.
func TestFoot(t *testing.T) {
	a := &analysis.Answers{}
	a.Campaign.Name, a.Campaign.PlanHash = `"; } </style><script>alert(1)`, `\22;}`
	got := string(foot(a))
	if strings.ContainsAny(got, `<>\`) || strings.Count(got, `"`) != 4 || strings.Count(got, "{") != 3 || !strings.Contains(got, "script_alert_1_") {
		t.Errorf("%s", got)
	}
}

// A dot and an interval of each metric that has a direction, and a dash where a
// cell has no value.
func TestSmalls(t *testing.T) {
	a := analyse(t, testcampaign.Small())
	all := newSmalls(&a.Scenarios[0])
	var names []string
	for _, r := range all {
		names = append(names, r.Names)
	}
	if got := strings.Join(names, "; "); got != "alloc_bytes, gc_count, startup_ns, rss_peak_bytes" {
		t.Fatalf("%q", got)
	}
	if n := len(all[0].Labels); n != 5 {
		t.Errorf("%d labels", n)
	}
	for _, d := range all[0].Drawings {
		if strings.Count(d.Dots, "h0") != 5 || d.Baseline == "" || d.First.Text == "" || d.Last.Text == "" || len(d.Missing) > 0 {
			t.Errorf("%s: %+v", d.Name, d)
		}
	}
	s := a.Scenarios[0]
	s.Cells[2].Metrics[1].Mean = nil
	if d := newSmalls(&s)[0].Drawings[0]; len(d.Missing) != 1 || strings.Count(d.Dots, "h0") != 4 {
		t.Errorf("%+v", d)
	}
}
