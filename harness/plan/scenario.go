package plan

import (
	"cmp"
	"strings"

	"moobench/results"
)

// Scenario is what the plan has to know of a scenario. Plain answers for one that
// has nothing special about it.
type Scenario interface {
	Name() string
	Traits() Traits
	Parameters() []results.Parameter
	Metrics() []results.Metric
	// Work is what one invocation of a cell does, as the scenario reads the cell's
	// parameters.
	Work(c *results.Cell) Work
	// Check finds what does not go together in a cell.
	Check(c *Cell) []Refusal
	// Questions are those about the cells of one [[scenario]], proof cells
	// left out. They are registered before anything is measured.
	Questions(cells []results.Cell) []results.Question
	// Scalings ask, of the same cells, how metrics grow with a factor.
	Scalings(cells []results.Cell) []results.Scaling
}

// Traits is what a scenario is about, whatever its parameters.
type Traits struct {
	// Section is CommandSection or ServerSection, for a program of the user's own;
	// "" is neither.
	Section string
	// Fixture names the parameter that says which Java program is driven; "" is none.
	Fixture string
	// Window is the samples that means are taken over, unless benchmarks.toml says;
	// "" is the steady state.
	Window results.Window
}

// Work is what one invocation of a cell does. The timeout, the estimate and the
// number of records that must arrive follow from it.
type Work struct {
	// Run is the program that is started, and its arguments, where it is neither a
	// fixture nor of a section.
	Run []string
	// JVMArgs are arguments that the fixture's JVM needs.
	JVMArgs []string
	// Pattern is the signature pattern of what is monitored, see Signature; how many
	// records a call makes is not known with it.
	Pattern string
	// Calibration is shared by the cells whose load is a share of what the same
	// baseline takes, which invocations of their own find out before the first timed
	// block; "" is of a cell whose load is given.
	Calibration string

	// Counted says that calls of the monitored method are counted. The numbers below
	// are of these.
	Counted bool
	Calls   int64 // timed calls of each thread
	Threads int64 // that call at the same time; 0 is not said, and one
	Depth   int64 // monitored executions of a call; 0 is not said, and one
	WaitNS  int64 // busy wait of a call
	Batch   int64 // calls that one sample covers; 0 is one
	Phases  int64 // how often all of these calls are made; 0 is once

	// What else is done.
	MayTakeNS float64 // at most
	TakesNS   float64 // roughly
	Values    int64   // samples times their columns
}

// MostSamples is more than anybody takes in one invocation: sums of estimates that
// are cut there don't overflow.
const MostSamples = 1 << 40

// Refusal is what is wrong with a key of a [[scenario]], and what to do.
type Refusal struct{ Key, Why, Hint string }

// Refuse is one Refusal.
func Refuse(key, why, hint string) []Refusal { return []Refusal{{key, why, hint}} }

// Plain answers for a scenario without anything special.
type Plain struct{}

// Traits are none.
func (Plain) Traits() Traits { return Traits{} }

// Work is none that anybody could tell beforehand.
func (Plain) Work(*results.Cell) Work { return Work{} }

// Check refuses nothing.
func (Plain) Check(*Cell) []Refusal { return nil }

// Scalings asks nothing.
func (Plain) Scalings([]results.Cell) []results.Scaling { return nil }

// Against asks of every variant how it differs from its baseline. about gives the
// questions of one cell, of which these are filled in: to the ID its own is added; in
// the Text, %s is its label; and those of one metric and factor level are one family,
// called like the metric unless Family says otherwise: their intervals are simultaneous.
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
