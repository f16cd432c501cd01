package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moobench/results"
)

// Only restricts the plan to the variants that match the pattern, their baselines and
// proofs, and what the gate compares them with. In the pattern, * stands for any
// characters, slashes included, and ? for one; a framework or framework/mode stands for
// all its variants. Scenarios without a match are left out. The cells keep their IDs; the
// orders and the families of questions are those of the remaining cells.
func (p *Plan) Only(pattern string) error {
	var known []string
	keep := map[string]bool{} // scenarios
	judged := false           // by the gate
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
	stays := map[string]bool{} // cells
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

// wanted reports whether a pattern names a variant, or its framework or mode.
func wanted(pattern, variant string) bool {
	glob := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	matches, err := regexp.Compile("(?s)^(" + glob + ")(/.*)?$")
	return err == nil && matches.MatchString(variant) // no name holds what is no UTF-8
}
