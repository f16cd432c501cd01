package analysis

import (
	"fmt"
	"math"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
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
		x, y := r.values(c.ID, *m), r.values(c.Baseline, *m)
		found = append(found, twoBaselines(c, r.ask(infer.Question{Alpha: 1 - aaConfidence}, x, y, false), len(pairs(x, y))))
	}
	return found
}

// twoBaselines is the A/A of one level, before its p is adjusted. Two baselines
// that do not vary, and yet differ, are so many signs alike.
func twoBaselines(c *results.Cell, of infer.Answer, n int) AA {
	a := AA{Level: c.Level(), Cell: c.ID, State: AATooFew, Pairs: n}
	if of.Ratio == nil || of.Ratio.Interval == nil {
		a.Text = of.NoRatio
		if of.Ratio != nil {
			a.Text = of.Ratio.NoInterval
		}
		return a
	}
	i := of.Ratio.Interval
	resolves := math.Exp(max(math.Abs(math.Log(i.Low)), math.Abs(math.Log(i.High)))) - 1
	if !finite(resolves) {
		a.Text = infer.Reason(stats.ErrNotFinite)
		return a
	}
	a.Resolves, a.Ratio = &resolves, of.Ratio
	p := 1.0 // two equal baselines that do not vary
	if of.Ratio.Test != nil {
		p = of.Ratio.Test.P
	} else if of.Ratio.Value != 1 {
		p = math.Pow(2, 1-float64(a.Pairs))
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
	case a.Pairs < aaPairs:
		a.State, a.Resolves = AATooFew, nil
		a.Text = "too few blocks to say: " + n + ", and five are needed"
	case *a.P < aaAlpha:
		a.State, a.Resolves = AAFailed, nil
		a.Text = fmt.Sprintf("failed: two equal baselines differ by %s (%s, %s), and no difference below can be trusted; run again: of healthy campaigns one in a hundred fails by chance; if it fails again, the machine favours one of them: find what disturbs it",
			figure.Percent(math.Abs(a.Ratio.Value-1)), figure.P(*a.P), n)
	default:
		a.State = AAResolves
		a.Text = fmt.Sprintf("the two baselines agree within %s (95 %% sure, %s)", figure.Percent(*a.Resolves), n)
	}
}
