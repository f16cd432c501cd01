package nightly

import (
	"fmt"
	"slices"

	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/analysis/report/doc"
	"moobench/cmd/internal/outcome"
	"moobench/refusal"
)

// group is the changes that one campaign settles: those of the same cell whose old
// and new are of the same nights. One that can't be measured again stands alone.
type group []history.Remeasurement

// alarms are the changes that are to be measured again, by default those that are not
// settled.
func (o Options) alarms() ([]group, error) {
	h, err := history.Read(o.History)
	if err != nil {
		return nil, err
	}
	if len(h.Records) == 0 {
		return nil, refusal.New(fmt.Errorf("confirming: %s holds no night", doc.Clean(o.History)), "add a campaign with: moobench history add DIR")
	}
	f, err := history.Check(h, history.Options{Least: o.Least})
	if err != nil {
		return nil, fmt.Errorf("confirming: %w", err)
	}
	changes := f.Unsettled()
	if o.Series != "" || o.Night != "" {
		if changes, err = o.chosen(f); err != nil {
			return nil, outcome.Usage(err)
		}
	} else if o.Blocks > 0 { // what measuring again left open may be settled by more blocks
		for s, c := range f.Changes() {
			open := c.Confirmation != nil && c.Confirmation.Verdict == infer.Open && c.State != history.StateAccepted
			known := slices.ContainsFunc(changes, func(u history.Unsettled) bool { return u.Change == c })
			if open && !known && c.Worse && c.Over == "" {
				changes = append(changes, history.Unsettled{Series: s, Change: c})
			}
		}
	}
	return grouped(h.Choose(changes)), nil
}

// chosen are the changes of a series, or of a night, whatever their state: the latest
// of each series, unless a night is named.
func (o Options) chosen(f *history.Findings) ([]history.Unsettled, error) {
	var found []history.Unsettled
	named := false
	for i := range f.Series {
		s := &f.Series[i]
		if o.Series != "" && s.Key.String() != o.Series && s.Cell != o.Series {
			continue
		}
		named = true
		var last *history.Change
		for j := range s.Changes {
			c := &s.Changes[j]
			if (o.Night == "" || s.Nights[c.Night].ID == o.Night) && (last == nil || c.Night >= last.Night) {
				last = c
			}
		}
		if last != nil {
			found = append(found, history.Unsettled{Series: s, Change: last})
		}
	}
	switch {
	case !named:
		return nil, refusal.New(fmt.Errorf("no series of %s is called %q", doc.Clean(o.History), o.Series), "moobench history show lists them")
	case len(found) == 0 && o.Night != "":
		return nil, refusal.New(fmt.Errorf("nothing changed in a night %q", o.Night), "moobench history check names nights and changes")
	case len(found) == 0:
		return nil, fmt.Errorf("series %q has not changed: there is nothing to confirm", o.Series)
	}
	return found, nil
}

func grouped(alarms []history.Remeasurement) []group {
	var groups []group
	for _, a := range alarms {
		i := slices.IndexFunc(groups, func(g group) bool {
			x, y := g[0].Series.Key, a.Series.Key
			x.Metric, y.Metric = "", ""
			return g[0].Why == "" && a.Why == "" && x == y && g[0].Old.ID == a.Old.ID && g[0].New.ID == a.New.ID
		})
		if i < 0 {
			groups = append(groups, group{a})
		} else {
			groups[i] = append(groups[i], a)
		}
	}
	return groups
}
