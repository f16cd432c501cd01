// Package influence keeps how much longer the reference takes beside variants than beside their
// baselines: what turns of JVMs showed, and which campaigns it holds for.
package influence

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"moobench/analysis/stats"
	"moobench/cmd/internal/kept"
	"moobench/refusal"
	"moobench/results"
)

// FewestPairs is how many pairs of JVMs an influence is made from at least.
const FewestPairs = 3

// Of fills in what the ratios of pairs of JVMs say, each the mean over its turns of
// ln(time beside the variant / time beside the baseline). The pairs are the replicates: what
// turns of one pair share is in all of them.
func Of(subject results.Influence, ratios []float64, done time.Time) (results.Influence, error) {
	if len(ratios) < FewestPairs {
		return subject, fmt.Errorf("%w: %d pairs of JVMs, and %d are the least", stats.ErrTooFew, len(ratios), FewestPairs)
	}
	mean, err := stats.Mean(ratios)
	sd, err2 := stats.SD(ratios)
	if err := errors.Join(err, err2); err != nil {
		return subject, err
	}
	subject.LogRatio, subject.SE, subject.N = mean, sd/math.Sqrt(float64(len(ratios))), len(ratios)
	subject.Made = done.UTC().Truncate(time.Second)
	return subject, nil
}

// format of the file.
const format = 1

// File is the user's own file of influences, influences.json.
type File struct {
	Path  string `json:"-"` // "" is nowhere
	place kept.Place
	told  bool // something of it is not saved yet
	// Format is 1.
	Format int                 `json:"format"`
	Kept   []results.Influence `json:"influences"`
}

// Read reads the file; one that does not exist yet is empty.
func Read() (*File, error) {
	place := kept.At("", "influences.json")
	f := &File{Path: place.Path, place: place, Format: format}
	err := place.Read(f)
	if err == nil {
		err = kept.CheckFormat(f.Format, format)
	}
	for _, i := range f.Kept {
		if !(i.SE >= 0 && i.N >= FewestPairs && math.Abs(i.LogRatio) < 1) || i.Subject == "" { // some other JSON
			err = errors.Join(err, fmt.Errorf("that of %s has no subject, or no value", i.Variant))
		}
	}
	if err != nil {
		return nil, refusal.New(fmt.Errorf("reading what variants do to the reference in %s: %w", f.Path, err),
			"repair or remove the file, and measure again with: moobench doctor --calibrate FILE")
	}
	return f, nil
}

// Keep keeps an influence in place of an older one on the same subjects, CPU, JDK and reference.
func (f *File) Keep(i results.Influence) {
	i.Cell, f.told = "", true
	f.Kept = append(slices.DeleteFunc(f.Kept, func(old results.Influence) bool { return old.HoldsFor(i) }), i)
}

// Save writes the file, where there is one and it was told something.
func (f *File) Save() error {
	if !f.told {
		return nil
	}
	if err := f.place.Save(f); err != nil {
		return fmt.Errorf("keeping what variants do to the reference: %w", err)
	}
	return nil
}

// For are the influences of a campaign: those that hold for its cells, which are given as an
// influence without a value each.
func (f *File) For(cells []results.Influence) []results.Influence {
	var all []results.Influence
	for _, c := range cells {
		if i := results.Find(f.Kept, func(k *results.Influence) bool { return k.HoldsFor(c) }); i != nil {
			own := *i
			own.Cell = c.Cell
			all = append(all, own)
		}
	}
	return all
}
