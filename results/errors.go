package results

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"moobench/results/safefile"
)

// problem is a kind of damage or trouble with a file of a campaign.
type problem string

const (
	// problemDisk: the disk is full, a quota is used up, or the folder cannot
	// be written to.
	problemDisk problem = "disk"
	// problemNewer: written by a moobench whose format this one doesn't know.
	problemNewer problem = "newer"
	// problemHalf: the folder was created but never became a campaign, or has
	// lost a part of itself.
	problemHalf problem = "half-written"
	// problemDamaged: the file is there, but its content was changed after it was written: cut off, edited, or
	// with another checksum.
	problemDamaged problem = "damaged"
	// problemOwned: another moobench writes to the campaign.
	problemOwned problem = "owned"
	// problemExists: the file or folder to be created exists already.
	problemExists problem = "exists"
	// problemDump: a raw dump is malformed, cut off, or of another series.
	problemDump problem = "dump"
	// problemCounts: a raw dump or a sample file holds more or fewer rows than
	// it should.
	problemCounts problem = "counts"
	// problemOther is every other error of the operating system.
	problemOther problem = "other"
)

// damaged returns the error for one of our files with bad content.
func damaged(path string, err error) error {
	return &Error{problemDamaged, "reading", path, fmt.Errorf("it is cut off or was edited: %w", err), restore}
}

// restore is the hint for a file that was changed after it was written.
const restore = "restore it from a copy"

// Error is the error of this package about a file, with the operation, the path, the cause and advice.
type Error struct {
	problem problem
	op      string // operation: "writing"
	Path    string
	Err     error
	Hint    string // what the user can do; "" if there is nothing to add
}

// newError returns an Error with a cause of our own.
func newError(p problem, op, path, why, hint string) *Error {
	return &Error{p, op, path, errors.New(why), hint}
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s %s: %v", e.op, e.Path, e.Err)
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// FailureKind is the Failure.Kind of an invocation that failed with an error of this
// package: "dump", "counts" or "disk".
func FailureKind(err error) string {
	if e, ok := errors.AsType[*Error](err); ok && (e.problem == problemDump || e.problem == problemCounts) {
		return string(e.problem)
	}
	return string(problemDisk)
}

// diskError makes an *Error of an error of the operating system or of safefile; nil
// stays nil, and an *Error stays as it is.
func diskError(op, path string, err error) error {
	if _, known := errors.AsType[*Error](err); err == nil || known {
		return err
	}
	if refused, ok := errors.AsType[*safefile.Refusal](err); ok {
		return newError(problemDamaged, op, path, refused.Why, restore)
	}
	e := &Error{problemOther, op, path, cause(err), ""}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		e.problem, e.Hint = problemDisk, "free some space there and resume; what is sealed is safe"
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		e.problem, e.Hint = problemDisk, "make the folder writable, or choose another one"
	case errors.Is(err, fs.ErrExist):
		e.problem = problemExists
	}
	return e
}

// cause drops the operation and path of an *fs.PathError, which Error has itself.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}
