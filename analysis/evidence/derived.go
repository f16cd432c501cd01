package evidence

import (
	"fmt"
	"maps"
	"slices"

	"moobench/analysis/derive"
	"moobench/results"
)

// sampled is a Source that also has the samples; *results.Store is one.
type sampled interface {
	// Samples streams an invocation's samples, by series and column, in pages that fn must not
	// keep.
	Samples(inv *results.Invocation, fn func(series results.Series, column int, values []int64) error) error
}

// mostDerived is the largest number of samples held in memory: a small file can hold billions of
// equal ones.
const mostDerived = 1 << 26

// scalars returns the figures of the whole invocation: the recorded ones, and those derived from
// samples, which replace recorded ones of the same name if samples are kept. Warnings of the
// derivation are added to the invocation.
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
	copied := *e.Invocation // leave the source's invocation unchanged

	added := slices.DeleteFunc(f.Warnings, func(w string) bool { return slices.Contains(copied.Warnings, w) })
	copied.Warnings = slices.Concat(copied.Warnings, added)
	e.Invocation = &copied
	return all, nil
}
