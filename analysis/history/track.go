package history

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// track is a series while it is judged.
type track struct {
	Series
	// at are the indices of the judged nights in Series.Nights; x, se and df are
	// their values. Positions below count judged nights.
	at        []int
	x, se, df []float64
	bounds    []bound // in ascending order
	settled   []*Confirmation
	accepted  []*Acceptance
	current   bool // it has the last night of its campaign on its machine
}

// tracksOf are the series of a history, in the order of their keys, each with its
// nights from the oldest on and with what settles its changes.
func tracksOf(h *History) []*track {
	byKey := map[Key]*track{}
	for i := range h.Records {
		r := &h.Records[i]
		id, _ := r.identity()
		t := byKey[id.key]
		if t == nil {
			t = &track{Series: Series{Key: id.key, Segments: []Segment{}}}
			byKey[id.key] = t
		}
		switch r.Kind {
		case KindNight:
			t.Nights = append(t.Nights, *r.Night)
		case KindConfirmation:
			t.settled = append(t.settled, r.Confirmation)
		case KindAcceptance:
			t.accepted = append(t.accepted, r.Acceptance)
		}
	}
	var tracks []*track
	for _, t := range byKey {
		if len(t.Nights) == 0 { // what settles a series without nights settles nothing
			continue
		}
		slices.SortFunc(t.Nights, func(a, b Night) int { return byTime(a.When, b.When, a.ID, b.ID) })
		slices.SortFunc(t.settled, func(a, b *Confirmation) int {
			return cmp.Or(byTime(a.When, b.When, a.Night, b.Night), cmp.Compare(a.Verdict, b.Verdict))
		})
		slices.SortFunc(t.accepted, func(a, b *Acceptance) int { return cmp.Compare(a.Night, b.Night) })
		for i := range t.Nights {
			if n := &t.Nights[i]; n.Judged() {
				t.at = append(t.at, i)
				t.x, t.se, t.df = append(t.x, n.Log), append(t.se, n.SE), append(t.df, n.DF)
			}
		}
		t.Unit = t.last().Unit
		tracks = append(tracks, t)
	}
	slices.SortFunc(tracks, func(a, b *track) int { return strings.Compare(joined(a.Key), joined(b.Key)) })
	places := map[place][]*track{}
	for _, t := range tracks {
		places[t.place()] = append(places[t.place()], t)
	}
	for _, here := range places {
		nights := nightIDs(here)
		newest, recent := nights[len(nights)-1].ID, nights[max(0, len(nights)-detectedFrom)].When
		for _, t := range here {
			t.current, t.Ended = t.last().ID == newest, t.last().When.Before(recent)
		}
	}
	return tracks
}

// place is where a campaign is run night after night.
type place struct{ campaign, machine string }

func (t *track) place() place { return place{t.Campaign, t.Machine} }

// joined are the parts of a key as one text.
func joined(k Key) string {
	return strings.Join([]string{k.Campaign, k.Scenario, k.Cell, k.Metric, k.Reference, k.Machine, k.Runtime}, "\x00")
}

// byTime is the order of time, of what is of the same time that of the IDs.
func byTime(a, b time.Time, idA, idB string) int { return cmp.Or(a.Compare(b), cmp.Compare(idA, idB)) }

// last is the newest night.
func (t *track) last() *Night { return &t.Nights[len(t.Nights)-1] }

// night is the judged night at a position.
func (t *track) night(i int) *Night { return &t.Nights[t.at[i]] }

// position is that of the first judged night from an ID on; not ok when the series
// has no such night.
func (t *track) position(id string) (i int, ok bool) {
	n := slices.IndexFunc(t.Nights, func(n Night) bool { return n.ID == id })
	if n < 0 {
		return 0, false
	}
	i, _ = slices.BinarySearch(t.at, n)
	return i, true
}

// judged says whether the series can change: the second baseline can't, and one
// with too few nights is not asked.
func (t *track) judged() bool {
	if t.last().AA {
		return false
	}
	n := 0 // nights of the last plan
	for n < len(t.x) && t.night(len(t.x)-1-n).Plan == t.night(len(t.x)-1).Plan {
		n++
	}
	t.Short = max(0, leastNights-n)
	return t.Short == 0
}

// nightIDs are the nights of some series, oldest first.
func nightIDs(tracks []*track) []NightID {
	seen := map[string]bool{}
	ids := []NightID{}
	for _, t := range tracks {
		for _, n := range t.Nights {
			if !seen[n.ID] {
				seen[n.ID] = true
				ids = append(ids, NightID{n.ID, n.When, n.Commit})
			}
		}
	}
	slices.SortFunc(ids, func(a, b NightID) int { return byTime(a.When, b.When, a.ID, b.ID) })
	return ids
}
