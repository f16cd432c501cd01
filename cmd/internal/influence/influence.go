// Package influence stores how much longer the reference takes beside variants than beside their
// baselines. The values come from turns of JVMs and from the blocks of campaigns; each holds for
// the same subjects, CPU, JDK and reference.
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

const (
	// FewestPairs is the least number of JVM pairs, or campaigns, for an influence.
	FewestPairs = 3

	// mostCampaigns limits the campaigns kept per pair of subjects, mostKept those in total; the
	// latest stay. The limits keep the file small enough to be read again.
	mostCampaigns, mostKept = 20, 1000
)

// Of fills in mean and standard error of ratios. Each value is one pair of JVMs: the mean over its
// turns of ln(time beside the variant / time beside the baseline). The pairs are the replicates,
// because the turns of one pair share its error. Likewise, a campaign is one value: the mean over
// its blocks.
func Of(subject results.Influence, ratios []float64, done time.Time) (results.Influence, error) {
	if len(ratios) < FewestPairs {
		return subject, fmt.Errorf("%w: %d values, and at least %d are needed", stats.ErrTooFew, len(ratios), FewestPairs)
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

// format is the file's format.
const format = 1

// File is the user's own file of influences, influences.json.
type File struct {
	Path  string `json:"-"` // "": nothing is kept
	place kept.Place
	told  bool // there are unsaved changes
	// Format is 1.
	Format int                 `json:"format"`
	Kept   []results.Influence `json:"influences"`
	// Campaigns holds the result of each campaign's blocks, the latest last.
	Campaigns []Campaign `json:"campaigns,omitempty"`
}

// Campaign is the result of one campaign's blocks. It has no standard error: the spread between
// campaigns says more about its error than its own blocks can.
type Campaign struct {
	Created time.Time `json:"created"` // start of the campaign, unique to it
	results.Influence
}

// Read reads the file; a missing file is empty.
func Read() (*File, error) {
	place := kept.At("", "influences.json")
	f := &File{Path: place.Path, place: place, Format: format}
	err := place.Read(f)
	if err == nil {
		err = kept.CheckFormat(f.Format, format)
	}
	for _, c := range f.Campaigns {
		if !(math.Abs(c.LogRatio) < 1) || c.Subject == "" || c.Created.IsZero() {
			err = errors.Join(err, fmt.Errorf("that of %s in a campaign has no subject, or no value", c.Variant))
		}
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

// Keep adds an influence, replacing an older one for the same subjects, CPU, JDK and reference.
func (f *File) Keep(i results.Influence) {
	i.Cell, f.told = "", true
	f.Kept = append(slices.DeleteFunc(f.Kept, func(old results.Influence) bool { return old.HoldsFor(i) }), i)
}

// Tell adds the result of a campaign's blocks, replacing an earlier result of the same campaign
// with fewer blocks.
func (f *File) Tell(created time.Time, subject results.Influence, logRatio float64, done time.Time) {
	subject.Cell, f.told = "", true
	subject.LogRatio, subject.Made = logRatio, done.UTC().Truncate(time.Second)
	f.Campaigns = slices.DeleteFunc(f.Campaigns, func(old Campaign) bool {
		return old.Created.Equal(created) && old.HoldsFor(subject)
	})
	f.Campaigns = append(f.Campaigns, Campaign{created, subject})
	same := 0
	for i := len(f.Campaigns) - 1; i >= 0; i-- {
		if !f.Campaigns[i].HoldsFor(subject) {
			continue
		}
		if same++; same > mostCampaigns {
			f.Campaigns = slices.Delete(f.Campaigns, i, i+1)
		}
	}
	f.Campaigns = f.Campaigns[max(0, len(f.Campaigns)-mostKept):]
}

// Save writes the file if it has a place and unsaved changes.
func (f *File) Save() error {
	if !f.told {
		return nil
	}
	if err := f.place.Save(f); err != nil {
		return fmt.Errorf("keeping what variants do to the reference: %w", err)
	}
	return nil
}

// For returns the known influences for a campaign's cells, which are given as influences without
// values. Turns and earlier campaigns give one influence each.
func (f *File) For(cells []results.Influence) []results.Influence {
	var all []results.Influence
	for _, c := range cells {
		if i := results.Find(f.Kept, func(k *results.Influence) bool { return k.HoldsFor(c) }); i != nil {
			turns := *i
			turns.Cell = c.Cell
			all = append(all, turns)
		}
		var ratios []float64
		var last time.Time
		for _, k := range f.Campaigns {
			if k.HoldsFor(c) {
				ratios, last = append(ratios, k.LogRatio), k.Made
			}
		}
		c.From = results.FromCampaigns
		if campaigns, err := Of(c, ratios, last); err == nil { // otherwise there are too few
			all = append(all, campaigns)
		}
	}
	return all
}
