package analysis

import (
	"strings"

	"moobench/results"
)

// AA is what the second baseline of a factor level says of the machine.
type AA struct {
	Level string `json:"level,omitempty"`
	// Metric is the count whose rates were compared; "" is the primary metric.
	Metric string  `json:"metric,omitempty"`
	Cell   string  `json:"cell"`
	State  AAState `json:"state"`
	Pairs  int     `json:"pairs"`
	// P is of a paired t test of the log ratio of the two baselines, of a count the
	// largest of the tests that decide; Holm-adjusted over all A/As of the campaign.
	P *float64 `json:"p,omitempty"`
	// Ratio of the two, with its 90 % interval.
	Ratio *Estimate `json:"ratio,omitempty"`
	// Resolves is the smallest margin (0.012 is 1.2 %) that the 90 % interval
	// lies within: the two baselines are shown to agree within it. It is no
	// detectable effect, which is nearly twice as large.
	Resolves *float64 `json:"resolves,omitempty"`
	Text     Sentence `json:"text"`
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
	Proof       results.ProofKind `json:"proof"`
	Source      string            `json:"source,omitempty"`
	Invocations int               `json:"invocations"` // whose records somebody counted
	Expected    int64             `json:"expected"`
	Received    int64             `json:"received"` // by the exit of the subject
	Lost        int64             `json:"lost"`     // expected and never received, invocation by invocation
	ByLoopEnd   int64             `json:"by_loop_end"`
	// Approximate marks ByLoopEnd as inferred from the size of the output.
	Approximate bool     `json:"approximate,omitempty"`
	Share       *float64 `json:"share,omitempty"`       // received of expected
	LeastShare  *float64 `json:"least_share,omitempty"` // of the worst invocation
	Deferred    *float64 `json:"deferred,omitempty"`    // share of the received that came only after the loop
	Verdict     Proven   `json:"verdict"`
	Text        string   `json:"text"`
	// Sibling is the outcome of the proof cell, of sibling and zero proofs.
	Sibling *Sibling `json:"sibling,omitempty"`
}

// Sibling is the outcome of a proof cell.
type Sibling struct {
	Cell     string `json:"cell"`
	Label    string `json:"label"`
	Expected int64  `json:"expected"`
	Received int64  `json:"received"`
	OK       bool   `json:"ok"`
	Why      string `json:"why,omitempty"` // not OK
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
	Length   int64   `json:"length"`
	Produced int64   `json:"produced"` // records per invocation, in the window
	Lengths  float64 `json:"lengths"`
	Enough   bool    `json:"enough"` // at least five
}
