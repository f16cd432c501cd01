package results

import "testing"

func TestGateJudges(t *testing.T) {
	cell := func(scenario, variant string, role Role) *Cell {
		return &Cell{Scenario: scenario, Variant: variant, Role: role}
	}
	cells := []*Cell{
		cell("s", "none", RoleBaseline), cell("s", "none", RoleAA), cell("s", "a/bci/tcp", RoleVariant), cell("s", "b/bci/tcp", RoleVariant),
		cell("s", "b/bci/count", RoleProof), cell("other", "a/bci/tcp", RoleVariant),
	}
	for name, c := range map[string]struct {
		gate   Gate
		judged string // one character a cell: J is judged, R the reference
	}{
		"all but the baseline":   {Gate{Scenario: "s", Reference: "none"}, "R.JJ.."},
		"all but the reference":  {Gate{Scenario: "s", Reference: "a/bci/tcp"}, "..RJ.."},
		"one":                    {Gate{Scenario: "s", Reference: "none", Variants: []string{"b/bci/tcp"}}, "R..J.."},
		"the baseline too":       {Gate{Scenario: "s", Reference: "a/bci/tcp", Variants: []string{"none", "b/bci/tcp"}}, "J.RJ.."},
		"never the reference":    {Gate{Scenario: "s", Reference: "none", Variants: []string{"none", "a/bci/tcp"}}, "R.J..."},
		"no scenario":            {Gate{Scenario: "t", Reference: "none"}, "......"},
		"not there any more":     {Gate{Scenario: "s", Reference: "gone"}, "..JJ.."},
		"never a proof":          {Gate{Scenario: "s", Reference: "none", Variants: []string{"b/bci/count"}}, "R....."},
		"another one's variants": {Gate{Scenario: "other", Reference: "none", Variants: []string{"a/bci/tcp"}}, ".....J"},
	} {
		got := ""
		for _, cell := range cells {
			judges, reference := c.gate.Judges(cell), c.gate.IsReference(cell)
			switch {
			case judges && reference:
				got += "!"
			case judges:
				got += "J"
			case reference:
				got += "R"
			default:
				got += "."
			}
		}
		if got != c.judged {
			t.Errorf("%s: %s, want %s", name, got, c.judged)
		}
	}
}
