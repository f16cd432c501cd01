package load

import "moobench/results"

// Outcome classifies what happened to a request. Its number is its index in results.Outcomes.
type Outcome uint8

const (
	// Right: the answer was whole and as expected.
	Right Outcome = iota
	// Wrong: whole, but with unexpected status, body or pattern; or not HTTP.
	Wrong
	// Refused: no connection could be made.
	Refused
	// Reset: the connection was lost before the first byte of the answer; the server may have closed it after the
	// previous answer.
	Reset
	// TimedOut: no connection, or no whole answer, within the timeout.
	TimedOut
	// Truncated: the connection was lost in the middle of the answer.
	Truncated
	// Late: right, but later than Load.LateAfter or after the end of the load; or never sent, since it was still
	// waiting for a client when the load ended (see Own.Unsent). Most loads end with some requests in flight, so a
	// late answer shows a slow server only if its latency is over LateAfter.
	Late

	outcomes = int(Late) + 1
)

// String returns its word in results.Outcomes.
func (o Outcome) String() string { return results.Outcomes[o] }

// Lost reports whether the transaction is lost: neither right nor late.
func (o Outcome) Lost() bool { return o != Right && o != Late }

// broken reports whether the connection broke, so that the latency measures a failure rather than an answer or the
// wait for one.
func (o Outcome) broken() bool { return o == Refused || o == Reset || o == Truncated }

// Sample is one request. Times are in ns of CLOCK_MONOTONIC, the clock of System.nanoTime.
type Sample struct {
	// intendedNS is the due time: by the schedule, or in a closed loop when the client had finished thinking.
	intendedNS int64
	// SentNS is just before it was written, or before its connection was opened if it needed one. The time after
	// that is the server's.
	SentNS int64
	// DoneNS is the time when its answer was complete, or when it was certain that none would come.
	DoneNS  int64
	Outcome Outcome
	request int32 // index in Load.Requests, or for an aside in Load.Aside
}

// LatencyNS is the time from its due time to the answer.
func (s Sample) LatencyNS() int64 { return s.DoneNS - s.intendedNS }

// serviceNS is the time from sending it to the answer.
func (s Sample) serviceNS() int64 { return s.DoneNS - s.SentNS }

// lagNS is our delay in sending it.
func (s Sample) lagNS() int64 { return s.SentNS - s.intendedNS }

// WrongAnswer describes an answer that was not as expected.
type WrongAnswer struct {
	AtNS    int64  // when it was complete (CLOCK_MONOTONIC)
	Request string // the request's name, or its method and URL
	Status  int    // 0 if it was not HTTP
	Body    string // its beginning, at most 200 bytes
	Why     string
}

// Own describes the load generator's own behaviour during the hold.
type Own struct {
	CPUShare float64 // of the CPUs that this process may use: 0 to 1
	LagP99NS int64   // of the requests that were due while the load was held
	Waited   int64   // open loop: requests that became due while all clients were busy
	Unsent   int64   // open loop: requests still waiting for a client when the load ended
	// Words warn that the load was not as intended, or that the generator may contribute to the latencies: one
	// sentence per reason.
	Words []string
}

// Result holds a load's samples, in order of due time, and the generator's own figures.
type Result struct {
	BeginNS, HoldNS, EndNS int64 // when the ramp began, the hold began, the hold ended (CLOCK_MONOTONIC)

	Ramp, Hold []Sample      // by due time
	Asides     []Sample      // requests sent outside the load
	Wrong      []WrongAnswer // the first ten, asides included
	Own        Own
}

// Counts holds the number of requests with each Outcome.
type Counts [outcomes]int64

// Total is the number of all requests.
func (c Counts) Total() (n int64) {
	for _, k := range c {
		n += k
	}
	return n
}

// Lost is the number of lost requests: neither right nor late.
func (c Counts) Lost() int64 { return c.Total() - c[Right] - c[Late] }

// Counts counts the requests of the whole load, and those due during the hold. Asides are excluded.
func (r *Result) Counts() (all, hold Counts) {
	for _, s := range r.Hold {
		hold[s.Outcome]++
	}
	all = hold
	for _, s := range r.Ramp {
		all[s.Outcome]++
	}
	return all, hold
}
