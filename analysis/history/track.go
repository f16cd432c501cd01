package history

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"moobench/analysis/stats"
)

// track is a series while it is judged.
type track struct {
	Series
	// at are the indices of the judged nights in Series.Nights; x, se and df are their values.
	// Positions count judged nights.
	at        []int
	x, se, df []float64
	bounds    []bound // in ascending order
	settled   []*Confirmation
	accepted  []*Acceptance
	// atStandard says that x is at the standard CPU speed from standardFrom on; nights before are
	// as measured, and not compared with later ones.
	atStandard   bool
	standardFrom int
	far          int  // nights not judged because of their CPU speed
	current      bool // it has its campaign's last night on its machine
	move         *Move
	crossed      []*crossing // continuations on another machine, oldest first
	moved        []moved     // the same by position
}

// tracksOf returns the series of a history, in the order of their keys, each with its nights
// (oldest first), confirmations and acceptances; and why some series do not continue on another
// machine.
func tracksOf(h *History) (tracks []*track, notCarried []string) {
	byKey := gathered(h)
	for _, t := range byKey {
		if len(t.Nights) == 0 { // confirmations or acceptances alone
			continue
		}
		sortNights(t.Nights)
		t.sortSettled()
		slices.SortFunc(t.accepted, func(a, b *Acceptance) int { return cmp.Compare(a.Night, b.Night) })
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
	notCarried = carryOver(byKey, tracks)
	for _, t := range tracks {
		t.takeNights()
		t.takeShifts()
	}
	return tracks, notCarried
}

// gathered groups the records of a history by series.
func gathered(h *History) map[Key]*track {
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
		case KindMove:
			if t.move == nil || r.Move.compare(t.move) > 0 { // the newest counts
				t.move = r.Move
			}
		}
	}
	return byKey
}

// sortSettled sorts the confirmations by time.
func (t *track) sortSettled() {
	slices.SortFunc(t.settled, func(a, b *Confirmation) int {
		return cmp.Or(byTime(a.When, b.When, a.Night, b.Night), cmp.Compare(a.Verdict, b.Verdict))
	})
}

// mostApart is the largest difference of log CPU speeds of nights compared as measured: beyond
// that, the response of programs has not been measured.
const mostApart = 0.35

// takeNights selects the judged nights and their values: at the standard CPU speed since enough
// nights have a value there, all at one standard, and as measured before. Nights whose speed is far
// from that of the others are not judged.
func (t *track) takeNights() {
	speeds := map[string][]float64{} // of each machine
	for i := range t.Nights {
		n := &t.Nights[i]
		if n.Standard != nil && n.Judged() {
			machine := n.Key.Series().Machine
			speeds[machine] = append(speeds[machine], math.Log(n.Standard.AtNS))
		}
	}
	usual := map[string]float64{}
	for machine, all := range speeds {
		usual[machine], _ = stats.Median(all) // no error: not empty
	}
	for i := range t.Nights {
		n := &t.Nights[i]
		switch {
		case !n.Judged():
		case n.Standard != nil && math.Abs(math.Log(n.Standard.AtNS)-usual[n.Key.Series().Machine]) > mostApart:
			t.far++
		default:
			t.at = append(t.at, i)
		}
	}
	t.standardFrom, t.atStandard = t.sinceStandard()
	for i := range t.at {
		x, se, df := t.night(i).Ratio(t.atStandard && i >= t.standardFrom)
		t.x, t.se, t.df = append(t.x, x), append(t.se, se), append(t.df, df)
	}
	if t.standardFrom > 0 {
		t.bounds = append(t.bounds, bound{at: t.standardFrom, kind: replanned})
	}
}

// sinceStandard returns the position from which all nights have a value at one standard speed;
// enough says whether there are enough to judge the series.
func (t *track) sinceStandard() (position int, enough bool) {
	from := len(t.at)
	for from > 0 {
		s, last := t.night(from-1).Standard, t.night(len(t.at)-1).Standard
		if s == nil || s.Log == nil || s.NS != last.NS {
			break
		}
		from--
	}
	if len(t.at)-from < leastNights {
		return 0, false
	}
	return from, true
}

// place is the machine where a campaign runs every night.
type place struct{ campaign, machine string }

func (t *track) place() place { return place{t.Campaign, t.Machine} }

// joined joins the parts of a key.
func joined(k Key) string {
	return strings.Join([]string{k.Campaign, k.Scenario, k.Cell, k.Metric, k.Reference, k.Machine, k.Runtime}, "\x00")
}

// byTime compares by time, then by ID.
func byTime(a, b time.Time, idA, idB string) int { return cmp.Or(a.Compare(b), cmp.Compare(idA, idB)) }

// last returns the newest night.
func (t *track) last() *Night { return &t.Nights[len(t.Nights)-1] }

// night returns the judged night at a position.
func (t *track) night(i int) *Night { return &t.Nights[t.at[i]] }

// position returns the position of the first judged night from an ID on; ok is false if the series
// has no such night.
func (t *track) position(id string) (i int, ok bool) {
	n := slices.IndexFunc(t.Nights, func(n Night) bool { return n.ID == id })
	if n < 0 {
		return 0, false
	}
	i, _ = slices.BinarySearch(t.at, n)
	return i, true
}

// judged reports whether changes of the series are searched: not of the second baseline, nor of one
// with too few nights, or that continues elsewhere.
func (t *track) judged() bool {
	if t.last().AA || t.MovedTo != "" {
		return false
	}
	n := 0 // nights of the last plan
	for n < len(t.x) && t.night(len(t.x)-1-n).Plan == t.night(len(t.x)-1).Plan && len(t.x)-n != t.standardFrom {
		n++
	}
	t.Short = max(0, leastNights-n)
	return t.Short == 0
}

// nightIDs returns the nights of some series, oldest first.
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
