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

// Request is which changes of a history are to be measured again.
type Request struct {
	History string
	Series  string  // as moobench history check names it, or its cell; "" is not said
	Night   string  // ID of the first changed night; "" is not said
	Least   float64 // least change worth a word, as a share; 0 is the usual one
	Blocks  int     // 0 is as many as the alarm needs
}

// group is the changes that one campaign settles: those of the same cell whose old
// and new are of the same nights. One that can't be measured again stands alone.
type group []history.Remeasurement

// alarms are the changes that are to be measured again, by default those that are not
// settled.
func (r Request) alarms() ([]group, error) {
	h, err := history.Read(r.History)
	if err != nil {
		return nil, err
	}
	if len(h.Records) == 0 {
		return nil, refusal.New(fmt.Errorf("confirming: %s holds no night", doc.Clean(r.History)), "add a campaign with: moobench history add DIR")
	}
	f, err := history.Check(h, history.Options{Least: r.Least})
	if err != nil {
		return nil, fmt.Errorf("confirming: %w", err)
	}
	changes := f.Unsettled()
	if r.Series != "" || r.Night != "" {
		if changes, err = r.chosen(f); err != nil {
			return nil, outcome.Usage(err)
		}
	} else if r.Blocks > 0 { // what measuring again left open may be settled by more blocks
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
func (r Request) chosen(f *history.Findings) ([]history.Unsettled, error) {
	var found []history.Unsettled
	named := false
	for i := range f.Series {
		s := &f.Series[i]
		if r.Series != "" && s.Key.String() != r.Series && s.Cell != r.Series {
			continue
		}
		named = true
		var last *history.Change
		for j := range s.Changes {
			c := &s.Changes[j]
			if (r.Night == "" || s.Nights[c.Night].ID == r.Night) && (last == nil || c.Night >= last.Night) {
				last = c
			}
		}
		if last != nil {
			found = append(found, history.Unsettled{Series: s, Change: last})
		}
	}
	switch {
	case !named:
		return nil, refusal.New(fmt.Errorf("no series of %s is called %q", doc.Clean(r.History), r.Series), "moobench history show lists them")
	case len(found) == 0 && r.Night != "":
		return nil, refusal.New(fmt.Errorf("nothing changed in a night %q", r.Night), "moobench history check names nights and changes")
	case len(found) == 0:
		return nil, fmt.Errorf("series %q has not changed: there is nothing to confirm", r.Series)
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
