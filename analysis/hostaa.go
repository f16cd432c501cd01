package analysis

import (
	"fmt"
	"math"
	"slices"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// judgeHosts judges the A/A of each host of a merged campaign by its own blocks, all together (Holm), and adds
// what the answers would be without the failed hosts. The answers of all hosts stay primary: dropping hosts for
// their outcome biases the rest.
func (a *Answers) judgeHosts(readings []*reader) {
	var at []int // host of each p
	var ps []float64
	for _, s := range a.Scenarios {
		for _, aa := range s.AA {
			for _, h := range aa.Hosts {
				if h.Pairs >= aaPairs && h.SE != nil {
					at, ps = append(at, h.Host), append(ps, hostP(h))
				}
			}
		}
	}
	for i, p := range stats.Holm(ps) {
		h := &a.Campaign.Fleet[at[i]]
		if h.P == nil || p < *h.P {
			h.P = infer.FinitePtr(p)
		}
		h.Failed = h.Failed || p < aaAlpha
	}
	failed := func(e *evidence.Invocation) bool { return a.Campaign.Fleet[e.Host].Failed }
	if !slices.ContainsFunc(a.Campaign.Fleet, func(h FleetHost) bool { return h.Failed }) {
		return
	}
	for i, r := range readings {
		a.Scenarios[i].withoutFailed(r, failed, a.Campaign.HostWord())
	}
}

// hostP is the two-sided p of no difference between the two baselines of a host.
func hostP(h infer.HostEstimate) float64 {
	t := stats.TestT(h.Value, *h.SE, h.DF, stats.TwoSided)
	if t == nil || math.IsNaN(t.P) { // without spread
		return 1
	}
	return t.P
}

// withoutFailed adds the differences without the failed hosts, and notes where a verdict changes.
func (s *Scenario) withoutFailed(r *reader, failed func(*evidence.Invocation) bool, word string) {
	without := &reader{Reading: r.Without(failed)}
	proof.Judge(without.View)
	for i := range s.Cells {
		c := &s.Cells[i]
		m := c.MetricNamed(s.Primary)
		if m == nil || c.Role != results.RoleVariant {
			continue
		}
		healthy := without.metric(r.Cells[i], r.Primary)
		m.Healthy = healthy.Difference
		if m.Verdict != healthy.Verdict {
			s.Notes = append(s.Notes, fmt.Sprintf(
				"%s is %s by all %ss, and %s without those whose own A/A failed (%s)", c.Label,
				m.Verdict, word, healthy.Verdict, prose.WithInterval(m.Healthy, r.Primary.Unit)))
		}
	}
}
