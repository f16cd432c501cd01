package analysis

import (
	"fmt"

	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/results"
)

// judgeHosts judges the A/A of each host of a merged campaign by its own blocks, and adds what the answers would
// be without the failed hosts. The answers of all hosts stay primary: dropping hosts for their outcome biases the rest.
func (a *Answers) judgeHosts(readings []*reader) {
	var differences []infer.HostEstimate
	for _, s := range a.Scenarios {
		for _, aa := range s.AA {
			for _, h := range aa.Hosts {
				if h.Pairs >= aaPairs {
					differences = append(differences, h)
				}
			}
		}
	}
	f := &a.Campaign.Fleet
	if !f.Judge(differences, aaAlpha) {
		return
	}
	failed := func(e *evidence.Invocation) bool { return f.Hosts[e.Host].Failed }
	for i, r := range readings {
		a.Scenarios[i].withoutFailed(r, failed, f.Word())
	}
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
