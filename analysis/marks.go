package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/chapter/settling"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// named is the number of invocations, or warnings, that a caveat names.
const named = 4

// markRepeated is the kind of caveat for cells with disturbed and repeated invocations.
const markRepeated = "repeated"

// markFew is the kind of caveat for cells with few invocations.
const markFew = "few"

// marks are the caveats of a cell's numbers.
func (r *reader) marks(c *Cell) []caveat.Mark {
	ms := slices.Concat(r.requestMarks(c), c.Outcome.Caveats(r.Reading, r.Campaign.Cell(c.ID)))
	ms.Add(c.GivenUp != "" && c.Invalid == "", caveat.Misleading, "given up", "given up",
		"it was given up (%s): its numbers come from the invocations before that; repair the cause and run again", c.GivenUp)
	ms.Add(len(c.GivenUpBy) > 0, caveat.Misleading, "given up", "given up on some machines",
		"some shards gave it up (%s): its numbers are those of the other shards, whose machines may differ; "+
			"repair the cause, and measure these shards again",
		strings.Join(c.GivenUpBy, "; "))
	ms.Counted(c.Failed, c.Failed+c.OK, "failed", "failed", "%s failed, so the numbers are those of the survivors%s",
		figure.Plural(c.Failed, "invocation", "invocations"),
		prose.If(!r.Campaign.Design.Imported(), "; read their logs, which the campaign keeps"))
	ms.Add(c.Missing > 0, caveat.Misleading, "unfinished", fmt.Sprintf("%d missing", c.Missing),
		"%s not made yet: intervals are wider than planned, and a verdict that is read before the end is "+
			"wrong more often than it says; resume the campaign",
		figure.Plural(c.Missing, "planned invocation was", "planned invocations were"))
	if m := c.MetricNamed(r.Primary.Name); c.Invalid == "" && c.Role == results.RoleVariant && m != nil &&
		m.Difference != nil && m.Difference.Interval == nil {
		ms.Add(true, caveat.Misleading, "no interval", "no interval", "%s", m.Difference.NoInterval)
	}
	if xs := r.Values(c.ID, r.Primary).Numbers(); r.Primary.Of == "" && c.Invalid == "" && len(xs) > 0 {
		ms.Add(len(xs) < infer.FewInvocations, caveat.Remark, markFew, fmt.Sprintf("only %d", len(xs)),
			"%s: a t interval assumes normal values, which so few can't show, "+
				"and a single outlier moves it%s; make six or more",
			figure.Plural(len(xs), "invocation", "invocations"), farthest(xs))
	}
	ms = append(ms, r.disturbances(c)...)
	p, own, baseline := r.Primary, r.Campaign.Cell(c.ID), r.Campaign.Cell(c.Baseline)
	against := p.Better == results.Lower && c.Role == results.RoleVariant &&
		baseline != nil && baseline.Proof.Kind == results.ProofBaseline &&
		own.Proof.Kind != results.ProofBaseline // of two unmonitored programs, either may be faster
	if m := c.MetricNamed(p.Name); against && m != nil && m.Difference != nil {
		ms.Add(reading.PlainVerdict(m.Difference) == infer.Lower, caveat.Misleading, "faster", "faster than none",
			"it came out %s cheaper than its baseline, which is not monitored: "+
				"a probe does not speed a method up, but the just-in-time compiler generates other code with it; "+
				"read it as no cost found, and do not rank by it",
			figure.Quantity(-m.Difference.Value, p.Unit))
	}
	if m := c.MetricNamed(p.Name); c.Doubt != nil && m != nil && m.Difference != nil && m.Difference.Interval != nil {
		ms.Add(c.Doubt.Amount > m.Difference.Interval.Half(), caveat.Remark, "reference",
			"speed ± "+figure.Percent(c.Doubt.Share),
			"so few JVMs can't show that the work which measures the CPU's speed takes the same beside it as beside "+
				"its baseline: its call may be off by up to %s (%s) beyond the interval, "+
				"and verdicts allow for it; "+
				"moobench doctor --calibrate FILE shows it more exactly, for later campaigns",
			figure.Percent(c.Doubt.Share), figure.Quantity(c.Doubt.Amount, p.Unit))
	}
	threads := int(r.Campaign.Cell(c.ID).Int("threads"))
	cpus, _ := evidence.CPUs(r.Primaries(c.ID))
	ms.Add(cpus > 0 && threads > cpus, caveat.Remark, "oversubscribed", "oversubscribed",
		"%d threads on %s: waiting for a CPU is part of the time",
		threads, figure.Plural(cpus, "CPU", "CPUs"))
	return slices.Concat(ms, r.waitingMarks(c), r.threadMarks(c), settling.Marks(r.Scenario.Settling, c.ID),
		c.Steady.marks(r.Scenario.Window, c.half(p.Name)), r.neighbours(c), r.levels(c))
}

// half is the half-width of a cell's difference, or of a baseline's mean; 0 without an interval.
func (c *Cell) half(metric string) float64 {
	m := c.MetricNamed(metric)
	switch {
	case m == nil:
	case m.Difference != nil && m.Difference.Interval != nil:
		return m.Difference.Interval.Half()
	case m.Mean != nil && m.Mean.Interval != nil:
		return m.Mean.Interval.Half()
	}
	return 0
}

// farOff is the distance from the median, as a share of it, from which an invocation is mentioned.
const farOff = 0.1

// farthest says how far the furthest of a few values (at least one) lies off their median; "" if none is far
// off.
func farthest(xs []float64) string {
	middle, err := stats.Median(xs)
	far := max(slices.Max(xs)/middle-1, 1-slices.Min(xs)/middle)
	some := err == nil && middle > 0 && len(xs) >= 3 && far > farOff && far < 1000
	return prose.If(some, "; the furthest is %s off their median", figure.Percent(far))
}

// disturbances are the caveats of a cell whose invocations were disturbed or invalid, or carry warnings.
func (r *reader) disturbances(c *Cell) (ms caveat.List) {
	all := r.Primaries(c.ID)
	disturbed := func(e *evidence.Invocation) bool { return e.Disturbed != nil && e.RepeatedBy == "" }
	if stay := evidence.Select(all, disturbed); len(stay) > 0 {
		others := 0
		var knobs, parts []string
		for _, e := range stay {
			if knobs = append(knobs, e.Disturbed.Knobs...); len(e.Disturbed.Knobs) == 0 {
				others++
			}
		}
		if others > 0 {
			in := figure.Plural(others, "invocation", "invocations")
			parts = append(parts, "other processes took CPU time on the measured CPUs in "+in)
		}
		if slices.Sort(knobs); len(knobs) > 0 {
			parts = append(parts, fmt.Sprintf("%s changed in or before %s",
				strings.Join(slices.Compact(knobs), ", "),
				figure.Plural(len(stay)-others, "invocation", "invocations")))
		}
		ms.Counted(len(stay), len(all), "disturbed", "disturbed",
			"%s: %s", strings.Join(parts, ", "), r.disturbedText(c.ID))
	}
	again := evidence.Select(r.ByCell[c.ID], func(e *evidence.Invocation) bool { return e.RepeatedBy != "" })
	reason := func(e *evidence.Invocation) string { return e.Disturbed.Reason }
	ms.Add(len(again) > 0, caveat.Remark, markRepeated, fmt.Sprintf("%d repeated", len(again)),
		"each was repeated in an extra block, with a fresh baseline, and still counts: %s",
		reasons(again, reason, " and %s more, which the page and the JSON name"))
	es := r.Invalids(c.ID, r.Profile())
	ms.Counted(len(es), len(es)+c.OK, "invalid invocations", "invalid",
		"not what was planned, and in no number: %s; invocations of extra "+
			"blocks stand for as many of them as were repeated", whyInvalid(es))
	void := r.Voids(c.ID, r.Primary)
	ms.Counted(len(void), c.OK, "void values", prose.Spaced(r.Primary.Name)+" void",
		"%s of them does not count, though their other numbers do: %s",
		prose.Spaced(r.Primary.Name), whyVoid(void, r.Primary.Name))
	text, n := warned(all)
	ms.Add(n > 0, caveat.Remark, "warned", fmt.Sprintf("warned %d of %d", n, len(all)), "%s", text)
	return ms
}

// reasons lists invocations, each with its reason; more is the format for the number of others.
func reasons(es []*evidence.Invocation, why func(*evidence.Invocation) string, more string) string {
	texts := results.Each(es, func(e *evidence.Invocation) string { return fmt.Sprintf("%s (%s)", e.Identity, why(e)) })
	return prose.First(texts, named, ", ", more)
}

// whyInvalid lists invocations, each with the reason why it is invalid.
func whyInvalid(es []*evidence.Invocation) string {
	return reasons(es, func(e *evidence.Invocation) string { return e.Invalid }, ", and %s more, which the JSON names")
}

// whyVoid lists invocations, each with the reason why its value of a metric doesn't count.
func whyVoid(es []*evidence.Invocation, metric string) string {
	reason := func(e *evidence.Invocation) string { return e.Void[metric] }
	return reasons(es, reason, ", and %s more, which the JSON names")
}

// warned lists the warnings of invocations, merging those that differ only in figures, and counts the
// invocations that carry any. A disturbance has its own caveat.
func warned(es []*evidence.Invocation) (text string, n int) {
	var all []string
	for _, e := range es {
		warnings := slices.DeleteFunc(slices.Clone(e.Warnings), func(w string) bool {
			return e.Disturbed != nil && w == e.Disturbed.Reason
		})
		all = append(all, results.Each(stats.Grouped(warnings, prose.WithoutFigures), func(alike []string) string {
			return alike[0]
		})...)
		if len(warnings) > 0 {
			n++
		}
	}
	kinds := stats.Grouped(all, prose.WithoutFigures)
	slices.SortStableFunc(kinds, func(a, b []string) int { return len(b) - len(a) })
	texts := results.Each(kinds, func(alike []string) string { return fmt.Sprintf("%s (%d ×)", alike[0], len(alike)) })
	return prose.First(texts, named, "; ", "; and %s more kinds"), n
}

// said formats a caveat for a sentence, where no row says what is counted.
func said(m caveat.Mark) string {
	if m.Kind == markFew || m.Of > 0 {
		return m.Show + " invocations"
	}
	return m.Show
}

// shown are the caveats printed at the cell's number. Repeated invocations are among them only if they are more
// than a tenth.
func (c *Cell) shown() []caveat.Mark {
	return slices.DeleteFunc(slices.Clone(c.Marks), func(m caveat.Mark) bool {
		return m.Kind == markRepeated && 10*c.Repeated <= c.OK
	})
}

// shows formats these caveats as printed, each after name.
func (c *Cell) shows(name string) []string {
	return results.Each(c.shown(), func(m caveat.Mark) string { return name + m.Show })
}

// says formats these caveats for sentences.
func (c *Cell) says() []string { return results.Each(c.shown(), said) }

const (
	// neighbourAlpha is the level at which neighbouring blocks count as alike. It is low because every cell has
	// two tests.
	neighbourAlpha = 0.01
	resamples      = 10_000
)

// neighbours warns if the differences of neighbouring blocks resemble each other: then blocks are not
// independent, and the t interval may be too narrow. The caveat adds the interval of a bootstrap that resamples
// runs of neighbours, at the level of the cell's own.
func (r *reader) neighbours(c *Cell) []caveat.Mark {
	if c.Role != results.RoleVariant || r.Unordered() || c.Invalid != "" {
		return nil
	}
	ds := evidence.PairsOf(r.Values(c.ID, r.Primary), r.Values(c.Baseline, r.Primary)).Differences()
	lag, byLag, err := stats.Lag1(ds)
	byRuns, err2 := stats.Runs(ds)
	if err != nil || err2 != nil || min(byLag, byRuns) >= neighbourAlpha/2 {
		return nil
	}
	b := stats.Bootstrap{
		Resamples:   resamples,
		Seed:        r.Campaign.Seed,
		BlockLength: int(math.Round(math.Cbrt(float64(len(ds))))),
	}
	text := fmt.Sprintf(
		"the differences of neighbouring blocks resemble each other (lag 1: %s, %s): "+
			"something drifts on the machine that blocks do not cancel, and the interval may be too narrow",
		prose.Number(lag), figure.P(min(byLag, byRuns)))
	i, err := b.Mean(ds, infer.Level(reading.Alpha, r.Family(c.Level)))
	text += prose.If(err == nil && stats.Finite(i.Low, i.High), "; a bootstrap of neighbouring blocks gives %s",
		figure.Range(i.Low, i.High, r.Primary.Unit))
	return []caveat.Mark{{
		Kind: "autocorrelated",
		Show: "blocks alike",
		Text: text + "; quieten the machine, or make more blocks",
		Rank: caveat.Remark,
	}}
}
