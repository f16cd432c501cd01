package load

import "moobench/results"

// Outcome is what became of a request. Its number is its index in results.Outcomes.
type Outcome uint8

const (
	// Right: the answer was whole and as expected.
	Right Outcome = iota
	// Wrong: whole, but status, body or pattern were not as expected; or it was no HTTP.
	Wrong
	// Refused: no connection could be made.
	Refused
	// Reset: the connection was lost before the first byte of the answer; the
	// server may have closed it after the answer before.
	Reset
	// TimedOut: no connection, or no whole answer, within the timeout.
	TimedOut
	// Truncated: the connection was lost within the answer.
	Truncated
	// Late: right, but later than Load.LateAfter or after the end of the load; or never
	// sent, since its turn had not come when the load ended (see Own.Unsent). Most loads
	// end with some requests under way, so a late answer shows a slow server only if its
	// latency is over LateAfter.
	Late

	outcomes = int(Late) + 1
)

// String is the word that results.Outcomes has for it.
func (o Outcome) String() string { return results.Outcomes[o] }

// Lost reports whether its transaction is lost: neither right nor late.
func (o Outcome) Lost() bool { return o != Right && o != Late }

// broken reports whether the connection broke, so that the latency is that of a failure
// and not of an answer or of a wait for one.
func (o Outcome) broken() bool { return o == Refused || o == Reset || o == Truncated }

// Sample is one request. Times are in ns of CLOCK_MONOTONIC, the clock of
// System.nanoTime.
type Sample struct {
	// intendedNS is when it was due: by the schedule, or in a closed loop when the client
	// had finished thinking.
	intendedNS int64
	// SentNS is just before it was written, or just before its connection was opened
	// where it needed one: the time after that is the server's.
	SentNS int64
	// DoneNS is when its answer was there whole, or when it was known that there will be
	// none.
	DoneNS  int64
	Outcome Outcome
	request int32 // its place in Load.Requests, or of an aside in Load.Aside
}

// LatencyNS is the time from when it was due.
func (s Sample) LatencyNS() int64 { return s.DoneNS - s.intendedNS }

// serviceNS is the time from when it was sent.
func (s Sample) serviceNS() int64 { return s.DoneNS - s.SentNS }

// lagNS is how late we sent it.
func (s Sample) lagNS() int64 { return s.SentNS - s.intendedNS }

// WrongAnswer is an answer that was not as expected.
type WrongAnswer struct {
	AtNS    int64  // when it was there (CLOCK_MONOTONIC)
	Request string // the request's name, or its method and URL
	Status  int    // 0 if it was no HTTP
	Body    string // its beginning, at most 200 bytes
	Why     string
}

// Own is what the load generator reports about itself, during the hold.
type Own struct {
	CPUShare float64 // of the CPUs that this process may use: 0 to 1
	LagP99NS int64   // of the requests that were due while the load was held
	Waited   int64   // open loop: requests that were due while all clients were busy
	Unsent   int64   // open loop: requests whose turn had not come when the load ended
	// Words say that the load was not as intended, or that the latencies may be our own:
	// a sentence for each reason.
	Words []string
}

// Result is what became of a load. Samples are in the order in which they were due.
type Result struct {
	BeginNS, HoldNS, EndNS int64 // when the ramp began, the hold began, the hold ended (CLOCK_MONOTONIC)

	Ramp, Hold []Sample      // by when they were due
	Asides     []Sample      // what was sent apart from the load
	Wrong      []WrongAnswer // the first ten, asides included
	Own        Own
}

// Counts are numbers of requests, by Outcome.
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

// Counts counts the requests of the whole load, and those that were due during the hold;
// asides are in neither.
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
