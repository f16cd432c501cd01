package testcampaign

import (
	"fmt"
	"math"
	"slices"
	"time"

	"moobench/results"
	"moobench/results/summary"
)

// Value holds the measurements of one invocation: means per call, and the time of the reference, in
// ns.
type Value struct {
	Block, Slot    int
	Cell           string
	NS             float64
	Calls          []int64 // single calls, instead of NS; then there are quantiles
	ReferenceNS    float64 // 0 if none was taken
	CPUNS, StartNS float64 // 0 if not observed
	Threads        *results.Threads
}

const (
	// valueCalls is the number of calls per sample of such an invocation, so that its mean has
	// digits below one ns, and valueSamples the number of samples.
	valueCalls   = 1_000_000
	valueSamples = 2
)

// FromValues returns a campaign with these values, one per invocation.
func FromValues(cells []results.Cell, values []Value) *Store {
	s := Make(Plan{Cells: cells, Behaves: make([]Behaviour, len(cells))})
	sc := &s.Made.Scenarios[0]
	sc.Metrics = append(sc.Metrics, results.Metric{
		Name: "cpu_ns", Unit: "ns", Better: results.Lower, About: "CPU time of the whole process, per call",
		Profile: results.ProfileTiming,
	})
	if slices.ContainsFunc(values, func(v Value) bool { return v.Threads != nil }) {
		for _, g := range results.ThreadGroups() {
			sc.Metrics = append(sc.Metrics, results.Metric{
				Name: g.Metric(), Unit: "ns", Better: results.Lower, About: "of cpu_ns, that of the " + string(g),
				Profile: results.ProfileTiming, PartOf: "cpu_ns", Threads: g,
			})
		}
	}
	s.Made.Blocks, s.Runs = nil, nil
	for _, v := range values {
		s.value(v)
	}
	return s
}

func (s *Store) value(v Value) {
	began := start.Add(time.Duration(v.Block*1000+v.Slot*60) * time.Second)
	inv := &results.Invocation{
		Format: 1, Identity: results.Identity{Block: v.Block, Slot: v.Slot}, Cell: v.Cell,
		Profile: results.ProfileTiming, Status: results.StatusOK,
		Session: "sitting-1", Machine: "m1", Start: began, End: began.Add(2 * time.Second),
		Runtime: "17.0.15+6", CPUs: "2-3", Exit: "0", Scalars: map[string]float64{},
		Threads: v.Threads,
	}
	if v.CPUNS > 0 {
		inv.Scalars["cpu_ns"] = v.CPUNS
	}
	sum := &summary.Summary{Version: summary.Version}
	add := func(column summary.Column, batch int64) {
		inv.Series = append(inv.Series, results.Series{
			Name: column.Series, Count: column.Count, Batch: batch,
			Columns: []results.Column{{Name: "t", Unit: "ns", Kind: results.KindDuration}},
		})
		sum.Columns = append(sum.Columns, column)
	}
	samples := valueSamples
	if samples = max(samples, len(v.Calls)); v.Calls != nil {
		add(single("duration", v.Calls), 1)
	} else {
		add(constant("duration", v.NS*valueCalls, samples), valueCalls)
	}
	if v.ReferenceNS > 0 {
		add(constant(results.SeriesReference, v.ReferenceNS, samples), 1)
	}
	s.Runs, s.Summaries[inv.Identity] = append(s.Runs, inv), sum
	if n := len(s.Made.Blocks); n == 0 || s.Made.Blocks[n-1].Number != v.Block {
		block := results.Block{Number: v.Block, Kind: results.BlockPlanned, Profile: results.ProfileTiming}
		s.Made.Blocks = append(s.Made.Blocks, block)
	}
	last := &s.Made.Blocks[len(s.Made.Blocks)-1]
	last.Order = append(last.Order, v.Cell)
}

// constant returns a column of equal samples, which need not be integers. Its histogram is empty,
// because samples of many calls have no quantiles; that makes it fifty times faster.
func constant(series string, ns float64, samples int) summary.Column {
	whole := int64(math.Round(ns))
	c := summary.Column{Series: series, Name: "t", Count: int64(samples), Histograms: make([]summary.Histogram, 1)}
	for range samples {
		c.Sum, c.SS = append(c.Sum, ns), append(c.SS, 0)
		c.Min, c.Max = append(c.Min, whole), append(c.Max, whole)
	}
	return c
}

// single returns a column of samples of one call each.
func single(series string, calls []int64) summary.Column {
	b := summary.NewBuilder(int64(len(calls)))
	b.Add(calls)
	c, err := b.Column()
	if err != nil {
		panic(fmt.Sprintf("as many samples as there are: %v", err))
	}
	c.Series, c.Name = series, "t"
	return c
}

// Merged is a merged campaign of three machines with six blocks each, the second of which favours one of two
// equal baselines by so much, in ns.
func Merged(favours float64) *Store {
	cells := append(Baselines(), Variant(2, "agent", results.ProofPlan{Kind: results.ProofNone}))
	var values []Value
	noise := []float64{0.3, -0.2, 0.1, -0.4, 0.25, -0.05}
	for b := range 18 {
		x := noise[b%6]
		aa := 1000 + noise[(b+2)%6]
		if b/6 == 1 {
			aa += favours
		}
		for i, ns := range []float64{1000 + x, aa, 1100 + noise[(b+4)%6] + float64(b/6)} {
			values = append(values, Value{Block: b + 1, Slot: i, Cell: cells[i].ID, NS: ns})
		}
	}
	s := FromValues(cells, values)
	s.Made.Merged = &results.Merged{Count: 3}
	machine := *s.Hosts[0]
	s.Hosts = nil
	for _, id := range []string{"m1", "m2", "m3"} {
		m := machine
		m.ID, m.Host = id, "host-"+id
		s.Hosts = append(s.Hosts, &m)
	}
	for _, inv := range s.Runs {
		inv.Machine, inv.Boot = s.Hosts[(inv.Block-1)/6].ID, "b"
	}
	return s
}
