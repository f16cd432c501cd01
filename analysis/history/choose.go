package history

import (
	"math"
	"slices"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// Unsettled is a change to be settled by measuring again.
type Unsettled struct {
	Series *Series
	Change *Change
}

// Unsettled returns the changes that moobench confirm should settle: for the worse, of the current
// level, suspected or detected, and either not re-measured yet or needing another night. If a
// re-measurement of a series was begun, only that change of it is returned.
func (f *Findings) Unsettled() []Unsettled {
	var found []Unsettled
	for i := range f.Series {
		s := &f.Series[i]
		var fresh, begun []Unsettled
		waiting := false
		for j := range s.Changes {
			c := &s.Changes[j]
			again := c.Confirmation
			switch {
			case c.State != StateSuspected && c.State != StateDetected || !c.Worse || c.Over != "":
			case again == nil:
				fresh = append(fresh, Unsettled{s, c})
			case again.NeedsNight() && s.Nights[len(s.Nights)-1].When.After(again.When):
				begun = append(begun, Unsettled{s, c}) // the needed night has come
			case again.NeedsNight():
				waiting = true
			}
		}
		if len(begun) == 0 && !waiting {
			begun = fresh
		}
		found = append(found, begun...)
	}
	return found
}

// NeedsNight reports whether another night may settle an open re-measurement; the pair is then
// re-measured automatically.
func (c *Confirmation) NeedsNight() bool {
	return c.Verdict == infer.Open && c.Alarm != 0 &&
		c.Joint != nil && c.Joint.Nights < mostNights && c.Joint.Scatter != nil
}

// nightsBack is the distance in nights between a change and its old artifacts: the start of a
// change is uncertain by a few nights, and old must not contain it.
const nightsBack = 5

// Remeasurement is the plan for re-measuring a change.
type Remeasurement struct {
	Unsettled
	// Old and New are the nights whose artifacts are measured against each other.
	Old, New Night
	// Alarm has the data that the campaign needs besides its question. Its Log is the log change,
	// or if begun in an earlier night, the one that raised the alarm.
	results.Alarm
	// Blocks is the number of blocks that detect half of Log with 90 % power, 10 to 40.
	Blocks int
	// Why says why it can't be measured; "" if it can.
	Why string
}

// Choose plans how changes are re-measured: the two nights, the number of blocks, and the data for
// the verdict. All are fixed before the first block. A re-measurement begun in an earlier night
// continues with the same old and new. Otherwise new is the last night on the new side of the
// midpoint between the two levels, and old is the fifth night before the change on the old side, or
// the earliest if there are fewer.
func (h *History) Choose(changes []Unsettled) []Remeasurement {
	var settled []*Confirmation
	for _, r := range h.Records {
		if r.Kind == KindConfirmation {
			settled = append(settled, r.Confirmation)
		}
	}
	slices.SortStableFunc(settled, func(a, b *Confirmation) int { return a.When.Compare(b.When) })
	return results.Each(changes, func(u Unsettled) Remeasurement {
		r := Remeasurement{Unsettled: u, Alarm: results.Alarm{HistoryKey: u.Series.Key, Log: u.Change.Log}}
		if r.Why = r.choose(); r.Why == "" {
			r.Better, r.Blocks = r.New.Better, blocksFor(r.Log, r.Old, r.New)
			sought := pair{r.Series.Key, r.Old.ID, r.New.ID}
			for _, c := range settled {
				if m := c.remeasured(); c.pair() == sought && m.DF > 0 {
					r.Before = append(r.Before, m)
				}
			}
			level, _ := levelBefore(r.Series, r.Series.night(r.Old.ID)+1)
			r.Scatter = scatterOf(settled, r.Series, level, sought, r.Change.Night)
		}
		return r
	})
}

// choose sets old and new, or says why it can't.
func (r *Remeasurement) choose() (why string) {
	s, c := r.Series, r.Change
	if c.Night < 1 || c.Night >= len(s.Nights) {
		return "there is no night before it"
	}
	if s.Nights[c.Night].AA {
		return "it is the second baseline: no jar of yours is in it, and what changed is the machine"
	}
	if known := c.Confirmation; known != nil && known.NeedsNight() {
		older, newer := s.night(known.Against), s.night(known.Night)
		if older >= 0 && newer >= 0 {
			r.Old, r.New, r.Log = s.Nights[older], s.Nights[newer], known.Alarm
			return ""
		}
	}
	before, ok := levelBefore(s, c.Night)
	if !ok {
		return "there is no level before it"
	}
	changed := func(n *Night) bool { return (n.Log-before.Mean)/c.Log > 0.5 }
	found := 0
	for i := c.Night - 1; i >= max(0, before.First) && found < nightsBack; i-- {
		if n := &s.Nights[i]; n.Judged() && n.Plan == s.Nights[c.Night].Plan && !changed(n) {
			r.Old = *n
			found++
		}
	}
	if found == 0 {
		return "no night before it is of the old level"
	}
	for _, n := range slices.Backward(s.Nights[c.Night:]) {
		if n.Judged() && changed(&n) {
			r.New = n
			return ""
		}
	}
	return "no night from it on is of the new level"
}

// night returns the index of the night with an ID, or -1.
func (s *Series) night(id string) int {
	return slices.IndexFunc(s.Nights, func(n Night) bool { return n.ID == id })
}

// levelBefore returns the level of the night before the given one.
func levelBefore(s *Series, night int) (Segment, bool) {
	i := slices.IndexFunc(s.Segments, func(l Segment) bool { return l.First < night && night-1 <= l.Last })
	if i < 0 {
		return Segment{}, false
	}
	return s.Segments[i], true
}

const (
	// ConfirmAlpha is the probability that re-measuring confirms a change that does not exist, in
	// either direction.
	ConfirmAlpha = 0.01
	// confirmPower is the probability that re-measuring settles an alarm, whether the change is as
	// large as it seems or does not exist.
	confirmPower = 0.9

	usualBlocks = 15
	leastBlocks = 10
	mostBlocks  = 40
)

// blocksFor returns the number of blocks that settle an alarm with probability 0.9, whether the
// change is as large as it seems or does not exist: a paired t test at ConfirmAlpha must detect
// half of the alarm's log change. The standard deviation of log(new/old) between blocks is taken to
// be that of log(cell/reference), from the standard errors of some nights: both are differences of
// two invocations' logarithms within a block, from which the block effect cancels. The number is at
// least 10, because the A/A needs some, and at most 40; if no night has a standard error, it is 15.
// It uses the normal approximation with the correction of Guenther 1981, ((z(alpha/2) + z(beta))
// sd/delta)² + z(alpha/2)²/2.
func blocksFor(alarm float64, nights ...Night) int {
	sum, n := 0.0, 0.0
	for _, night := range nights {
		if night.N > 1 && night.SE > 0 {
			sum += night.SE * night.SE * float64(night.N)
			n++
		}
	}
	if n == 0 || alarm == 0 || !stats.Finite(sum, alarm) {
		return usualBlocks
	}
	z := stats.NormalQuantile(ConfirmAlpha / 2)
	ratio := (z + stats.NormalQuantile(1-confirmPower)) * math.Sqrt(sum/n) / (math.Abs(alarm) / 2)
	return max(leastBlocks, int(min(mostBlocks, math.Ceil(ratio*ratio+z*z/2))))
}
