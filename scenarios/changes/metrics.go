package changes

import (
	"moobench/harness/run"
	"moobench/results"
)

// first is the series of sample 1, one row; the others are in Turnaround.
const first = results.SeriesFirst

// Turnaround is the primary metric: from the order to activate until every
// class of the sample was called once.
const Turnaround = results.SeriesTurnaround

// The parts of a change, end to end.
const (
	Match     = "match"
	Transform = "transform"
	Swap      = "swap"
	Load      = "load"
	FirstCall = "first_call"
)

// What else there is to know of the changes of an invocation.
const (
	Undo      = "undo"
	Bare      = "bare"
	Stall     = "stall"
	Sample1   = results.DerivedSample1
	OverBare  = results.DerivedOverBare
	Parts     = results.DerivedParts
	MeanAll   = results.DerivedMeanAll
	SD        = results.DerivedSD
	SDAll     = results.DerivedSDAll
	Least     = results.DerivedLeast
	Most      = results.DerivedMost
	Safepoint = "safepoint"
)

// What a change does to a hot method.
const (
	Before      = results.SeriesBefore
	During      = results.SeriesDuring
	After       = results.SeriesAfter
	Residue     = results.DerivedResidue
	Recovery    = results.DerivedRecovery
	Back20Calls = results.DerivedBack20Calls
	Back20NS    = results.DerivedBack20NS
	Back5Calls  = results.DerivedBack5Calls
	Back5NS     = results.DerivedBack5NS
)

// Metrics are those of the changes themselves. Means are over all samples but the
// first.
func Metrics() []results.Metric {
	sample := func(name, column, about string) results.Metric {
		return run.Column(run.Timing(name, "ns", results.Lower, about), Turnaround, column)
	}
	whole := func(name, about string) results.Metric { return run.Timing(name, "ns", results.Lower, about) }
	primary := sample(Turnaround, "total", "from activate until every class of the sample was called once")
	primary.Primary, primary.Once = true, true
	return []results.Metric{
		primary,
		run.Key(sample(Match, Match, "finding what has to change")),
		run.Key(sample(Transform, Transform, "writing the new class files")),
		run.Key(sample(Swap, Swap, "having the JVM exchange the classes, without the writing")),
		run.Key(sample(Load, Load, "loading the classes of the sample after their probes were ordered, with their transformation")),
		run.Key(sample(FirstCall, FirstCall, "the first call of each class of the sample, all together")),
		sample(Undo, Undo, "taking the probes out again"),
		sample(Bare, Bare, "retransforming the same classes with prepared bytes: what the JVM alone takes"),
		run.Key(sample(Stall, Stall, "longest gap that another thread noticed during a sample")),
		run.Key(whole(Sample1, "the first sample, which loads and warms up what makes the change")),
		run.Key(run.Timing(OverBare, "1", results.Lower, "median turnaround over the median of the bare retransformation")),
		run.Timing(Parts, "1", results.Neither, "share of the turnaround that match, transform, swap, load and first call add up to"),
		whole(MeanAll, "mean turnaround with the first sample in"),
		whole(SD, "standard deviation of the turnaround over the samples"),
		whole(SDAll, "standard deviation with the first sample in"),
		whole(Least, "shortest turnaround, the first sample in"),
		whole(Most, "longest turnaround, the first sample in"),
		run.Key(whole(Safepoint, "median time that the JVM stood still for one exchange of classes, in, out and bare")),
	}
}

// HotMetrics are those of the hot method.
func HotMetrics() []results.Metric {
	ns := func(name, about string) results.Metric { return run.Timing(name, "ns", results.Lower, about) }
	one := func(name, about string) results.Metric { return run.Timing(name, "1", results.Lower, about) }
	recovery := ns(Recovery, "what the calls after the swap took longer than in steady state, until back within 5 %")
	recovery.Once = true
	return []results.Metric{
		ns(Before, "a call of the hot method before its probe is in, second half of the calls"),
		ns(During, "a call of the hot method with its probe in, second half of the calls"),
		ns(After, "a call of the hot method after its probe is out, second half of the calls"),
		run.Key(one(Residue, "after over before: what a probe leaves behind")),
		run.Key(recovery),
		run.Key(one(Back20Calls, "calls of the hot method after the swap until it is back within 20 % of its steady state")),
		run.Key(ns(Back20NS, "time of these calls")),
		run.Key(one(Back5Calls, "calls of the hot method after the swap until it is back within 5 % of its steady state")),
		run.Key(ns(Back5NS, "time of these calls")),
	}
}

// ProcessMetrics are the metrics of any process, without those that are spread
// over timed calls: a change is none.
func ProcessMetrics() []results.Metric { return run.ProcessMetricsBut(run.CPUNS) }
