package evidence

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

// scalars are the figures of the whole invocation: those that were recorded, and
// those that follow from the samples by a rule, which replace recorded ones of the
// same name where samples are kept. Warnings of the derivation are added to the
// invocation.
func (e *Invocation) scalars(src Source) (map[string]float64, error) {
	source, ok := src.(sampled)
	needed := func(s results.Series) bool { return derive.Reads(s.Name) }
	if !ok || !slices.ContainsFunc(e.Invocation.Series, needed) {
		return e.Scalars, nil
	}
	kept, n := derive.Samples{}, 0
	err := source.Samples(e.Invocation, func(s results.Series, column int, values []int64) error {
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
	all := map[string]float64{}
	maps.Copy(all, e.Scalars)
	maps.Copy(all, f.Values)
	copied := *e.Invocation // that of the source stays as it is

	added := slices.DeleteFunc(f.Warnings, func(w string) bool { return slices.Contains(copied.Warnings, w) })
	copied.Warnings = slices.Concat(copied.Warnings, added)
	e.Invocation = &copied
	return all, nil
}
