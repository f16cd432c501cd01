package main

import (
	"context"
	"errors"
	"slices"

	"moobench/harness/config"
	"moobench/harness/framework"
	"moobench/harness/run"
	"moobench/harness/strict"
)

// artifacts finds or fetches the files of the plan's variants. A file of the
// user's own that is not there is a mistake of the benchmarks.toml that names it.
func (s *sitting) artifacts(ctx context.Context) (*run.Artifacts, error) {
	all, err := run.ResolveArtifacts(ctx, &framework.Resolver{Log: s.t.err}, s.plan)
	if mistakes := missingFiles(s.file, err); len(mistakes) > 0 {
		return nil, mistakes
	}
	return all, err
}

// missingFiles are the places in the file that name what is not there. There are
// none when anything else is wrong too: an error would get lost.
func missingFiles(file *config.File, err error) strict.Errors {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return nil
	}
	var all strict.Errors
	for _, e := range joined.Unwrap() {
		var missing *framework.MissingError
		if !errors.As(e, &missing) {
			return nil
		}
		one := file.Errorf(missing.Artifact.Key, missing.Hint(), "%s", missing.Reason())
		if !slices.ContainsFunc(all, func(known *strict.Error) bool { return *known == *one }) { // each cell needs it
			all = append(all, one)
		}
	}
	all.Sort()
	return all
}
