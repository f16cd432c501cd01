package plan

import (
	"cmp"
	"strings"

	"moobench/harness/config"
	"moobench/results"
)

// Schema is what a scenario is about whatever its parameters; each [[scenario]] is read
// against one.
type Schema = config.Schema

// Scenario is what the plan has to know about a scenario. Embedding Plain answers for one
// with nothing special.
type Scenario interface {
	Schema() Schema
	// Work is what one invocation of a cell does, read from the cell's parameters.
	Work(c *results.Cell) Work
	// Check refuses cells whose parameters do not go together.
	Check(c *Cell) []Refusal
	// Questions are about the cells of one [[scenario]], without the proof cells. They
	// are registered before anything is measured.
	Questions(cells []results.Cell) []results.Question
	// Scalings ask of the same cells how metrics grow with a factor.
	Scalings(cells []results.Cell) []results.Scaling
}

// Work is what one invocation of a cell does. Its timeout, its estimate and the number of
// records that must arrive follow from it.
type Work struct {
	// Run is the program and its arguments, where it is neither a fixture nor that of a
	// section.
	Run []string
	// JVMArgs are arguments that the fixture's JVM needs.
	JVMArgs []string
	// Pattern is the signature pattern of what is monitored, see Signature. With one, it
	// is unknown how many records a call makes.
	Pattern string
	// Calibration names a search, shared by all cells whose load is a share of what the
	// same baseline can take; invocations of their own find that out before the first
	// timed block. "" is for a cell whose load is given.
	Calibration string

	// Counted says that calls of the monitored method are counted, by the numbers below.
	Counted bool
	Calls   int64 // timed calls of each thread
	Threads int64 // that call at the same time; 0: one
	Depth   int64 // monitored executions of a call; 0: one
	WaitNS  int64 // busy wait of a call
	Batch   int64 // calls that one sample covers; 0: one
	Rate    int64 // calls per second of all threads; 0: as many as they can make
	Phases  int64 // how often all of these calls are made; 0: once

	// What else is done.
	MayTakeNS float64 // at most
	TakesNS   float64 // roughly
	Values    int64   // samples times their columns
}

// MostSamples is more than anybody takes in one invocation: estimates are cut there, so
// that their sums don't overflow.
const MostSamples = 1 << 40

// Refusal is what is wrong with a key of a [[scenario]], and what to do.
type Refusal struct{ Key, Why, Hint string }

// Refuse returns a single Refusal.
func Refuse(key, why, hint string) []Refusal { return []Refusal{{key, why, hint}} }

// Plain answers for a scenario without anything special.
type Plain struct{}

// Work implements Scenario: nothing is known beforehand.
func (Plain) Work(*results.Cell) Work { return Work{} }

// Check implements Scenario: nothing is refused.
func (Plain) Check(*Cell) []Refusal { return nil }

// Scalings implements Scenario: nothing is asked.
func (Plain) Scalings([]results.Cell) []results.Scaling { return nil }

// Against asks of every variant how it differs from its baseline. about returns the
// questions of one cell, which are completed: the ID gets that of the cell appended, %s
// in the Text becomes its label, and the questions of one metric and factor level form
// one family, named after the metric unless Family says otherwise, with simultaneous
// intervals.
func Against(cells []results.Cell, about func(c *results.Cell) []results.Question) []results.Question {
	var all []results.Question
	for i := range cells {
		c := &cells[i]
		if c.Role != results.RoleVariant || c.Baseline == "" {
			continue
		}
		for _, q := range about(c) {
			q.Family = c.Scenario + "/" + cmp.Or(q.Family, q.Metric) + "/" + c.Level()
			q.ID, q.Text, q.A, q.B = q.ID+"-"+c.ID, strings.ReplaceAll(q.Text, "%s", c.Label()), c.ID, c.Baseline
			all = append(all, q)
		}
	}
	return all
}
