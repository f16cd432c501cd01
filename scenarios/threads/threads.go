// Package threads measures the cost of logging the order in which threads call the methods of an object: with
// the programs of Ferber 2016, run from start to end.
package threads

import (
	"context"

	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/programs"
)

// perEvent is the time of a run divided by its entries and exits of monitored methods, logged or not: its
// difference from the baseline is the cost of an event.
const perEvent = "per_event"

// The programs.
const evenOdd, producerConsumer = "even_odd", "producer_consumer"

// entries is the number of entries and exits of monitored methods in one run, logged or not.
const entries = "events"

// Scenario is the threads scenario.
type Scenario struct{ plan.Plain }

// Schema has a program and its size. The window is the whole run: programs are measured as started, as in the
// paper.
func (Scenario) Schema() plan.Schema {
	return plan.Schema{Name: "threads", Fixture: "fixture", Window: results.WindowAll, Parameters: []results.Parameter{
		{Name: "fixture", Type: results.TypeString, Default: "threads", About: "the Java program that is driven"},
		{
			Name: "pattern", Type: results.TypePattern, Default: "@moobench.threads.Monitored *.*(..)", Factor: true,
			About: "signature pattern of the methods to monitor",
		},
		{
			Name: "program", Type: results.TypeEnum, Default: evenOdd,
			Values: []string{evenOdd, producerConsumer}, Factor: true,
			About: "two threads that increment a counter in turn, or one that puts items into a queue and one that " +
				"takes them out",
		},
		{
			Name: "threshold", Type: results.TypeInt, Unit: "increments", Default: "100_000", Min: 2, Factor: true,
			About: "how far even_odd counts, an even number: 100,000 make 800,022 events",
		},
		{
			Name: "work", Type: results.TypeDuration, Default: "0ns", Factor: true,
			About: "how long each increment of even_odd is busy",
		},
		{
			Name: "items", Type: results.TypeInt, Unit: "items", Default: "3", Min: 1, Factor: true,
			About: "items that producer_consumer hands over",
		},
		{
			Name: "produce", Type: results.TypeDuration, Default: "5ms", Factor: true,
			About: "pause after each item that is put in",
		},
		{
			Name: "consume", Type: results.TypeDuration, Default: "2ms", Factor: true,
			About: "pause before each item that is taken out",
		},
		programs.RoundsParameter(),
		programs.BusyWait(),
	}, Metrics: programs.Metrics(
		run.Key(run.Timing(perEvent, "ns", results.Lower,
			"one run, by the entries and exits of monitored methods in it")),
		run.Timing(entries, "1", results.Neither, "entries and exits of monitored methods in one run"),
	)}
}

// Work returns the runs of the program.
func (Scenario) Work(c *results.Cell) plan.Work {
	n := float64(c.Int(programs.Rounds))
	w := plan.Work{Pattern: plan.Signature(c.Parameter("pattern")), Values: c.Int(programs.Rounds)}
	if c.Parameter("program") == producerConsumer {
		w.TakesNS = n * float64(c.Int("items")) * float64(max(c.Int("produce"), c.Int("consume")))
	} else {
		w.TakesNS = n * float64(c.Int("threshold")) * float64(handoverNS+c.Int("work"))
	}
	w.MayTakeNS = slowest * w.TakesNS
	return w
}

const (
	handoverNS = 5000 // from one thread to the other, roughly
	slowest    = 20   // factor of the slowest loggers over the estimate
)

// mostWoken is the largest accepted number of spurious wake-ups per run: one in thirty million was seen.
const mostWoken = 10

// calls returns the number of monitored calls of a run, without spurious wake-ups.
func calls(c *results.Cell) int64 {
	if c.Parameter("program") == producerConsumer {
		return 1 + 2*c.Int("items") // the constructor, and each item in and out
	}
	// The constructor, one look by the thread that comes first, four calls for each increment, of which there
	// are two more than the threshold, and one look at the result.
	return 3 + 4*(c.Int("threshold")+2)
}

// Check refuses an odd threshold: the other thread would then be the last one.
func (Scenario) Check(c *plan.Cell) []plan.Refusal {
	if c.Parameter("program") == evenOdd && c.Int("threshold")%2 != 0 {
		return plan.Refuse("threshold", "threshold = "+c.Parameter("threshold")+" is odd", "take an even one")
	}
	return nil
}

// Drive runs the program, and records the times of its runs.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	c := &inv.Cell
	ask, made := programs.Drive(ctx, inv, s, rec, "program", "threshold", "work", "items", "produce", "consume")
	want := c.Int(programs.Rounds) * calls(&c.Cell)
	switch woke := made - want; {
	case ask.Err != nil || woke == 0:
	case woke > 0 && woke <= mostWoken*c.Int(programs.Rounds):
		rec.Warn("threads woke %d times without having been notified, which Java allows: "+
			"each looked once more, and waited", woke)
	default:
		return programs.Miscounted(made, want)
	}
	if c.Proof.Kind == results.ProofCount {
		// An agent's records per class include the constructor's, which the calls include, too.
		rec.Expected(made + max(0, c.Recipe.Proof.Extra-1))
	}
	if took := programs.Keep(ask, inv, rec); took > 0 {
		rec.Scalar(perEvent, float64(took)/float64(2*made))
		rec.Scalar(entries, float64(2*made)/float64(c.Int(programs.Rounds)))
	}
	return ask.Err
}

// Questions asks the cost of every logger to the program.
func (Scenario) Questions(cells []results.Cell) []results.Question { return programs.Costs(cells) }
