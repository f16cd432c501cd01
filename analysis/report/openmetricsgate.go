package report

import (
	"strconv"
	"strings"

	"moobench/analysis"
)

// gate adds what the gate says of each cell, and whether it fails the campaign:
// an alert on moobench_gate_failed is the exit status of the run. A cell
// without an answer has its verdict, and no number.
func (x *exposition) gate(a *analysis.Answers) {
	if a.Gate == nil {
		return
	}
	g := a.Gate.Gate
	labels := append(campaignLabel(a), label{"scenario", g.Scenario}, label{"metric", g.Metric}, label{"reference", g.Reference})
	failed := 0.0
	if a.Gate.Worse() {
		failed = 1
	}
	x.add("moobench_gate_failed", "", "1 when a cell is shown to be worse than its reference by more than is allowed", withLabels(labels, label{"verdict", string(a.Gate.Verdict)}), failed)
	x.add("moobench_gate_allowed_ratio", "ratio", "by how much a cell may be worse than its reference", labels, g.WorseBy)
	for i := range a.Gate.Cells {
		c := &a.Gate.Cells[i]
		own := withLabels(labels, label{"cell", c.Label}, label{"marks", strings.Join(c.Marks, ", ")})
		x.add("moobench_gate_verdict", "", "what the gate says of a cell", withLabels(own, label{"verdict", string(c.Verdict)}), 1)
		if c.Ratio == nil {
			continue
		}
		x.add("moobench_gate_worse_ratio", "ratio", "by how much a cell is worse than its reference of the same blocks: 0.05 is 5 %, below 0 is better", own, c.Ratio.Value-1)
		if c.Ratio.Interval != nil {
			level := withLabels(own, label{"confidence", strconv.FormatFloat(a.Gate.Level, 'g', 6, 64)})
			x.add("moobench_gate_worse_low_ratio", "ratio", "by how much a cell is worse than its reference: one-sided lower bound", level, c.Low-1)
			x.add("moobench_gate_worse_high_ratio", "ratio", "by how much a cell is worse than its reference: one-sided upper bound", level, c.High-1)
		}
	}
}
