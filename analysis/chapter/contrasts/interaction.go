package contrasts

import (
	"slices"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/results"
)

// Interaction compares the cost of two agents in one JVM with the sum of their costs alone, by the
// primary metric: in each block, both + none − first − second.
type Interaction struct {
	Cell   string `json:"cell"`            // ID of the cell with both
	First  string `json:"first"`           // ID of the cell with the first one alone
	Second string `json:"second"`          // ID of the cell with the second one alone
	Level  string `json:"level,omitempty"` // factor level of all
	// Difference is in the primary metric's unit; the intervals of a scenario's interactions are simultaneous
	// at 95 %. It is absent if Absent says why.
	Difference *infer.Estimate `json:"difference,omitempty"`
	Absent     string          `json:"absent,omitempty"` // why there is no difference
	Shown      bool            `json:"shown"`            // whether the interval of Difference excludes 0
	Text       string          `json:"text"`             // in words
}

// interactions finds the cells with two agents whose agents are also measured alone.
func interactions(r *reading.Reading) []Interaction {
	if r.Primary.Name == "" || r.Unordered() {
		return nil
	}
	alone := func(both *results.Cell, variant string) *results.Cell {
		i := slices.IndexFunc(r.Cells, func(c *results.Cell) bool {
			return c.Variant == variant && c.Level() == both.Level() && c.Role == results.RoleVariant
		})
		if i < 0 {
			return nil
		}
		return r.Cells[i]
	}
	var found []Interaction
	for _, c := range r.Cells {
		if len(c.Beside) != 1 || c.Role != results.RoleVariant {
			continue
		}
		first, second := alone(c, c.Proof.Variant), alone(c, c.Beside[0].Variant)
		if first == nil || second == nil {
			continue
		}
		found = append(found, Interaction{Cell: c.ID, First: first.ID, Second: second.ID, Level: c.Level()})
	}
	for i := range found {
		x := &found[i]
		base := r.Campaign.Cell(x.Cell).Baseline
		if x.Absent = r.InvalidReason(x.Cell, x.First, x.Second, base); x.Absent == "" {
			d := r.Ask(infer.Question{Alpha: reading.Alpha, Family: len(found)}, sum(r, x.Cell, base),
				sum(r, x.First, x.Second), r.SecondStage(r.Primary))
			x.Difference, x.Absent, x.Shown = d.Difference, d.NoDifference, d.Verdict.Shown()
		}
		x.Text = x.text(r.Campaign, r.Primary.Unit)
	}
	return found
}

// sum adds up two cells, block by block.
func sum(r *reading.Reading, a, b string) (sums evidence.Values) {
	ps := evidence.PairsOf(r.Values(a, r.Primary), r.Values(b, r.Primary))
	for i, block := range ps.Blocks {
		on := slices.Concat(ps.First[i].Sensitivities, ps.Second[i].Sensitivities)
		sums = append(sums, evidence.Value{Block: block, X: ps.X[i] + ps.Y[i], Sensitivities: on})
	}
	return sums
}

func (x *Interaction) text(campaign *results.Campaign, unit string) string {
	both := campaign.Cell(x.Cell).Variant + reading.AtLevel(x.Level)
	d := x.Difference
	if d == nil {
		return both + ": what both cost beyond their sum is not known: " + x.Absent
	}
	by := figure.Quantity(max(d.Value, -d.Value), unit)
	where := ""
	if d.Interval != nil {
		where = " (" + figure.Range(d.Interval.Low, d.Interval.High, unit) + ")"
	}
	switch {
	case !x.Shown:
		text := both + ": no difference from the sum of both is shown: " + figure.Quantity(d.Value, unit) + where
		if d.Detectable != nil {
			text += ", and " + figure.Quantity(*d.Detectable, unit) + " would be found with 80 % power"
		}
		return text
	case d.Value < 0:
		return both + " costs " + by + " less than the sum of both" + where
	}
	return both + " costs " + by + " more than the sum of both" + where
}
