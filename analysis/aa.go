package analysis

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// AA is the A/A test of one factor level: it compares the level's two baselines.
type AA struct {
	Level string `json:"level,omitempty"` // factor level
	// Metric is the count whose rates are compared; absent: the primary metric.
	Metric string  `json:"metric,omitempty"`
	Cell   string  `json:"cell"`  // ID of the second baseline
	State  AAState `json:"state"` // failed: the two baselines differ; resolves: they agree within Resolves
	Pairs  int     `json:"pairs"` // pairs of baselines
	// P is the p value of a paired t test of the log ratio of the two baselines; for a count, the largest p of
	// the deciding tests. It is Holm-adjusted over all A/As of the campaign.
	P *float64 `json:"p,omitempty"`
	// Ratio is second baseline over first, with its 90 % interval.
	Ratio *Estimate `json:"ratio,omitempty"`
	// Resolves is the smallest margin (0.012 is 1.2 %) that contains the 90 % interval: the two baselines agree
	// within it. The detectable effect is nearly twice as large.
	Resolves *float64 `json:"resolves,omitempty"`
	Text     Sentence `json:"text"` // in words

	// Hosts has the difference of the two on each host of a merged campaign; absent if one host measured all.
	Hosts []infer.HostEstimate `json:"hosts,omitempty"`
}

// Name returns "A/A", followed by the name of the count unless the primary metric was compared.
func (a AA) Name() string { return strings.TrimSpace("A/A " + prose.Spaced(a.Metric)) }

// AAState is the state of an A/A.
type AAState string

const (
	AAFailed   AAState = "failed"         // the baselines differ: by chance in 1 %, else the machine is at fault
	AAResolves AAState = "resolves"       // the two baselines agree within Resolves
	AATooFew   AAState = "too few blocks" // fewer than five pairs
)

const (
	// aaConfidence is the level of an A/A's interval: two one-sided tests at 5 %.
	aaConfidence = 0.90
	// aaAlpha is the level at which an A/A fails.
	aaAlpha = 0.01
	// aaPairs is the least number of pairs for an A/A. With fewer, the spread itself is uncertain by a factor
	// of four, and coarse values look as if they differed.
	aaPairs = 5
)

// selfTests compares the two baselines of every factor level, in the primary metric and in the rate of each key
// count. The p values are not adjusted yet. Unordered campaigns have no A/A.
func (r *reader) selfTests() []AA {
	if r.Unordered() {
		return nil
	}
	var found, counts []AA
	for _, c := range r.Cells {
		if c.Role != results.RoleAA {
			continue
		}
		if m := r.Primary; m.Name != "" && m.Of == "" {
			x, y := r.Values(c.ID, m), r.Values(c.Baseline, m)
			answer := r.Ask(infer.Question{Alpha: 1 - aaConfidence}, x, y, 0)
			found = append(found, twoBaselines(c, answer, len(evidence.PairsOf(x, y).Blocks)))
		}
		for _, m := range r.Scenario.Metrics {
			if m.Of == "" || !m.Key {
				continue
			}
			x, why := r.CompareRates(infer.Question{Alpha: aaAlpha}, c, r.Campaign.Cell(c.Baseline), m)
			a := AA{Level: c.Level(), Metric: m.Name, Cell: c.ID, State: AATooFew, Text: Sentence{Rest: why}}
			if x != nil {
				a.Pairs = x.A.N
				a.Text.Rest = fmt.Sprintf("%s and %s %s %s",
					prose.Seen(x.A), prose.Seen(x.B), prose.Spaced(m.Of), prose.Spaced(m.Name))
				p := *cmp.Or(x.Poisson, new(1.0)) // 1: neither had an event
				if s := x.Scatter; s != nil {
					p = max(p, s.PQuasi, *cmp.Or(s.PPermuted, &s.PQuasi))
				}
				a.P = &p
			}
			counts = append(counts, a)
		}
	}
	return append(found, counts...)
}

// twoBaselines makes the A/A of one level, before its p is adjusted. If the baselines differ without any
// spread, the sign test gives p.
func twoBaselines(c *results.Cell, x infer.Answer, n int) AA {
	a := AA{Level: c.Level(), Cell: c.ID, State: AATooFew, Pairs: n}
	if x.Hosts != nil {
		a.Hosts = x.Hosts.Each
	}
	if x.Ratio == nil || x.Ratio.Interval == nil {
		a.Text.Rest = cmp.Or(x.Ratio, &Estimate{NoInterval: x.NoRatio}).NoInterval
		return a
	}
	i, p := x.Ratio.Interval, 1.0 // 1: equal baselines without spread
	resolves := math.Exp(max(math.Abs(math.Log(i.Low)), math.Abs(math.Log(i.High)))) - 1
	if !stats.Finite(resolves) {
		a.Text.Rest = infer.Reason(stats.ErrNotFinite)
		return a
	}
	if x.Ratio.Test != nil {
		p = x.Ratio.Test.P
	} else if x.Ratio.Value != 1 {
		p = infer.AlikeP(a.Pairs)
	}
	a.Resolves, a.Ratio, a.P = &resolves, x.Ratio, &p
	return a
}

// decideSelfTests decides all A/As of the campaign together, with Holm-adjusted p values.
func (a *Answers) decideSelfTests() {
	var all []*AA
	var ps []float64
	for _, s := range a.Scenarios {
		for i := range s.AA {
			all, ps = append(all, &s.AA[i]), append(ps, *cmp.Or(s.AA[i].P, new(math.NaN())))
		}
	}
	for i, p := range stats.Holm(ps) {
		all[i].P = infer.FinitePtr(p)
		all[i].decide()
	}
}

const failedAA = "no difference below can be trusted; run again: one healthy campaign in a hundred fails by " +
	"chance; if it fails again, the machine favours one of the two: find what disturbs it"

func (a *AA) decide() {
	n := figure.Plural(a.Pairs, "pair of baselines", "pairs of baselines")
	switch {
	case a.P == nil && a.Pairs < 2:
		a.State, a.Text = AATooFew, prose.Say("too few blocks to say", n)
	case a.P == nil:
		a.State, a.Text = AATooFew, prose.Say("cannot say", a.Text.Rest)
	case a.Pairs < aaPairs:
		a.State, a.Resolves = AATooFew, nil
		a.Text = prose.Say("too few blocks to say", n+", and five are needed")
	case *a.P < aaAlpha && a.Metric != "":
		a.State = AAFailed
		a.Text = prose.Say("failed",
			fmt.Sprintf("two equal baselines differ: %s (%s, %s); %s", a.Text.Rest, figure.P(*a.P), n, failedAA))
	case a.Metric != "":
		a.State = AAResolves
		a.Text = prose.Say("no difference is shown", fmt.Sprintf("%s (%s, %s)", a.Text.Rest, figure.P(*a.P), n))
	case *a.P < aaAlpha:
		a.State, a.Resolves = AAFailed, nil
		a.Text = prose.Say("failed", fmt.Sprintf("two equal baselines differ by %s (%s, %s); %s",
			figure.Percent(math.Abs(a.Ratio.Value-1)), figure.P(*a.P), n, failedAA))
	default:
		a.State = AAResolves
		a.Text = Sentence{
			Rest: fmt.Sprintf("agrees within %s (95 %% sure, %s)",
				figure.Percent(*a.Resolves), figure.Plural(a.Pairs, "pair", "pairs")),
		}
	}
}
