package analysis

import (
	"fmt"
	"math"

	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
)

// selfTest compares the two baselines of every factor level, in the primary
// metric. An unordered campaign has no A/A.
func (r *reader) selfTest() []AA {
	m := r.primary()
	if m == nil || r.unordered() {
		return nil
	}
	var found []AA
	for _, c := range r.cells() {
		if c.Role != results.RoleAA {
			continue
		}
		x, y := columnsOfPairs(pairs(r.values(c.ID, *m), r.values(c.Baseline, *m)))
		found = append(found, twoBaselines(c, x, y))
	}
	return found
}

// twoBaselines is the A/A of one level, before its p is adjusted.
func twoBaselines(c *results.Cell, x, y []float64) AA {
	a := AA{Level: c.Level(), Cell: c.ID, State: AATooFew, Pairs: len(x)}
	s, err := stats.PairedLogRatio(x, y, aaConfidence)
	if err != nil {
		a.Text = reason(err)
		return a
	}
	resolves := math.Exp(max(math.Abs(math.Log(s.Interval.Low)), math.Abs(math.Log(s.Interval.High)))) - 1
	if !finite(resolves) {
		a.Text = reason(stats.ErrNotFinite)
		return a
	}
	a.Resolves = &resolves
	a.Ratio, _ = estimated(s, nil)
	p := 1.0 // two equal baselines that do not vary
	if s.Test != nil {
		p = s.Test.P
	} else if s.Value != 1 {
		p = 0
	}
	a.P = &p
	return a
}

// diagnose decides the states of all A/As of a campaign: their p values are
// adjusted together (Holm).
func diagnose(all []*AA) {
	var ps []float64
	for _, a := range all {
		if a.P != nil {
			ps = append(ps, *a.P)
		}
	}
	adjusted := stats.Holm(ps)
	for _, a := range all {
		if a.P != nil {
			p := adjusted[0]
			a.P, adjusted = &p, adjusted[1:]
		}
		a.decide()
	}
}

func (a *AA) decide() {
	n := figure.Plural(a.Pairs, "pair of baselines", "pairs of baselines")
	switch {
	case a.P == nil && a.Pairs < 2:
		a.State, a.Text = AATooFew, "too few blocks to say: "+n
	case a.P == nil:
		a.State, a.Text = AATooFew, "cannot say: "+a.Text
	case *a.P < aaAlpha:
		a.State, a.Resolves = AAFailed, nil
		a.Text = fmt.Sprintf("failed: two equal baselines differ by %s (%s, %s): the machine favours one of them, and no difference below can be trusted; find what disturbs it and run again",
			figure.Percent(math.Abs(a.Ratio.Value-1)), figure.P(*a.P), n)
	case a.Pairs < aaPairs:
		a.State, a.Resolves = AATooFew, nil
		a.Text = "too few blocks to say: " + n + ", and five are needed"
	default:
		a.State = AAResolves
		a.Text = fmt.Sprintf("resolves %s (%s)", figure.Percent(*a.Resolves), n)
	}
}
