package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moobench/results"
)

// Only restricts the plan to the variants that match the pattern, their baselines and proofs,
// and the gate's reference for them. In the pattern, * matches any characters including
// slashes, and ? matches one. A framework or framework/mode matches all its variants. Scenarios
// without a match are left out. Cells keep their IDs; block orders and families of questions
// are derived from the remaining cells.
func (p *Plan) Only(pattern string) error {
	var known []string
	keep := map[string]bool{} // scenarios to keep
	judged := false           // whether the gate judges any match
	for _, c := range p.Cells {
		if c.Role == results.RoleProof {
			continue
		}
		if !slices.Contains(known, c.Variant) {
			known = append(known, c.Variant)
		}
		fits := wanted(pattern, c.Variant)
		keep[c.Scenario] = keep[c.Scenario] || fits
		judged = judged || fits && p.gate != nil && p.gate.Judges(&c.Cell)
	}
	p.sections = slices.DeleteFunc(slices.Clone(p.sections), func(s section) bool { return !keep[s.Label] })
	if len(p.sections) == 0 {
		return fmt.Errorf("no variant of this campaign matches %q; it has: %s", pattern, strings.Join(known, ", "))
	}
	stays := map[string]bool{} // IDs of cells to keep
	for _, c := range p.Cells {
		switch {
		case !keep[c.Scenario]:
			continue
		case c.Role == results.RoleBaseline, c.Role == results.RoleAA:
		case c.Role == results.RoleVariant && wanted(pattern, c.Variant):
		case judged && p.gate.IsReference(&c.Cell): // others are compared with it
		default:
			continue
		}
		stays[c.ID] = true
		for _, proof := range c.Proofs() {
			stays[proof.Cell] = true
		}
	}
	p.Cells = slices.DeleteFunc(slices.Clone(p.Cells), func(c Cell) bool { return !stays[c.ID] })
	p.only = pattern
	p.arrange()
	return nil
}

// wanted reports whether a pattern matches a variant, or its framework or mode.
func wanted(pattern, variant string) bool {
	glob := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	matches, err := regexp.Compile("(?s)^(" + glob + ")(/.*)?$")
	return err == nil && matches.MatchString(variant) // an invalid UTF-8 pattern does not compile, and matches no name
}
