package results

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"

	"moobench/results/safefile"
	"moobench/results/summary"
)

// Damages checks every checksum, and compares each stored summary with one computed anew from the samples,
// until ctx is done. It returns one error for each damaged file. Without SEALED only the invocations are
// checked.
func (s *Store) Damages(ctx context.Context) []*Error {
	var all []*Error
	want, got, err := s.sealedChecksums()
	if err != nil {
		all = append(all, asError("verifying", s.path(sealedFile), err))
	} else if want != nil {
		all = differences(s.dir, want, got)
	}
	list, unread := s.readInvocations()
	for _, err := range unread {
		d := asError("reading", s.path(invocationsDir), err)
		// A file that was changed since it was sealed is listed already.
		if !slices.ContainsFunc(all, func(o *Error) bool { return o.Path == d.Path }) {
			all = append(all, d)
		}
	}
	for _, inv := range list {
		if ctx.Err() == nil {
			all = append(all, s.verifyInvocation(ctx, inv)...)
		}
	}
	return all
}

// Changes checks every checksum of a sealed campaign, until ctx is done, and returns one error for each file
// that changed after it was sealed. Unlike Damages it computes nothing anew.
func (s *Store) Changes(ctx context.Context) []*Error {
	want, got, err := s.sealedChecksums()
	switch {
	case err != nil:
		return []*Error{asError("verifying", s.path(sealedFile), err)}
	case want == nil:
		hint := "finish it with: moobench run --resume " + s.dir
		return []*Error{newError(problemDamaged, "verifying", s.dir, "it is not sealed: it is not complete", hint)}
	}
	if all := differences(s.dir, want, got); len(all) > 0 {
		return all
	}
	list, unread := s.readInvocations()
	all := Each(unread, func(err error) *Error { return asError("reading", s.path(invocationsDir), err) })
	for _, inv := range list {
		if ctx.Err() == nil {
			all = append(all, s.changesOf(ctx, inv)...)
		}
	}
	return all
}

// changesOf checks the checksums of an invocation's files.
func (s *Store) changesOf(ctx context.Context, inv *Invocation) []*Error {
	dir := s.path(invocationsDir, inv.Identity.String())
	got, err := hashFiles(ctx, dir, inv.mostOf, map[string]bool{invocationFile: true})
	if err != nil {
		return []*Error{asError("verifying", dir, err)}
	}
	return differences(dir, inv.Files, got)
}

// differences returns an error for each file with another checksum than the wanted one.
func differences(dir string, want, got map[string]string) []*Error {
	return Each(unlike(want, got), func(name string) *Error {
		why, hint := "its checksum is not the recorded one: it was changed or damaged", restore
		switch {
		case want[name] == "":
			why = "no checksum is recorded for it: it was added later"
			hint = "remove it if moobench didn't write it, else finish the campaign: moobench run --resume"
		case got[name] == "":
			why = "it is gone"
		}
		if filepath.Base(name) == summaryFile {
			hint = recomputed
		}
		return newError(problemDamaged, "verifying", filepath.Join(dir, name), why, hint)
	})
}

// recomputed is the hint about a damaged summary: nothing has to be done.
const recomputed = "reports compute it again from the samples, and say so; " + restore + " to be rid of that"

// verifyInvocation checks the files of an invocation, and compares its stored summary with one computed from
// its samples.
func (s *Store) verifyInvocation(ctx context.Context, inv *Invocation) []*Error {
	if all := s.changesOf(ctx, inv); len(all) > 0 || len(inv.Series) == 0 {
		return all
	}
	path := s.path(invocationsDir, inv.Identity.String(), summaryFile)
	stored, err := safefile.Read(path, summaryBound(inv))
	if err != nil {
		return []*Error{asError("verifying", path, diskError("verifying", path, err))}
	}
	old, err := summary.Decode(stored)
	if err == nil && old.Version != summary.Version {
		return nil // of another version of moobench, which is not used
	}
	var again []byte
	sum, err := s.summarise(ctx, inv)
	if err == nil {
		if old != nil && 1 <= old.Format && old.Format < Format {
			sum.Format = old.Format // then the bytes are the same except for this number
		}
		again, err = summary.Encode(sum)
	}
	switch {
	case ctx.Err() != nil:
		return nil
	case err != nil:
		return []*Error{asError("verifying", path, err)}
	case !bytes.Equal(stored, again):
		return []*Error{newError(problemDamaged, "verifying", path, "it is not the summary of its samples", restore)}
	}
	return nil
}

// asError makes an *Error of err. An error that wraps an *Error is kept whole, since it says more.
func asError(op, path string, err error) *Error {
	if e, ok := err.(*Error); ok {
		return e
	}
	return &Error{problemDamaged, op, path, err, restore}
}
