package analysis

import (
	"strings"

	"moobench/results"
)

// AA is what the second baseline of a factor level says about the machine.
type AA struct {
	Level string `json:"level,omitempty"` // factor level
	// Metric is the count whose rates were compared; absent: the primary metric.
	Metric string  `json:"metric,omitempty"`
	Cell   string  `json:"cell"`  // ID of the second baseline
	State  AAState `json:"state"` // failed: the two baselines differ; resolves: they agree within Resolves
	Pairs  int     `json:"pairs"` // pairs of baselines
	// P is that of a paired t test of the log ratio of the two baselines, of a count the
	// largest of the tests that decide; Holm-adjusted over all A/As of the campaign.
	P *float64 `json:"p,omitempty"`
	// Ratio is that of the two, with its 90 % interval.
	Ratio *Estimate `json:"ratio,omitempty"`
	// Resolves is the smallest margin (0.012 is 1.2 %) that the 90 % interval
	// lies within: the two baselines are shown to agree within it. It is no
	// detectable effect, which is nearly twice as large.
	Resolves *float64 `json:"resolves,omitempty"`
	Text     Sentence `json:"text"` // in words
}

// Name is "A/A", with the count that was compared unless it is the primary metric.
func (a AA) Name() string {
	return strings.TrimSpace("A/A " + spaced(a.Metric))
}

// AAState is the state of an A/A.
type AAState string

const (
	AAFailed   AAState = "failed"         // the two baselines differ: by chance in one healthy campaign of a hundred, else the machine lies
	AAResolves AAState = "resolves"       // the two baselines agree within Resolves
	AATooFew   AAState = "too few blocks" // fewer than five, to say
)

// Records is what became of a cell's records, summed over its invocations.
type Records struct {
	Proof       results.ProofKind `json:"proof"`            // how instrumentation is proven
	Source      string            `json:"source,omitempty"` // who counts
	Invocations int               `json:"invocations"`      // invocations whose records were counted
	Expected    int64             `json:"expected"`         // records that had to arrive
	Received    int64             `json:"received"`         // records that had arrived when the subject was gone
	Lost        int64             `json:"lost"`             // expected and never received, invocation by invocation
	ByLoopEnd   int64             `json:"by_loop_end"`      // records that had arrived when the last call returned
	// Approximate says that ByLoopEnd was inferred from the size of the output.
	Approximate bool     `json:"approximate,omitempty"`
	Share       *float64 `json:"share,omitempty"`       // received of expected
	LeastShare  *float64 `json:"least_share,omitempty"` // received of expected in the worst invocation
	Deferred    *float64 `json:"deferred,omitempty"`    // share of the received that came only after the loop
	Verdict     Proven   `json:"verdict"`               // whether the cell monitors
	Text        string   `json:"text"`                  // in words
	// Sibling is the outcome of the proof cell, where one proves this cell.
	Sibling *Sibling `json:"sibling,omitempty"`
}

// Sibling is the outcome of a proof cell.
type Sibling struct {
	Cell     string `json:"cell"`          // ID of the proof cell
	Label    string `json:"label"`         // variant of the proof cell with its factor level
	Expected int64  `json:"expected"`      // records that had to arrive from it
	Received int64  `json:"received"`      // records that arrived from it
	OK       bool   `json:"ok"`            // whether records arrived
	Why      string `json:"why,omitempty"` // why it proves nothing, or the contrary
}

// Proven is the verdict of a proof of instrumentation.
type Proven string

const (
	Instrumented    Proven = "proven"
	NotInstrumented Proven = "not instrumented"
	Lost            Proven = "lost"
	Deferred        Proven = "deferred"
	NotProven       Proven = "not proven"
	Unexpected      Proven = "unexpected records"
	TooMany         Proven = "more than expected"
)

// Queue says how often the window filled the framework's own queue.
type Queue struct {
	Length   int64   `json:"length"`   // of the queue, in records
	Produced int64   `json:"produced"` // records per invocation, in the window
	Lengths  float64 `json:"lengths"`  // Produced divided by Length
	Enough   bool    `json:"enough"`   // whether that is at least five
}
