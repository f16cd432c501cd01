// Package records says whether each cell was monitored, what became of its records, and whether the framework's own
// queue hides what they cost.
package records

import (
	"math"
	"slices"
	"strconv"

	"moobench/analysis/caveat"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/proof"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/results"
)

// Outcome says what became of a cell's records.
type Outcome struct {
	// Records say what became of the cell's records.
	Records *proof.Records `json:"records,omitempty"`
	// Queue says how often the window filled the framework's own queue.
	Queue *Queue `json:"queue,omitempty"`
}

// Queue compares the records of the window with the length of the framework's own queue.
type Queue struct {
	Length   int64   `json:"length"`   // of the queue, in records
	Produced int64   `json:"produced"` // records per invocation, in the window
	Lengths  float64 `json:"lengths"`  // Produced divided by Length
	Enough   bool    `json:"enough"`   // whether Lengths is at least five
}

// queueLengths is the least number of queue lengths produced in the window for a queue's cost to
// show.
const queueLengths = 5

// queueOf returns the Queue of a cell; nil if it has no queue or its records are not known.
func queueOf(v *evidence.View, c *results.Cell) *Queue {
	expected := c.Proof.Expected
	if s := v.Campaign.Cell(c.Proof.Cell); expected == 0 && s != nil {
		expected = s.Proof.Expected
	}
	if c.Queue <= 0 || v.Invalid[c.ID] != "" || expected <= 0 {
		return nil
	}
	produced := expected / 2 // the window is half of the samples
	lengths := float64(produced) / float64(c.Queue)
	return &Queue{Length: c.Queue, Produced: produced, Lengths: lengths, Enough: lengths >= queueLengths}
}

// Of adds the framework's own queue to what became of a cell's records.
func Of(r *reading.Reading, c *results.Cell, rec *proof.Records) Outcome {
	return Outcome{rec, queueOf(r.View, c)}
}

// Caveats returns the caveats about the records of a cell, and about its queue.
func (o *Outcome) Caveats(r *reading.Reading, c *results.Cell) caveat.List {
	ms := slices.Concat(recordMarks(o.Records), countedOtherwise(r, c, o.Records))
	if q := o.Queue; q != nil {
		ms.Add(!q.Enough, caveat.Remark, "queue", "queue not filled",
			"its queue holds %s records and the window filled it only %s times: "+
				"cost may still lie in the queue when the clock stops; make at least %s times as many calls",
			figure.Count(q.Length), figure.Ratio(q.Lengths),
			strconv.FormatFloat(math.Ceil(queueLengths/max(q.Lengths, 1e-9)), 'f', 0, 64))
	}
	return ms
}

// countedOtherwise is the caveat of a cost per execution if the number of counted records differs from the
// executions assumed per call, and nothing says how many records a call makes.
func countedOtherwise(r *reading.Reading, c *results.Cell, rec *proof.Records) (ms caveat.List) {
	executions, calls := c.Int(r.Primary.Executions), 0.0
	if rec == nil || rec.Verdict != proof.Instrumented || rec.Proof != results.ProofCount || rec.Expected != 0 ||
		executions < 1 {
		return nil
	}
	for _, e := range r.Primaries(c.ID) {
		if e.Proof.Counted() {
			calls += float64(c.Int("calls") * max(1, c.Int("threads")))
		}
	}
	if !(calls > 0) {
		return nil
	}
	per, taken := float64(rec.Received)/calls, float64(executions)
	ms.Add(math.Abs(per/taken-1) > 0.01, caveat.Misleading, "records per call", figure.Ratio(per)+" records a call",
		"a call is assumed to make %s executions, but %s records a call were counted: "+
			"if each execution makes a record, it costs %s times as much; "+
			"say in the proof how many records a call makes (per_call)",
		figure.Count(executions), figure.Ratio(per), figure.Ratio(taken/per))
	return ms
}

// recordMarks are the caveats about the records.
func recordMarks(rec *proof.Records) (ms caveat.List) {
	if rec == nil {
		return nil
	}
	kind := string(rec.Verdict)
	switch rec.Verdict {
	case proof.NotInstrumented:
		ms.Add(true, caveat.NoResult, kind, "not instrumented",
			"%s; what ran was not monitored, so its numbers are invalid; "+
				"check the pattern, the class it names and the agent's log", rec.Text)
	case proof.Nothing:
		ms.Add(true, caveat.Misleading, kind, "nothing to record here",
			"%s: its costs stand, though no record proves that it was active; "+
				"if it must record something here, say so with pattern or records_per_request", rec.Text)
	case proof.NotProven:
		ms.Add(true, caveat.Misleading, kind, "not proven", "%s", rec.Text)
	case proof.Unexpected:
		ms.Add(true, caveat.Misleading, kind, "unexpected records",
			"%s; the variant does more than its name says; check its options", rec.Text)
	case proof.TooMany:
		ms.Add(true, caveat.Misleading, kind, "more than expected",
			"%s; more than the workload is monitored, or records arrive twice; check the pattern", rec.Text)
	case proof.Lost:
		ms.Add(true, caveat.Misleading, kind, "lost "+figure.Share(rec.Lost, rec.Expected),
			"the number is the price of dropping records, not of delivering them; enlarge its queue, or call less often")
	case proof.Instrumented:
		if rec.Proof != results.ProofCount || rec.Expected != 0 {
			return nil
		}
		ms.Add(true, caveat.Remark, "losses unknown", `losses unknown (add per_call = "depth" to the proof)`,
			`%s; say in the proof how many records a call makes (per_call), `+
				`or compare its records per call with those of a variant that loses none`, rec.Text)
	}
	if rec.Late() {
		share := prose.If(rec.Approximate, "about ") + figure.Percent(*rec.Deferred)
		ms.Add(true, caveat.Misleading, string(proof.Deferred), "cost deferred "+share,
			"so many of its records arrived only after the loop: that work happened after timing stopped; "+
				"make more calls than its queue holds, or compare CPU time per record delivered")
	}
	return ms
}
