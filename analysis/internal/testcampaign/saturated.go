package testcampaign

import (
	"math"
	"time"

	"moobench/results"
	"moobench/results/summary"
)

// saturable is a cell of the made-up campaign of rates: its largest rate of calls and of delivered
// records per second, and the time of a call in ns.
type saturable struct {
	cell      results.Cell
	calls     float64
	delivered float64 // 0: it makes no records; negative: they are not counted
	call      float64
}

// Saturated is a campaign of the given number of JVMs per cell, which were asked for calls at fixed
// rates: one agent loses records, one slows the calls, one sustains every rate, and one's records
// are not counted.
func Saturated(blocks int) *Store {
	cells := Baselines()
	all := []saturable{
		{cells[0], math.Inf(1), 0, 50},
		{cells[1], math.Inf(1), 0, 50},
		{Variant(2, "loses/bci/x", count("otlp")), math.Inf(1), 20_000, 400},
		{Variant(3, "slows/bci/x", count("otlp")), 30_000, math.Inf(1), 30_000},
		{Variant(4, "bears/bci/x", count("otlp")), math.Inf(1), math.Inf(1), 300},
		{Variant(5, "unseen/bci/x", count("file")), math.Inf(1), -1, 200},
		{Variant(6, "none-at-all/bci/x", count("otlp")), math.Inf(1), 100, 200},
	}
	cells = nil
	for i := range all {
		c := &all[i].cell
		c.Scenario, c.Parameters = "saturation", []results.Value{{Name: "depth", Value: "1", Unit: "calls"}}
		cells = append(cells, *c)
	}
	s := Make(Plan{Seed: 4, Cells: cells})
	s.Made.Name, s.Made.Scenarios = "made-up-rates", []results.Scenario{saturation()}
	for b := 1; b <= blocks; b++ {
		block := results.Block{Number: b, Kind: results.BlockPlanned, Profile: results.ProfileTiming}
		for slot, one := range all {
			block.Order = append(block.Order, one.cell.ID)
			s.rated(results.Identity{Block: b, Slot: slot}, one, 1+0.02*float64(b%5-2))
		}
		s.Made.Blocks = append(s.Made.Blocks, block)
	}
	return s
}

func saturation() results.Scenario {
	call := results.Metric{
		Name: "call", Unit: "ns", Better: results.Lower, About: "one call of the monitored method at the lowest rate",
		Profile: results.ProfileTiming, Primary: true,
	}
	return results.Scenario{
		Label: "saturation", Use: "saturation", Window: results.WindowAll, Metrics: []results.Metric{call},
	}
}

// rated makes up a JVM; more scales its cell's limits and times.
func (s *Store) rated(id results.Identity, of saturable, more float64) {
	windows := []results.Rated{}
	ask := func(rate, searched int64) results.Borne {
		calls := min(float64(rate), of.calls*more)
		w := results.Rated{
			Asked: rate, Calls: int64(calls), SpanNS: 1e9, LateNS: int64(calls * 60_000),
			BusyNS: int64(calls * of.call * more), CPUNS: int64(calls * of.call * 2 * more),
			Delivered: -1, Searched: searched,
		}
		if of.delivered != 0 {
			w.Made = w.Calls
		}
		if of.delivered > 0 {
			w.Delivered = int64(min(calls, of.delivered*more))
		}
		windows = append(windows, w)
		return w.Outcome()
	}
	for _, rate := range []int64{100_000, 1000, 10_000, 32_000, 3200} {
		ask(rate, 0)
	}
	for {
		borne, refused := results.Knee(windows)
		if borne == nil || refused == nil || float64(refused.Asked) < 1.05*float64(borne.Asked) {
			break
		}
		ask(int64(math.Sqrt(float64(borne.Asked)*float64(refused.Asked))), 1)
	}
	began := start.Add(time.Duration(id.Block*100+id.Slot) * time.Second)
	inv := &results.Invocation{
		Format: 1, Identity: id, Cell: of.cell.ID, Profile: results.ProfileTiming, Status: results.StatusOK,
		Machine: s.Hosts[0].ID, Runtime: "17.0.15+6", Start: began,
		Scalars: map[string]float64{"call": of.call * more},
	}
	inv.End = inv.Start.Add(time.Second)
	if of.delivered != 0 {
		inv.Proof = results.Proof{Source: of.cell.Proof.Source, Expected: 1000, ByExit: 900, ByLoopEnd: 900}
	}
	if of.delivered < 0 {
		inv.Proof.ByExit = 1000
	}
	columns := columnSet{inv: inv, sum: &summary.Summary{Version: summary.Version}}
	values := map[string][]int64{}
	for i, rows := range results.RatedRows(windows) {
		values[results.RatedColumns()[i].Name] = rows
	}
	columns.add(results.SeriesRated, results.RatedColumns(), values)
	s.Runs, s.Summaries[id] = append(s.Runs, inv), columns.sum
}
