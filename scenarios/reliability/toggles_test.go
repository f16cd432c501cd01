package reliability

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"moobench/harness/load"
	"moobench/results"
	"moobench/scenarios/serving"
)

// TestToggles: toggles are told on the load's clock, those that were lost are told apart, and a server that did fewer
// than were answered is an error.
func TestToggles(t *testing.T) {
	asides := func(outcomes ...load.Outcome) (all []load.Sample) {
		for _, o := range outcomes {
			all = append(all, load.Sample{Outcome: o})
		}
		return all
	}
	for name, c := range map[string]struct {
		pattern       string
		asides        []load.Sample
		asked         []int64 // by the server
		scalars       map[string]float64
		since         []int64
		warned, fails string
	}{
		"none is wanted": {"", nil, nil, map[string]float64{toggleCount: 0}, nil, "", ""},
		"none was made":  {"*", nil, nil, map[string]float64{toggleCount: 0}, nil, "", ""},
		"one": {
			"*", asides(load.Right),
			[]int64{130},
			map[string]float64{toggleCount: 1, toggleTook: 10},
			[]int64{30},
			"", "",
		},
		"two": {
			"*", asides(load.Right, load.Late),
			[]int64{130, 150},
			map[string]float64{toggleCount: 2, toggleTook: 15},
			[]int64{30, 50},
			"", "",
		},
		"one of two was lost": {
			"*", asides(load.Right, load.Reset),
			[]int64{130},
			map[string]float64{toggleCount: 1, toggleTook: 10},
			[]int64{30},
			"1 of 2 requests to toggle were lost; ", "",
		},
		"one was not done": {
			"*", asides(load.Right, load.Right),
			[]int64{130},
			map[string]float64{},
			nil, "",
			"2 toggles were ordered, and the server did 1: it lies, or is not done",
		},
	} {
		f := &fake{t: t, scalars: map[string]float64{}, series: map[string][][]int64{}}
		d := &driver{rec: f}
		d.pattern = c.pattern
		made := toggles{asked: c.asked}
		for i := range c.asked {
			made.took, made.on = append(made.took, int64(10*(i+1))), append(made.on, int64(i%2))
		}
		err := d.toggles(&load.Result{BeginNS: 100, Asides: c.asides}, made)
		if (err == nil) != (c.fails == "") || err != nil && err.Error() != c.fails {
			t.Errorf("%s: %v, want %q", name, err, c.fails)
		}
		if !reflect.DeepEqual(f.scalars, c.scalars) {
			t.Errorf("%s: %v, want %v", name, f.scalars, c.scalars)
		}
		var since []int64
		if rows := f.series[results.SeriesToggle]; len(rows) > 0 {
			since = rows[0]
		}
		said := strings.Join(f.warnings, "\n")
		if !slices.Equal(since, c.since) || (said == "") != (c.warned == "") || !strings.HasPrefix(said, c.warned) {
			t.Errorf("%s: since %v, warned %q", name, since, said)
		}
	}
}

// TestSearcher: a search begins with the cell's own load; in an open loop an answer that takes a tenth of a step is
// late, or an earlier one that was late before.
func TestSearcher(t *testing.T) {
	for name, c := range map[string]struct {
		arrival         load.Arrival
		late, wantsLate time.Duration
		unit            string
		start, most     float64
	}{
		"closed":     {load.Closed, time.Second, time.Second, "clients", 7, 4096},
		"open":       {load.Constant, time.Second, 300 * time.Millisecond, "requests per second", 50, 1e6},
		"open, soon": {load.Poisson, 200 * time.Millisecond, 200 * time.Millisecond, "requests per second", 50, 1e6},
	} {
		d := &driver{}
		d.Settings = serving.Settings{SearchStep: 3 * time.Second, LagBound: 5, Load: load.Load{
			Arrival: c.arrival, Clients: 7, Rate: 50, LateAfter: c.late, Hold: time.Hour, Ramp: time.Hour,
		}}
		s := d.searcher()
		if s.unit != c.unit || s.start != c.start || s.most != c.most || s.bound != 5 {
			t.Errorf("%s: %+v", name, s)
		}
		if s.load.LateAfter != c.wantsLate {
			t.Errorf("%s: %+v", name, s)
		}
		if s.load.Hold != 3*time.Second || s.load.Ramp != time.Second {
			t.Errorf("%s: held for %s after %s", name, s.load.Hold, s.load.Ramp)
		}
	}
}
