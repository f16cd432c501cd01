package analysis

import (
	"moobench/analysis/chapter/repeats"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/results"
)

// compareWithout adds the differences without repeated invocations to the costs of cells and to the answers, and
// returns each beside the one by all invocations.
func (r *reader) compareWithout(without *reader, s *Scenario) []repeats.Compared {
	var all []repeats.Compared
	plain := func(e *Estimate) infer.Answer { return infer.Answer{Difference: e, Verdict: reading.PlainVerdict(e)} }
	for i := range s.Cells {
		c := &s.Cells[i]
		m := c.MetricNamed(s.Primary)
		if m == nil {
			continue
		}
		m.Kept, m.All = without.metric(r.Cells[i], r.Primary).Difference, m.Difference
		if c.Role == results.RoleVariant {
			all = append(all, repeats.Compared{
				What: "the difference of " + c.Label, Unit: r.Primary.Unit, All: plain(m.All), Kept: plain(m.Kept),
			})
		}
	}
	for i, kept := range without.answers(nil) {
		a := &s.Answers[i]
		a.Kept, a.All = kept.Difference, a.Difference
		c := repeats.Compared{
			What: "the answer to “" + a.Text + "”", Unit: a.Unit,
			All:  infer.Answer{Difference: a.All, Verdict: a.Verdict},
			Kept: infer.Answer{Difference: a.Kept, Verdict: kept.Verdict},
		}
		a.Without, all = c.Text(), append(all, c)
	}
	return all
}
