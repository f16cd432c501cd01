package report

import (
	"strings"
	"testing"

	"moobench/analysis"
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
