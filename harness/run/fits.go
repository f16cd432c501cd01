package run

import (
	"time"

	"moobench/harness/jvm"
	"moobench/results"
	"moobench/results/summary"
)

// Facts known from two sources must agree: a loop's samples with its begin and end, and the fixture's report about
// itself with the kernel's about its process. A measured agent runs in that JVM, and can alter either.
const (
	// mostOff is the relative tolerance between two sources.
	mostOff = 0.2
	// wholeReference is the ratio of a reference's whole work to its timed part: 7 of 35 rounds are warm-up
	// (jvm-fixtures/kernel/…/Reference.java).
	wholeReference = 35.0 / 28
	// gapNS is the maximum time of a thread between two samples. Observed: 40 ns in compiled code, 400 ns while
	// interpreted; a clock that needs a system call takes a microsecond.
	gapNS = 1000
	// pacedGapNS is the same for calls at a rate, before each of which a thread may sleep and wake. Observed: 10
	// us of CPU time.
	pacedGapNS = 50_000
	// slackCPUNS and slackNS allow for CPU time and time outside all samples: first executions of all code, and
	// waits for compilers (-Xcomp: 60 ms).
	slackCPUNS, slackNS = 50e6, 500e6
)

// durationSeries is the series of calls, in loops that only take samples and run the reference.
const durationSeries = "duration"

// fits checks the samples of a fixture against other facts about its loop, and returns a *jvm.Failure if they
// contradict each other. columns are the summaries of the data to be sealed.
func (a *attempt) fits(columns []summary.Column) error {
	threads, ok := a.got.Scalars[threadsLoopNS]
	if !ok { // no loop, or a fixture that does not report it
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
		if sum > (1+mostOff)*most+1 { // false if most is NaN
			return unfit("%s of thread %d sums up to %s in column %s, and %s %s",
				c.Series, c.Thread, span(sum), c.Name, what, span(most))
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
		// A thread also has to wait between two samples: for a CPU, and during safepoints.
		stood := a.known(RunDelayNS) + a.end.SafepointNS - a.begin.SafepointNS
		return a.fill(timed, reference, samples(a.got.Series), threads, stood)
	}
	return nil
}

// fill checks n samples that, together with the reference, fill the time of their loop's threads, except stood,
// the time in which these stood still. All times are in ns.
func (a *attempt) fill(timed, reference, n, threads, stood float64) error {
	if sum := timed + reference; sum > (1+mostOff)*threads {
		return unfit("samples and reference sum up to %s, and the threads of the loop took %s",
			span(sum), span(threads))
	}
	paced := a.inv.Cell.Work.Rate > 0
	gap := float64(gapNS)
	if paced {
		gap = pacedGapNS
	}
	most := timed + wholeReference*reference + gap*n
	if cpu := a.known(threadsCPUNS); most+slackCPUNS < (1-mostOff)*cpu {
		return unfit("samples and reference sum up to %s, and the threads of the loop took %s of CPU time",
			span(timed+reference), span(cpu))
	}
	if ran := threads - stood; !paced && most+slackNS < (1-mostOff)*ran {
		return unfit("samples and reference sum up to %s, and the threads of the loop ran for %s",
			span(timed+reference), span(ran))
	}
	return nil
}

// unfit is the failure of an invocation whose numbers contradict each other.
func unfit(format string, args ...any) error {
	const so = ": something changed the samples or the fixture while it ran, and none of them is a measurement"
	return jvm.Failuref(KindCounts, "its numbers contradict each other: "+format+so, args...)
}

// columnOf identifies a column of samples in an invocation.
type columnOf struct {
	series string
	thread int
	name   string
}

// kindsOf returns the kinds of all columns.
func kindsOf(all []results.Series) map[columnOf]results.Kind {
	kinds := map[columnOf]results.Kind{}
	for _, s := range all {
		for _, c := range s.Columns {
			kinds[columnOf{s.Name, s.Thread, c.Name}] = c.Kind
		}
	}
	return kinds
}

// samples returns the number of samples of calls.
func samples(all []results.Series) (n float64) {
	for _, s := range all {
		if s.Name == durationSeries {
			n += float64(s.Count)
		}
	}
	return n
}

// sumOf returns the sum of all samples of a column.
func sumOf(c *summary.Column) (sum float64) {
	for _, x := range c.Sum {
		sum += x
	}
	return sum
}

// span rounds a time in ns for messages.
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
