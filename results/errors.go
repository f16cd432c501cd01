package results

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"moobench/results/safefile"
)

// Problem is a kind of damage or trouble with a file of a campaign.
type Problem string

const (
	// problemDisk: the disk is full, a quota is used up, or the folder cannot
	// be written to.
	problemDisk Problem = "disk"
	// problemNewer: written by a moobench whose format this one doesn't know.
	problemNewer Problem = "newer"
	// problemHalf: the folder was created but never became a campaign, or has
	// lost a part of itself.
	problemHalf Problem = "half-written"
	// problemDamaged: the file is there, but its content is not what was
	// written: cut off, edited, or with another checksum.
	problemDamaged Problem = "damaged"
	// problemOwned: another moobench writes to the campaign.
	problemOwned Problem = "owned"
	// problemExists: what was to be created is there already.
	problemExists Problem = "exists"
	// problemDump: a raw dump is not one, is cut off, or is of another series.
	problemDump Problem = "dump"
	// problemCounts: a raw dump or a sample file holds more or fewer rows than
	// it should.
	problemCounts Problem = "counts"
	// problemOther is every other error of the operating system.
	problemOther Problem = "other"
)

// damaged is the error for one of our files with bad content.
func damaged(path string, err error) error {
	return &Error{Problem: problemDamaged, Op: "reading", Path: path, Err: fmt.Errorf("it is cut off or was edited: %w", err), Hint: restore}
}

// restore is the hint about a file that is not as it was written.
const restore = "restore it from a copy"

// Error is the error of this package about a file: the operation, the path, the cause and
// what to do next.
type Error struct {
	Problem Problem
	Op      string // what we were doing, e.g. "writing"
	Path    string
	Err     error
	Hint    string // what the user can do; "" if there is nothing to add
}

// newError returns an Error with a cause of our own.
func newError(p Problem, op, path, why, hint string) *Error {
	return &Error{Problem: p, Op: op, Path: path, Err: errors.New(why), Hint: hint}
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s %s: %v", e.Op, e.Path, e.Err)
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// FailureKind is the Failure.Kind of an invocation that failed with an error of this
// package: "dump", "counts" or "disk".
func FailureKind(err error) string {
	var e *Error
	if errors.As(err, &e) && (e.Problem == problemDump || e.Problem == problemCounts) {
		return string(e.Problem)
	}
	return string(problemDisk)
}

// diskError makes an *Error of an error of the operating system or of safefile; nil
// stays nil, and an *Error stays as it is.
func diskError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	var known *Error
	if errors.As(err, &known) {
		return err
	}
	var refused *safefile.Refusal
	if errors.As(err, &refused) {
		return newError(problemDamaged, op, path, refused.Why, restore)
	}
	e := &Error{Problem: problemOther, Op: op, Path: path, Err: cause(err)}
	switch {
	case isAny(err, syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG):
		e.Problem, e.Hint = problemDisk, "free some space there and resume; what is sealed is safe"
	case isAny(err, syscall.EROFS, fs.ErrPermission):
		e.Problem, e.Hint = problemDisk, "make the folder writable, or choose another one"
	case errors.Is(err, fs.ErrExist):
		e.Problem = problemExists
	}
	return e
}

func isAny(err error, targets ...error) bool {
	for _, t := range targets {
		if errors.Is(err, t) {
			return true
		}
	}
	return false
}

// cause drops the operation and path of an *fs.PathError, which Error has itself.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
