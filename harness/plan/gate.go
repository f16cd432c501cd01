package plan

import "slices"

// gate looks up the variants of the file's [gate] in its scenario.
func (b *builder) gate() {
	if b.file.Gate == nil {
		return
	}
	g := *b.file.Gate
	cells := b.compared(g.Scenario)
	if len(cells) == 0 {
		return // its scenario is invalid: already reported
	}
	found := true
	if g.Reference == "" {
		g.Reference = cells[0].Variant // the baseline of the first level
	} else {
		g.Reference, found = b.variantOf(g.Reference, cells, []any{"gate", "reference"})
	}
	g.Variants = nil
	for i, name := range b.file.Gate.Variants {
		at := []any{"gate", "variants", i}
		variant, known := b.variantOf(name, cells, at)
		switch {
		case !known:
		case found && variant == g.Reference:
			b.Fail(at, "take it out", "%s is what the others are compared with", variant)
		case slices.Contains(g.Variants, variant):
			b.Fail(at, "take it out", "variant %q is listed twice", variant)
		default:
			g.Variants = append(g.Variants, variant)
		}
	}
	judged := slices.ContainsFunc(cells, func(c *Cell) bool { return g.Judges(&c.Cell) })
	if found && !judged && len(b.file.Gate.Variants) == 0 {
		b.Fail([]any{"gate"}, "add a variant to the scenario, or take another reference",
			"the gate has nothing to judge: no variant of scenario %s is left to compare with %s",
			g.Scenario, g.Reference)
	}
	g.Host = b.file.Machine.Host
	b.plan.gate = &g
}
