// Package influence keeps how much longer the reference takes beside variants than beside their
// baselines: what turns of JVMs and the blocks of campaigns showed, and which later ones it holds
// for.
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
	// FewestPairs is how many pairs of JVMs, or campaigns, an influence is made from at least.
	FewestPairs = 3

	// mostCampaigns is how many campaigns on one pair of subjects are kept, the latest ones, and
	// mostKept how many in all: the file has to stay one that is read again.
	mostCampaigns, mostKept = 20, 1000
)

// Of fills in what the ratios of pairs of JVMs say, each the mean over its turns of
// ln(time beside the variant / time beside the baseline). The pairs are the replicates: what
// turns of one pair share is in all of them. So are campaigns, each with the mean over its blocks.
func Of(subject results.Influence, ratios []float64, done time.Time) (results.Influence, error) {
	if len(ratios) < FewestPairs {
		return subject, fmt.Errorf("%w: %d values, and %d are the least", stats.ErrTooFew, len(ratios), FewestPairs)
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
	// Campaigns are what the blocks of each campaign showed, the latest last.
	Campaigns []Campaign `json:"campaigns,omitempty"`
}

// Campaign is what the blocks of one campaign showed. It has a value alone: how far campaigns lie
// apart says more of its error than its own blocks can.
type Campaign struct {
	Created time.Time `json:"created"` // when it began, which no two campaigns did together
	results.Influence
}

// Read reads the file; one that does not exist yet is empty.
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

// Keep keeps an influence in place of an older one on the same subjects, CPU, JDK and reference.
func (f *File) Keep(i results.Influence) {
	i.Cell, f.told = "", true
	f.Kept = append(slices.DeleteFunc(f.Kept, func(old results.Influence) bool { return old.HoldsFor(i) }), i)
}

// Tell keeps what the blocks of a campaign showed, in place of what they showed when there were
// fewer of them.
func (f *File) Tell(created time.Time, subject results.Influence, logRatio float64, done time.Time) {
	subject.Cell, f.told = "", true
	subject.LogRatio, subject.Made = logRatio, done.UTC().Truncate(time.Second)
	f.Campaigns = slices.DeleteFunc(f.Campaigns, func(old Campaign) bool { return old.Created.Equal(created) && old.HoldsFor(subject) })
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
// influence without a value each. Turns and earlier campaigns are one each.
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
		if campaigns, err := Of(c, ratios, last); err == nil { // else they are too few
			all = append(all, campaigns)
		}
	}
	return all
}
