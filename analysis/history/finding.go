package history

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"moobench/analysis/infer"
)

// State is the certainty of a change.
type State string

const (
	// StateSuspected: the last night, or the last few, differ by more than the series' nights vary,
	// or a change point has fewer than five nights after it.
	StateSuspected State = "suspected"
	// StateDetected: the same, with five nights or more.
	StateDetected State = "detected"
	// StateConfirmed: old and new were measured again, and differ.
	StateConfirmed State = "confirmed"
	// StateRefuted: old and new were measured again, and do not differ as much.
	StateRefuted State = "refuted"
	// StateAccepted: confirmed or detected, and accepted as the new normal.
	StateAccepted State = "accepted"
)

// Findings are the results of a check of a history.
type Findings struct {
	Series []Series `json:"series"` // one entry per series
	// Nights are all nights, oldest first.
	Nights []NightID `json:"nights"`
	// Warnings are about unreadable lines, and series too short to judge.
	Warnings []string `json:"warnings,omitempty"`
}

// NightID identifies a night.
type NightID struct {
	ID     string    `json:"id"`               // the same for all series of one campaign
	When   time.Time `json:"when"`             // start of the first invocation
	Commit string    `json:"commit,omitempty"` // commit of the measured code
}

// Series is one series with the findings about it.
type Series struct {
	Key
	Unit   string  `json:"unit"`   // of the raw values
	Nights []Night `json:"nights"` // oldest first
	// Segments are the levels: the nights between change points.
	Segments []Segment `json:"segments"`
	// Changes are changes of level, and alarms of the last nights.
	Changes []Change `json:"changes,omitempty"`
	// Noise is the standard deviation between nights of the current segment; 0 if not known.
	Noise float64 `json:"noise"`
	// Floor is the noise floor: the standard deviation of the same scenario's A/A series, of two
	// equal baselines; 0 if not known.
	Floor float64 `json:"noise_floor"`
	// Detectable is the smallest change that the alarm detects in its first night with 80 % power,
	// as a share: 0.03 is 3 %.
	Detectable float64 `json:"detectable,omitempty"`
	Lag1       float64 `json:"lag1_autocorrelation"` // between nights of the current segment
	// Ended says that the campaign's last five nights on that machine did not contain the series:
	// its JDK, reference or cell has changed. It no longer fails checks.
	Ended bool `json:"ended,omitempty"`
	// Short is the number of nights missing before the series is judged.
	Short int `json:"nights_needed,omitempty"`
	// Shifts are the continuations on another machine, oldest first.
	Shifts []Shift `json:"shifts,omitempty"`
	// MovedTo is the machine on which the series continues: it is judged there, and has neither
	// levels nor changes here.
	MovedTo string `json:"moved_to,omitempty"`
}

// Segment is a level.
type Segment struct {
	// First and Last are the indices of its first and last night.
	First int     `json:"first"`
	Last  int     `json:"last"`
	Mean  float64 `json:"mean"` // of the log ratios
	SD    float64 `json:"sd"`   // standard deviation of the log ratios
	// AtStandard says that Mean and SD are at the standard CPU speed; otherwise they are as
	// measured.
	AtStandard bool `json:"at_standard,omitempty"`
}

// Change is a change of level, or an alarm of the last nights.
type Change struct {
	State State   `json:"state"`     // how certain it is
	Night int     `json:"night"`     // index of the first changed night
	Log   float64 `json:"log_ratio"` // log ratio of the new level to the old
	Share float64 `json:"share"`     // change as a share of the level before: exp(log) - 1
	// Low and High are the 95 % interval of Log, from the nights alone; it does not account for the
	// selection of the night. Both are 0 if there are too few nights.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Worse says that the change is a regression.
	Worse bool `json:"regression"`
	// P is the p value of the permutation test, or of the alarm, adjusted over series. If the
	// nights alone do not show the change (confirmed or accepted early, or a level that came back),
	// it comes from a t test of the two levels.
	P float64 `json:"p"`
	// Alarm marks a change raised by the last one, three or five nights, against those before: it
	// may have begun earlier.
	Alarm bool `json:"alarm,omitempty"`
	// Over says why the level is no longer the current one: it came back, the plan changed, the
	// series ended. Absent while it holds.
	Over string `json:"ended_reason,omitempty"`
	// Confirmation is the result of re-measuring; absent if it was not done.
	Confirmation *Confirmation `json:"confirmation,omitempty"`
	Sentence     string        `json:"sentence"` // in words
}

// remeasured returns the confirmation if it confirmed the change, whose size it measures better
// than nights do; else nil.
func (c *Change) remeasured() *Confirmation {
	if c.State == StateConfirmed && c.Confirmation != nil && c.Confirmation.Verdict == infer.Confirmed {
		return c.Confirmation
	}
	return nil
}

// Size returns the change as a share of the old level: as re-measured if that confirmed it, else
// from the nights, which also contain differences other than that of new and old.
func (c *Change) Size() float64 {
	if again := c.remeasured(); again != nil {
		return share(again.Log)
	}
	return c.Share
}

// Worse returns the changes that fail a check; see Fails.
func (f *Findings) Worse() []*Change {
	var found []*Change
	for _, c := range f.Changes() {
		if c.Fails() {
			found = append(found, c)
		}
	}
	return found
}

// Changes iterates over all changes, each with its series.
func (f *Findings) Changes() iter.Seq2[*Series, *Change] {
	return func(yield func(*Series, *Change) bool) {
		for i := range f.Series {
			for j := range f.Series[i].Changes {
				if !yield(&f.Series[i], &f.Series[i].Changes[j]) {
					return
				}
			}
		}
	}
}

// statesByUrgency lists the states of a change, the most urgent first.
var statesByUrgency = []State{StateConfirmed, StateDetected, StateSuspected, StateRefuted, StateAccepted}

// settledUrgency is the urgency from which no action is needed.
const settledUrgency = 6

// urgency returns how urgently a change needs attention: 0 is most. Regressions go before
// improvements, and settled changes come last.
func (c *Change) urgency() int {
	if c == nil || c.Over != "" {
		return settledUrgency + 2
	}
	i := slices.Index(statesByUrgency, c.State)
	if i >= 3 || !c.Worse {
		i += 3
	}
	return i
}

// Settled reports whether a change needs no action.
func (c *Change) Settled() bool { return c.urgency() >= settledUrgency }

// Fails reports whether the change fails a check: confirmed, for the worse, of the current level,
// and not accepted.
func (c *Change) Fails() bool {
	return c != nil && c.State == StateConfirmed && c.Worse && c.Over == ""
}

// Standing returns the series' most urgent change, which determines its present state, or nil.
// Ended changes, and improvements before the current level, are ignored.
func (s *Series) Standing() *Change {
	first := 0
	if n := len(s.Segments); n > 0 {
		first = s.Segments[n-1].First
	}
	var top *Change // nil is least urgent
	for i := range s.Changes {
		if c := &s.Changes[i]; c.Over == "" && (c.Worse || c.Night >= first) && c.urgency() <= top.urgency() {
			top = c
		}
	}
	return top
}

// Acceptable returns the changes of a series that can become the new normal: they hold, may be
// real, and are not accepted yet.
func (s *Series) Acceptable() []*Change {
	var all []*Change
	for i := range s.Changes {
		if c := &s.Changes[i]; c.Over == "" && slices.Contains(statesByUrgency[:3], c.State) {
			all = append(all, c)
		}
	}
	return all
}

// ToAccept returns the change to accept: the standing one or, if a night is named, the one that
// began in it; nil if that is not acceptable. See Night.called.
func (s *Series) ToAccept(night string) *Change {
	standing := s.Standing()
	for _, c := range s.Acceptable() {
		if night == "" && c == standing || night != "" && s.Nights[c.Night].called(night) {
			return c
		}
	}
	return nil
}

// newsNights is the number of nights for which an improvement is news.
const newsNights = 14

// News reports whether a change of the series is worth looking at.
func (s *Series) News(c *Change) bool {
	return c != nil && !c.Settled() && (c.Worse || len(s.Nights)-c.Night <= newsNights)
}

// Carried reports whether a night was measured on another machine than the series is on now.
func (s *Series) Carried(night int) bool { return night < s.firstHere() }

// firstHere returns the index of the first night on the series' present machine.
func (s *Series) firstHere() int {
	if n := len(s.Shifts); n > 0 {
		return s.Shifts[n-1].Night
	}
	return 0
}

// IsFloor reports whether the series is of two equal baselines: the noise floor.
func (s *Series) IsFloor() bool { return len(s.Nights) > 0 && s.Nights[len(s.Nights)-1].AA }

// ByUrgency returns all series, the most urgent first.
func (f *Findings) ByUrgency() []*Series {
	all := make([]*Series, len(f.Series))
	for i := range f.Series {
		all[i] = &f.Series[i]
	}
	slices.SortStableFunc(all, func(a, b *Series) int {
		x, y := a.Standing(), b.Standing()
		switch d := cmp.Compare(x.urgency(), y.urgency()); {
		case d != 0:
			return d
		case x != nil && y != nil && x.Log != y.Log:
			return cmp.Compare(math.Abs(y.Log), math.Abs(x.Log))
		case a.IsFloor() == b.IsFloor():
			return strings.Compare(joined(a.Key), joined(b.Key))
		case a.IsFloor():
			return 1
		}
		return -1
	})
	return all
}
