package main

import (
	"fmt"
	"math"
	"slices"

	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/refusal"
)

// remeasurements are how the changes of a history that the flags are about will be
// re-measured: by default what is not settled.
func remeasurements(o confirmOptions) ([]history.Remeasurement, error) {
	h, err := history.Read(o.history)
	if err != nil {
		return nil, err
	}
	if len(h.Records) == 0 {
		return nil, refusal.New(fmt.Errorf("confirming: %s holds no night", visible(o.history)), "add a campaign with: moobench history add DIR")
	}
	f, err := history.Check(h, history.Options{Least: o.least})
	if err != nil {
		return nil, fmt.Errorf("confirming: %w", err)
	}
	changes := unsettledChanges(f, o.blocks > 0)
	if o.series != "" || o.night != "" {
		if changes, err = chosenChanges(f, o); err != nil {
			return nil, usageError{err}
		}
	}
	return h.Choose(changes), nil
}

// unsettledChanges are those for the worse, of the current level, that were not
// re-measured yet or need another night; with more blocks those, too, which that
// left open.
func unsettledChanges(f *history.Findings, more bool) []history.Unsettled {
	all := f.Unsettled()
	for i := range f.Series {
		s := &f.Series[i]
		for j := range s.Changes {
			c := &s.Changes[j]
			open := c.Confirmation != nil && c.Confirmation.Verdict == infer.Open && c.State != history.StateAccepted
			known := slices.ContainsFunc(all, func(u history.Unsettled) bool { return u.Change == c })
			if more && open && !known && c.Worse && c.Over == "" {
				all = append(all, history.Unsettled{Series: s, Change: c})
			}
		}
	}
	return all
}

// chosenChanges are those of a series, or of a night, whatever their state: the
// latest of each series, unless a night is named.
func chosenChanges(f *history.Findings, o confirmOptions) ([]history.Unsettled, error) {
	var found []history.Unsettled
	named := false
	for i := range f.Series {
		s := &f.Series[i]
		if o.series != "" && s.Key.String() != o.series && s.Cell != o.series {
			continue
		}
		named = true
		if c := chosenChange(s, o.night); c != nil {
			found = append(found, history.Unsettled{Series: s, Change: c})
		}
	}
	switch {
	case !named:
		return nil, refusal.New(fmt.Errorf("no series of %s is called %q", visible(o.history), o.series), "moobench history show lists them")
	case len(found) == 0 && o.night != "":
		return nil, refusal.New(fmt.Errorf("nothing changed in a night %q", o.night), "moobench history check names nights and changes")
	case len(found) == 0:
		return nil, fmt.Errorf("series %q has not changed: there is nothing to confirm", o.series)
	}
	return found, nil
}

// chosenChange is the change that began in a night, or the latest one.
func chosenChange(s *history.Series, night string) *history.Change {
	var found *history.Change
	for i := range s.Changes {
		c := &s.Changes[i]
		if c.Night < 0 || c.Night >= len(s.Nights) || night != "" && s.Nights[c.Night].ID != night {
			continue
		}
		if found == nil || c.Night >= found.Night {
			found = c
		}
	}
	return found
}

// grouped are the alarms that one campaign settles: those of the same cell whose
// old and new are of the same nights. One that can't be measured again stands
// alone.
func grouped(alarms []history.Remeasurement) [][]history.Remeasurement {
	var groups [][]history.Remeasurement
	for _, a := range alarms {
		i := slices.IndexFunc(groups, func(g []history.Remeasurement) bool { return together(g[0], a) })
		if i < 0 {
			groups = append(groups, []history.Remeasurement{a})
		} else {
			groups[i] = append(groups[i], a)
		}
	}
	return groups
}

// together says whether one campaign settles both.
func together(a, b history.Remeasurement) bool {
	x, y := a.Series.Key, b.Series.Key
	x.Metric, y.Metric = "", ""
	return a.Why == "" && b.Why == "" && x == y && a.Old.ID == b.Old.ID && a.New.ID == b.New.ID
}

// blocksFor is how many blocks settle all of the alarms.
func blocksFor(g []history.Remeasurement) int {
	blocks := 0
	for _, a := range g {
		blocks = max(blocks, a.Blocks)
	}
	return blocks
}

// shareOf is a change of the logarithm as a share: 0.05 is 5 % more.
func shareOf(log float64) float64 { return math.Expm1(log) }
