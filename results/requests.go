package results

// The series of a scenario that sends requests. SeriesRequest and SeriesBroken
// have RequestColumns; together they hold every request whose time to be sent
// came while the load was held. SeriesRamp and SeriesRampBroken are the same of
// the time before, in which the load grows and the subject warms up.
const (
	// SeriesRequest holds the requests that were answered, rightly or not, or waited
	// for in vain: their latency is then how long, a lower bound.
	SeriesRequest = "request"
	// SeriesBroken holds those that were refused, cut off or reset: their latency says
	// when that was known, and enters no quantile.
	SeriesBroken     = "broken"
	SeriesRamp       = "ramp"
	SeriesRampBroken = "ramp_broken"
	// SeriesTimeline has TimelineColumns, one row for each stretch of time, at
	// most 1,000 of them: ramp and hold.
	SeriesTimeline = "timeline"
	// SeriesToggle has ToggleColumns, one row for each change of what is
	// monitored.
	SeriesToggle = "toggle"
)

// Outcomes are the possible outcomes of a request: the dictionary of the column
// outcome.
var Outcomes = []string{"right", "wrong", "refused", "reset", "timed out", "truncated", "late"}

// RequestColumns describe one request: when it was to be sent
// (CLOCK_MONOTONIC), how long after that its answer was there, how long after it
// was really sent, how late it was sent, what became of it, and which of the
// scenario's requests it was.
func RequestColumns() []Column {
	return []Column{
		{Name: "intended", Unit: "ns", Kind: KindInstant},
		{Name: "latency", Unit: "ns", Kind: KindDuration},
		{Name: "service", Unit: "ns", Kind: KindDuration},
		{Name: "lag", Unit: "ns", Kind: KindDuration},
		{Name: "outcome", Unit: "1", Kind: KindID, Dict: Outcomes},
		{Name: "request", Unit: "1", Kind: KindID},
	}
}

// TimelineColumns describe one stretch of the load: its begin since the
// load's own, how many requests were to be sent in it, how many of these were
// lost, and quantiles of the latency of the others; p50, p99 and max are 0 where
// there are none.
func TimelineColumns() []Column {
	return []Column{
		{Name: "since", Unit: "ns", Kind: KindDuration},
		{Name: "requests", Unit: "1", Kind: KindCount},
		{Name: "lost", Unit: "1", Kind: KindCount},
		{Name: "p50", Unit: "ns", Kind: KindDuration},
		{Name: "p99", Unit: "ns", Kind: KindDuration},
		{Name: "max", Unit: "ns", Kind: KindDuration},
	}
}

// ToggleColumns describe one change of what is monitored: when it was asked
// for, since the begin of the load; how long it took until it was in effect; and
// 1 if the probe was in after it, else 0.
func ToggleColumns() []Column {
	return []Column{
		{Name: "since", Unit: "ns", Kind: KindDuration},
		{Name: "took", Unit: "ns", Kind: KindDuration},
		{Name: "on", Unit: "1", Kind: KindCount},
	}
}
