package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/analysis/chapter/settling"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
	"moobench/results"
)

// windows describes the samples behind the means of a series.
var windows = map[results.Window]string{
	results.WindowSteady: "the steady state of each invocation as it was found, " +
		"or its second half where there is none; what came before counts as warm-up",
	results.WindowHalf: "the second half of each invocation's samples; what came before counts as warm-up",
	results.WindowAll:  "all samples of each invocation, warm-up included",
}

const (
	wholeWindow = "all samples of each invocation: they are too few for a warm-up to be cut off"
	noWindow    = "no series of samples: each value is one figure of the whole invocation"
)

// windowKind is the choice of samples for means; "" without a series.
func (r *reader) windowKind() results.Window {
	if r.Primary.Series == "" {
		return ""
	}
	return cmp.Or(r.Scenario.Window, results.WindowSteady)
}

// window describes the samples behind the means.
func (r *reader) window() string {
	for _, c := range r.Cells {
		if slices.ContainsFunc(r.ByCell[c.ID], func(e *evidence.Invocation) bool { return e.Whole }) {
			return wholeWindow
		}
	}
	return cmp.Or(windows[r.windowKind()], noWindow)
}

// notes apply to all numbers of the scenario.
func (r *reader) notes() []string {
	var notes []string
	switch {
	case r.Campaign.Design == results.DesignPaired:
		notes = append(notes, fmt.Sprintf(
			"paired: imported from %s, compared within blocks, which all have the same order: "+
				"the differences include the effect of a place in the block; "+
				"no A/A, so nothing shows whether the machine favours one cell", r.Campaign.Source))
	case r.Unordered():
		notes = append(notes, fmt.Sprintf(
			"unordered: imported from %s, no blocks, no A/A: drift of the machine can't be separated from differences, "+
				"and nothing shows whether the machine favours one cell", r.Campaign.Source))
	}
	return slices.Concat(notes, r.requestNotes(), r.cpuNotes(), r.taken(), r.speeds(), r.unnoticed(),
		settling.Notes(r.Scenario.Settling))
}

// speeds notes the CPU speed of the numbers: those that follow it are carried to one speed, the others are at
// the speed of the hour in which they were measured.
func (r *reader) speeds() []string {
	var notes []string
	var at []Reference
	spread := 0.0
	for _, x := range r.Speed {
		if x.Unused == "" {
			at, spread = append(at, x), max(spread, x.SD/x.Mean)
		} else {
			notes = append(notes,
				"not adjusted for the speed of the CPU: monitoring slows the work that shows it; "+
					x.Unused)
		}
	}
	if len(at) == 0 || spread == 0 {
		return notes
	}
	const text = "%s: at one speed of the CPU, this campaign's mean (reference %s; JVMs differed by %s, sd); " +
		"other times are at the speed of their hour"
	return append(notes, fmt.Sprintf(text, strings.Join(r.carried(), ", "), speedOf(at), figure.Percent(spread)))
}

// carried names the figures that are carried to one speed of the CPU.
func (r *reader) carried() []string {
	follows := func(values func(*results.Cell) evidence.Values) bool {
		return slices.ContainsFunc(r.Cells, func(c *results.Cell) bool { return values(c).Carried() })
	}
	names, quantiles := []string{"costs"}, []string{}
	for i, q := range evidence.Quantiles {
		if follows(func(c *results.Cell) evidence.Values { return r.QuantileValues(c.ID, r.Primary, i) }) {
			quantiles = append(quantiles, q.Name)
		}
	}
	if n := len(quantiles); n > 1 { // those that follow the speed are contiguous
		quantiles = []string{quantiles[0] + " to " + quantiles[n-1]}
	}
	names = append(names, quantiles...)
	for _, m := range []struct{ metric, name string }{{"cpu_ns", "CPU time"}, {"startup_ns", "start-up"}} {
		if follows(func(c *results.Cell) evidence.Values { return r.Values(c.ID, r.Metric(m.metric)) }) {
			names = append(names, m.name)
		}
	}
	return names
}

// speedOf says how long the reference takes: 2,385 ns, JDK 17.0.15+6. A distributor's suffix of the build is
// left out.
func speedOf(all []Reference) string {
	takes := func(x Reference) string { return figure.Count(int64(math.Round(x.At))) }
	if len(all) == 1 {
		build, _, _ := strings.Cut(all[0].Runtime, "-")
		return takes(all[0]) + " ns" + prose.If(build != "", ", JDK %s", build)
	}
	by := func(a, b Reference) int { return cmp.Compare(a.At, b.At) }
	fastest, slowest := slices.MinFunc(all, by), slices.MaxFunc(all, by)
	return takes(fastest) + " to " + takes(slowest) + " ns by machine, JDK and environment"
}

const (
	// oneCPU is noted for all answers, or for those of one level.
	oneCPU = "the JVM has 1 CPU, so the agent's own threads compete with it"
	// cpusFactor is the factor for the number of CPUs of a cell.
	cpusFactor = "cpus"
)

// cpuNotes says how the number of CPUs affects the figures, level by level if levels differ.
func (r *reader) cpuNotes() []string {
	level := func(c *results.Cell) string {
		n := c.Factor(cpusFactor)
		return cmp.Or(prose.If(n != "", "%s=%s", cpusFactor, n), c.Level())
	}
	var notes, single []string
	levels := stats.Grouped(r.Cells, level)
	for _, cells := range levels {
		es := slices.Concat(results.Each(cells, func(c *results.Cell) []*evidence.Invocation {
			return r.Primaries(c.ID)
		})...)
		in := strings.TrimPrefix(level(cells[0])+": ", ": ")
		switch fewest, most := evidence.CPUs(es); {
		case fewest == 1 && most == 1:
			single = append(single, in+oneCPU)
		case fewest < most:
			notes = append(notes, fmt.Sprintf(
				"%sits invocations had %d to %d CPUs: something else took CPUs away meanwhile, "+
					"and the figures are a mixture", in, fewest, most))
		}
	}
	if len(single) > 0 && len(single) == len(levels) {
		single = []string{oneCPU}
	}
	notes = append(notes, single...)
	if slices.ContainsFunc(r.Cells, func(c *results.Cell) bool { return c.Factor(cpusFactor) != "" }) {
		notes = append(notes,
			"cpus is a factor: every cell is compared with the baseline "+
				"that had as many CPUs, and with no other")
	}
	return notes
}

// unlikeCPUs says why two cells are not compared: figures for different numbers of CPUs answer different
// questions.
func (r *reader) unlikeCPUs(a, b *results.Cell) string {
	counts := [2]string{
		cmp.Or(a.Parameter(cpusFactor), a.Factor(cpusFactor)),
		cmp.Or(b.Parameter(cpusFactor), b.Factor(cpusFactor)),
	}
	if counts[0] == "" && counts[1] == "" && a.Level() != b.Level() {
		m, _ := evidence.CPUs(r.Primaries(a.ID))
		n, _ := evidence.CPUs(r.Primaries(b.ID))
		if m > 0 && n > 0 {
			counts = [2]string{strconv.Itoa(m), strconv.Itoa(n)}
		}
	}
	if counts[0] == counts[1] {
		return ""
	}
	named := func(n string) string {
		return cmp.Or(map[string]string{"": "those of its machine", "1": "1 CPU"}[n], n+" CPUs")
	}
	return fmt.Sprintf("%s has %s and %s has %s, and figures of different numbers of CPUs are never compared",
		a.Label(), named(counts[0]), b.Label(), named(counts[1]))
}

// leastDisturbanceNS is the CPU time of other programs from which the harness counts an invocation as
// disturbed.
const leastDisturbanceNS = 50e6

// unnoticed names the cells whose windows are too short to count as disturbed, in a campaign that repeats
// disturbed invocations: other programs can't take that much CPU time from them.
func (r *reader) unnoticed() []string {
	if r.Campaign.Control == nil || !r.Campaign.Control.Repeat {
		return nil
	}
	var names []string
	longest := 0.0
	for _, c := range r.Cells {
		most := 0.0
		for _, e := range r.Primaries(c.ID) {
			most = max(most, e.Scalars[loopScalar]*float64(max(1, e.CPUCount())))
		}
		if c.Role != results.RoleAA && most > 0 && most < leastDisturbanceNS {
			names, longest = append(names, c.Label()), max(longest, most)
		}
	}
	if names == nil {
		return nil
	}
	return []string{fmt.Sprintf(
		"%s: the windows are so short (%s of CPU time at most) that other programs can't take the %s from "+
			"which on an invocation counts as disturbed: make more calls, or only longer cells are repeated",
		strings.Join(names, ", "), figure.Quantity(longest, "ns"), figure.Quantity(leastDisturbanceNS, "ns"))}
}
