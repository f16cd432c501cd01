// Package load sends requests to a server on this machine, at a pace that does not wait
// for the server, or from clients that do, and reports what became of each one: whether
// it was answered, rightly, in time, and how late we were in sending it ourselves.
//
// The protocol's words are those of net/http; the connections are our own, one for each
// client, because http.Transport silently sends a request again when its connection was
// lost.
package load

import (
	"net/http"
	"regexp"
	"time"
)

// Arrival is what decides when a request is sent.
type Arrival string

const (
	// Closed is a loop: each client waits for its answer, thinks, and sends its next
	// request. A slow server is sent less.
	Closed Arrival = "closed"
	// Constant sends at equal intervals, whatever the server does.
	Constant Arrival = "constant"
	// Poisson sends at random intervals, as many independent users would.
	Poisson Arrival = "poisson"
)

// Load is what is sent.
type Load struct {
	Requests []Request // at least one; each time one is drawn by its weight
	Arrival  Arrival
	// Clients is their number in a closed loop. In an open one it bounds the requests
	// under way: while all are busy a due request waits, its latency growing from when it
	// was due.
	Clients int
	Rate    float64 // requests per second at full load; open loops only

	Think time.Duration // closed loop: from an answer to the next request
	// Ramp is the time in which the load grows: an open loop's rate rises linearly from
	// 0, and a closed loop's clients start one after another.
	Ramp time.Duration
	// Hold is the time at full load. At its end nothing more is due, and nothing is sent
	// except, within 10 ms, what was due before and found a free client.
	Hold time.Duration
	// Timeout bounds the wait for one answer, connecting included.
	Timeout time.Duration
	// LateAfter makes a right answer late that comes longer than this after its request
	// was due; 0: only one that comes after the end of the load is.
	LateAfter time.Duration

	Seed  uint64 // decides Poisson's distances and the requests drawn
	Aside []Aside
}

// Request is one kind of request.
type Request struct {
	Name   string // for messages
	Method string // GET if empty
	URL    string // http, and on this machine: 127.0.0.1, [::1] or a name of these
	Header http.Header
	Body   []byte
	Weight int // how often it is drawn, against the others; 0 counts as 1
	Expect Expect
}

// Expect is what a right answer is.
type Expect struct {
	Status  int            // 0: any of 200 to 299
	Body    []byte         // the whole body; nil: any
	Pattern *regexp.Regexp // what the body must match; nil: any
}

// Aside is a request that is sent apart from the load, on a connection of its own: at the
// start of the load plus Every, two times Every, and so on until its end, the ramp
// included. Each waits for the answer to the previous one.
type Aside struct {
	Every   time.Duration
	Request Request
}

// refusedPause is how long a refused client of a closed loop waits: otherwise a dead
// server would be asked, and lose, some 50,000 times a second.
const refusedPause = 10 * time.Millisecond
