package history

import (
	"slices"
	"strings"
	"testing"

	"moobench/analysis/infer"
)

const cell = "kieker/bci/collect"

func TestStates(t *testing.T) {
	k := key(cell)
	xs := quiet(1, 40, 0.01)
	for name, c := range map[string]struct {
		values []float64
		do     func(h *History)
		states []State
		night  int // of the last change
		worse  int // changes that a check fails of
		open   int // changes that should be measured again
	}{
		"nothing": {values: xs},
		"one night": {
			values: append(slices.Clone(xs[:30]), 0.2),
			states: []State{StateSuspected}, night: 30, open: 1,
		},
		"one night, better": {
			values: append(slices.Clone(xs[:30]), 0),
			states: []State{StateSuspected}, night: 30,
		},
		"three nights":    {values: stepped(xs[:33], 30, 0.1), states: []State{StateSuspected}, night: 30, open: 1},
		"five nights":     {values: stepped(xs[:35], 30, 0.1), states: []State{StateDetected}, night: 30, open: 1},
		"less than least": {values: stepped(xs, 20, 0.02)},
		"one outlier":     {values: append(append(slices.Clone(xs[:20]), 0.3), xs[21:]...)},
		"confirmed":       {values: append(slices.Clone(xs[:30]), 0.2), do: func(h *History) { settled(h, k, 29, 30, infer.Confirmed, 0.1) }, states: []State{StateConfirmed}, night: 30, worse: 1},
		"confirmed, and old is of some nights before": {values: append(slices.Clone(xs[:30]), 0.2), do: func(h *History) { settled(h, k, 25, 30, infer.Confirmed, 0.1) }, states: []State{StateConfirmed}, night: 30, worse: 1},
		"confirmed, better":                           {values: append(slices.Clone(xs[:30]), 0), do: func(h *History) { settled(h, k, 29, 30, infer.Confirmed, -0.1) }, states: []State{StateConfirmed}, night: 30},
		"refuted":                                     {values: append(slices.Clone(xs[:30]), 0.2), do: func(h *History) { settled(h, k, 25, 30, infer.Refuted, 0.001) }, states: []State{StateRefuted}, night: 30},
		"open":                                        {values: append(slices.Clone(xs[:30]), 0.2), do: func(h *History) { settled(h, k, 25, 30, infer.Open, 0.03) }, states: []State{StateSuspected}, night: 30},
		"refuted level":                               {values: stepped(xs, 30, 0.1), do: func(h *History) { settled(h, k, 29, 31, infer.Refuted, 0.001) }, states: []State{StateRefuted}, night: 30},
		"confirmed, then accepted": {
			values: stepped(xs, 30, 0.1), states: []State{StateAccepted}, night: 30,
			do: func(h *History) { settled(h, k, 29, 30, infer.Confirmed, 0.1); accepted(h, k, 30) },
		},
		"accepted unseen": {values: stepped(xs[:32], 30, 0.02), do: func(h *History) { accepted(h, k, 30) }, states: []State{StateAccepted}, night: 30},
		"accepted two nights late": {
			values: stepped(xs, 30, 0.1), do: func(h *History) { accepted(h, k, 32) },
			states: []State{StateAccepted}, night: 30,
		},
		"accepted two nights early": {
			values: stepped(xs, 30, 0.1), do: func(h *History) { accepted(h, k, 28) },
			states: []State{StateAccepted}, night: 30,
		},
		"accepted three nights early": {
			values: stepped(xs, 30, 0.1), do: func(h *History) { accepted(h, k, 27) },
			states: []State{StateAccepted, StateDetected}, night: 30, open: 1,
		},
		"confirmed one night, and back at once": {
			values: append(append(slices.Clone(xs[:30]), 0.2), xs[31:36]...), states: []State{StateConfirmed, StateDetected}, night: 31,
			do: func(h *History) { settled(h, k, 29, 30, infer.Confirmed, 0.1) },
		},
		"confirmed, and back after ten nights": {
			values: stepped(stepped(xs, 20, 0.1), 30, -0.1), states: []State{StateConfirmed, StateDetected}, night: 30,
			do: func(h *History) { settled(h, k, 19, 20, infer.Confirmed, 0.1) },
		},
		"confirmed, and half back is not back": {
			values: stepped(stepped(xs, 20, 0.2), 30, -0.05), states: []State{StateConfirmed, StateDetected}, night: 30, worse: 1,
			do: func(h *History) { settled(h, k, 19, 20, infer.Confirmed, 0.2) },
		},
		"measured twice, the later counts": {
			values: append(slices.Clone(xs[:30]), 0.2), states: []State{StateRefuted}, night: 30,
			do: func(h *History) {
				settled(h, k, 25, 30, infer.Confirmed, 0.1)
				again := *h.Records[len(h.Records)-1].Confirmation
				again.When, again.Verdict = again.When.AddDate(0, 0, 1), infer.Refuted
				h.Records = append(h.Records, Record{Format: formatVersion, Kind: KindConfirmation, Confirmation: &again})
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := historyOf(k, c.values)
			if c.do != nil {
				c.do(h)
			}
			s, f := checked(t, h)
			var states []State
			for _, change := range s.Changes {
				states = append(states, change.State)
			}
			if !slices.Equal(states, c.states) {
				t.Fatalf("states %v, want %v: %+v", states, c.states, s.Changes)
			}
			if n := len(s.Changes); n > 0 && s.Changes[n-1].Night != c.night {
				t.Errorf("the last change is of night %d, want %d", s.Changes[n-1].Night, c.night)
			}
			if got := len(f.Worse()); got != c.worse {
				t.Errorf("a check fails of %d changes, want %d: %+v", got, c.worse, s.Changes)
			}
			if got := len(f.Unsettled()); got != c.open {
				t.Errorf("%d changes to be measured again, want %d", got, c.open)
			}
			covered(t, s)
		})
	}
}

// A file may hold a confirmation of less than is worth a word now.
func TestConfirmedAndTooSmall(t *testing.T) {
	k := key(cell)
	h := historyOf(k, append(quiet(1, 30, 0.01), 0.2))
	settled(h, k, 25, 30, infer.Confirmed, 0.02)
	s, f := checked(t, h)
	if len(s.Changes) != 1 || s.Changes[0].State != StateRefuted || len(f.Worse()) != 0 || !strings.Contains(s.Changes[0].Sentence, "below the least change reported") {
		t.Errorf("%+v", s.Changes)
	}
}

// What was refuted is not asked again while its night is among the last ones,
// whichever night it was measured against.
func TestRefutedOnce(t *testing.T) {
	k := key(cell)
	xs := quiet(1, 40, 0.01)
	xs[30] = 0.2
	for _, old := range []int{25, 29} {
		for n := 31; n <= 40; n++ {
			h := historyOf(k, xs[:n])
			s, f := checked(t, h)
			if n == 31 && len(f.Unsettled()) != 1 {
				t.Fatalf("no alarm: %+v", s.Changes)
			}
			h = historyOf(k, xs[:n])
			settled(h, k, old, 30, infer.Refuted, 0.001)
			if s, f = checked(t, h); len(f.Unsettled()) != 0 || len(f.Worse()) != 0 {
				t.Errorf("night %d, against %d: %+v", n, old, s.Changes)
			}
		}
	}
}

// A refuted night is compared by itself only, and those beside it go on without it.
func TestLasting(t *testing.T) {
	k := key(cell)
	for name, c := range map[string]struct {
		refuted, open []int // nights
		from          int
		want          []int
	}{
		"none":               {from: 27, want: []int{27, 28, 29}},
		"one among them":     {refuted: []int{28}, from: 27, want: []int{27, 29}},
		"the first":          {refuted: []int{27}, from: 27, want: []int{28, 29}},
		"tonight":            {refuted: []int{29}, from: 27},
		"tonight, by itself": {refuted: []int{29}, from: 29, want: []int{29}},
		"too few are left":   {refuted: []int{27, 28}, from: 27},
		"before them":        {refuted: []int{20}, from: 27, want: []int{27, 28, 29}},
		"open":               {open: []int{28}, from: 27, want: []int{27, 28, 29}},
		"refuted, then open": {refuted: []int{28}, open: []int{28}, from: 27, want: []int{27, 29}},
		"several of five":    {refuted: []int{26, 28}, from: 25, want: []int{25, 27, 29}},
	} {
		t.Run(name, func(t *testing.T) {
			h := historyOf(k, quiet(1, 30, 0.01))
			for _, n := range c.refuted {
				settled(h, k, n-1, n, infer.Refuted, 0.001)
			}
			for _, n := range c.open {
				settled(h, k, n-1, n, infer.Open, 0.02)
			}
			tracks, _ := tracksOf(h)
			if got := tracks[0].lasting(c.from, 0.03); !slices.Equal(got, c.want) {
				t.Errorf("positions %v, want %v", got, c.want)
			}
		})
	}
}

// Several nights that are each too little for an alarm are one together, and old
// is measured from before them.
func TestSeveralNights(t *testing.T) {
	xs := quiet(3, 35, 0.01)
	for i, by := range []float64{0.03, 0.035, 0.03, 0.035, 0.03} {
		xs[30+i] = 0.1 + by
	}
	s, f := checked(t, historyOf(key(cell), xs))
	open := f.Unsettled()
	if len(open) != 1 || s.Changes[0].State != StateDetected {
		t.Fatalf("%+v", s.Changes)
	}
	r := historyOf(key(cell), xs).Choose(open)[0]
	if want := nightID(open[0].Change.Night - nightsBack); r.Why != "" || r.Old.ID != want || r.New.ID != nightID(34) {
		t.Errorf("%+v, want %s", r, want)
	}
}

// covered makes sure that the segments hold each night once.
func covered(t *testing.T, s Series) {
	t.Helper()
	next := 0
	for _, g := range s.Segments {
		if g.First != next || g.Last < g.First {
			t.Errorf("segments %+v of %d nights", s.Segments, len(s.Nights))
		}
		next = g.Last + 1
	}
	if next != len(s.Nights) {
		t.Errorf("segments %+v of %d nights", s.Segments, len(s.Nights))
	}
}
