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

// State is how sure a change is.
type State string

const (
	// StateSuspected: the last night, or the last few, are beyond what the series'
	// own nights differ by, or a change point has fewer than five nights after it.
	StateSuspected State = "suspected"
	// StateDetected: the same of five nights or more.
	StateDetected State = "detected"
	// StateConfirmed: old and new were measured again, and differ.
	StateConfirmed State = "confirmed"
	// StateRefuted: old and new were measured again, and do not differ so much.
	StateRefuted State = "refuted"
	// StateAccepted: confirmed or detected, and the new normal.
	StateAccepted State = "accepted"
)

// Findings are what a check says about a history.
type Findings struct {
	Series []Series `json:"series"` // what is known of each series
	// Nights are all nights, oldest first.
	Nights []NightID `json:"nights"`
	// Warnings are about lines that could not be read, and series too short to
	// judge.
	Warnings []string `json:"warnings,omitempty"`
}

// NightID is a night with what names it.
type NightID struct {
	ID     string    `json:"id"`               // the same for all series of one campaign
	When   time.Time `json:"when"`             // start of the first invocation
	Commit string    `json:"commit,omitempty"` // commit of what was measured
}

// Series is one series with what is known of it.
type Series struct {
	Key
	Unit   string  `json:"unit"`   // of raw values
	Nights []Night `json:"nights"` // oldest first
	// Segments are the nights between change points: levels.
	Segments []Segment `json:"segments"`
	// Changes are changes of level, and alarms of the last nights.
	Changes []Change `json:"changes,omitempty"`
	// Noise is the standard deviation between nights of the current segment; 0 is not
	// known.
	Noise float64 `json:"noise"`
	// Floor is that of the A/A's series of the same scenario: of two equal baselines; 0 is
	// not known.
	Floor float64 `json:"noise_floor"`
	// Detectable is the smallest change that the alarm finds in its first night with 80 %
	// power, as a share: 0.03 is 3 %.
	Detectable float64 `json:"detectable,omitempty"`
	Lag1       float64 `json:"lag1_autocorrelation"` // autocorrelation of the current segment
	// Ended says that the campaign's last five nights on that machine went without
	// the series: its JDK, its reference or its cell is another one now. Nothing
	// fails of it any more.
	Ended bool `json:"ended,omitempty"`
	// Short is how many more nights are needed before the series is judged.
	Short int `json:"nights_needed,omitempty"`
	// Shifts are where the series continues on another machine, oldest first.
	Shifts []Shift `json:"shifts,omitempty"`
	// MovedTo is the machine that the series continues on: it is judged there, and has neither levels nor
	// changes here.
	MovedTo string `json:"moved_to,omitempty"`
}

// Segment is a level.
type Segment struct {
	// First and Last are the indices of its nights.
	First int     `json:"first"`
	Last  int     `json:"last"`
	Mean  float64 `json:"mean"` // of the logarithms
	SD    float64 `json:"sd"`   // standard deviation of the logarithms
	// AtStandard says that these are at the standard speed of the CPU; else they are as they ran.
	AtStandard bool `json:"at_standard,omitempty"`
}

// Change is a change of level, or an alarm of the last nights.
type Change struct {
	State State   `json:"state"`     // how sure it is
	Night int     `json:"night"`     // index of the first changed night
	Log   float64 `json:"log_ratio"` // change of the logarithm
	Share float64 `json:"share"`     // change as a share of the level before: exp(log) - 1
	// Low and High are the 95 % interval of Log, from the nights alone; it knows
	// nothing of how the night was chosen. Both are 0 when there are too few nights.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Worse says that it is in the direction that is not wanted.
	Worse bool `json:"regression"`
	// P is that of the permutation test, or of the alarm, adjusted over series. Of a
	// change that nights alone do not show (confirmed or accepted early, or a level
	// that went back) it is that of a t test of the two levels.
	P float64 `json:"p"`
	// Alarm marks a change that the last one, three or five nights raised, against those
	// before: it may have begun earlier than they.
	Alarm bool `json:"alarm,omitempty"`
	// Over says why the level is not the current one any more: it went back, the
	// plan changed, the series ended. Absent as long as it holds.
	Over string `json:"ended_reason,omitempty"`
	// Confirmation is what re-measuring said; absent when it was not done.
	Confirmation *Confirmation `json:"confirmation,omitempty"`
	Sentence     string        `json:"sentence"` // in words
}

// remeasured is the confirmation that says by how much better than nights do; nil where there
// is none.
func (c *Change) remeasured() *Confirmation {
	if c.State == StateConfirmed && c.Confirmation != nil && c.Confirmation.Verdict == infer.Confirmed {
		return c.Confirmation
	}
	return nil
}

// Size is the change as a share of what was before: as it was re-measured where that
// confirmed it, else by the nights, which differ by more than new and old do.
func (c *Change) Size() float64 {
	if again := c.remeasured(); again != nil {
		return share(again.Log)
	}
	return c.Share
}

// Worse are the changes that a check fails of: confirmed, for the worse, of the
// current level, and not accepted.
func (f *Findings) Worse() []*Change {
	var found []*Change
	for _, c := range f.Changes() {
		if c.Fails() {
			found = append(found, c)
		}
	}
	return found
}

// Changes are all changes, each with its series.
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
	if i >= 3 || !c.Worse {
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
	var top *Change // which is least urgent where there is none
	for i := range s.Changes {
		if c := &s.Changes[i]; c.Over == "" && (c.Worse || c.Night >= first) && c.urgency() <= top.urgency() {
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
		if c := &s.Changes[i]; c.Over == "" && slices.Contains(statesByUrgency[:3], c.State) {
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

// Carried says whether a night was measured on another machine than the series is now.
func (s *Series) Carried(night int) bool { return night < s.firstHere() }

// firstHere is the index of the first night on the machine that the series is on now.
func (s *Series) firstHere() int {
	if n := len(s.Shifts); n > 0 {
		return s.Shifts[n-1].Night
	}
	return 0
}

// IsFloor says whether a series is of two equal baselines: the noise floor.
func (s *Series) IsFloor() bool { return len(s.Nights) > 0 && s.Nights[len(s.Nights)-1].AA }

// ByUrgency are all series, those first that need attention.
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
