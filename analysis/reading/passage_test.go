package reading

import (
	"strings"
	"testing"

	"moobench/results"
)

// passage returns the passage of a cell with these steps.
func passage(t *testing.T, steps string) Passage {
	t.Helper()
	p, body, ok := PassageOf(&results.Cell{Framework: "kieker", Path: strings.Fields(steps), Body: "api"})
	if !ok || body != "api" {
		t.Fatalf("%s: %q, %v", steps, body, ok)
	}
	return p
}

func TestPassages(t *testing.T) {
	whole := passage(t, "enabled check collect write")
	names, parts := whole.Steps()
	if got := strings.Join(names, " ") + ": " + strings.Join(parts, "+"); got != "enabled check collect write: I+C+W" {
		t.Errorf("steps %q", got)
	}
	if asks := whole.StepsOf("I"); asks != passage(t, "enabled check") || whole.StepsOf("C") != passage(t, "collect") {
		t.Errorf("steps of a part: %b", asks)
	}
	if whole.Last() != passage(t, "write") || passage(t, "enabled").Last() != passage(t, "enabled") {
		t.Errorf("the last step of %b is %b", whole, whole.Last())
	}
	for _, c := range []struct {
		p, q   string
		within bool
	}{
		{"enabled", "enabled check", true},
		{"enabled check", "enabled", false},
		{"enabled", "enabled", false},
		{"collect", "enabled check", false},
	} {
		if got := passage(t, c.p).Within(passage(t, c.q)); got != c.within {
			t.Errorf("%s within %s: %v", c.p, c.q, got)
		}
	}
	if !whole.Writes() || passage(t, "enabled collect").Writes() {
		t.Error("only a passage with a write writes")
	}
}

// An unmonitored baseline passes through nothing, and what is unknown is not a passage.
func TestUnknownPassages(t *testing.T) {
	for _, c := range []struct {
		name string
		cell results.Cell
		ok   bool
	}{
		{"baseline", results.Cell{Role: results.RoleBaseline}, true},
		{"another unmonitored one", results.Cell{Role: results.RoleAA}, false},
		{"a step of its own", results.Cell{Framework: "x", Path: []string{"collect", "pray"}}, false},
		{"nothing known", results.Cell{Framework: "x"}, false},
	} {
		if p, _, ok := PassageOf(&c.cell); ok != c.ok || p != 0 {
			t.Errorf("%s: %b, %v", c.name, p, ok)
		}
	}
}
