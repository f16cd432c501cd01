package analysis

import "moobench/results"

// Pinned is a metric of a cell against that of a reference cell which was
// measured in the same blocks, so that the machine's drift cancels.
type Pinned struct {
	Scenario  string         `json:"scenario"`  // label
	Cell      string         `json:"cell"`      // ID
	Label     string         `json:"label"`     // of the cell, with its factor level
	Role      results.Role   `json:"role"`      // variant, baseline or aa: never that of a proof
	Reference string         `json:"reference"` // ID of the reference cell of the same factor level
	Metric    results.Metric `json:"metric"`
	// Log is the mean of the paired logarithms log(cell/reference), with its SD
	// between blocks and its 95 % interval. It is nil when Absent says why.
	Log *Estimate `json:"log,omitempty"`
	// Value and ReferenceValue are the means themselves, in the metric's unit.
	Value          *Estimate `json:"value,omitempty"`
	ReferenceValue *Estimate `json:"reference_value,omitempty"`
	// Absent says why there is no Log: no pairs, void, not positive.
	Absent string `json:"absent,omitempty"`
}
