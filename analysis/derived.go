package analysis

import (
	"fmt"
	"maps"
	"slices"

	"moobench/analysis/derive"
	"moobench/results"
)

// sampled is a Source that has the samples themselves; *results.Store is one.
type sampled interface {
	// Samples streams those of an invocation: of each series, each column, in
	// pages that fn may not keep.
	Samples(inv *results.Invocation, fn func(series results.Series, column int, values []int64) error) error
}

// mostDerived is how many samples may be held at a time: a small file can hold
// billions of equal ones.
const mostDerived = 1 << 26

// derived makes the figures that take a rule from the invocation's samples; nil
// where none are kept. Then what was recorded as a scalar stands.
func derived(src Source, inv *results.Invocation) (*derive.Figures, error) {
	source, ok := src.(sampled)
	needed := func(s results.Series) bool { return derive.Reads(s.Name) }
	if !ok || !slices.ContainsFunc(inv.Series, needed) {
		return nil, nil
	}
	kept, n := derive.Samples{}, 0
	err := source.Samples(inv, func(s results.Series, column int, values []int64) error {
		if !needed(s) {
			return nil
		}
		if n += len(values); n > mostDerived {
			return fmt.Errorf("more than %d samples take a rule: too many to hold", mostDerived)
		}
		if kept[s.Name] == nil {
			kept[s.Name] = map[string][]int64{}
		}
		name := s.Columns[column].Name
		kept[s.Name][name] = append(kept[s.Name][name], values...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	f := derive.Of(kept)
	return &f, nil
}

// scalars are the figures of the whole invocation: those that were recorded, and
// those that are derived, which replace recorded ones of the same name. What the
// derivation warns of is added to the invocation.
func (e *evidence) scalars(src Source) (map[string]float64, error) {
	f, err := derived(src, e.Invocation)
	if err != nil || f == nil {
		return e.Scalars, err
	}
	all := maps.Clone(e.Scalars)
	if all == nil {
		all = map[string]float64{}
	}
	maps.Copy(all, f.Values)
	e.Invocation = withWarnings(e.Invocation, f.Warnings)
	return all, nil
}

// withWarnings is the invocation with warnings that it does not have yet.
func withWarnings(inv *results.Invocation, warnings []string) *results.Invocation {
	own := *inv
	own.Warnings = slices.Clone(inv.Warnings)
	for _, w := range warnings {
		if !slices.Contains(own.Warnings, w) {
			own.Warnings = append(own.Warnings, w)
		}
	}
	return &own
}
