package results

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"moobench/results/safefile"
	"moobench/results/summary"
)

// Damages checks every checksum, computes each summary anew from its samples and
// compares it with the stored one, until ctx is done. It returns one error for each
// file that is damaged. A campaign without SEALED is checked as far as its
// invocations go.
func (s *Store) Damages(ctx context.Context) []*Error {
	all := s.verifySealed()
	list, unread := s.readInvocations()
	for _, d := range unread {
		// One that was changed since it was sealed is named already.
		if !slices.ContainsFunc(all, func(o *Error) bool { return o.Path == d.Path }) {
			all = append(all, d)
		}
	}
	for _, inv := range list {
		if ctx.Err() != nil {
			break
		}
		all = append(all, s.verifyInvocation(ctx, inv)...)
	}
	return all
}

func (s *Store) verifySealed() []*Error {
	want, err := s.readSealed()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var got map[string]string
	if err == nil {
		got, err = s.checksums()
	}
	if err != nil {
		return []*Error{asError("verifying", s.path(sealedFile), err)}
	}
	return differences(s.dir, want, got)
}

// differences compares checksums by name.
func differences(dir string, want, got map[string]string) []*Error {
	var all []*Error
	for _, name := range unlike(want, got) {
		d := &Error{Problem: ProblemDamaged, Op: "verifying", Path: filepath.Join(dir, name), Hint: restore}
		switch {
		case want[name] == "":
			d.Err = errors.New("no checksum is recorded for it: it was added later")
			d.Hint = "remove it if moobench didn't write it, else finish the campaign: moobench run --resume"
		case got[name] == "":
			d.Err = errors.New("it is gone")
		default:
			d.Err = errors.New("its checksum is not the recorded one: it was changed or damaged")
		}
		if filepath.Base(name) == summaryFile {
			d.Hint = recomputed
		}
		all = append(all, d)
	}
	return all
}

// recomputed is the hint about a damaged summary: nothing has to be done.
const recomputed = "reports compute it anew from the samples, and say so; " + restore + " to be rid of that"

func (s *Store) verifyInvocation(ctx context.Context, inv *Invocation) []*Error {
	dir := s.path(invocationsDir, inv.Identity.String())
	got, err := hashFiles(dir, map[string]bool{invocationFile: true})
	if err != nil {
		return []*Error{asError("verifying", dir, err)}
	}
	if all := differences(dir, inv.Files, got); len(all) > 0 || len(inv.Series) == 0 {
		return all
	}
	path := filepath.Join(dir, summaryFile)
	if err := s.verifySummary(ctx, inv, path); err != nil && ctx.Err() == nil {
		return []*Error{asError("verifying", path, err)}
	}
	return nil
}

func (s *Store) verifySummary(ctx context.Context, inv *Invocation, path string) error {
	stored, err := safefile.Read(path, summaryBound(inv))
	if err != nil {
		return diskError("verifying", path, err)
	}
	if old, err := summary.Decode(stored); err == nil && old.Version != summary.Version {
		return nil // of another version of moobench, and not used
	}
	sum, err := s.summarise(ctx, inv)
	if err != nil {
		return err
	}
	again, err := summary.Encode(sum)
	if err != nil {
		return err
	}
	if !bytes.Equal(stored, again) {
		return &Error{Problem: ProblemDamaged, Op: "verifying", Path: path, Err: errors.New("it is not the summary of its samples"), Hint: restore}
	}
	return nil
}

// asError is an error as one of ours about a file. What wraps one of ours has more to
// say than that.
func asError(op, path string, err error) *Error {
	if e, ok := err.(*Error); ok {
		return e
	}
	return &Error{Problem: ProblemDamaged, Op: op, Path: path, Err: err, Hint: restore}
}
