// Package saturation measures the fate of records, calls and CPU time as calls become more frequent: each JVM
// is asked for calls at rates from low to high, in random order, and then searches the highest rate that it
// bears.
package saturation

import (
	"fmt"
	"math"
	"slices"
	"time"

	"moobench/harness/plan"
	"moobench/harness/run"
	"moobench/results"
	"moobench/scenarios/calling"
)

// Scenario is the saturation scenario.
type Scenario struct{ plan.Plain }

// Names of its own parameters.
const lowest, highest, rates, hold, drain = "lowest", "highest", "rates", "hold", "drain"

// call is the primary metric, cpu the CPU time per call at the lowest rate, most the highest actual rate of
// calls.
const call, cpu, most = "call", "cpu", "offered_most"

// mostRate is the highest permitted rate: no agent makes so many records.
const mostRate = 100_000_000

// settings are the parameters of a cell.
type settings struct {
	lowest, highest, rates int64
	hold, drain            time.Duration
}

func settingsOf(c *results.Cell) settings {
	return settings{
		c.Int(lowest), c.Int(highest), c.Int(rates),
		time.Duration(c.Int(hold)), time.Duration(c.Int(drain)),
	}
}

// curve returns the rates that every JVM is asked for: at equal ratios, rounded to two digits for readability.
func (s settings) curve() []int64 {
	all := []int64{s.lowest}
	for i := range s.rates - 1 {
		rate := float64(s.lowest) * math.Pow(float64(s.highest)/float64(s.lowest), float64(i+1)/float64(s.rates-1))
		digit := math.Pow(10, math.Floor(math.Log10(rate))-1)
		all = append(all, int64(math.Round(rate/digit)*digit))
	}
	all[len(all)-1] = s.highest
	return slices.Compact(all)
}

// Schema has the fixture of overhead. All windows form the measured window.
func (Scenario) Schema() plan.Schema {
	calls := calling.Parameters()
	calls[0].Default = "1" // a call is a record
	primary := run.Timing(call, "ns", results.Lower, "one call of the monitored method at the lowest rate")
	primary.Primary, primary.Executions = true, "depth"
	parameters := slices.Concat([]results.Parameter{
		calling.Fixture(),
		{
			Name: lowest, Type: results.TypeInt, Unit: "1/s", Default: "1_000", Min: 1,
			About: "lowest rate: calls per second of all threads together, each due at its own time, " +
				"whatever the ones before it took",
		},
		{Name: highest, Type: results.TypeInt, Unit: "1/s", Default: "100_000", Min: 2, About: "highest rate"},
		{
			Name: rates, Type: results.TypeInt, Unit: "rates", Default: "5", Min: 2,
			About: "rates of the curve, from lowest to highest at equal ratios; " +
				"each JVM is asked for all of them in random order, and then searches the highest one that it sustains",
		},
		{
			Name: hold, Type: results.TypeDuration, Default: "2s",
			About: "how long each rate is held: what a queue absorbs in that time counts as sustained",
		},
		{
			Name: drain, Type: results.TypeDuration, Default: "10s",
			About: "how long records are waited for once a rate is no longer held; " +
				"longer than the interval at which the agent sends",
		},
	}, calls)
	metrics := append([]results.Metric{
		primary,
		run.Key(run.Timing(cpu, "ns", results.Lower,
			"CPU time of the whole process per call at the lowest rate, until its records had come")),
		run.Timing(most, "1/s", results.Neither,
			"most calls per second that were really made, whatever became of their records"),
	}, run.ProcessMetrics(run.CPUNS)...)
	return plan.Schema{
		Name: "saturation", Fixture: "fixture", Window: results.WindowAll, Parameters: parameters, Metrics: metrics,
	}
}

// Cost of a search, in addition to the curve.
const (
	searched     = 8  // windows, roughly
	searchedMost = 30 // windows, at most
	waitedMost   = 6  // times the drain, for each window
)

// Work returns the windows.
func (Scenario) Work(c *results.Cell) plan.Work {
	s := settingsOf(c)
	return plan.Work{
		Threads: c.Int("threads"), Depth: c.Int("depth"), WaitNS: c.Int("method_time"),
		MayTakeNS: float64(s.rates+searchedMost) * (float64(s.hold) + waitedMost*float64(s.drain)),
		TakesNS:   float64(s.rates+searched) * float64(s.hold+s.drain/4),
		Values:    (s.rates + searched) * int64(len(results.RatedColumns())),
	}
}

// Check refuses parameters that make no sense for an application, and impossible rates.
func (Scenario) Check(c *plan.Cell) []plan.Refusal {
	refused, s := calling.Check(c), settingsOf(&c.Cell)
	switch {
	case s.highest <= s.lowest:
		why := fmt.Sprintf("highest = %d is no higher than lowest = %d", s.highest, s.lowest)
		refused = append(refused, plan.Refuse(highest, why, "raise highest, or lower lowest")...)
	case s.highest > mostRate:
		why := fmt.Sprintf("highest = %d: no thread calls so often", s.highest)
		refused = append(refused, plan.Refuse(highest, why, fmt.Sprintf("at most %d", mostRate))...)
	case s.hold <= 0:
		refused = append(refused, plan.Refuse(hold, "hold = 0s: no call is due in no time", "2s")...)
	case float64(s.lowest)*s.hold.Seconds() < fewestCalls:
		why := fmt.Sprintf("in %s of %d calls per second a share of %v %% can't be measured: there are fewer than %d calls",
			s.hold, s.lowest, 100*results.BorneShare, fewestCalls)
		refused = append(refused, plan.Refuse(hold, why, "raise hold or lowest")...)
	}
	return refused
}

// fewestCalls is the smallest number of calls for which one lost record is at most 1 %.
const fewestCalls = 100

// Questions asks the cost of every variant below saturation.
func (Scenario) Questions(cells []results.Cell) []results.Question {
	return plan.Against(cells, func(*results.Cell) []results.Question {
		return []results.Question{
			{ID: "cost", Text: "What does %s cost per call at the lowest rate?", Metric: call},
			{ID: "cpu", Text: "What CPU time does %s add to a call at the lowest rate?", Metric: cpu, Family: "cpu"},
		}
	})
}
