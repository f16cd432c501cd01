package history

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// statesByUrgency are the states of a change, those that say most first.
var statesByUrgency = []State{StateConfirmed, StateDetected, StateSuspected, StateRefuted, StateAccepted}

// settledUrgency is the urgency from which on nobody has to do anything.
const settledUrgency = 6

// urgency is how much a change needs attention: 0 is most. What became worse goes
// before what became better, and what is settled comes last.
func (c *Change) urgency() int {
	if c == nil || c.Over != "" {
		return settledUrgency + 2
	}
	i := slices.Index(statesByUrgency, c.State)
	switch {
	case i < 0:
		return settledUrgency + 2
	case i >= 3 || !c.Worse:
		i += 3
	}
	return i
}

// Settled says whether nobody has to do anything about a change.
func (c *Change) Settled() bool { return c.urgency() >= settledUrgency }

// Fails says whether a check fails of a change: confirmed, for the worse, of the
// current level, and not accepted.
func (c *Change) Fails() bool {
	return c != nil && c.State == StateConfirmed && c.Worse && c.Over == ""
}

// Standing is the change that the present state of a series hangs on: the one that
// needs attention most, or nil. Ended changes, and improvements before the current
// level, are ignored.
func (s *Series) Standing() *Change {
	first := 0
	if n := len(s.Segments); n > 0 {
		first = s.Segments[n-1].First
	}
	var top *Change
	for i := range s.Changes {
		c := &s.Changes[i]
		if c.Over == "" && (c.Worse || c.Night >= first) && (top == nil || c.urgency() <= top.urgency()) {
			top = c
		}
	}
	return top
}

// Acceptable are the changes of a series that can become the new normal: they hold,
// may be real, and were not accepted yet.
func (s *Series) Acceptable() []*Change {
	var all []*Change
	for i := range s.Changes {
		c := &s.Changes[i]
		if c.Over == "" && slices.Contains(statesByUrgency[:3], c.State) {
			all = append(all, c)
		}
	}
	return all
}

// ToAccept is the change that is accepted: the standing one or, where a night is named,
// the one that began in it; nil when it is not acceptable. See Night.called.
func (s *Series) ToAccept(night string) *Change {
	standing := s.Standing()
	for _, c := range s.Acceptable() {
		if night == "" && c == standing || night != "" && s.Nights[c.Night].called(night) {
			return c
		}
	}
	return nil
}

// newsNights is for how many nights an improvement is news.
const newsNights = 14

// News says whether somebody should look at a change of the series.
func (s *Series) News(c *Change) bool {
	return c != nil && !c.Settled() && (c.Worse || len(s.Nights)-c.Night <= newsNights)
}

// IsFloor says whether a series is of two equal baselines: the noise floor.
func (s *Series) IsFloor() bool { return len(s.Nights) > 0 && s.Nights[len(s.Nights)-1].AA }

// ByUrgency are all series, those first that need attention.
func (f *Findings) ByUrgency() []*Series {
	all := make([]*Series, len(f.Series))
	for i := range f.Series {
		all[i] = &f.Series[i]
	}
	floor := func(s *Series) int {
		if s.IsFloor() {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b *Series) int {
		x, y := a.Standing(), b.Standing()
		if d := cmp.Compare(x.urgency(), y.urgency()); d != 0 {
			return d
		}
		if x != nil && y != nil && x.Log != y.Log {
			return cmp.Compare(math.Abs(y.Log), math.Abs(x.Log))
		}
		return cmp.Or(cmp.Compare(floor(a), floor(b)), strings.Compare(joined(a.Key), joined(b.Key)))
	})
	return all
}
