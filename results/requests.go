package results

// Series of a scenario that sends requests. SeriesRequest and SeriesBroken have RequestColumns; together they
// have every request that was due while the load was held. SeriesRamp and SeriesRampBroken have the earlier
// requests, while the load grew and the subject warmed up.
const (
	// SeriesRequest has the requests that were answered, rightly or not, or that timed out: then the latency is
	// the waiting time. Means and quantiles are over the right answers alone, in time or late.
	SeriesRequest = "request"
	// SeriesBroken has the requests that were refused, cut off or reset: their latency is the time until that
	// was known, and enters no quantile.
	SeriesBroken     = "broken"
	SeriesRamp       = "ramp"
	SeriesRampBroken = "ramp_broken"
	// SeriesReference has one column, t: the time of a fixed piece of work, which the measuring threads do at
	// regular intervals between their samples.
	SeriesReference = "reference"
	// SeriesCompiling has one column, t: the time that the JVM's compilers spent, since the previous reference,
	// on compilations that ended in between.
	SeriesCompiling = "compiling"

	// SeriesTimeline has TimelineColumns, one row for each interval of ramp and hold, at most 1,000.
	SeriesTimeline = "timeline"
	// SeriesToggle has ToggleColumns, one row for each change of monitoring.
	SeriesToggle = "toggle"
)

// Scalars that count the requests of SeriesRequest and SeriesBroken: all of them, and those without a right
// answer, in time or late.
const (
	ScalarRequests = "requests"
	ScalarLost     = "lost"
)

// OtherLabels is the common name of the requests beyond the limit on names.
const OtherLabels = "(other labels)"

// Outcomes are the possible outcomes of a request: the dictionary of the column
// outcome.
var Outcomes = []string{"right", "wrong", "refused", "reset", "timed out", "truncated", "late"}

// RequestColumns describe one request: when it was due (CLOCK_MONOTONIC), the time from then and from its
// actual sending to its answer, how late it was sent, its outcome, and its index among the scenario's requests.
func RequestColumns() []Column {
	return []Column{
		{Name: "intended", Unit: "ns", Kind: KindInstant},
		durationNS("latency"), durationNS("service"), durationNS("lag"),
		{Name: "outcome", Unit: "1", Kind: KindID, Dict: Outcomes},
		{Name: "request", Unit: "1", Kind: KindID},
	}
}

// TimelineColumns describe one interval of the load: its start, counted from the start of the load; the number
// of requests due in it, and of the lost ones; and quantiles of the latency of the others. p50, p99 and max are
// 0 if there are no others.
func TimelineColumns() []Column {
	return []Column{
		durationNS("since"), count("requests"), count("lost"),
		durationNS("p50"), durationNS("p99"), durationNS("max"),
	}
}

// ToggleColumns describe one change of monitoring: when it was requested, counted from the start of the load;
// the time until it took effect; and 1 if the probe was in afterwards, else 0.
func ToggleColumns() []Column {
	return []Column{durationNS("since"), durationNS("took"), count("on")}
}

func durationNS(name string) Column { return Column{Name: name, Unit: "ns", Kind: KindDuration} }

func count(name string) Column { return Column{Name: name, Unit: "1", Kind: KindCount} }
