package history

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"moobench/analysis/stats"
)

// LeastPairs is the least number of pairs of nights for a series to continue on another machine.
const LeastPairs = 5

// Move records that a series continues on another machine. It does not contain the shift of the
// values, which is estimated from nights.
type Move struct {
	Key          // of the series on the new machine
	From Machine `json:"from"` // machine of the series that continues
	// Night is the ID of the first night that counts on the new machine.
	Night string    `json:"night"`
	When  time.Time `json:"when"` // time of the record: later nights are in no pair
}

// Machine identifies a machine that measures a series; in a pool, all machines of a CPU model.
type Machine struct {
	ID   string `json:"machine"` // ID; in a pool, the CPU model and the pool
	Pool string `json:"pool,omitempty"`
	CPU  string `json:"cpu,omitempty"`
}

// machineOf returns the machine of a series.
func machineOf(k Key) Machine {
	k = k.Series()
	return Machine{k.Machine, k.Pool, k.CPU}
}

// keyOn returns the key of the same series on another machine.
func keyOn(m Machine, k Key) Key {
	k.Machine, k.Pool, k.CPU = m.ID, m.Pool, m.CPU
	return k.Series()
}

// check validates a move.
func (m *Move) check() error {
	switch {
	case m == nil || m.Metric == "" || m.Night == "" || m.When.IsZero() || m.From.ID == "":
		return errors.New("a move without its series, night, time or machine")
	case keyOn(m.From, m.Key) == m.Key.Series():
		return errors.New("a move from a machine to itself")
	}
	return nil
}

// compare orders the moves of a series by the time of their records.
func (m *Move) compare(other *Move) int {
	return cmp.Or(byTime(m.When, other.When, m.From.ID, other.From.ID), cmp.Compare(m.Night, other.Night))
}

// Shift is the difference of a series' values between the machine it continues on and the one
// before.
type Shift struct {
	// Night is the index of the first night on the new machine. The shift is added to the log
	// ratios of the nights before.
	Night int     `json:"night"`
	From  string  `json:"from"`      // machine of the nights before
	Pairs int     `json:"pairs"`     // pairs of nights it is estimated from
	Log   float64 `json:"log_ratio"` // mean over pairs: log ratio on the new machine less log ratio on the old
	// Low and High are the 95 % interval of Log, by Student's t.
	Low  float64 `json:"low"`
	High float64 `json:"high"`

	variance stats.Variance // of Log
}

// shiftOf estimates the shift from the differences of pairs.
func shiftOf(differences []float64) (Shift, error) {
	s, err := stats.SampleOf(differences)
	if err != nil {
		return Shift{Pairs: len(differences)}, err
	}
	n := float64(s.N)
	v := stats.VarianceOf(s.SD/math.Sqrt(n), n-1)
	i := stats.IntervalT(s.Mean, v.SE(), v.DF, stats.TwoSided, confidence)
	return Shift{Pairs: s.N, Log: s.Mean, Low: i.Low, High: i.High, variance: v}, nil
}

// twoNights is a pair of nights of two machines that measured the same.
type twoNights struct{ old, new *Night }

// apart returns the time between the nights.
func (p twoNights) apart() time.Duration { return p.new.When.Sub(p.old.When).Abs() }

// compare orders pairs by the time of the new night.
func (p twoNights) compare(other twoNights) int {
	return cmp.Or(byTime(p.new.When, other.new.When, p.new.ID, other.new.ID), cmp.Compare(p.old.ID, other.old.ID))
}

// atStandard returns the difference of a pair at the standard CPU speed; ok is false if one of them
// has no value there, or another standard than the first pair's nights.
func (p twoNights) atStandard(first twoNights) (difference float64, ok bool) {
	a, b := p.old.Standard, p.new.Standard
	for _, s := range []*StandardNight{a, b, first.old.Standard, first.new.Standard} {
		if s == nil || s.Log == nil {
			return 0, false
		}
	}
	return *b.Log - *a.Log, a.NS == first.old.Standard.NS && b.NS == first.new.Standard.NS
}

// pairsOf pairs the nights of two machines that measured the same files by the same plan. Each
// night is in at most one pair; the nearest in time are paired first, so that effects lasting
// several nights cancel best.
func pairsOf(older, newer []Night) []twoNights {
	var all []twoNights
	for i := range newer {
		for j := range older {
			if sameMeasured(&older[j], &newer[i]) {
				all = append(all, twoNights{&older[j], &newer[i]})
			}
		}
	}
	slices.SortFunc(all, func(a, b twoNights) int {
		return cmp.Or(cmp.Compare(a.apart(), b.apart()), a.compare(b))
	})
	taken := map[*Night]bool{}
	all = slices.DeleteFunc(all, func(p twoNights) bool {
		again := taken[p.old] || taken[p.new]
		if !again {
			taken[p.old], taken[p.new] = true, true
		}
		return again
	})
	slices.SortFunc(all, twoNights.compare)
	return all
}

// sameMeasured reports whether two valid nights measured the same files by the same plan.
func sameMeasured(a, b *Night) bool {
	return a.Judged() && b.Judged() && a.Plan == b.Plan && a.Better == b.Better && a.Unit == b.Unit && sameFiles(a, b)
}

// sameFiles reports whether two nights were started with the same files, whatever their names.
// Without a digest it is false.
func sameFiles(a, b *Night) bool {
	digests := func(n *Night) (all []string) {
		for _, f := range n.Artifacts {
			all = append(all, f.SHA256)
		}
		slices.Sort(all)
		return all
	}
	x := digests(a)
	return len(x) > 0 && x[0] != "" && slices.Equal(x, digests(b))
}

// crossing is a move with the nights its shift is estimated from.
type crossing struct {
	pairs      []twoNights
	since      time.Time // of the first night on the new machine
	asRan      Shift
	atStandard *Shift // shift of the values at the standard CPU speed; nil if a pair lacks one
}

// measuredIn returns the nights from one time until another.
func measuredIn(nights []Night, from, until time.Time) []Night {
	outside := func(n Night) bool { return n.When.Before(from) || n.When.After(until) }
	return slices.DeleteFunc(slices.Clone(nights), outside)
}

// cross pairs the nights of two series, oldest first, between the first night that counts and the
// time of a move.
func cross(older, newer []Night, since, until time.Time) (crossing, error) {
	c := crossing{since: since, pairs: pairsOf(measuredIn(older, time.Time{}, until), measuredIn(newer, since, until))}
	var asRan, atStandard []float64
	for _, p := range c.pairs {
		asRan = append(asRan, p.new.Log-p.old.Log)
		if difference, ok := p.atStandard(c.pairs[0]); ok {
			atStandard = append(atStandard, difference)
		}
	}
	var err error
	if c.asRan, err = shiftOf(asRan); err != nil || c.asRan.Pairs < LeastPairs {
		return c, errTooFewPairs
	}
	if len(atStandard) < len(asRan) {
		return c, nil
	}
	there, err := shiftOf(atStandard)
	c.atStandard = &there
	return c, err
}

// errTooFewPairs means that a shift can't be estimated.
var errTooFewPairs = errors.New("too few pairs of nights")

// carry returns a night of the old machine, shifted to the new one.
func (c *crossing) carry(n Night) Night {
	n.Log += c.asRan.Log
	s := n.Standard
	n.Standard = nil
	if s == nil || c.atStandard == nil || s.Log == nil || s.NS != c.pairs[0].old.Standard.NS {
		return n
	}
	there, log := *s, *s.Log+c.atStandard.Log
	there.Log, there.NS = &log, c.pairs[0].new.Standard.NS
	n.Standard = &there
	return n
}

// goOn puts another machine's nights before those of the series. If both machines measured in one
// night, the new machine's night counts. If the new machine measured a build that had already been
// replaced, the old machine's night counts, because the build is not new.
func (t *track) goOn(old *track, c *crossing) {
	counts := map[string]string{} // by ID of a dropped night: ID of the pair's other night
	before := func(n *Night) bool { return n.When.Before(c.since) }
	var last *Night // the old machine's last night before
	for i := range old.Nights {
		if before(&old.Nights[i]) {
			last = &old.Nights[i]
		}
	}
	for _, p := range c.pairs {
		switch {
		case p.apart() < oneNight || !before(p.old):
			counts[p.old.ID] = p.new.ID
		case !sameFiles(p.old, last):
			counts[p.new.ID] = p.old.ID
		}
	}
	var nights []Night
	for _, n := range old.Nights {
		if counts[n.ID] == "" && before(&n) {
			nights = append(nights, c.carry(n))
		}
	}
	c.asRan.Night, c.asRan.From = len(nights), old.Machine
	for _, n := range t.Nights {
		if counts[n.ID] == "" && !before(&n) {
			nights = append(nights, n)
		}
	}
	t.Nights = nights
	t.crossed = append(slices.Clone(old.crossed), c)
	t.adopt(old, counts)
}

// adopt takes over the confirmations and acceptances of a series, with the IDs of the nights that
// count.
func (t *track) adopt(old *track, counts map[string]string) {
	name := func(id string) string { return cmp.Or(counts[id], id) }
	for _, s := range old.settled {
		renamed := *s
		renamed.Night, renamed.Against = name(s.Night), name(s.Against)
		t.settled = append(t.settled, &renamed)
	}
	for _, a := range old.accepted {
		renamed := *a
		renamed.Night = name(a.Night)
		t.accepted = append(t.accepted, &renamed)
	}
	t.sortSettled()
}

// succession continues the series of a history as its moves say.
type succession struct {
	byKey map[Key]*track
	done  map[*track]bool
	wrong []string // why some can't continue
}

// carryOver continues series as their moves say, and returns why some can't.
func carryOver(byKey map[Key]*track, sorted []*track) []string {
	s := succession{byKey: byKey, done: map[*track]bool{}}
	for _, t := range sorted {
		s.follow(t, nil)
	}
	return s.wrong
}

// follow continues a series from its predecessor, after continuing that one. path holds the series
// that wait for it: in a cycle, the series that would close it is not continued.
func (s *succession) follow(t *track, path []*track) {
	if t.move == nil || s.done[t] {
		return
	}
	s.done[t] = true
	path = append(path, t)
	old := s.byKey[keyOn(t.move.From, t.move.Key)]
	if old == nil || len(old.Nights) == 0 || slices.Contains(path, old) {
		s.wrong = append(s.wrong, t.notCarried(0))
		return
	}
	s.follow(old, path)
	if pairs, ok := t.follow(old); !ok {
		s.wrong = append(s.wrong, t.notCarried(pairs))
	}
}

// follow continues a series from another, unless too few pairs of nights estimate the shift. The
// noise floor is each machine's own.
func (t *track) follow(old *track) (pairs int, ok bool) {
	if t.last().AA || old.last().AA {
		old.MovedTo = t.Machine
		return 0, true
	}
	first := slices.IndexFunc(t.Nights, func(n Night) bool { return n.ID == t.move.Night })
	if first < 0 {
		return 0, false
	}
	c, err := cross(old.own(), t.Nights, t.Nights[first].When, t.move.When)
	if err != nil {
		return len(c.pairs), false
	}
	old.MovedTo = t.Machine
	t.goOn(old, &c)
	return len(c.pairs), true
}

// own returns the nights of the series' present machine.
func (t *track) own() []Night {
	if n := len(t.crossed); n > 0 {
		return t.Nights[t.crossed[n-1].asRan.Night:]
	}
	return t.Nights
}

// takeShifts finds the positions where the machine changes, and the shift at each.
func (t *track) takeShifts() {
	for _, c := range t.crossed {
		s := c.asRan
		at, _ := slices.BinarySearch(t.at, s.Night)
		if t.atStandard && c.atStandard != nil {
			s = *c.atStandard
			s.Night, s.From = c.asRan.Night, c.asRan.From
		}
		t.Shifts = append(t.Shifts, s)
		t.moved = append(t.moved, moved{at, s.variance})
	}
}

// Succession says whether and how a series can continue on another machine.
type Succession struct {
	Move  Move
	Shift Shift // Pairs is always set; the rest needs at least LeastPairs
	Floor bool  // two equal baselines: continues without a shift
}

// Goes reports whether the series can continue.
func (s *Succession) Goes() bool { return s.Floor || s.Shift.Pairs >= LeastPairs }

// Machines returns the machines with nights in a history.
func (h *History) Machines() []Machine {
	var all []Machine
	for _, r := range h.Records {
		if r.Kind == KindNight && !slices.Contains(all, machineOf(r.Night.Key)) {
			all = append(all, machineOf(r.Night.Key))
		}
	}
	slices.SortFunc(all, func(a, b Machine) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// Succeed returns, for each series of a machine, how it continues on another one, with the pairs of
// nights until now. Series of two equal baselines continue without a shift. It is an error if that
// machine's series already come from another one, or would form a cycle.
func (h *History) Succeed(from, to Machine, now time.Time) ([]Succession, error) {
	tracks, _ := tracksOf(h)
	byKey := map[Key]*track{}
	for _, t := range tracks {
		byKey[t.Key] = t
	}
	var all []Succession
	for _, old := range tracks {
		if machineOf(old.Key) != from || old.Ended || old.MovedTo != "" && old.MovedTo != to.ID {
			continue
		}
		m := Move{Key: keyOn(to, old.Key), From: from, When: now}
		t := byKey[m.Key]
		switch {
		case old.descends(to):
			return nil, fmt.Errorf("the series of %s came from %s", from.ID, to.ID)
		case t != nil && t.move != nil && t.move.From != from:
			return nil, fmt.Errorf("the series of %s come from %s already", to.ID, t.move.From.ID)
		}
		s := Succession{Move: m}
		if t != nil {
			s.take(old, h.nightsOf(m.Key))
		}
		all = append(all, s)
	}
	return all, nil
}

// descends reports whether a series came from a machine.
func (t *track) descends(from Machine) bool {
	return slices.ContainsFunc(t.crossed, func(c *crossing) bool { return c.asRan.From == from.ID })
}

// nightsOf returns the nights of a series' own machine, oldest first.
func (h *History) nightsOf(k Key) (nights []Night) {
	for _, r := range h.Records {
		if r.Kind == KindNight && r.Night.Key.Series() == k {
			nights = append(nights, *r.Night)
		}
	}
	sortNights(nights)
	return nights
}

func sortNights(nights []Night) {
	slices.SortFunc(nights, func(a, b Night) int { return byTime(a.When, b.When, a.ID, b.ID) })
}

// take sets the pairs of a succession, and the first night of the new machine among them.
func (s *Succession) take(old *track, newer []Night) {
	c, err := cross(old.own(), newer, time.Time{}, s.Move.When)
	s.Shift.Pairs = len(c.pairs)
	if len(c.pairs) > 0 {
		s.Move.Night = c.pairs[0].new.ID
	}
	if err == nil {
		s.Shift = c.asRan
	}
	if s.Floor = newer[len(newer)-1].AA && old.last().AA; s.Floor {
		s.Move.Night = newer[0].ID
	}
}
