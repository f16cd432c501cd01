package plan

// published finds the variants that a paper's figures stand beside. They decide
// nothing, and so are no line of the plan.
func (b *builder) published() {
	for i, p := range b.file.Published {
		cells := b.compared(p.Scenario)
		if len(cells) == 0 {
			continue // its scenario is wrong, and that was said
		}
		if variant, ok := b.variantOf(p.Variant, cells, []any{"published", i, "variant"}); ok {
			p.Variant = variant
			b.plan.Campaign.Published = append(b.plan.Campaign.Published, p)
		}
	}
}
