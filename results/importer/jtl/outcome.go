package jtl

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

// noAnswer begins the response code of a sample without an HTTP answer; the class of the
// exception follows.
const noAnswer = "Non HTTP response code: "

// said has JMeter's words for each outcome. A wrong answer has no code, because its
// status is not kept, and JMeter counts it as a failed assertion.
var said = map[string]struct{ code, message, failure string }{
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

// broken are the outcomes of requests that belong to results.SeriesBroken.
var broken = []string{refused, reset, truncated}
