package saturation

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"moobench/harness/framework"
	"moobench/harness/jvm"
	"moobench/harness/plan"
	"moobench/harness/proc"
	"moobench/harness/run"
	"moobench/results"
)

// agent is a made-up fixture with an agent that delivers and calls so much, and the recorder of its
// invocation.
type agent struct {
	run.Subject
	run.Recorder
	// deliver and call are how many records of so many calls are delivered, and how many calls are
	// made of so many that are due.
	deliver, call func(calls float64) float64
	live          bool // who counts, counts meanwhile

	arrived  int64
	asked    []string
	windows  []results.Rated
	scalars  map[string]float64
	warnings []string
	expected int64
}

func (a *agent) Start(context.Context) error  { return nil }
func (a *agent) Attach(context.Context) error { return nil }
func (a *agent) Snapshot() (jvm.Snapshot, error) {
	return jvm.Snapshot{CPUNS: float64(a.arrived) * 1000}, nil
}
func (a *agent) Begin() error                      { return nil }
func (a *agent) End(int64) error                   { return nil }
func (a *agent) Expected(n int64)                  { a.expected = n }
func (a *agent) Scalar(name string, value float64) { a.scalars[name] = value }
func (a *agent) Warn(format string, args ...any) {
	a.warnings = append(a.warnings, fmt.Sprintf(format, args...))
}

func (a *agent) Rows(_ results.Series, columns ...[]int64) error {
	for i := range columns[0] {
		var row []float64
		for _, c := range columns {
			row = append(row, float64(c[i]))
		}
		a.windows = append(a.windows, results.RatedOf(row))
	}
	return nil
}

func (a *agent) Arrived() []int64 {
	if !a.live {
		return []int64{-1}
	}
	return []int64{a.arrived}
}

func (a *agent) Ask(_ context.Context, request jvm.Message) ([]jvm.Message, error) {
	a.asked = append(a.asked, request.Verb)
	line := map[string]string{"setup": "ready", "records": "records", "gc": "collected heap_used_bytes=7"}[request.Verb]
	if request.Verb == "pace" {
		rate, _ := strconv.ParseInt(request.Args["rate"], 10, 64)
		hold, _ := strconv.ParseInt(request.Args["hold_ns"], 10, 64)
		calls := a.call(float64(rate) * float64(hold) / 1e9)
		a.arrived += int64(a.deliver(calls))
		end := proc.MonotonicNS()
		line = fmt.Sprintf("paced begin_ns=%d end_ns=%d calls=%d busy_ns=%d late_ns=%d", end-hold, end, int64(calls), int64(calls)*500, int64(calls)*60_000)
	}
	m, err := jvm.ParseMessage(line)
	return []jvm.Message{m}, err
}

// drive drives an invocation of a made-up agent: from 1,000 to 100,000 calls per second, without
// waiting for anything.
func drive(t testing.TB, a *agent, block int, profile results.Profile) error {
	t.Helper()
	a.scalars = map[string]float64{}
	v := framework.Variant{Proof: framework.Proof{Kind: results.ProofCount, PerCall: "depth"}}
	cell := plan.Cell{Recipe: v}
	cell.Proof.Kind = results.ProofCount
	for name, value := range map[string]string{
		"depth": "1", lowest: "1000", highest: "100000", rates: "5", hold: "1000000000", drain: "0",
	} {
		cell.Parameters = append(cell.Parameters, results.Value{Name: name, Value: value})
	}
	cell.Work = Scenario{}.Work(&cell.Cell)
	inv := plan.Invocation{Cell: cell, Profile: profile}
	inv.Block = block
	return Scenario{}.Drive(t.Context(), inv, a, a)
}

func all(calls float64) float64 { return calls }

func atMost(most float64) func(float64) float64 {
	return func(calls float64) float64 { return min(calls, most) }
}
