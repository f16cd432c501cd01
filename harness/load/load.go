// Package load sends requests to a server on this machine, either at a pace that does not depend on the server or
// from clients that wait for its answers. It reports each request's outcome: answered or not, right or wrong, in
// time or late, and how late we ourselves sent it.
//
// Messages are encoded by net/http; the connections are our own, one per client, because http.Transport silently
// resends a request whose connection was lost.
package load

import (
	"net/http"
	"regexp"
	"time"
)

// Arrival determines when requests are sent.
type Arrival string

const (
	// Closed is a closed loop: each client waits for its answer, thinks, and sends its next request. A slow server
	// gets fewer requests.
	Closed Arrival = "closed"
	// Constant sends at equal intervals, whatever the server does.
	Constant Arrival = "constant"
	// Poisson sends at random intervals, like many independent users.
	Poisson Arrival = "poisson"
)

// Load describes the requests to send and their timing.
type Load struct {
	Requests []Request // at least one; each request sent is drawn from these by weight
	Arrival  Arrival
	// Clients is the number of clients in a closed loop. In an open loop it bounds the requests in flight: while
	// all clients are busy, a due request waits, and its latency counts from its due time.
	Clients int
	Rate    float64 // requests per second at full load; open loops only

	Think time.Duration // closed loop: from an answer to the next request
	// Ramp is the time in which the load grows: an open loop's rate rises linearly from 0; a closed loop's clients
	// start one after another.
	Ramp time.Duration
	// Hold is the time at full load. At its end nothing more becomes due. Requests due before may still be sent
	// within 10 ms if a client is free; nothing else is sent.
	Hold time.Duration
	// Timeout bounds the wait for one answer, including connecting.
	Timeout time.Duration
	// LateAfter makes a right answer late if it arrives longer than this after its request was due. With 0, an
	// answer is late only after the end of the load.
	LateAfter time.Duration

	Seed  uint64 // determines Poisson intervals and the requests drawn
	Aside []Aside
}

// Request is one kind of request.
type Request struct {
	Name   string // for messages
	Method string // GET if empty
	URL    string // http only, on this machine: 127.0.0.1, [::1] or a name of these
	Header http.Header
	Body   []byte
	Weight int // relative frequency of being drawn; 0 counts as 1
	Expect Expect
}

// Expect describes a right answer.
type Expect struct {
	Status  int            // 0: any of 200 to 299
	Body    []byte         // the whole body; nil: any
	Pattern *regexp.Regexp // must match the body; nil: any body
}

// Aside is a request sent outside the load, on its own connection: at the start of the load plus Every, plus two
// times Every, and so on until the end, including the ramp. Each waits for the previous one's answer.
type Aside struct {
	Every   time.Duration
	Request Request
}

// refusedPause is the wait of a closed-loop client after a refused connection: otherwise a dead server would cost
// some 50,000 lost requests a second.
const refusedPause = 10 * time.Millisecond
