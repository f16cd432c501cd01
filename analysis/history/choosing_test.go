package history

import (
	"math"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/results"
)

// waiting is a re-measurement that may be settled by another night.
func waiting() *Confirmation {
	return &Confirmation{
		Verdict: infer.Open, Alarm: 0.1, N: 15, Night: nightID(14), Against: nightID(4),
		When: firstNight.AddDate(0, 0, 16), Joint: &Joint{Nights: mostNights - 1, Scatter: &results.Scatter{}},
	}
}

// TestNeedsNight: another night may settle what is open, while there are not too many and their scatter is known.
func TestNeedsNight(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Confirmation)
		want   bool
	}{
		"as it is":           {func(*Confirmation) {}, true},
		"settled":            {func(c *Confirmation) { c.Verdict = infer.Confirmed }, false},
		"without an alarm":   {func(c *Confirmation) { c.Alarm = 0 }, false},
		"of a fall":          {func(c *Confirmation) { c.Alarm = -0.1 }, true},
		"of one night":       {func(c *Confirmation) { c.Joint = nil }, false},
		"of most nights":     {func(c *Confirmation) { c.Joint.Nights = mostNights }, false},
		"of unknown scatter": {func(c *Confirmation) { c.Joint.Scatter = nil }, false},
	} {
		again := waiting()
		if c.change(again); again.NeedsNight() != c.want {
			t.Errorf("%s: %t", name, again.NeedsNight())
		}
	}
}

// TestUnsettledChanges: what is for the worse, may be real and is not over is measured again; of a series in which
// that was begun, only what was begun, once its night has come.
func TestUnsettledChanges(t *testing.T) {
	open := waiting()
	open.Joint = nil
	late := waiting()
	late.When = firstNight.AddDate(0, 0, 19)
	fresh := Change{State: StateSuspected, Night: 14, Worse: true}
	with := func(again *Confirmation) Change {
		return Change{State: StateDetected, Night: 12, Worse: true, Confirmation: again}
	}
	for name, c := range map[string]struct {
		changes []Change
		want    []int
	}{
		"none":      {nil, nil},
		"suspected": {[]Change{fresh}, []int{0}},
		"detected":  {[]Change{{State: StateDetected, Night: 4, Worse: true}, fresh}, []int{0, 1}},
		"settled": {
			[]Change{
				{State: StateConfirmed, Worse: true},
				{State: StateRefuted, Worse: true},
				{State: StateAccepted, Worse: true},
			}, nil,
		},
		"for the better":         {[]Change{{State: StateDetected}}, nil},
		"over":                   {[]Change{{State: StateDetected, Worse: true, Over: "it went back"}}, nil},
		"re-measured":            {[]Change{with(open), fresh}, []int{1}},
		"its night has come":     {[]Change{fresh, with(waiting())}, []int{1}},
		"its night has not come": {[]Change{fresh, with(late)}, nil},
	} {
		f := &Findings{Series: []Series{{Changes: c.changes}}}
		for i := range 20 {
			f.Series[0].Nights = append(f.Series[0].Nights, made(key(cell), i, 0.1))
		}
		var got []int
		for _, u := range f.Unsettled() {
			for i := range c.changes {
				if u.Change == &f.Series[0].Changes[i] && u.Series == &f.Series[0] {
					got = append(got, i)
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestOldAndNew: old is the fifth night before a change of the old level, and new the last one of the new level.
func TestOldAndNew(t *testing.T) {
	const at, n = 10, 14
	for name, c := range map[string]struct {
		spoil    func(*Series, *Change)
		old, new string
		why      string
	}{
		"as it is":       {func(*Series, *Change) {}, nightID(5), nightID(13), ""},
		"from the first": {func(_ *Series, c *Change) { c.Night = 0 }, "", "", "no night before it"},
		"beyond":         {func(_ *Series, c *Change) { c.Night = n }, "", "", "no night before it"},
		"of few nights":  {func(s *Series, _ *Change) { s.Segments[0].First = 7 }, nightID(7), nightID(13), ""},
		"one before it": {
			func(s *Series, c *Change) { s.Segments[0].Last, c.Night = 0, 1 }, nightID(0), nightID(13), "",
		},
		"of a second baseline": {func(s *Series, _ *Change) { s.Nights[at].AA = true }, "", "", "the second baseline"},
		"without a level": {
			func(s *Series, _ *Change) { s.Segments = s.Segments[1:] }, "", "", "no level before it",
		},
		"a night of the new level": {
			func(s *Series, _ *Change) { s.Nights[8].Log = 0.16 }, nightID(4), nightID(13), "",
		},
		"a night at the midpoint": {
			func(s *Series, _ *Change) { s.Nights[8].Log, s.Nights[13].Log = 0.125, 0.125 },
			nightID(5), nightID(12), "",
		},
		"another plan": {func(s *Series, _ *Change) { s.Nights[8].Plan = "q" }, nightID(4), nightID(13), ""},
		"none of the old level": {
			func(s *Series, _ *Change) {
				for i := range at {
					s.Nights[i].Log = 0.2
				}
			}, "", "", "no night before it is of the old level",
		},
		"none of the new level": {
			func(s *Series, _ *Change) {
				for i := at; i < n; i++ {
					s.Nights[i].Log = 0
				}
			}, nightID(5), "", "no night from it on is of the new level",
		},
		"begun": {
			func(_ *Series, c *Change) {
				c.Confirmation = waiting()
				c.Confirmation.Night, c.Confirmation.Against = nightID(11), nightID(0)
			}, nightID(0), nightID(11), "",
		},
		"begun with a night that is gone": {
			func(_ *Series, c *Change) {
				c.Confirmation = waiting()
				c.Confirmation.Night, c.Confirmation.Against = nightID(11), "gone"
			}, nightID(5), nightID(13), "",
		},
		"settled": {
			func(_ *Series, c *Change) {
				c.Confirmation = waiting()
				c.Confirmation.Verdict, c.Confirmation.Against = infer.Refuted, nightID(0)
			}, nightID(5), nightID(13), "",
		},
	} {
		s := &Series{Segments: []Segment{{First: 0, Last: at - 1}, {First: at, Last: n - 1, Mean: 0.25}}}
		for i := range n {
			s.Nights = append(s.Nights, made(key(cell), i, 0.25*float64(i/at)))
		}
		change := &Change{Night: at, Log: 0.25}
		c.spoil(s, change)
		r := Remeasurement{Unsettled: Unsettled{s, change}}
		why := r.choose()
		if r.Old.ID != c.old || r.New.ID != c.new || !strings.Contains(why, c.why) || (why == "") != (c.why == "") {
			t.Errorf("%s: %q against %q, %q", name, r.New.ID, r.Old.ID, why)
		}
		if name == "begun" && r.Log != 0.1 {
			t.Errorf("begun: log change %v", r.Log)
		}
	}
}

// TestAdvice: what is to be done about a change, by its state.
func TestAdvice(t *testing.T) {
	open, few := waiting(), waiting()
	few.Joint = nil
	const accept = "moobench history accept 'o'\\''s/duration/" // as a shell quotes it
	for name, c := range map[string]struct {
		change Change
		want   string // its beginning; "" is none
	}{
		"over":           {Change{State: StateConfirmed, Worse: true, Over: "it went back"}, ""},
		"accepted":       {Change{State: StateAccepted, Worse: true}, ""},
		"refuted":        {Change{State: StateRefuted}, "what was measured did not change so much"},
		"for the better": {Change{State: StateConfirmed}, ""},
		"confirmed": {
			Change{State: StateConfirmed, Worse: true},
			"mend it, or make it the new normal: " + accept,
		},
		"another night": {
			Change{State: StateDetected, Worse: true, Confirmation: open},
			"it needs another night: ",
		},
		"not enough blocks": {
			Change{State: StateDetected, Worse: true, Confirmation: few},
			"measure again with more blocks: moobench confirm --blocks 30",
		},
		"detected": {
			Change{State: StateDetected, Worse: true},
			"let moobench confirm settle whether it is the code",
		},
		"suspected": {Change{State: StateSuspected, Worse: true}, "it proves nothing yet"},
	} {
		k := key(cell)
		k.Scenario = "o's"
		s := &track{Series: Series{Key: k, Nights: []Night{made(k, 0, 0.1)}}}
		if got := s.advice(&c.change); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestLevelBefore: the level of the night before is the one that holds it, and began before.
func TestLevelBefore(t *testing.T) {
	s := &Series{Segments: []Segment{{First: 2, Last: 4, Mean: 1}, {First: 5, Last: 9, Mean: 2}}}
	for night, want := range map[int]float64{0: 0, 2: 0, 3: 1, 5: 1, 6: 2, 10: 2, 11: 0} {
		level, ok := levelBefore(s, night)
		if level.Mean != want || ok != (want > 0) {
			t.Errorf("before night %d: %+v, %t", night, level, ok)
		}
	}
}

// TestShares: changes are told as shares of the level before.
func TestShares(t *testing.T) {
	joint := Joint{Nights: 1, Alpha: 0.01, Low: math.Log(0.5), High: math.Log(2), Log: math.Log(1.5)}
	for _, c := range []struct{ got, want string }{
		{percent(math.Log(1.1)), "+10 %"},
		{percent(math.Log(0.5)), "−50 %"},
		{interval(0.05, "CI", 0, math.Log(2)), "(95 % CI " + percent(0) + " … +100 %)"},
		{(&Change{}).nights(), ""},
		{(&Change{High: math.Log(2)}).nights(), " (95 % CI " + percent(0) + " … +100 %)"},
		{joint.jointText("CI"), "with the variation between nights, over 1 night: +50 % (99 % CI −50 % … +100 %)"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestNightsOfSeries: the nights of several series, each once, oldest first, and of one time by their names.
func TestNightsOfSeries(t *testing.T) {
	k := key(cell)
	same := made(k, 3, 0)
	same.ID = "a"
	one := &track{Series: Series{Nights: []Night{made(k, 3, 0), made(k, 1, 0)}}}
	two := &track{Series: Series{Nights: []Night{made(k, 1, 0), same, made(k, 2, 0)}}}
	var got []string
	for _, n := range nightIDs([]*track{one, two}) {
		got = append(got, n.ID)
	}
	if want := []string{nightID(1), nightID(2), "a", nightID(3)}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
