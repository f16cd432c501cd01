package turnaround

import "moobench/results"

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

// ChangeMetrics are those of the changes themselves. Means are over all samples
// but the first.
func ChangeMetrics() []results.Metric {
	primary := ofSeries(Turnaround, "total", "from activate until every class of the sample was called once")
	primary.Primary, primary.Once = true, true
	return []results.Metric{
		primary,
		key(ofSeries(Match, Match, "finding what has to change")),
		key(ofSeries(Transform, Transform, "writing the new class files")),
		key(ofSeries(Swap, Swap, "having the JVM exchange the classes, without the writing")),
		key(ofSeries(Load, Load, "loading the classes of the sample after their probes were ordered, with their transformation")),
		key(ofSeries(FirstCall, FirstCall, "the first call of each class of the sample, all together")),
		ofSeries(Undo, Undo, "taking the probes out again"),
		ofSeries(Bare, Bare, "retransforming the same classes with prepared bytes: what the JVM alone takes"),
		key(ofSeries(Stall, Stall, "longest gap that another thread noticed during a sample")),
		key(scalar(Sample1, "ns", results.Lower, "the first sample, which loads and warms up what makes the change")),
		key(scalar(OverBare, "1", results.Lower, "median turnaround over the median of the bare retransformation")),
		scalar(Parts, "1", results.Neither, "share of the turnaround that match, transform, swap, load and first call add up to"),
		scalar(MeanAll, "ns", results.Lower, "mean turnaround with the first sample in"),
		scalar(SD, "ns", results.Lower, "standard deviation of the turnaround over the samples"),
		scalar(SDAll, "ns", results.Lower, "standard deviation with the first sample in"),
		scalar(Least, "ns", results.Lower, "shortest turnaround, the first sample in"),
		scalar(Most, "ns", results.Lower, "longest turnaround, the first sample in"),
		key(scalar(Safepoint, "ns", results.Lower, "median time that the JVM stood still for one exchange of classes, in, out and bare")),
	}
}

// hotMetrics are those of the hot method.
func hotMetrics() []results.Metric {
	recovery := scalar(Recovery, "ns", results.Lower, "what the calls after the swap took longer than in steady state, until back within 5 %")
	recovery.Once = true
	return []results.Metric{
		scalar(Before, "ns", results.Lower, "a call of the hot method before its probe is in, second half of the calls"),
		scalar(During, "ns", results.Lower, "a call of the hot method with its probe in, second half of the calls"),
		scalar(After, "ns", results.Lower, "a call of the hot method after its probe is out, second half of the calls"),
		key(scalar(Residue, "1", results.Lower, "after over before: what a probe leaves behind")),
		key(recovery),
		key(scalar(Back20Calls, "1", results.Lower, "calls of the hot method after the swap until it is back within 20 % of its steady state")),
		key(scalar(Back20NS, "ns", results.Lower, "time of these calls")),
		key(scalar(Back5Calls, "1", results.Lower, "calls of the hot method after the swap until it is back within 5 % of its steady state")),
		key(scalar(Back5NS, "ns", results.Lower, "time of these calls")),
	}
}

func ofSeries(name, column, about string) results.Metric {
	m := scalar(name, "ns", results.Lower, about)
	m.Series, m.Column = Turnaround, column
	return m
}

func scalar(name, unit string, better results.Better, about string) results.Metric {
	return results.Metric{Name: name, Unit: unit, Better: better, Profile: results.ProfileTiming, About: about}
}

func key(m results.Metric) results.Metric {
	m.Key = true
	return m
}
