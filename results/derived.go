package results

// Series from whose samples the analysis derives figures of a whole invocation, and the names of these figures.
// Campaigns of early versions store the figures as scalars.
const (
	SeriesFirst      = "first"      // the first change, one row; columns as in SeriesTurnaround
	SeriesTurnaround = "turnaround" // the other changes: total, match, transform, swap, first_call, bare, … in ns
	SeriesBefore     = "before"     // calls of the hot method before its probe is in: t in ns
	SeriesDuring     = "during"     // calls while it is in
	SeriesAfter      = "after"      // calls after it was taken out
	// SeriesSeconds has the time since the start of a load and p99, in ns, and held, 1 once the load is no
	// longer raised.
	SeriesSeconds   = "seconds"
	SeriesRound     = "round"     // runs of a program from start to end: t in ns
	SeriesExecution = "execution" // executions within these runs: t in ns
	SeriesSlow      = "slow"      // likewise, executions that take a slow path on purpose
)

// Figures of an invocation's changes.
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

// Figures of a hot method around a change. Figures of its calls are named after their series.
const (
	DerivedResidue     = "residue"
	DerivedRecovery    = "recovery"
	DerivedBack20Calls = "back20_calls"
	DerivedBack20NS    = "back20_ns"
	DerivedBack5Calls  = "back5_calls"
	DerivedBack5NS     = "back5_ns"
)

// DerivedSettled is the time until the latency of a server reached its steady level.
const DerivedSettled = "settled"

// Figures of the executions in a run of a program. The divergent ones are shares, by two rules: the rule of
// Shah and Guyer 2018, with a line and a standard deviation, and ours, which allows for warm-up and heavy
// tails.
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
