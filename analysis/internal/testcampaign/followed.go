package testcampaign

import (
	"math/rand/v2"
	"time"

	"moobench/results"
	"moobench/results/summary"
)

// followedRows is the number of rows of a course in Followed, one a second.
const followedRows = 600

// Followed is a campaign of five JVMs per cell that were followed over ten minutes: the baseline comes to rest after
// the first two, one variant leaks memory of its heap, and of another, which is a program without a fixture, only what
// the kernel says is known.
func Followed() *Store {
	cells := append(Baselines(), Variant(2, "leaks/bci/x", count("otlp")), Variant(3, "outside/bci/x", count("otlp")))
	for i := range cells {
		cells[i].Parameters = []results.Value{{Name: results.CourseEvery, Value: "1000000000", Unit: "ns"}}
	}
	s := Make(Plan{Seed: 4, Cells: cells})
	s.Made.Scenarios[0].Metrics = s.Made.Scenarios[0].Metrics[:1]
	rng := rand.New(rand.NewPCG(4, 0))
	for b := 1; b <= 5; b++ {
		block := results.Block{Number: b, Kind: results.BlockPlanned, Profile: results.ProfileTiming}
		for slot, c := range cells {
			block.Order = append(block.Order, c.ID)
			s.follow(rng, results.Identity{Block: b, Slot: slot}, c)
		}
		s.Made.Blocks = append(s.Made.Blocks, block)
	}
	return s
}

// follow makes up a JVM. It collects garbage every five seconds, and has no heap after a collection before the first.
func (s *Store) follow(rng *rand.Rand, id results.Identity, c results.Cell) {
	began := start.Add(time.Duration(id.Block*100+id.Slot) * time.Hour)
	inv := &results.Invocation{
		Format: 1, Identity: id, Cell: c.ID, Profile: results.ProfileTiming, Status: results.StatusOK,
		Machine: s.Hosts[0].ID, Runtime: "17.0.15+6", Start: began, End: began.Add(10 * time.Minute),
	}
	if c.Proof.Kind == results.ProofCount {
		inv.Proof = results.Proof{Source: c.Proof.Source, Expected: 1000, ByExit: 1000, ByLoopEnd: 1000}
	}
	leak := 0.0 // B a second
	if c.ID == "c02" {
		leak = 10e3 * (1 + 0.1*rng.NormFloat64())
	}
	heap := int64(-1)
	values := map[string][]int64{}
	add := func(name string, x float64) { values[name] = append(values[name], int64(x)) }
	for i := range followedRows {
		t := float64(i)
		held := 40e6 + leak*t + 0.1e6*rng.NormFloat64()
		if i%5 == 4 {
			heap = int64(held)
		}
		add("since", t*1e9)
		add("heap_after_gc", float64(heap))
		add("collections", float64((i+1)/5))
		add("gc", float64((i+1)/5)*2e6)
		add("classes", min(1500, 1000+5*t))
		add("threads", 12)
		add("rss", 90e6+0.3e6*min(t, 120)+leak*t+0.05e6*rng.NormFloat64())
		add("cpu", t*0.8e9)
		add("written", -1)
	}
	columns := columnSet{inv: inv, sum: &summary.Summary{Version: summary.Version}}
	columns.add("duration", []results.Column{{Name: "t", Unit: "ns", Kind: results.KindDuration}},
		map[string][]int64{"t": {int64(1000 + id.Block%5*10), 1000}})
	if c.ID != "c03" {
		columns.add(results.SeriesJVM, jvmColumns(), values)
	}
	columns.add(results.SeriesProcess, results.ProcessColumns(), values)
	s.Runs, s.Summaries[id] = append(s.Runs, inv), columns.sum
}

// jvmColumns are those of the fixtures.
func jvmColumns() []results.Column {
	columns, err := results.ParseColumns("since:ns:count,heap_after_gc:B:count,collections:1:count,gc:ns:count," +
		"classes:1:count,threads:1:count")
	if err != nil {
		panic(err) // it is constant
	}
	return columns
}
