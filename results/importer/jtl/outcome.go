package jtl

import "strings"

// The outcomes, as results.Outcomes has them.
const (
	right     = "right"
	wrong     = "wrong"
	refused   = "refused"
	reset     = "reset"
	timedOut  = "timed out"
	truncated = "truncated"
	late      = "late"
)

// noAnswer begins the response code of a sample that has no HTTP answer; the
// class of the exception follows.
const noAnswer = "Non HTTP response code: "

// words are JMeter's words for an outcome.
type words struct{ code, message, failure string }

// said are the words for each outcome. The status of a wrong answer is not
// kept, so it has none, and JMeter counts it as a failed assertion.
var said = map[string]words{
	right:     {code: "200", message: "OK"},
	late:      {code: "200", message: "OK"},
	wrong:     {failure: "wrong answer"},
	refused:   {code: noAnswer + "java.net.ConnectException", message: "Non HTTP response message: Connection refused"},
	reset:     {code: noAnswer + "java.net.SocketException", message: "Non HTTP response message: Connection reset"},
	timedOut:  {code: noAnswer + "java.net.SocketTimeoutException", message: "Non HTTP response message: Read timed out"},
	truncated: {code: noAnswer + "org.apache.http.ConnectionClosedException", message: "Non HTTP response message: Premature end of message body"},
}

// exceptions are the outcomes of samples without an answer, by the class that
// JMeter names, without its package.
var exceptions = map[string]string{
	"ConnectException":              refused,
	"HttpHostConnectException":      refused,
	"NoRouteToHostException":        refused,
	"UnknownHostException":          refused,
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

// outcomeOf tells the outcome of a sample. An unknown exception is named, too, and
// counts as reset: no answer came, and nobody says why.
func outcomeOf(success bool, code string) (outcome, unknown string) {
	if success {
		return right, ""
	}
	class, ok := strings.CutPrefix(code, noAnswer)
	if !ok {
		return wrong, ""
	}
	if o := exceptions[class[strings.LastIndexByte(class, '.')+1:]]; o != "" {
		return o, ""
	}
	return reset, class
}

// isBroken says whether requests with this outcome belong to
// results.SeriesBroken.
func isBroken(outcome string) bool {
	return outcome == refused || outcome == reset || outcome == truncated
}
