package analysis

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// marks says what spoils the numbers of a cell.
func (r *reader) marks(c *Cell) []Mark {
	var ms []Mark
	add := func(kind, show, format string, args ...any) {
		ms = append(ms, Mark{kind, show, fmt.Sprintf(format, args...)})
	}
	if c.Records != nil {
		ms = append(ms, c.Records.marks()...)
	}
	if c.Queue != nil && !c.Queue.Enough {
		add("queue", "queue not filled", "its queue holds %s records and the window filled it only %s times: cost may still lie in the queue when the clock stops; make at least %s times as many calls",
			figure.Count(c.Queue.Length), figure.Ratio(c.Queue.Lengths), strconv.FormatFloat(math.Ceil(queueLengths/max(c.Queue.Lengths, 1e-9)), 'f', 0, 64))
	}
	if c.GivenUp != "" {
		add("given up", "given up", "it was given up (%s): what is here rests on the invocations before; repair the cause and run again", c.GivenUp)
	}
	if c.Failed > 0 {
		add("failed", fmt.Sprintf("failed %d of %d", c.Failed, c.Failed+c.OK), "%s failed, so the numbers are those of the survivors; read their logs, which the campaign keeps",
			figure.Plural(c.Failed, "invocation", "invocations"))
	}
	if c.Missing > 0 {
		add("unfinished", fmt.Sprintf("%d missing", c.Missing), "%s not made yet: intervals are wider than planned, and a verdict that is read before the end is wrong more often than it says; resume the campaign",
			figure.Plural(c.Missing, "planned invocation was", "planned invocations were"))
	}
	if m, few := r.fewMark(c); few {
		ms = append(ms, m)
	}
	ms = append(ms, r.disturbances(c)...)
	if by := r.fasterThanNothing(c); by != "" {
		add("faster", "faster than none", "it came out %s cheaper than its baseline, in which nothing monitors: a probe does not speed a method up, but the just-in-time compiler makes other code of it; read it as no cost found, and rank nothing by it", by)
	}
	if threads, cpus := r.oversubscribed(c.ID); threads > cpus {
		add("oversubscribed", "oversubscribed", "%d threads on %s: waiting for a CPU is part of the time", threads, figure.Plural(cpus, "CPU", "CPUs"))
	}
	return ms
}

// farOff is how far off the median an invocation lies that is named.
const farOff = 0.1

// fewMark is that of a cell with fewer than six invocations, and names how far one
// lies off the others, where it does.
func (r *reader) fewMark(c *Cell) (Mark, bool) {
	m := r.primary()
	if m == nil || m.Of != "" || c.Void != "" {
		return Mark{}, false
	}
	xs := numbers(r.values(c.ID, *m))
	if len(xs) == 0 || len(xs) >= infer.FewInvocations {
		return Mark{}, false
	}
	text := figure.Plural(len(xs), "invocation", "invocations") + ": a t interval leans on values that are normally distributed, which so few can't show, and one that differs moves it all"
	if middle, err := stats.Median(xs); err == nil && middle > 0 && len(xs) > 2 {
		far := 0.0
		for _, x := range xs {
			far = max(far, math.Abs(x/middle-1))
		}
		if far > farOff && far < 1000 {
			text += fmt.Sprintf("; the farthest lies %s off their median", figure.Percent(far))
		}
	}
	return Mark{"few", fmt.Sprintf("only %d", len(xs)), text + "; make six or more"}, true
}

// fasterThanNothing is by how much a variant undercuts a baseline in which
// nothing monitors, where the interval says that it does; else "".
func (r *reader) fasterThanNothing(c *Cell) string {
	p, baseline := r.primary(), r.campaign.Cell(c.Baseline)
	if p == nil || p.Better != results.Lower || baseline == nil || baseline.Proof.Kind != results.ProofBaseline {
		return ""
	}
	for _, a := range c.Metrics {
		if a.Metric != p.Name || c.Role != results.RoleVariant || infer.VerdictOf(a.Difference, 0, stats.TwoSided, nil) != VerdictLess {
			continue
		}
		s := figure.Fit(p.Unit, a.Difference.Value)
		return s.WithUnit(s.Number(-a.Difference.Value))
	}
	return ""
}

// marks says what the records spoil.
func (rec *Records) marks() []Mark {
	switch rec.Verdict {
	case NotInstrumented:
		return []Mark{{string(rec.Verdict), "not instrumented", rec.Text + "; what ran was not monitored, so its numbers are void; check the pattern, the class it names and the agent's log"}}
	case NotProven:
		return []Mark{{string(rec.Verdict), "not proven", rec.Text + "; give the variant a proof"}}
	case Unexpected:
		return []Mark{{string(rec.Verdict), "unexpected records", rec.Text + "; the variant does more than its name says; check its options"}}
	case TooMany:
		return []Mark{{string(rec.Verdict), "more than expected", rec.Text + "; more than the workload is monitored, or records arrive twice; check the pattern"}}
	case Lost:
		arrived, _, _ := strings.Cut(rec.Text, ": ") // how much is lost stands in the mark's name
		ms := []Mark{{string(rec.Verdict), "lost " + figure.Share(rec.Lost, rec.Expected), arrived + "; the number is the price of dropping records, not of delivering them; enlarge its queue, or call less often"}}
		return append(ms, rec.late()...)
	case Deferred:
		return rec.late()
	case Instrumented:
		if rec.Proof == results.ProofCount && rec.Expected == 0 {
			ms := []Mark{{"losses unknown", "losses unknown", rec.Text + "; compare its records per call with those of a variant that loses none"}}
			return append(ms, rec.late()...)
		}
	}
	return nil
}

func (rec *Records) late() []Mark {
	if rec.Deferred == nil || *rec.Deferred <= deferredLimit {
		return nil
	}
	about := ""
	if rec.Approximate {
		about = "about "
	}
	share := figure.Percent(*rec.Deferred)
	return []Mark{{string(Deferred), "cost deferred " + share, fmt.Sprintf("%s%s of its records arrived only after the loop: their cost lies behind the clock; make more calls than its queue holds, or compare CPU time per record delivered", about, share)}}
}
