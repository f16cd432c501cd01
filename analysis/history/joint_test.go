package history

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// onNights are re-measurements, one a night, with a standard error of 0.005.
func onNights(logs ...float64) []results.Remeasured {
	var all []results.Remeasured
	for i, x := range logs {
		all = append(all, results.Remeasured{When: firstNight.AddDate(0, 0, i), Log: x, SE: 0.005, DF: 19})
	}
	return all
}

func TestSettle(t *testing.T) {
	calm := &results.Scatter{SD: 0.005, DF: 40, Within: 0.005}
	wild := &results.Scatter{SD: 0.02, DF: 40, Within: 0.005, Bound: true}
	for _, c := range []struct {
		name    string
		alarm   float64
		nights  []results.Remeasured
		scatter *results.Scatter
		want    infer.Settlement
	}{
		{"as large as the alarm", 0.05, onNights(0.05), calm, infer.Confirmed},
		{"it became better", -0.05, onNights(-0.05), calm, infer.Confirmed},
		{"nothing", 0.05, onNights(0.001), calm, infer.Refuted},
		{"there, and not worth a word", 0.05, onNights(0.02), calm, infer.Refuted},
		{"the other way", 0.05, onNights(-0.05), calm, infer.Refuted},
		{"an alarm that was much too large", 0.30, onNights(0.05), calm, infer.Confirmed},
		{"one night where nights differ", 0.05, onNights(0.05), wild, infer.Open},
		{"two nights", 0.05, onNights(0.05, 0.05), wild, infer.Open},
		{"four nights", 0.05, onNights(0.05, 0.05, 0.05, 0.05), wild, infer.Confirmed},
		{"one night that is far off", 0.10, onNights(0.10), wild, infer.Open},
		{"one night that is further off than nights are", 0.20, onNights(0.20), wild, infer.Confirmed},
		{"five nights, two of them far off", 0.05, onNights(0, 0.13, -0.03, 0.12, 0), wild, infer.Open},
		{"three nights, one of them far off", 0.05, onNights(0.02, 0.02, 0.15), wild, infer.Open},
		{"nights that are alike", 0.05, onNights(0.05, 0.05, 0.05, 0.05), &results.Scatter{SD: 0.02, DF: 40, Within: 0.005, Lag1: 0.7}, infer.Open},
		{"the second night takes it back", 0.05, onNights(0.05, -0.01), wild, infer.Refuted},
		{"nobody knows what nights differ by", 0.05, onNights(0.05), nil, infer.Open},
		{"less precise than other nights", 0.05, []results.Remeasured{{Log: 0.05, SE: 0.02, DF: 19}}, calm, infer.Open},
		{"not precise", 0.05, []results.Remeasured{{Log: 0.02, SE: 0.02, DF: 19}}, calm, infer.Open},
		{"no alarm", 0, onNights(0.05), calm, infer.Open},
		{"no night", 0.05, nil, calm, infer.Open},
	} {
		if j, got := settle(c.alarm, c.nights, c.scatter, leastChange); got != c.want {
			t.Errorf("%s: %s, want %s: %+v", c.name, got, c.want, j)
		}
	}
}

// Two campaigns of one night are one night: what it does to both is not averaged out.
func TestSettleCountsNights(t *testing.T) {
	wild := &results.Scatter{SD: 0.02, DF: 40, Within: 0.005, Bound: true}
	nights := onNights(0.05, 0.05, 0.05, 0.05)
	for i := range nights {
		nights[i].When = firstNight.Add(time.Duration(i) * time.Hour)
	}
	j, got := settle(0.05, nights, wild, leastChange)
	if j.Nights != 1 || got != infer.Open {
		t.Errorf("%d nights, %s", j.Nights, got)
	}
	if got := byNight(nights); len(got) != 1 || math.Abs(got[0].SE-0.0025) > 1e-12 || math.Abs(got[0].DF-76) > 1e-9 || got[0].Log != 0.05 {
		t.Errorf("pooled %+v", got)
	}
}

// What was measured within twelve hours is one night, in whatever order it comes, and weighs by how exact it is.
func TestByNight(t *testing.T) {
	at := func(hours int, log, se float64) results.Remeasured {
		return results.Remeasured{When: firstNight.Add(time.Duration(hours) * time.Hour), Log: log, SE: se, DF: 19}
	}
	for name, c := range map[string]struct {
		measured []results.Remeasured
		want     []float64
	}{
		"none":                  {nil, nil},
		"out of order":          {[]results.Remeasured{at(0, 0.05, 0.01), at(30, 0.01, 0.01), at(6, 0.07, 0.01)}, []float64{0.06, 0.01}},
		"the last one first":    {[]results.Remeasured{at(36, 0.03, 0.01), at(24, 0.02, 0.01), at(0, 0.01, 0.01)}, []float64{0.01, 0.02, 0.03}},
		"just one night":        {[]results.Remeasured{at(11, 0.03, 0.01), at(0, 0.01, 0.01)}, []float64{0.02}},
		"from the first one on": {[]results.Remeasured{at(0, 0.01, 0.01), at(8, 0.03, 0.01), at(13, 0.05, 0.01)}, []float64{0.02, 0.05}},
		"less exact":            {[]results.Remeasured{at(0, 0.05, 0.01), at(1, 0.10, 0.02)}, []float64{0.06}},
		"exact":                 {[]results.Remeasured{at(0, 0.05, 0), at(1, 0.10, 0)}, []float64{0.075}},
	} {
		before := slices.Clone(c.measured)
		var logs []float64
		for _, n := range byNight(c.measured) {
			logs = append(logs, n.Log)
		}
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }
		if !slices.EqualFunc(logs, c.want, near) || !slices.Equal(before, c.measured) {
			t.Errorf("%s: %v, want %v", name, logs, c.want)
		}
	}
}

// A rehearsal's last night confirms from the value on that is said to be needed.
func TestNeededIsWhatConfirms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := quantiled{stats.TQuantile}
		nights := onNights(rapid.SliceOfN(rapid.Float64Range(-0.05, 0.15), 1, 5).Draw(t, "nights")...)
		scatter := &results.Scatter{SD: rapid.Float64Range(0, 0.03).Draw(t, "sd"), DF: 30, Within: 0.005, Lag1: rapid.Float64Range(0, 0.9).Draw(t, "lag1")}
		needed := q.needed(nights, scatter, leastChange)
		for _, off := range []float64{-1e-6, 1e-6} {
			last := needed
			if math.IsInf(needed, 1) {
				last = 10
			}
			nights[len(nights)-1].Log = last + off
			if _, got := q.settle(0.1, nights, scatter, leastChange); (got == infer.Confirmed) != (off > 0 && !math.IsInf(needed, 1)) {
				t.Fatalf("%v of the last night, of which %v is needed: %s", last+off, needed, got)
			}
		}
	})
}

// What is worse seen from one side is better seen from the other, and what is
// confirmed is worth a word and on the alarm's side.
func TestSettleHasNoSides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alarm := rapid.Float64Range(-0.5, 0.5).Draw(t, "alarm")
		nights := onNights(rapid.SliceOfN(rapid.Float64Range(-0.5, 0.5), 1, 6).Draw(t, "nights")...)
		scatter := &results.Scatter{SD: rapid.Float64Range(0, 0.1).Draw(t, "sd"), DF: rapid.Float64Range(1, 60).Draw(t, "df"), Within: 0.005}
		j, got := settle(alarm, nights, scatter, leastChange)
		mirror := slices.Clone(nights)
		for i := range mirror {
			mirror[i].Log *= -1
		}
		if _, mirrored := settle(-alarm, mirror, scatter, leastChange); mirrored != got {
			t.Fatalf("%s, and mirrored %s", got, mirrored)
		}
		if got == infer.Confirmed && (j.Low <= 0 && j.High >= 0 || (alarm > 0) != (j.Low > 0) || math.Abs(j.Log) < math.Log1p(leastChange)) {
			t.Fatalf("alarm %v was confirmed by %+v", alarm, j)
		}
	})
}

// seriesWith has a night for each value; marked ones are negative.
func seriesWith(alarm bool, night int, log float64, values ...float64) Unsettled {
	s := &Series{Segments: []Segment{{First: 0, Last: len(values) - 1, Mean: 1}}}
	for i, x := range values {
		n := Night{ID: fmt.Sprint(i), Log: math.Abs(x)}
		if x < 0 {
			n.Marks = []string{MarkAAFailed}
		}
		s.Nights = append(s.Nights, n)
	}
	return Unsettled{s, &Change{Night: night, Log: log, Alarm: alarm}}
}

func TestOldAndNewNights(t *testing.T) {
	aa := seriesWith(true, 2, 0.2, 1, 1, 1.2)
	aa.Series.Nights[2].AA = true
	replanned := seriesWith(true, 4, 0.2, 1, 1, 1, 1, 1.2)
	replanned.Series.Nights[0].Plan, replanned.Series.Nights[1].Plan = "older", "older"
	begun := seriesWith(true, 7, 0.2, 1, 1, 1, 1, 1, 1, 1, 1.2, 1.2)
	begun.Change.Confirmation = &Confirmation{Against: "4", Night: "7", Alarm: 0.3, Verdict: infer.Open, Joint: &Joint{Nights: 1, Scatter: &results.Scatter{}}}
	for _, c := range []struct {
		name     string
		u        Unsettled
		old, now string
		why      string
	}{
		{"an alarm among few nights", seriesWith(true, 3, 0.2, 1, 1, 1, 1.2), "0", "3", ""},
		{"an alarm", seriesWith(true, 7, 0.2, 1, 1, 1, 1, 1, 1, 1, 1.2), "2", "7", ""},
		{"nights that were void", seriesWith(true, 7, 0.2, 1, 1, 1, 1, -1, 1, 1, 1.2), "1", "7", ""},
		{"the night before was an outlier", seriesWith(true, 7, 0.2, 1, 1, 1, 1, 1, 1, 1.3, 1.2), "1", "7", ""},
		{"a change point", seriesWith(false, 6, 0.2, 1, 1, 1, 1, 1, 1, 1.2, 1.2, 1.2), "1", "8", ""},
		{"the last night is void", seriesWith(false, 2, 0.2, 1, 1, 1.2, 1.2, -1.2), "0", "3", ""},
		{"the last night is of the old level", seriesWith(false, 2, 0.2, 1, 1, 1.2, 1.2, 1), "0", "3", ""},
		{"it became better", seriesWith(true, 2, -0.2, 1, 1, 0.8), "0", "2", ""},
		{"the plan changed", replanned, "2", "4", ""},
		{"begun in an earlier night", begun, "4", "7", ""},
		{"the second baseline", aa, "", "", "second baseline"},
		{"the first night", seriesWith(true, 0, 0.2, 1.2, 1), "", "", "no night before"},
		{"no good night before", seriesWith(true, 2, 0.2, -1, -1, 1.2), "", "", "no night before it is of the old level"},
		{"it went back", seriesWith(true, 2, 0.2, 1, 1, 1.01), "", "", "no night from it on is of the new level"},
	} {
		r := (&History{}).Choose([]Unsettled{c.u})[0]
		if why := r.Why; (why == "") != (c.why == "") || !slices.Contains([]string{c.why, why}, why) {
			t.Errorf("%s: why %q, want %q", c.name, why, c.why)
		}
		if r.Why == "" && (r.Old.ID != c.old || r.New.ID != c.now) {
			t.Errorf("%s: old %q, new %q; want %q, %q", c.name, r.Old.ID, r.New.ID, c.old, c.now)
		}
	}
	if r := (&History{}).Choose([]Unsettled{begun})[0]; r.Log != 0.3 {
		t.Errorf("what was begun goes on with %v, want the alarm that it began with", r.Log)
	}
}
