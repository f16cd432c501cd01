package testcampaign

import (
	"fmt"
	"math"
	"time"

	"moobench/results"
	"moobench/results/summary"
)

// Value is what one invocation measured: means per call, and what the reference took
// beside them, in ns.
type Value struct {
	Block, Slot    int
	Cell           string
	NS             float64
	ReferenceNS    float64 // 0 where none was taken
	CPUNS, StartNS float64 // 0 where they were not observed
}

const (
	// valueCalls is how many calls a sample of such an invocation covers, so that its mean
	// has digits below one ns, and valueSamples how many samples there are.
	valueCalls   = 1_000_000
	valueSamples = 20
)

// FromValues is a campaign in which these values were measured, one for each invocation.
func FromValues(cells []results.Cell, values []Value) *Store {
	s := Make(Plan{Cells: cells, Behaves: make([]Behaviour, len(cells))})
	sc := &s.Made.Scenarios[0]
	sc.Metrics = append(sc.Metrics, results.Metric{
		Name: "cpu_ns", Unit: "ns", Better: results.Lower, About: "CPU time of the whole process, per call", Profile: results.ProfileTiming,
	})
	s.Made.Blocks, s.Runs = nil, nil
	for _, v := range values {
		s.value(v)
	}
	return s
}

func (s *Store) value(v Value) {
	began := start.Add(time.Duration(v.Block*1000+v.Slot*60) * time.Second)
	inv := &results.Invocation{
		Format: 1, Identity: results.Identity{Block: v.Block, Slot: v.Slot}, Cell: v.Cell, Profile: results.ProfileTiming,
		Status: results.StatusOK, Session: "sitting-1", Machine: "m1", Start: began, End: began.Add(2 * time.Second),
		Runtime: "17.0.15+6", CPUs: "2-3", Exit: "0", Scalars: map[string]float64{},
	}
	if v.CPUNS > 0 {
		inv.Scalars["cpu_ns"] = v.CPUNS
	}
	sum := &summary.Summary{Version: summary.Version}
	add := func(name string, ns float64, batch int64) {
		inv.Series = append(inv.Series, results.Series{
			Name: name, Count: valueSamples, Batch: batch,
			Columns: []results.Column{{Name: "t", Unit: "ns", Kind: results.KindDuration}},
		})
		sum.Columns = append(sum.Columns, constant(name, int64(math.Round(ns*float64(batch)))))
	}
	add("duration", v.NS, valueCalls)
	if v.ReferenceNS > 0 {
		add(results.SeriesReference, v.ReferenceNS, 1)
	}
	s.Runs, s.Summaries[inv.Identity] = append(s.Runs, inv), sum
	if n := len(s.Made.Blocks); n == 0 || s.Made.Blocks[n-1].Number != v.Block {
		s.Made.Blocks = append(s.Made.Blocks, results.Block{Number: v.Block, Kind: results.BlockPlanned, Profile: results.ProfileTiming})
	}
	last := &s.Made.Blocks[len(s.Made.Blocks)-1]
	last.Order = append(last.Order, v.Cell)
}

// constant is a column of equal samples.
func constant(series string, ns int64) summary.Column {
	values := make([]int64, valueSamples)
	for i := range values {
		values[i] = ns
	}
	b := summary.NewBuilder(valueSamples)
	b.Add(values)
	c, err := b.Column()
	if err != nil {
		panic(fmt.Sprintf("making up a campaign: %v", err)) // only of another number of samples
	}
	c.Series, c.Name = series, "t"
	return c
}
