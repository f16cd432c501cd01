package analysis

import (
	"moobench/analysis/figure"
	"moobench/analysis/infer"
)

// marginSize is the margin in words.
func marginSize(e *infer.Equivalence, unit string) string {
	if e.Relative {
		return figure.Level(e.Margin)
	}
	return figure.Quantity(e.Margin, unit)
}

// equivalenceRange is the interval of the two one-sided tests in words.
func equivalenceRange(e *infer.Equivalence, unit string) string {
	level := " (" + figure.Level(e.Interval.Level) + " CI)"
	if e.Relative {
		return figure.SignedPercent(e.Interval.Low-1) + " … " + figure.SignedPercent(e.Interval.High-1) + level
	}
	return figure.Range(e.Interval.Low, e.Interval.High, unit) + level
}
