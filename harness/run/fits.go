package run

import (
	"time"

	"moobench/harness/jvm"
	"moobench/results"
	"moobench/results/summary"
)

// What is known twice of a loop must agree: its samples with when it began and ended, and what the
// fixture says of itself with what the kernel says of its process. A measured agent runs in that JVM,
// and can change the one or the other.
const (
	// mostOff is by how much two sources may differ.
	mostOff = 0.2
	// wholeReference is all of a reference's work by that of it which is timed: 7 rounds of 35 warm
	// it up (jvm-fixtures/kernel/…/Reference.java).
	wholeReference = 35.0 / 28
	// gapNS is what a thread takes between two samples at most: seen were 40 ns of compiled code, and
	// 400 ns while it is interpreted; a clock that is no instruction takes a microsecond.
	gapNS = 1000
	// pacedGapNS is that of calls at a rate, before each of which a thread may sleep and wake: seen
	// were 10 us of CPU time.
	pacedGapNS = 50_000
	// slackCPUNS and slackNS are what else is in no sample, of CPU time and of time: the first passes
	// of everything, and compilers that are waited for (-Xcomp: 60 ms).
	slackCPUNS, slackNS = 50e6, 500e6
)

// durationSeries is that of loops that do nothing but take samples, and the reference.
const durationSeries = "duration"

// fits judges the samples of a fixture against what else is known of its loop, and returns a
// *jvm.Failure where both can't be true. The summaries are those of what is sealed.
func (a *attempt) fits(columns []summary.Column) error {
	threads, ok := a.got.Scalars[threadsLoopNS]
	if !ok { // no loop, or a fixture that doesn't tell
		return nil
	}
	kinds, totals := kindsOf(a.got.Series), map[string]float64{}
	for i := range columns {
		c := &columns[i]
		if kinds[columnOf{c.Series, c.Thread, c.Name}] != results.KindDuration {
			continue
		}
		sum, most, what := sumOf(c), a.got.Scalars[LoopNS], "the loop took"
		if c.Series == results.SeriesCompiling { // the work of several compilers
			most, what = a.end.JITNS, "all compilers since its start"
		}
		if sum > (1+mostOff)*most+1 { // never where that is NaN
			return unfit("%s of thread %d sums up to %s in column %s, and %s %s", c.Series, c.Thread, span(sum), c.Name, what, span(most))
		}
		totals[c.Series] += sum
	}
	reference := totals[results.SeriesReference]
	if told := a.got.Scalars[referenceNS]; reference > 0 && told > (1+mostOff)*wholeReference*reference {
		return unfit("the reference took %s of CPU time, and its times sum up to %s", span(told), span(reference))
	}
	if told, used := a.got.Scalars[threadsCPUNS], a.end.CPUNS-a.begin.CPUNS; told > (1+mostOff)*used+slackCPUNS {
		return unfit("its threads took %s of CPU time, and the whole process %s", span(told), span(used))
	}
	if round, ok := totals[results.SeriesRound]; ok {
		return a.fill(round, 0, 0, threads, 0)
	}
	if timed, ok := totals[durationSeries]; ok {
		// A thread has to wait between two samples, too: for a CPU, and while the JVM stands still.
		stood := a.known(RunDelayNS) + a.end.SafepointNS - a.begin.SafepointNS
		return a.fill(timed, reference, samples(a.got.Series), threads, stood)
	}
	return nil
}

// fill judges so many samples that fill the threads of their loop, together with the reference, but for
// how long these stood still; all times are in ns.
func (a *attempt) fill(timed, reference, n, threads, stood float64) error {
	if sum := timed + reference; sum > (1+mostOff)*threads {
		return unfit("samples and reference sum up to %s, and the threads of the loop took %s", span(sum), span(threads))
	}
	paced := a.inv.Cell.Work.Rate > 0
	gap := float64(gapNS)
	if paced {
		gap = pacedGapNS
	}
	most := timed + wholeReference*reference + gap*n
	if cpu := a.known(threadsCPUNS); most+slackCPUNS < (1-mostOff)*cpu {
		return unfit("samples and reference sum up to %s, and the threads of the loop took %s of CPU time", span(timed+reference), span(cpu))
	}
	if ran := threads - stood; !paced && most+slackNS < (1-mostOff)*ran {
		return unfit("samples and reference sum up to %s, and the threads of the loop ran for %s", span(timed+reference), span(ran))
	}
	return nil
}

// unfit is the failure of an invocation whose numbers contradict each other.
func unfit(format string, args ...any) error {
	const so = ": something changed the samples or the fixture while it ran, and none of them is a measurement"
	return jvm.Failuref(KindCounts, "its numbers contradict each other: "+format+so, args...)
}

// columnOf names a column of the samples of an invocation.
type columnOf struct {
	series string
	thread int
	name   string
}

// kindsOf are the kinds of all columns.
func kindsOf(all []results.Series) map[columnOf]results.Kind {
	kinds := map[columnOf]results.Kind{}
	for _, s := range all {
		for _, c := range s.Columns {
			kinds[columnOf{s.Name, s.Thread, c.Name}] = c.Kind
		}
	}
	return kinds
}

// samples is how many there are of calls.
func samples(all []results.Series) (n float64) {
	for _, s := range all {
		if s.Name == durationSeries {
			n += float64(s.Count)
		}
	}
	return n
}

// sumOf is the sum of all samples of a column.
func sumOf(c *summary.Column) (sum float64) {
	for _, x := range c.Sum {
		sum += x
	}
	return sum
}

// span is a time in ns for people.
func span(ns float64) time.Duration {
	d := time.Duration(ns)
	switch {
	case d >= time.Second:
		return d.Round(time.Millisecond)
	case d >= time.Millisecond:
		return d.Round(time.Microsecond)
	}
	return d
}
