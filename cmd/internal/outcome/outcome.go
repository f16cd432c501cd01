// Package outcome is what a verb ends with, apart from errors of the work itself: a
// mistake in how it was called, a gate that says worse, answers that lack.
package outcome

import (
	"errors"

	"moobench/analysis"
)

// ErrWorse is a gate that says worse. What it says was printed already.
var ErrWorse = errors.New("a gate says worse")

// ErrIncomplete is a campaign that finished without all its answers. What lacks was
// printed already.
var ErrIncomplete = errors.New("a planned cell has no answer")

// Worst is the one of two outcomes that a verb ends with: what is worse counts more than
// what lacks.
func Worst(a, b error) error {
	if a == nil || errors.Is(b, ErrWorse) {
		return b
	}
	return a
}

// UsageError is a mistake in how moobench was called.
type UsageError struct{ error }

// Usage makes an error one of how moobench was called.
func Usage(err error) error { return UsageError{err} }

// Unwrap returns the mistake.
func (e UsageError) Unwrap() error { return e.error }

// ForAnswers returns the outcome of a verb that has printed the answers: ErrWorse,
// ErrIncomplete, or nil.
func ForAnswers(a *analysis.Answers) error {
	switch {
	case a.Gate.Worse():
		return ErrWorse
	case a.Incomplete() || a.Gate.Open():
		return ErrIncomplete
	}
	return nil
}
