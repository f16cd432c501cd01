// Package outcome defines how a verb can end, besides errors of the work itself: with a usage
// mistake, a gate that says worse, or missing answers.
package outcome

import (
	"errors"
	"os"
	"syscall"

	"moobench/analysis"
)

// ErrWorse means that a gate says worse. Its text is already printed.
var ErrWorse = errors.New("a gate says worse")

// ErrIncomplete means that a campaign finished without all its answers. The missing ones are
// already printed.
var ErrIncomplete = errors.New("a planned cell has no answer")

// ProgramError is the exit state of the user's program, run by a verb that did its own work: the
// verb exits with the program's status. The program's output is already printed.
type ProgramError struct{ State *os.ProcessState }

func (e ProgramError) Error() string { return "the program ended with " + e.State.String() }

// Status returns the program's exit status as a shell would: 128 plus the signal if one ended it.
func (e ProgramError) Status() int {
	if w, ok := e.State.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return e.State.ExitCode()
}

// Said reports whether all of the error's text is already printed.
func Said(err error) bool {
	return errors.Is(err, ErrIncomplete) || errors.Is(err, ErrWorse) || errors.As(err, new(ProgramError))
}

// Worst returns the more severe of two outcomes: ErrWorse counts more than ErrIncomplete.
func Worst(a, b error) error {
	if a == nil || errors.Is(b, ErrWorse) {
		return b
	}
	return a
}

// UsageError is a mistake in calling moobench.
type UsageError struct{ error }

// Usage marks an error as a usage mistake.
func Usage(err error) error { return UsageError{err} }

// Unwrap returns the mistake.
func (e UsageError) Unwrap() error { return e.error }

// ForAnswers returns the outcome of a verb that has printed the answers: ErrWorse, ErrIncomplete,
// or nil.
func ForAnswers(a *analysis.Answers) error {
	switch {
	case a.Gate.Worse():
		return ErrWorse
	case a.Incomplete() || a.Gate.Open():
		return ErrIncomplete
	}
	return nil
}

// UnfitError means that this machine can't measure the requested shard; another machine may.
type UnfitError struct{ error }

// Unfit marks an error as caused by this machine.
func Unfit(err error) error { return UnfitError{err} }

// Unwrap returns the machine's problem.
func (e UnfitError) Unwrap() error { return e.error }
