package report

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/analysis/report/doc"
	"moobench/results"
)

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
	all, more := commandLines(a, s)
	if len(all) != 3 || more != 0 {
		t.Fatalf("%d groups, %d more", len(all), more)
	}
	first, last := all[0], all[2]
	var words []string
	for _, w := range first.Words {
		words = append(words, w.Text)
	}
	if got := strings.Join(words, " "); got != "A='b c' java -Dport=1 Main" || !first.Words[2].Marked || first.Words[1].Marked {
		t.Errorf("%s, %+v", got, first.Words)
	}
	if rows := first.Runs.Rows; len(rows) != 2 || strings.Join(rows[1].Cells[3].Codes, " ") != "-Dport=2" || rows[1].Cells[1].Text != "A/A" {
		t.Errorf("%+v", rows)
	}
	if slices.ContainsFunc(last.Words, func(w doc.Word) bool { return w.Marked }) || last.Title != "agent" || len(all[1].Words) != 0 {
		t.Errorf("%+v, %+v", all[1], last)
	}
}

// Of very many invocations the first of each cell is listed.
func TestManyCommands(t *testing.T) {
	s := &analysis.Scenario{Cells: []analysis.Cell{{ID: "c0", Variant: "none"}, {ID: "c1", Variant: "agent"}}}
	a := &analysis.Answers{}
	for i := range runsMost + 100 {
		a.Invocations = append(a.Invocations, analysis.Invocation{ID: "i" + strconv.Itoa(i), Cell: s.Cells[i%2].ID, Command: []string{"java"}})
	}
	all, more := commandLines(a, s)
	if len(all) != 2 || len(all[0].Runs.Rows) != 1 || more != runsMost+98 || all[0].About != " · 350 invocations, 1 of them listed" {
		t.Errorf("%d groups, %d more, %q", len(all), more, all[0].About)
	}
}
