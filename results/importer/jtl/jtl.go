// Package jtl reads and writes the result files of Apache JMeter (JTL) in CSV: one line for each sample, which
// is JMeter's word for a request and its answer.
//
// A JTL holds less than a campaign: whole milliseconds, the time at which a request was sent but not the one at
// which it was due, and no requests that were sent too late to be counted. Values without a column are left
// out, and unknown values are written as JMeter itself writes them: 0, nothing, or null.
package jtl

import (
	"slices"

	"moobench/results"
)

// header has JMeter's columns in the order of its default configuration.
var header = []string{
	"timeStamp", "elapsed", "label", "responseCode", "responseMessage", "threadName", "dataType", "success",
	"failureMessage", "bytes", "sentBytes", "grpThreads", "allThreads", "URL", "Latency", "IdleTime", "Connect",
}

// The fields of a row.
const (
	rowSent = iota // ns, by the invocation's clock
	rowTook        // ns from then to the last byte
	rowFirstByte
	rowConnect
	rowOutcome
	rowRequest
	rowLabels // index of the list of names that rowRequest refers to
	rowFields
)

// row is one request. Rows are sorted by their first field.
type row [rowFields]int64

// columns are the columns of requests in imported campaigns, by the field of a row.
var columns = [rowLabels]struct {
	name  string
	time  string // JMeter's name of a time in ms, "" for other columns
	unit  string
	kind  results.Kind
	about string // of its metric, "" if it has none
}{
	rowSent: {"sent", "timeStamp", "ns", results.KindInstant, ""}, // since 1970
	rowTook: {
		"service", "elapsed", "ns", results.KindDuration,
		"from the sending of a request to the last byte of its answer (JMeter's elapsed)",
	},
	rowFirstByte: {
		"first_byte", "Latency", "ns", results.KindDuration,
		"from the sending of a request to the first byte of its answer (JMeter's Latency)",
	},
	rowConnect: {
		"connect", "Connect", "ns", results.KindDuration,
		"how long it took to connect; 0 where a connection was there",
	},
	rowOutcome: {"outcome", "", "1", results.KindID, ""},
	rowRequest: {"request", "", "1", results.KindID, ""},
}

// isRequests reports whether a series has requests, one in each row.
func isRequests(series string) bool {
	requests := []string{results.SeriesRequest, results.SeriesBroken, results.SeriesRamp, results.SeriesRampBroken}
	return slices.Contains(requests, series)
}

// HasRequests reports whether an invocation has requests that Write can write.
func HasRequests(inv *results.Invocation) bool {
	return slices.ContainsFunc(inv.Series, func(s results.Series) bool { return isRequests(s.Name) && s.Count > 0 })
}

// The elements of results.Outcomes.
const (
	right     = "right"
	wrong     = "wrong"
	refused   = "refused"
	reset     = "reset"
	timedOut  = "timed out"
	truncated = "truncated"
	late      = "late"
)

// outcomes are the outcomes that JMeter knows: it has no late answers.
var outcomes = []string{right, wrong, refused, reset, timedOut, truncated}

// noAnswer is the prefix of the response code of a sample without an HTTP answer; the exception class follows.
const noAnswer = "Non HTTP response code: "

// wording has JMeter's words for each outcome. A wrong answer has no code, because its status is not kept;
// JMeter counts it as a failed assertion.
var wording = map[string]struct{ code, message, failure string }{
	right:   {code: "200", message: "OK"},
	late:    {code: "200", message: "OK"},
	wrong:   {failure: "wrong answer"},
	refused: {code: noAnswer + "java.net.ConnectException", message: "Non HTTP response message: Connection refused"},
	reset:   {code: noAnswer + "java.net.SocketException", message: "Non HTTP response message: Connection reset"},
	timedOut: {
		code:    noAnswer + "java.net.SocketTimeoutException",
		message: "Non HTTP response message: Read timed out",
	},
	truncated: {
		code:    noAnswer + "org.apache.http.ConnectionClosedException",
		message: "Non HTTP response message: Premature end of message body",
	},
}

// exceptions are the outcomes of samples without an answer, by exception class without its package.
var exceptions = map[string]string{
	"ConnectException":              refused,
	"HttpHostConnectException":      refused,
	"NoRouteToHostException":        refused,
	"SocketTimeoutException":        timedOut,
	"ConnectTimeoutException":       timedOut,
	"InterruptedIOException":        timedOut,
	"SocketException":               reset,
	"NoHttpResponseException":       reset,
	"ConnectionClosedException":     truncated,
	"TruncatedChunkException":       truncated,
	"MalformedChunkCodingException": truncated,
	"EOFException":                  truncated,
}

// unsent are the classes of exceptions, without packages, that prevent the sending of a request: faults of the
// load generator, or of its configuration, are not losses of the server.
var unsent = []string{
	"MalformedURLException", "URISyntaxException", "IllegalArgumentException", "IllegalStateException",
	"UnknownHostException", "UnsupportedEncodingException", "UnsupportedOperationException",
	"NullPointerException", "ClassCastException", "NumberFormatException", "FileNotFoundException",
	"NoSuchFileException", "BindException", "ScriptException", "MissingPropertyException", "ClassNotFoundException",
	"NoClassDefFoundError", "OutOfMemoryError",
}

// broken are the outcomes of requests that belong to results.SeriesBroken.
var broken = []string{refused, reset, truncated}
