// Package jtl reads and writes the result files of Apache JMeter (JTL) in CSV:
// one line for each sample, which is what JMeter calls a request and its answer.
//
// A JTL knows less than a campaign: whole milliseconds, the time at which a
// request was sent but not the one at which it was to be sent, and no request
// that was sent too late to be counted. What it has no place for is left out,
// and what is not known stands in it as JMeter itself writes that: 0, nothing, or
// null.
package jtl

import (
	"slices"

	"moobench/results"
)

// header are JMeter's columns in the order in which its distribution writes
// them.
var header = []string{
	"timeStamp", "elapsed", "label", "responseCode", "responseMessage", "threadName", "dataType", "success",
	"failureMessage", "bytes", "sentBytes", "grpThreads", "allThreads", "URL", "Latency", "IdleTime", "Connect",
}

// The columns of requests that only imported campaigns have: when a request was
// sent, in ns since 1970, what JMeter calls Latency, and how long connecting
// took.
const (
	columnSent      = "sent"
	columnFirstByte = "first_byte"
	columnConnect   = "connect"
)

// The columns that both kinds of campaigns have: those of
// results.RequestColumns.
const (
	columnIntended = "intended"
	columnService  = "service"
	columnLag      = "lag"
	columnOutcome  = "outcome"
	columnRequest  = "request"
)

// isRequests says whether a series holds requests, one in each row.
func isRequests(series string) bool {
	return slices.Contains([]string{results.SeriesRequest, results.SeriesBroken, results.SeriesRamp, results.SeriesRampBroken}, series)
}

// HasRequests says whether an invocation has requests that Write can write.
func HasRequests(inv *results.Invocation) bool {
	return slices.ContainsFunc(inv.Series, func(s results.Series) bool { return isRequests(s.Name) && s.Count > 0 })
}
