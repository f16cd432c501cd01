package plan

import (
	"cmp"
	"strings"

	"moobench/harness/config"
	"moobench/results"
)

// Schema describes a scenario to the reader of benchmarks.toml; each [[scenario]] is checked
// against one.
type Schema = config.Schema

// Scenario is the planner's view of a scenario. Types may embed Plain for defaults.
type Scenario interface {
	Schema() Schema
	// Work returns the work of one invocation, derived from the cell's parameters.
	Work(c *results.Cell) Work
	// Check reports parameters of a cell that contradict each other.
	Check(c *Cell) []Refusal
	// Questions returns the questions about the cells of one [[scenario]], which include no
	// proof cells. They are registered before anything is measured.
	Questions(cells []results.Cell) []results.Question
	// Scalings returns the questions about the growth of metrics with a factor, over the same cells.
	Scalings(cells []results.Cell) []results.Scaling
}

// Work describes one invocation of a cell. Its timeout, its estimated duration and the number
// of expected records follow from it.
type Work struct {
	// Run is the program and its arguments, if the cell starts neither a fixture nor a user's program.
	Run []string
	// JVMArgs are arguments that the fixture's JVM needs.
	JVMArgs []string
	// Pattern is the signature pattern of the monitored methods, see Signature. With a pattern,
	// the number of records per call is unknown.
	Pattern string
	// Calibration names a search for the load that a baseline can sustain. It is shared by all
	// cells whose load is a share of that baseline's, and is done by separate invocations
	// before the first timed block. "": the cell's load is given.
	Calibration string

	// Counted: calls of the monitored method are counted, and the numbers below apply.
	Counted bool
	Calls   int64 // timed calls per thread
	Threads int64 // calling threads; 0: one
	Depth   int64 // monitored executions per call; 0: one
	WaitNS  int64 // busy wait per call
	Batch   int64 // calls per sample; 0: one
	Rate    int64 // calls per second over all threads; 0: unlimited
	Phases  int64 // number of times that all calls are made; 0: once

	// Additional work.
	MayTakeNS float64 // upper bound of its time
	TakesNS   float64 // estimate of its time
	Values    int64   // recorded values: samples × columns
}

// MostSamples is above any realistic number of samples of one invocation. Estimates are capped
// there so that their sums don't overflow.
const MostSamples = 1 << 40

// Refusal is a mistake in a key of a [[scenario]], with a suggestion.
type Refusal struct{ Key, Why, Hint string }

// Refuse returns a single Refusal.
func Refuse(key, why, hint string) []Refusal { return []Refusal{{key, why, hint}} }

// Plain has default methods for a Scenario.
type Plain struct{}

// Work implements Scenario: nothing is known in advance.
func (Plain) Work(*results.Cell) Work { return Work{} }

// Check implements Scenario: it accepts every cell.
func (Plain) Check(*Cell) []Refusal { return nil }

// Scalings implements Scenario: it returns none.
func (Plain) Scalings([]results.Cell) []results.Scaling { return nil }

// Against returns questions about the difference of every variant from its baseline. about returns
// the questions of one cell, which Against completes: the cell's ID is appended to the question's
// ID, %s in the Text becomes the cell's label, and the questions of one metric and factor level
// form one family with simultaneous intervals, named after the metric unless Family is set.
func Against(cells []results.Cell, about func(c *results.Cell) []results.Question) []results.Question {
	var all []results.Question
	for i := range cells {
		c := &cells[i]
		if c.Role != results.RoleVariant || c.Baseline == "" {
			continue
		}
		for _, q := range about(c) {
			q.Family = c.Scenario + "/" + cmp.Or(q.Family, q.Metric) + "/" + c.Level()
			q.ID += "-" + c.ID
			q.Text = strings.ReplaceAll(q.Text, "%s", c.Label())
			q.A = c.ID
			q.B = c.Baseline
			all = append(all, q)
		}
	}
	return all
}
