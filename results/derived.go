package results

// Series of samples that figures of a whole invocation are derived from when a
// campaign is analysed, and the names of these figures. Campaigns that were
// measured by early versions hold the figures as scalars.
const (
	SeriesFirst      = "first"      // the first change, one row; columns as of SeriesTurnaround
	SeriesTurnaround = "turnaround" // the other changes: total, match, transform, swap, first_call, bare, … in ns
	SeriesBefore     = "before"     // calls of the hot method before its probe is in: t in ns
	SeriesDuring     = "during"     // while it is in
	SeriesAfter      = "after"      // after it is out
	SeriesSeconds    = "seconds"    // of a load: since its begin and p99 in ns, and held, 1 once the load is not raised any more
)

// Figures of the changes of an invocation.
const (
	DerivedSample1  = "sample_1"
	DerivedOverBare = "over_bare"
	DerivedParts    = "parts"
	DerivedMeanAll  = "mean_all"
	DerivedSD       = "sd"
	DerivedSDAll    = "sd_all"
	DerivedLeast    = "least"
	DerivedMost     = "most"
)

// Figures of a hot method round a change; those of its calls are called like
// their series.
const (
	DerivedResidue     = "residue"
	DerivedRecovery    = "recovery"
	DerivedBack20Calls = "back20_calls"
	DerivedBack20NS    = "back20_ns"
	DerivedBack5Calls  = "back5_calls"
	DerivedBack5NS     = "back5_ns"
)

// DerivedSettled is the time after which the latency of a server was at its steady
// level.
const DerivedSettled = "settled"

// SecondsColumns are the columns of SeriesSeconds.
func SecondsColumns() []Column {
	return []Column{
		{Name: "since", Unit: "ns", Kind: KindDuration}, {Name: "p99", Unit: "ns", Kind: KindDuration}, {Name: "held", Unit: "1", Kind: KindCount},
	}
}
