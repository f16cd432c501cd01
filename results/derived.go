package results

// Series of samples from which the analysis derives figures of a whole invocation, and the
// names of these figures. Campaigns of early versions have the figures as scalars.
const (
	SeriesFirst      = "first"      // the first change, one row; columns as of SeriesTurnaround
	SeriesTurnaround = "turnaround" // the other changes: total, match, transform, swap, first_call, bare, … in ns
	SeriesBefore     = "before"     // calls of the hot method before its probe is in: t in ns
	SeriesDuring     = "during"     // while it is in
	SeriesAfter      = "after"      // after it is out
	SeriesSeconds    = "seconds"    // of a load: since its begin and p99 in ns, and held, 1 once the load is not raised any more
	SeriesRound      = "round"      // runs of a program from beginning to end: t in ns
	SeriesExecution  = "execution"  // executions that each of these runs is made of: t in ns
	SeriesSlow       = "slow"       // likewise, those that take a slow way on purpose
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

// Figures of a hot method around a change; those of its calls have the names of their
// series.
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

// Figures of the executions in a run of a program. The divergent ones are shares: by the rule of
// Shah and Guyer 2018, which knows a line and a standard deviation, and by ours, which knows
// of warm-up and of heavy tails.
const (
	DerivedExecutions        = "executions"
	DerivedExecutionSD       = "execution_sd"
	DerivedExecutionLongest  = "execution_longest"
	DerivedDivergentSD       = "divergent_sd"
	DerivedDivergentTail     = "divergent_tail"
	DerivedFirstDiverges     = "first_diverges"
	DerivedSlowDivergentSD   = "slow_divergent_sd"
	DerivedSlowDivergentTail = "slow_divergent_tail"
)

// SecondsColumns returns the columns of SeriesSeconds.
func SecondsColumns() []Column {
	return []Column{durationNS("since"), durationNS("p99"), count("held")}
}
