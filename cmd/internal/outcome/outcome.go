// Package outcome is what a verb ends with, apart from errors of the work itself: a
// mistake in how it was called, a gate that says worse, answers that lack.
package outcome

import (
	"errors"
	"os"
	"syscall"

	"moobench/analysis"
)

// ErrWorse is a gate that says worse. What it says was printed already.
var ErrWorse = errors.New("a gate says worse")

// ErrIncomplete is a campaign that finished without all its answers. What lacks was
// printed already.
var ErrIncomplete = errors.New("a planned cell has no answer")

// ProgramError is the user's own program, run by a verb that did its work: its exit status is
// the verb's. What it says was printed already.
type ProgramError struct{ State *os.ProcessState }

func (e ProgramError) Error() string { return "the program ended with " + e.State.String() }

// Status is the program's exit status, as shells have it: 128 and the signal that ended it.
func (e ProgramError) Status() int {
	if w, ok := e.State.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return e.State.ExitCode()
}

// Said says whether all that an error says was printed already.
func Said(err error) bool {
	return errors.Is(err, ErrIncomplete) || errors.Is(err, ErrWorse) || errors.As(err, new(ProgramError))
}

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

// UnfitError is a machine that can't measure the shard that it is asked for: another one may.
type UnfitError struct{ error }

// Unfit makes an error one of the machine.
func Unfit(err error) error { return UnfitError{err} }

// Unwrap returns what is wrong with it.
func (e UnfitError) Unwrap() error { return e.error }
