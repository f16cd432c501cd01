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
// metric and in the rate of each key count. An unordered campaign has no A/A.
func (r *reader) selfTest() []AA {
	if r.unordered() {
		return nil
	}
	var found, counts []AA
	for _, c := range r.cells() {
		if c.Role != results.RoleAA {
			continue
		}
		if m := r.primary(); m != nil && m.Of == "" {
			x, y := r.values(c.ID, *m), r.values(c.Baseline, *m)
			found = append(found, twoBaselines(c, r.ask(infer.Question{Alpha: 1 - aaConfidence}, x, y, false), len(pairs(x, y))))
		}
		for _, m := range r.scenario.Metrics {
			if m.Of != "" && m.Key {
				counts = append(counts, r.twoCounts(c, m))
			}
		}
	}
	return append(found, counts...)
}

// twoCounts is the A/A of a count at one level, before its p is adjusted.
func (r *reader) twoCounts(c *results.Cell, m results.Metric) AA {
	a := AA{Level: c.Level(), Metric: m.Name, Cell: c.ID, State: AATooFew}
	x, why := r.compareRates(rateQuestion{infer.Question{Alpha: aaAlpha}, c, r.campaign.Cell(c.Baseline), m})
	if x == nil {
		a.Text.Rest = why
		return a
	}
	a.Pairs = x.A.N
	a.Text.Rest = fmt.Sprintf("%s and %s %s %s", seen(x.A), seen(x.B), spaced(m.Of), spaced(m.Name))
	p := 1.0 // no event in either
	if x.Poisson != nil {
		p = *x.Poisson
	}
	if s := x.Scatter; s != nil && s.PQuasi != nil {
		p = max(p, *s.PQuasi)
	}
	if s := x.Scatter; s != nil && s.PPermuted != nil {
		p = max(p, *s.PPermuted)
	}
	a.P = &p
	return a
}

// twoBaselines is the A/A of one level, before its p is adjusted. Two baselines
// that do not vary, and yet differ, are so many signs alike.
func twoBaselines(c *results.Cell, of infer.Answer, n int) AA {
	a := AA{Level: c.Level(), Cell: c.ID, State: AATooFew, Pairs: n}
	if of.Ratio == nil || of.Ratio.Interval == nil {
		a.Text.Rest = of.NoRatio
		if of.Ratio != nil {
			a.Text.Rest = of.Ratio.NoInterval
		}
		return a
	}
	i := of.Ratio.Interval
	resolves := math.Exp(max(math.Abs(math.Log(i.Low)), math.Abs(math.Log(i.High)))) - 1
	if !stats.Finite(resolves) {
		a.Text.Rest = infer.Reason(stats.ErrNotFinite)
		return a
	}
	a.Resolves, a.Ratio = &resolves, of.Ratio
	p := 1.0 // two equal baselines that do not vary
	if of.Ratio.Test != nil {
		p = of.Ratio.Test.P
	} else if of.Ratio.Value != 1 {
		p = infer.AlikeP(a.Pairs)
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

const failedAA = "no difference below can be trusted; run again: of healthy campaigns one in a hundred fails by chance; if it fails again, the machine favours one of them: find what disturbs it"

func (a *AA) decide() {
	n := figure.Plural(a.Pairs, "pair of baselines", "pairs of baselines")
	switch {
	case a.P == nil && a.Pairs < 2:
		a.State, a.Text = AATooFew, Sentence{"too few blocks to say", n}
	case a.P == nil:
		a.State, a.Text = AATooFew, Sentence{"cannot say", a.Text.Rest}
	case a.Pairs < aaPairs:
		a.State, a.Resolves = AATooFew, nil
		a.Text = Sentence{"too few blocks to say", n + ", and five are needed"}
	case *a.P < aaAlpha && a.Metric != "":
		a.State, a.Text = AAFailed, Sentence{"failed", fmt.Sprintf("two equal baselines differ: %s (%s, %s); %s", a.Text.Rest, figure.P(*a.P), n, failedAA)}
	case a.Metric != "":
		a.State, a.Text = AAResolves, Sentence{"no difference is shown", fmt.Sprintf("%s (%s, %s)", a.Text.Rest, figure.P(*a.P), n)}
	case *a.P < aaAlpha:
		a.State, a.Resolves = AAFailed, nil
		a.Text = Sentence{"failed", fmt.Sprintf("two equal baselines differ by %s (%s, %s); %s",
			figure.Percent(math.Abs(a.Ratio.Value-1)), figure.P(*a.P), n, failedAA)}
	default:
		a.State = AAResolves
		a.Text = Sentence{Rest: fmt.Sprintf("agrees within %s (95 %% sure, %s)", figure.Percent(*a.Resolves), figure.Plural(a.Pairs, "pair", "pairs"))}
	}
}
