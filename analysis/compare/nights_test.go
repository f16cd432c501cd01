package compare

import (
	"math"
	"strings"
	"testing"
	"time"

	"moobench/analysis/history"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testnumber"
	"moobench/results"
)

// known is a history of one series; its last level begins with night from.
func known(from int, logs []float64, change func(*history.Series)) *history.Findings {
	s := history.Series{
		Key:      history.Key{Campaign: "nightly", Scenario: "overhead", Cell: "x", Metric: "duration", Reference: "none", Machine: "m1", Runtime: "17.0.15+6"},
		Segments: []history.Segment{{First: 0, Last: from - 1}, {First: from, Last: len(logs) - 1}},
	}
	for i, l := range logs {
		s.Nights = append(s.Nights, history.Night{Key: s.Key, When: time.Date(2026, 10, 1+i, 3, 0, 0, 0, time.UTC), Log: l, SE: 0.003, DF: 9, N: 10, Better: results.Lower})
	}
	if change != nil {
		change(&s)
	}
	return &history.Findings{Series: []history.Series{s}}
}

var level = []float64{9, 9, 0.50, 0.52, 0.48, 0.51, 0.49, 0.50} // two nights of another level first

// The variance between nights, computed by hand, is added twice.
func TestBetweenNights(t *testing.T) {
	older, newer := night(1, baseline(1000), variant("x", 0.5, 0.003)), night(2, baseline(1000), variant("x", 0.55, 0.003))
	got := only(t, compared(t, older, newer, Options{Nights: known(2, level, nil)}), "x")
	// The squares of 0, 0.02, 0.02, 0.01, 0.01 and 0 add up to 0.001.
	total, within := 0.001/5, 0.003*0.003
	variance := 2*within + 2*(total-within)
	df := variance * variance / (2*within*within/9 + 4*total*total/5 + 4*within*within/(6*9))
	if got.Between == nil || got.Between.Nights != 6 || !testnumber.Near(got.Between.SD, math.Sqrt(total-within), 1e-9) {
		t.Fatalf("between %+v", got.Between)
	}
	if !testnumber.Near(*got.SE, math.Sqrt(variance), 1e-9) || !testnumber.Near(got.Estimate.Test.DF, df, 1e-9) {
		t.Errorf("se %v df %v, want %v and %v", *got.SE, got.Estimate.Test.DF, math.Sqrt(variance), df)
	}
}

// What is added to an unmonitored program is compared in ns, however noisy the ratio to its
// baseline is; what nights differ by is that of the differences, the sampling error of the
// two taken out.
func TestDifferences(t *testing.T) {
	plain := baseline(30)
	plain.framework = ""
	one := func(added float64) made {
		return made{variant: "x", role: results.RoleVariant, log: math.Log(1 + added/30), se: 0.3, df: 9, mean: 30 + added, sem: 3, n: 10}
	}
	older, newer := night(1, plain, one(3400)), night(2, plain, one(3420))
	got := only(t, compared(t, older, newer, Options{}), "x")
	if got.Relative || !testnumber.Near(got.Estimate.Value, 20, 1e-9) || !testnumber.Near(*got.SE, 3*math.Sqrt2, 1e-9) || got.Verdict != infer.Same {
		t.Errorf("%+v, se %v", got, *got.SE)
	}
	if e := got.Equivalence; e == nil || !testnumber.Near(e.Margin, 0.03*3430, 1e-9) {
		t.Errorf("the margin is not a share of the smaller mean: %+v", e)
	}
	nights := known(2, level, func(s *history.Series) {
		for i := range s.Nights {
			s.Nights[i].ReferenceRaw, s.Nights[i].Raw = 30, 30+1000*s.Nights[i].Log
		}
	})
	got = only(t, compared(t, older, newer, Options{Nights: nights}), "x")
	// The squares of 0, 20, 20, 10, 10 and 0 ns add up to 1000.
	if got.Between == nil || !testnumber.Near(got.Between.SD, math.Sqrt(1000./5-9), 1e-9) || !testnumber.Near(*got.SE, math.Sqrt(2*1000./5), 1e-9) {
		t.Errorf("between %+v, se %v", got.Between, *got.SE)
	}
	// Differences on another machine, of which those nights would be, tell nothing of this one.
	nights.Series[0].Shifts = []history.Shift{{Night: len(level) - 1}}
	if got = only(t, compared(t, older, newer, Options{Nights: nights}), "x"); got.Between != nil {
		t.Errorf("with nights of another machine: %+v", got.Between)
	}
}

func TestNightsThatDoNotCount(t *testing.T) {
	older, newer := night(1, baseline(1000), variant("x", 0.5, 0.003)), night(2, baseline(1000), variant("x", 0.55, 0.003))
	alone := *only(t, compared(t, older, newer, Options{}), "x").SE
	for name, c := range map[string]struct {
		nights *history.Findings
		note   string
	}{
		"none":            {&history.Findings{}, notIncluded},
		"too few":         {known(4, level, nil), notIncluded},
		"another machine": {known(2, level, func(s *history.Series) { s.Machine = "m2" }), notIncluded},
		"another JDK":     {known(2, level, func(s *history.Series) { s.Runtime = "21" }), notIncluded},
		"pinned":          {known(2, level, func(s *history.Series) { s.Reference = "kieker-1.15/bci/collect" }), notIncluded},
		"no level":        {known(2, level, func(s *history.Series) { s.Segments = nil }), notIncluded},
		"not judged": {known(2, level, func(s *history.Series) {
			s.Nights[6].Marks, s.Nights[7].Marks = []string{history.MarkAAFailed}, []string{history.MarkInvalid}
		}), notIncluded},
		"the nights themselves": {known(2, level, func(s *history.Series) {
			s.Nights[6].When, s.Nights[7].When = *older.Campaign.Start, *newer.Campaign.Start
		}), notIncluded},
		"quieter than their errors": {known(2, []float64{9, 9, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, nil), "the intervals include the variation between nights"},
	} {
		got := compared(t, older, newer, Options{Nights: c.nights})
		if se := *only(t, got, "x").SE; se != alone {
			t.Errorf("%s: se %v, want %v", name, se, alone)
		}
		if !strings.Contains(got.Notes[0], c.note) {
			t.Errorf("%s: %q", name, got.Notes)
		}
	}
}

// Of two cells of which the history knows one, the other is named.
func TestNightsOfSomeCells(t *testing.T) {
	cells := []made{baseline(1000), variant("x", 0.5, 0.003), variant("y", 0.5, 0.003)}
	c := compared(t, night(1, cells...), night(2, cells...), Options{Nights: known(2, level, nil)})
	if n := c.Notes[0]; !strings.Contains(n, notIncluded+" for y (duration)") || only(t, c, "x").Between == nil || only(t, c, "y").Between != nil {
		t.Errorf("%q", n)
	}
	if base := only(t, c, "none"); base.Between != nil {
		t.Errorf("a raw change has %+v", base.Between)
	}
}
