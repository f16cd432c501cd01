package analysis

import (
	"moobench/analysis/infer"
)

const (
	// confidence of all intervals; verdicts share alpha among those of one family.
	confidence = 1 - alpha
	alpha      = 0.05
	// aaConfidence is that of the A/A: two one-sided tests at 5 %.
	aaConfidence = 0.90
	// aaAlpha is the level at which an A/A fails.
	aaAlpha = 0.01
	// aaPairs are needed to say anything of an A/A: the spread of fewer is itself
	// unknown by a factor of four, and coarse values look as if they differed.
	aaPairs = 5
)

// What inference hands on stands in the answers as it is.
type (
	Estimate    = infer.Estimate
	Interval    = infer.Interval
	Test        = infer.Test
	Equivalence = infer.Equivalence
	Verdict     = infer.Verdict
	scale       = infer.Scale
)

const (
	VerdictMore      = infer.Higher
	VerdictLess      = infer.Lower
	VerdictFree      = infer.Equivalent
	VerdictSmall     = infer.Negligible
	VerdictUndecided = infer.Undecided
	VerdictNo        = infer.No
	VerdictNone      = infer.NoAnswer
)

// meanOf estimates a mean; one invocation has a value and no interval.
func meanOf(xs []float64) (*Estimate, string) { return infer.Mean(xs, confidence) }
