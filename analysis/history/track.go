package history

import (
	"cmp"
	"hash/fnv"
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
}

// tracksOf are the series of a history, in the order of their keys, each with its
// nights from the oldest on and with what settles its changes.
func tracksOf(h *History) []*track {
	byKey := map[Key]*track{}
	of := func(k Key) *track {
		if byKey[k] == nil {
			byKey[k] = &track{Series: Series{Key: k, Segments: []Segment{}}}
		}
		return byKey[k]
	}
	for i := range h.Records {
		switch r := &h.Records[i]; {
		case r.Kind == KindNight && r.Night != nil:
			t := of(r.Night.Key)
			t.Nights = append(t.Nights, *r.Night)
		case r.Kind == KindConfirmation && r.Confirmation != nil:
			t := of(r.Confirmation.Key)
			t.settled = append(t.settled, r.Confirmation)
		case r.Kind == KindAcceptance && r.Acceptance != nil:
			t := of(r.Acceptance.Key)
			t.accepted = append(t.accepted, r.Acceptance)
		}
	}
	var tracks []*track
	for _, t := range byKey {
		if len(t.Nights) > 0 { // what settles a series without nights settles nothing
			t.sort()
			tracks = append(tracks, t)
		}
	}
	slices.SortFunc(tracks, func(a, b *track) int { return compareKeys(a.Key, b.Key) })
	markEnded(tracks)
	return tracks
}

func compareKeys(a, b Key) int {
	return cmp.Or(
		cmp.Compare(a.Campaign, b.Campaign), cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Cell, b.Cell),
		cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Reference, b.Reference), cmp.Compare(a.Machine, b.Machine),
		cmp.Compare(a.Runtime, b.Runtime),
	)
}

// sort brings everything into the order of time, and takes the values of the
// nights that are judged.
func (t *track) sort() {
	slices.SortFunc(t.Nights, func(a, b Night) int { return cmp.Or(a.When.Compare(b.When), cmp.Compare(a.ID, b.ID)) })
	slices.SortFunc(t.settled, func(a, b *Confirmation) int {
		return cmp.Or(a.When.Compare(b.When), cmp.Compare(a.Night, b.Night), cmp.Compare(a.Verdict, b.Verdict))
	})
	slices.SortFunc(t.accepted, func(a, b *Acceptance) int { return cmp.Compare(a.Night, b.Night) })
	for i := range t.Nights {
		if n := &t.Nights[i]; n.Judged() {
			t.at = append(t.at, i)
			t.x, t.se, t.df = append(t.x, n.Log), append(t.se, n.SE), append(t.df, n.DF)
		}
	}
	t.Unit = t.last().Unit
}

// last is the newest night.
func (t *track) last() *Night { return &t.Nights[len(t.Nights)-1] }

// judged says whether the series can change: the second baseline can't, and one
// with too few nights is not asked.
func (t *track) judged() bool {
	n := len(t.x)
	for i := n - 1; i > 0; i-- {
		if t.night(i).Plan != t.night(i-1).Plan {
			n -= i
			break
		}
	}
	if t.last().AA {
		return false
	}
	t.Short = max(0, leastNights-n)
	return t.Short == 0
}

// night is the judged night at a position.
func (t *track) night(i int) *Night { return &t.Nights[t.at[i]] }

// position is that of the first judged night from an ID on; not ok when the series
// has no such night.
func (t *track) position(id string) (i int, ok bool) {
	for n := range t.Nights {
		if t.Nights[n].ID == id {
			i, _ = slices.BinarySearch(t.at, n)
			return i, true
		}
	}
	return 0, false
}

// seed is a number that hangs on the series' key alone.
func (t *track) seed() uint64 {
	h := fnv.New64a()
	k := t.Key
	h.Write([]byte(strings.Join([]string{k.Campaign, k.Scenario, k.Cell, k.Metric, k.Reference, k.Machine, k.Runtime}, "\x00")))
	return h.Sum64()
}

// nightIDs are the nights of all series, oldest first.
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
	slices.SortFunc(ids, func(a, b NightID) int { return cmp.Or(a.When.Compare(b.When), cmp.Compare(a.ID, b.ID)) })
	return ids
}

// place is where a campaign is run night after night.
type place struct{ campaign, machine string }

func (t *track) place() place { return place{t.Campaign, t.Machine} }

// markEnded marks the series that the last five nights of their campaign and
// machine do not have.
func markEnded(tracks []*track) {
	nights := map[place]map[string]time.Time{}
	for _, t := range tracks {
		p := t.place()
		if nights[p] == nil {
			nights[p] = map[string]time.Time{}
		}
		for _, n := range t.Nights {
			nights[p][n.ID] = n.When
		}
	}
	for p, of := range nights {
		var whens []time.Time
		for _, when := range of {
			whens = append(whens, when)
		}
		slices.SortFunc(whens, time.Time.Compare)
		from := whens[max(0, len(whens)-detectedFrom)]
		for _, t := range tracks {
			t.Ended = t.Ended || t.place() == p && t.last().When.Before(from)
		}
	}
}
