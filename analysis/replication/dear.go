package replication

import (
	"fmt"

	"moobench/analysis"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
)

// pays decides dear by the campaign's own break-even: a swap of A that may have
// paid within so many calls refutes it only when it is shown to. Price and saving
// are of one variant, since a break-even is.
func (c *Claim) pays(j *Judged, ours *campaign) {
	b, err := c.breakEven(ours)
	if err != nil {
		j.Verdict, j.Because = infer.CannotDecide, err.Error()
		return
	}
	j.Because = b.Text
	switch {
	case b.Verdict == analysis.PaysNever, b.Low != nil && *b.Low > c.Calls:
		j.Verdict = infer.Reproduced
	case b.High != nil && *b.High < c.Calls:
		j.Verdict = infer.NotReproduced
	default:
		j.Verdict = infer.CannotDecide
		if b.Verdict != analysis.PaysUndecided {
			j.Detectable = detectable(b.Saved, "ns") + " per call saved"
		}
	}
	if b.Price != nil {
		j.Because += "; a change costs " + figure.Quantity(b.Price.Value, "ns") + ", a call saves " + figure.Quantity(b.Saved.Value, "ns")
	}
	j.Because += "; asked about are " + figure.Calls(c.Calls)
}

// breakEven finds what the campaign says of swapping A in instead of asking B.
func (c *Claim) breakEven(ours *campaign) (*analysis.BreakEven, error) {
	s := ours.scenario(c.Saves)
	if s == nil {
		return nil, fmt.Errorf("the campaign has no scenario %q", c.Saves)
	}
	var variants [2]string
	for i, name := range []string{c.A, c.B} {
		cell, err := cellOf(s, name)
		if err != nil {
			return nil, err
		}
		variants[i] = cell.Variant
	}
	var found *analysis.BreakEven
	for i := range ours.answers.BreakEvens {
		b := &ours.answers.BreakEvens[i]
		if b.Swapped != variants[0] || b.Switchable != variants[1] || b.SwapScenario != c.Scenario || b.CostScenario != c.Saves || c.At != "" && b.Level != c.At {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("the campaign has several break-evens of %s: say at which level", c.A)
		}
		found = b
	}
	if found == nil {
		return nil, fmt.Errorf("the campaign has no price of a change of %s in %s, or no cost per call beside %s in %s", variants[0], c.Scenario, variants[1], c.Saves)
	}
	return found, nil
}
