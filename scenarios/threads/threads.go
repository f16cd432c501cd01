// Package threads measures what it costs to log in which order threads call the methods of an
// object: the programs of Ferber 2016, run from beginning to end.
package threads

import (
	"context"

	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
)

// round is the primary metric: one run of the program, from the start of its first thread to
// the end of its last one, in ns.
const round = "round"

// perEvent is the same, by the entries and exits of monitored methods that a run makes,
// whether anybody logs them or not: its difference from the baseline is what an event costs.
const perEvent = "per_event"

// The programs.
const evenOdd, producerConsumer = "even_odd", "producer_consumer"

// entries are the entries and exits of monitored methods in one run, whether anybody logs them
// or not.
const entries = "events"

// negligibleShare of the baseline's time is the default of a negligible cost.
const negligibleShare = 0.01

// Scenario is the threads scenario.
type Scenario struct{ plan.Plain }

// Schema has a program and its size. All of it is the window: programs are measured as they
// are started, as in the paper.
func (Scenario) Schema() plan.Schema {
	time := run.Column(run.Timing(round, "ns", results.Lower, "one run of the program, from its first thread's start to its last one's end"), round, "t")
	time.Primary = true
	process := run.ProcessMetrics()
	for i, m := range process {
		process[i].Key = m.Key || m.Name == run.WrittenBytes // the size of a log is part of its price
	}
	return plan.Schema{Name: "threads", Fixture: "fixture", Window: results.WindowAll, Parameters: []results.Parameter{
		{Name: "fixture", Type: results.TypeString, Default: "threads", About: "the Java program that is driven"},
		{Name: "pattern", Type: results.TypePattern, Default: "@moobench.threads.Monitored *.*(..)", Factor: true, About: "signature pattern of what is monitored"},
		{
			Name: "program", Type: results.TypeEnum, Default: evenOdd, Values: []string{evenOdd, producerConsumer}, Factor: true,
			About: "two threads that increment a counter in turn, or one that puts items into a queue and one that takes them out",
		},
		{Name: "threshold", Type: results.TypeInt, Unit: "increments", Default: "100_000", Min: 2, Factor: true, About: "how far even_odd counts, an even number: 100,000 make 800,022 events"},
		{Name: "work", Type: results.TypeDuration, Default: "0ns", Factor: true, About: "how long each increment of even_odd is busy"},
		{Name: "items", Type: results.TypeInt, Unit: "items", Default: "3", Min: 1, Factor: true, About: "items that producer_consumer hands over"},
		{Name: "produce", Type: results.TypeDuration, Default: "5ms", Factor: true, About: "pause after each item that is put in"},
		{Name: "consume", Type: results.TypeDuration, Default: "2ms", Factor: true, About: "pause before each item that is taken out"},
		{Name: "rounds", Type: results.TypeInt, Unit: "runs", Default: "1", Min: 1, About: "runs of the program in each JVM"},
		{
			Name: "busy_wait", Type: results.TypeEnum, Default: "lazy", Values: []string{"lazy", "wall", "cpu"}, Factor: true,
			About: "how work is spent: wall clock, the thread's CPU time, or lazy: wall clock, but no clock call when work is 0",
		},
	}, Metrics: append([]results.Metric{
		time,
		run.Key(run.Timing(perEvent, "ns", results.Lower, "one run, by the entries and exits of monitored methods in it")),
		run.Timing(entries, "1", results.Neither, "entries and exits of monitored methods in one run"),
	}, process...)}
}

// Work is the runs of the program.
func (Scenario) Work(c *results.Cell) plan.Work {
	n := float64(c.Int("rounds"))
	w := plan.Work{Pattern: plan.Signature(c.Parameter("pattern")), Values: c.Int("rounds")}
	if c.Parameter("program") == producerConsumer {
		w.TakesNS = n * float64(c.Int("items")) * float64(max(c.Int("produce"), c.Int("consume")))
	} else {
		w.TakesNS = n * float64(c.Int("threshold")) * float64(handoverNS+c.Int("work"))
	}
	w.MayTakeNS = slowest * w.TakesNS
	return w
}

const (
	handoverNS = 5000 // from one thread to the other one, roughly
	slowest    = 20   // times what it takes roughly, with the slowest of loggers
)

// mostWoken is how often the threads of a run may wake without having been notified: seen was
// once in thirty million times.
const mostWoken = 10

// calls is how many monitored calls a run of the program makes, while no thread wakes by itself.
func calls(c *results.Cell) int64 {
	if c.Parameter("program") == producerConsumer {
		return 1 + 2*c.Int("items") // the constructor, and each item in and out
	}
	// The constructor, one look of the thread that comes first, four calls for each increment,
	// two more of which are made than the threshold says, and one look at the result.
	return 3 + 4*(c.Int("threshold")+2)
}

// Check refuses an odd threshold, with which the other thread would be the last one.
func (Scenario) Check(c *plan.Cell) []plan.Refusal {
	if c.Parameter("program") == evenOdd && c.Int("threshold")%2 != 0 {
		return plan.Refuse("threshold", "threshold = "+c.Parameter("threshold")+" is odd", "take an even one")
	}
	return nil
}

// Drive runs the program, and records how long its runs took.
func (Scenario) Drive(ctx context.Context, inv plan.Invocation, s run.Subject, rec run.Recorder) error {
	c := &inv.Cell
	ask := run.StartFixture(ctx, s)
	setup := map[string]string{}
	for _, name := range []string{"program", "threshold", "work", "items", "produce", "consume", "rounds", "busy_wait"} {
		setup[name] = c.Parameter(name)
	}
	ask.Last("setup", setup)
	answer := run.Measure(ask, rec)
	made, want := ask.Int(answer, "calls"), c.Int("rounds")*calls(&c.Cell)
	switch woke := made - want; {
	case ask.Err != nil || woke == 0:
	case woke > 0 && woke <= mostWoken*c.Int("rounds"):
		rec.Warn("threads woke %d times without having been notified, which Java allows: each looked once more, and waited", woke)
	default:
		return jvm.Failuref(run.KindCounts, "the fixture made %d monitored calls, %d were ordered: it lies, or ended early", made, want)
	}
	if c.Proof.Kind == results.ProofCount {
		// What an agent records once of a class holds its constructor, which is one of the calls.
		rec.Expected(made + max(0, c.Recipe.Proof.Extra-1))
	}
	for _, series := range run.Samples(ask, inv.Profile, rec) {
		sum := int64(0)
		for _, ns := range run.Columns(ask, rec.Dir(), series)["t"] {
			sum += ns
		}
		if ask.Err == nil {
			rec.Scalar(perEvent, float64(sum)/float64(2*made))
			rec.Scalar(entries, float64(2*made)/float64(c.Int("rounds")))
		}
	}
	return ask.Err
}

// Questions asks of every logger what it costs the program.
func (Scenario) Questions(cells []results.Cell) []results.Question {
	return plan.Against(cells, func(*results.Cell) []results.Question {
		return []results.Question{{ID: "cost", Text: "How much longer does the program take with %s?", Metric: round, Margin: &results.Margin{Share: negligibleShare}}}
	})
}
