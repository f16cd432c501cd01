package changes

import (
	"moobench/harness/run"
	"moobench/results"
)

// first is the series of sample 1, which has one row; the other samples are in Turnaround.
const first = results.SeriesFirst

// Turnaround is the primary metric: from the order to activate until every
// class of the sample was called once.
const Turnaround = results.SeriesTurnaround

// Match and Swap are two parts of a change; standstill is the median time that the JVM stood still for one.
const Match, Swap, standstill = "match", "swap", "safepoint"

// Metrics returns the metrics of the changes themselves. Means exclude the first sample.
func Metrics() []results.Metric {
	whole := func(name, about string) results.Metric { return run.Timing(name, "ns", results.Lower, about) }
	sample := func(column, about string) results.Metric { return run.Column(whole(column, about), Turnaround, column) }
	about := "from activate until every class of the sample was called once"
	primary := run.Column(whole(Turnaround, about), Turnaround, "total")
	primary.Primary, primary.Once = true, true
	return []results.Metric{
		primary,
		run.Key(sample(Match, "finding what has to change")),
		run.Key(sample("transform", "writing the new class files")),
		run.Key(sample(Swap, "having the JVM exchange the classes, without the writing")),
		run.Key(sample("load",
			"loading the classes of the sample after their probes were ordered, with their transformation")),
		run.Key(sample("first_call", "the first call of each class of the sample, all together")),
		sample("undo", "taking the probes out again"),
		run.Key(sample("dump", "having what was recorded until then written out, while recording goes on")),
		run.Column(run.Timing("dump_bytes", "B", results.Lower, "bytes that this wrote"), Turnaround, "dump_bytes"),
		sample("bare", "retransforming the same classes with prepared bytes: what the JVM alone takes"),
		run.Key(sample("stall", "longest gap that another thread noticed until the change was in effect")),
		run.Key(sample("dump_stall", "longest gap that it noticed while what was recorded was written out")),
		run.Key(sample("undo_stall", "longest gap that it noticed while the probes were taken out")),
		run.Key(whole(results.DerivedSample1, "the first sample, which loads and warms up what makes the change")),
		run.Key(run.Timing(results.DerivedOverBare, "1", results.Lower,
			"median turnaround over the median of the bare retransformation")),
		run.Share(run.Timing(results.DerivedParts, "1", results.Neither,
			"share of the turnaround that match, transform, swap, load and first call add up to")),
		whole(results.DerivedMeanAll, "mean turnaround with the first sample in"),
		whole(results.DerivedSD, "standard deviation of the turnaround over the samples"),
		whole(results.DerivedSDAll, "standard deviation with the first sample in"),
		whole(results.DerivedLeast, "shortest turnaround, the first sample in"),
		whole(results.DerivedMost, "longest turnaround, the first sample in"),
		run.Key(whole(standstill,
			"median time that the JVM stood still for one exchange of classes, in, out and bare")),
	}
}

// HotMetrics returns the metrics of a change's effect on a hot method.
func HotMetrics() []results.Metric {
	ns := func(name, about string) results.Metric { return run.Timing(name, "ns", results.Lower, about) }
	one := func(name, about string) results.Metric { return run.Timing(name, "1", results.Lower, about) }
	recovery := ns(results.DerivedRecovery,
		"what the calls after the swap took longer than in steady state, until back within 5 %")
	recovery.Once = true
	return []results.Metric{
		ns(results.SeriesBefore, "a call of the hot method before its probe is in, second half of the calls"),
		ns(results.SeriesDuring, "a call of the hot method with its probe in, second half of the calls"),
		ns(results.SeriesAfter, "a call of the hot method after its probe is out, second half of the calls"),
		run.Key(one(results.DerivedResidue, "after over before: what a probe leaves behind")),
		run.Key(recovery),
		run.Key(one(results.DerivedBack20Calls,
			"calls of the hot method after the swap until it is back within 20 % of its steady state")),
		run.Key(ns(results.DerivedBack20NS, "time of these calls")),
		run.Key(one(results.DerivedBack5Calls,
			"calls of the hot method after the swap until it is back within 5 % of its steady state")),
		run.Key(ns(results.DerivedBack5NS, "time of these calls")),
	}
}

// ProcessMetrics returns the metrics of any process, except those per timed call: a change is not a call.
func ProcessMetrics() []results.Metric { return run.ProcessMetrics(run.CPUNS) }
