// Package settling finds the number of calls that lets cells reach a steady state, by a pilot.
package settling

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// Parameters of a pilot's search for a number of calls.
const (
	// look is the share of the time limit for the first look at a cell: a JVM compiles for seconds, and code
	// that looks steady before may still be replaced.
	look = 0.25
	// early is the share of its calls within which a cell must reach its steady state, so that the steady state
	// observed is as long as the warm-up.
	early = 0.5
	// ample is the factor on the calls of the longest warm-up: later JVMs sometimes warm up longer.
	ample = 2.5
	// shortestNS is the least time for the calls of an invocation. Below it nobody sees what disturbs it, and a
	// single interruption is a large part of it.
	shortestNS = 50e6
)

// trial is one run of a pilot.
type trial struct {
	calls int64   // of each thread
	took  float64 // time of all calls, in ns
	late  float64 // time of a call at the end, in ns
	warm  int64   // calls before the steady state
	rests bool    // it reached its steady state early
	trend results.Trend
}

// trialOf reads a run. The steps of its series have equally many calls.
func trialOf(calls int64, e *evidence.Invocation) trial {
	mean, _ := stats.Mean(e.Samples.Trace) // the trace is not empty
	before, last := e.Samples.LateQuarters()
	tr := trial{
		calls: calls,
		took:  mean * float64(calls),
		late:  last,
		warm:  e.Samples.WarmCalls,
		trend: results.TrendChanges,
	}
	tr.rests = e.CameToRest() && float64(tr.warm) <= early*float64(calls)
	switch change := last/before - 1; {
	case change < -settled:
		tr.trend = results.TrendFalls
	case change > settled:
		tr.trend = results.TrendRises
	}
	return tr
}

// settled is the largest relative difference of the third and the last quarter of a series that neither falls
// nor rises.
const settled = 0.01

// most is the number of calls that fit into a time, if further ones take as long as the last did.
func (t trial) most(withinNS float64) int64 {
	n := float64(t.calls) + (withinNS-t.took)/max(t.late, 1e-3)
	return int64(min(max(n, 1), results.PilotMostCalls))
}

// longer returns the next number of calls to try: those that fit into the first look, else those that fit into
// the time; 0 if that is hardly more.
func (t trial) longer(withinNS float64) int64 {
	for _, n := range []int64{t.most(withinNS * look), t.most(withinNS)} {
		if 2*n >= 3*t.calls {
			return rounded(n, math.Floor)
		}
	}
	return 0
}

// rounded rounds a number to two significant digits.
func rounded(n int64, round func(float64) float64) int64 {
	unit := math.Pow(10, max(0, math.Floor(math.Log10(float64(max(1, n))))-1))
	return int64(round(float64(n)/unit) * unit)
}

// equal returns the trials with as many calls as the last one.
func equal(all []trial) []trial {
	return slices.DeleteFunc(slices.Clone(all), func(t trial) bool { return t.calls != all[len(all)-1].calls })
}

// next returns the number of calls that the pilot of a cell tries next; 0 if it knows enough: two JVMs settled
// early with the same number of calls, or two made all the calls that fit into the time.
func next(all []trial, withinNS float64) int64 {
	if len(all) == 0 {
		return results.PilotCalls
	}
	last := all[len(all)-1]
	longer, same := last.longer(withinNS), equal(all)
	rest := !slices.ContainsFunc(same, func(t trial) bool { return !t.rests })
	found := rest && (last.took >= look/2*withinNS || last.calls >= results.PilotMostCalls)
	switch {
	case !found && longer > 0:
		return longer
	case len(same) < 2:
		return last.calls
	}
	return 0
}

// Settle says how the pilot for a scenario's number of calls goes on: with a number of calls of a cell, or in
// the end with a decision.
func Settle(src evidence.Source, scenario string) (cell string, calls int64, d *results.SettlingDecision, err error) {
	c := src.Campaign()
	sc := c.Scenario(scenario)
	if sc == nil || sc.Settling == nil {
		return "", 0, nil, fmt.Errorf("deciding on a number of calls: scenario %q leaves none open", scenario)
	}
	all := evidence.Gather(evidence.Pilots(src))
	if len(all.Problems) > 0 {
		return "", 0, nil, fmt.Errorf("deciding on a number of calls: %s", all.Problems[0])
	}
	tried := map[int]int64{} // by block
	for _, b := range c.Blocks {
		tried[b.Number] = b.Calls
	}
	trials := map[string][]trial{}
	for i := range all.Invocations {
		e := &all.Invocations[i]
		switch _, ok := e.Values[sc.Settling.Series]; {
		case c.Cell(e.Cell).Scenario != scenario || e.Status != results.StatusOK:
		case !ok:
			return "", 0, nil, fmt.Errorf("deciding on a number of calls: %s of %s timed none%s",
				e.Identity, c.Cell(e.Cell).Label(), prose.If(e.Invalid != "", ": %s", e.Invalid))
		default:
			trials[e.Cell] = append(trials[e.Cell], trialOf(tried[e.Block], e))
		}
	}
	for _, cell := range c.Cells {
		left := slices.ContainsFunc(c.GivenUp, func(g results.GivenUp) bool { return g.Cell == cell.ID })
		if cell.Scenario != scenario || left || cell.Role != results.RoleBaseline && cell.Role != results.RoleVariant {
			continue
		}
		if n := next(trials[cell.ID], float64(sc.Settling.WithinNS)); n > 0 {
			return cell.ID, n, nil, nil
		}
	}
	return "", 0, decideCalls(c, sc, trials), nil
}

// decideCalls decides for each group of cells that are compared: those of a level, and of levels that a question
// compares.
func decideCalls(c *results.Campaign, sc *results.Scenario, trials map[string][]trial) *results.SettlingDecision {
	group := map[string]string{} // by cell, named after one of its cells
	for _, cell := range c.Cells {
		if cell.Scenario == sc.Label && cell.Role != results.RoleProof {
			group[cell.ID] = cmp.Or(cell.Baseline, cell.ID)
		}
	}
	for _, q := range sc.Questions {
		one, other := group[q.A], group[q.B]
		for id, name := range group {
			if name == other {
				group[id] = one
			}
		}
	}
	d := &results.SettlingDecision{}
	var texts, names []string
	for _, cell := range c.Cells {
		name := group[cell.ID]
		if name == "" || slices.Contains(names, name) {
			continue
		}
		names = append(names, name)
		g := results.SettledGroup{}
		for _, other := range c.Cells {
			if group[other.ID] == name {
				g.Cells = append(g.Cells, results.SettledCell{Cell: other.ID})
			}
		}
		texts = append(texts, count(&g, c, trials, sc.Settling.WithinNS))
		d.Groups = append(d.Groups, g)
	}
	d.Reason = "calls found by a pilot of 2 JVMs a cell: " + strings.Join(texts, "; ")
	return d
}

// count decides how many calls the cells of a group make, and says why: as many as the slowest cell needs to
// settle, or as it takes to time each of them, if they fit into the time of every cell. Cells that settle in no
// JVM have no say; those that don't settle in every JVM are named.
func count(g *results.SettledGroup, c *results.Campaign, trials map[string][]trial, withinNS int64) string {
	want, fit, why, slowest := int64(0), int64(results.PilotMostCalls), "", ""
	within := figure.Roughly(time.Duration(withinNS)) + " of calls"
	var unsettled []string
	for i := range g.Cells {
		s, label := &g.Cells[i], c.Cell(g.Cells[i].Cell).Label()
		if len(trials[s.Cell]) == 0 {
			continue
		}
		same := equal(trials[s.Cell])
		timed := learn(s, same)
		for _, t := range same {
			if n := t.most(float64(withinNS)); n < fit {
				fit, slowest = n, label
			}
		}
		if s.Trend != "" {
			unsettled = append(unsettled, fmt.Sprintf(
				"%s %s within %s: its series %s", label, cannot(s), within, trends[s.Trend]))
		}
		switch {
		case s.Needs == 0:
		case s.Needs >= max(want, timed):
			want, why = s.Needs, fmt.Sprintf("as many as %s needs to settle", label)
		case timed > want:
			want, why = timed, fmt.Sprintf("so that those of %s take %s", label, figure.Exactly(shortestNS, "ns"))
		}
	}
	if g.Calls = rounded(want, math.Ceil); want == 0 || g.Calls > fit {
		g.Calls = max(rounded(fit, math.Floor), 1)
		why = "all that fit into " + within + prose.If(slowest != "", " of %s", slowest)
	}
	for _, s := range g.Cells {
		if s.Trend == "" && float64(s.Needs) > ample*early*float64(g.Calls) {
			unsettled = append(unsettled, fmt.Sprintf("%s needs %s to settle: raise settle_within",
				c.Cell(s.Cell).Label(), figure.Count(s.Needs)))
		}
	}
	text := fmt.Sprintf("%s%s, %s", figure.Count(g.Calls), reading.AtLevel(c.Cell(g.Cells[0].Cell).Level()), why)
	return strings.Join(append([]string{text}, unsettled...), "; ")
}

// learn records the last runs of a cell, and returns how many calls it takes to time it. A cell that settled
// only in some of its JVMs has a trend as well: the measurement will meet more of the others.
func learn(s *results.SettledCell, same []trial) (timed int64) {
	s.JVMs, s.Tried = len(same), same[0].calls
	for _, t := range same {
		if !t.rests {
			s.Trend = t.trend
			continue
		}
		s.Needs = max(s.Needs, rounded(int64(ample*float64(t.warm)), math.Ceil), results.PilotCalls)
		timed = max(timed, int64(min(shortestNS/max(t.late, 1e-3), results.PilotMostCalls)))
	}
	return timed
}

// cannot describes the JVMs of a cell with a trend.
func cannot(s *results.SettledCell) string {
	if s.Needs > 0 {
		return "doesn't settle in every JVM"
	}
	return "can't settle"
}

// trends describes series that do not settle.
var trends = map[results.Trend]string{
	results.TrendFalls: "still falls", results.TrendRises: "still rises", results.TrendChanges: "goes up and down",
}
