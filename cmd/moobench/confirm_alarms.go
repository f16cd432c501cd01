package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/history"
)

// alarm is a change of a series that is to be measured again, with the nights
// that old and new are of.
type alarm struct {
	series   *history.Series
	change   *history.Change
	old, new history.Night
	why      string // it can't be measured again; "" is that it can
}

// alarmsOf are the changes of a history that the flags are about: by default what
// is not settled.
func alarmsOf(o confirmOptions) ([]alarm, error) {
	h, err := history.Read(o.history)
	if err != nil {
		return nil, err
	}
	if len(h.Records) == 0 {
		return nil, fmt.Errorf("confirming: %s holds no night\nhint: add a campaign with: moobench history add DIR", visible(o.history))
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
	var all []alarm
	for _, u := range changes {
		a := alarm{series: u.Series, change: u.Change}
		a.choose()
		all = append(all, a)
	}
	return all, nil
}

// unsettledChanges are those for the worse, of the current level, that were not
// measured again yet; with more blocks those, too, which that left open.
func unsettledChanges(f *history.Findings, more bool) []history.Unsettled {
	all := f.Unsettled()
	for i := range f.Series {
		s := &f.Series[i]
		for j := range s.Changes {
			c := &s.Changes[j]
			open := c.Confirmation != nil && c.Confirmation.Verdict == history.Open && c.State != history.StateAccepted
			if more && open && c.Worse && c.Over == "" {
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
		return nil, fmt.Errorf("no series of %s is called %q\nhint: moobench history show lists them", visible(o.history), o.series)
	case len(found) == 0 && o.night != "":
		return nil, fmt.Errorf("nothing changed in a night %q\nhint: moobench history check names nights and changes", o.night)
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

// choose finds the nights whose jars are measured again: the last one of the old
// level before the change, and the first of the new. Where a change point lies is
// not known to the night, so that each must be on its own level's side of the
// middle between both.
func (a *alarm) choose() {
	s, c := a.series, a.change
	if c.Night < 1 || c.Night >= len(s.Nights) {
		a.why = "there is no night before it"
		return
	}
	if s.Nights[c.Night].AA {
		a.why = "it is the second baseline: no jar of yours is in it, and what changed is the machine"
		return
	}
	before, ok := levelBefore(s, c.Night)
	if !ok {
		a.why = "there is no level before it"
		return
	}
	changed := func(n *history.Night) bool { return (n.Log-before.Mean)/c.Log > 0.5 }
	last := c.Night
	if !c.Alarm {
		last = len(s.Nights) - 1
	}
	older := s.Nights[max(0, before.First):c.Night]
	i := lastNightOf(older, func(n *history.Night) bool { return n.Judged() && !changed(n) })
	j := slices.IndexFunc(s.Nights[c.Night:last+1], func(n history.Night) bool { return n.Judged() && changed(&n) })
	switch {
	case i < 0:
		a.why = "no night before it is of the old level"
	case j < 0:
		a.why = "no night from it on is of the new level"
	default:
		a.old, a.new = older[i], s.Nights[c.Night+j]
	}
}

// levelBefore is the level of the night before the one with an index.
func levelBefore(s *history.Series, night int) (history.Segment, bool) {
	for _, level := range s.Segments {
		if level.First < night && night-1 <= level.Last {
			return level, true
		}
	}
	return history.Segment{}, false
}

func lastNightOf(nights []history.Night, is func(*history.Night) bool) int {
	for i := len(nights) - 1; i >= 0; i-- {
		if is(&nights[i]) {
			return i
		}
	}
	return -1
}

// grouped are the alarms that one campaign settles: those of the same cell whose
// old and new are of the same nights. One that can't be measured again stands
// alone.
func grouped(alarms []alarm) [][]alarm {
	var groups [][]alarm
	for _, a := range alarms {
		i := slices.IndexFunc(groups, func(g []alarm) bool { return g[0].sameAs(a) })
		if i < 0 {
			groups = append(groups, []alarm{a})
		} else {
			groups[i] = append(groups[i], a)
		}
	}
	return groups
}

func (a alarm) sameAs(b alarm) bool {
	x, y := a.series.Key, b.series.Key
	x.Metric, y.Metric = "", ""
	return a.why == "" && b.why == "" && x == y && a.old.ID == b.old.ID && a.new.ID == b.new.ID
}

// blocksFor is how many blocks settle all of the alarms.
func blocksFor(g []alarm) int {
	blocks := 0
	for _, a := range g {
		n, _ := history.ConfirmBlocks(a.change.Log, history.BlockSD(a.old, a.new))
		blocks = max(blocks, n)
	}
	return blocks
}

// shareOf is a change of the logarithm as a share: 0.05 is 5 % more.
func shareOf(log float64) float64 { return math.Expm1(log) }

// hinted is an error on one line, its hints behind it.
func hinted(err error) string {
	return strings.ReplaceAll(strings.ReplaceAll(err.Error(), "\nhint: ", "; "), "\n", "; ")
}

// errCantConfirm is that of a group which nothing can be measured of.
func (a alarm) errCantConfirm() error {
	if a.why == "" {
		return nil
	}
	return errors.New(a.why)
}
