package testcampaign

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"moobench/results"
	"moobench/results/summary"
)

// service is the behaviour of a variant of the made-up server.
type service struct {
	latency float64 // ns, the median
	pause   float64 // ns, added just after a toggle
	lost    float64 // per million
	scatter float64 // standard deviation of the logarithm of an invocation's own rate
}

// The made-up load: ramp and hold in ns, and the requests sent in the hold. Only one request in 40
// has a sample, to keep the campaign small.
const (
	rampNS, holdNS, stepNS, toggleNS = 10e9, 30e9, 100e6, 1e9
	requestsHeld, samplesHeld        = 120_000, 3_000
	servedBlocks                     = 10
)

// Served is a campaign about a server that answers requests while monitoring is toggled. Its load
// was calibrated; the baseline and one variant lose nothing, one loses more, and one loses many in
// some invocations. One invocation sent its requests too late: it is void, and repeated.
func Served() *Store {
	cells, behaves := servers()
	s := Make(Plan{Seed: 913, Cells: cells})
	s.Made.Scenarios, s.Made.Name = []results.Scenario{served(cells)}, "made-up-server"
	s.calibrate(cells[0].ID)
	number := len(s.Made.Blocks)
	for range servedBlocks {
		block := results.Block{Number: number, Kind: results.BlockPlanned, Profile: results.ProfileTiming}
		s.serve(block, cells, behaves)
		number++
	}
	for _, inv := range s.Runs {
		if inv.Block == 4 && inv.Cell == "c03" {
			inv.Invalid = "requests were sent late: lag p99 31 ms, over the bound of 10 ms"
			s.serve(results.Block{
				Number: number, Kind: results.BlockExtra, Profile: results.ProfileTiming,
				Repeats: []string{inv.Identity.String()}, Reason: "1 of block 4 void",
			}, []results.Cell{cells[0], cells[3]}, []service{behaves[0], behaves[3]})
			break
		}
	}
	return s
}

func servers() ([]results.Cell, []service) {
	cells := append(
		Baselines(),
		Variant(2, "probe/manual/collect", count("fixture")), Variant(3, "probe/hotswap/collect", count("fixture")),
		Variant(4, "probe/attach/collect", count("fixture")),
	)
	for i := range cells {
		c := &cells[i]
		c.Scenario, c.Proof.Expected = "reliability", requestsHeld
		if c.Role == results.RoleVariant {
			place(c, "probe", []string{"manual", "hotswap", "attach"}[i-2], "collect")
		}
		c.Parameters = []results.Value{
			{Name: "server", Value: "jdk"},
			{Name: "arrival", Value: "poisson"},
			{Name: "share", Value: "70", Unit: "%"},
			{Name: "ramp", Value: fmt.Sprint(int64(rampNS)), Unit: "ns"},
			{Name: "hold", Value: fmt.Sprint(int64(holdNS)), Unit: "ns"},
		}
	}
	return cells, []service{
		{latency: 1.1e6},
		{latency: 1.1e6},
		{latency: 1.16e6, pause: 0.1e6},
		{latency: 1.13e6, pause: 6e6, lost: 9},
		{latency: 1.2e6, pause: 9e6, lost: 60, scatter: 1.2},
	}
}

func served(cells []results.Cell) results.Scenario {
	series := func(name, about string, better results.Better) results.Metric {
		return results.Metric{
			Name: name, Unit: "ns", Better: better, About: about, Profile: results.ProfileTiming,
			Series: results.SeriesRequest, Column: name, Key: true,
		}
	}
	scalar := func(name, unit string, better results.Better, about string) results.Metric {
		return results.Metric{Name: name, Unit: unit, Better: better, About: about, Profile: results.ProfileTiming}
	}
	of := func(name, of, about string) results.Metric {
		m := scalar(name, "1", results.Lower, about)
		m.Of = of
		return m
	}
	sc := results.Scenario{Label: "reliability", Use: "reliability", Window: results.WindowAll}
	sc.About = "requests to a server while what is monitored is toggled"
	sc.Metrics = []results.Metric{
		series("latency", "from when a request was to be sent to its answer", results.Lower),
		series("service", "from when a request was sent to its answer", results.Lower),
		series("lag", "how late a request was sent", results.Neither),
		of("lost", "requests", "transactions that were answered wrongly, not whole, or not at all"),
		scalar("requests", "1", results.Neither, "requests of the hold"),
		of("right", "requests", "right answers"), of("wrong", "requests", "wrong answers"),
		of("refused", "requests", "connections refused"), of("reset", "requests", "connections reset"),
		of("timed_out", "requests", "requests without an answer in time"),
		of("truncated", "requests", "answers that were cut off"),
		of("late", "requests", "right answers that came late"),
		of("lost_all", "requests_all", "lost transactions, those of the ramp included"),
		scalar("requests_all", "1", results.Neither, "requests, those of the ramp included"),
		scalar("throughput", "1/s", results.Higher, "right answers in a second of the hold"),
		scalar("toggles", "1", results.Neither, "swaps of the probes"),
		scalar("toggle_took", "ns", results.Lower, "one swap of the probes"),
		scalar("lag_p99", "ns", results.Neither, "99 % of the requests were sent with at most this lag"),
		scalar("cpu_per_request", "ns", results.Lower, "CPU time of the server per request"),
		scalar("capacity", "1/s", results.Higher, "highest load at which the baseline loses none"),
	}
	sc.Metrics[0].Primary, sc.Metrics[3].Key = true, true
	sc.Metrics[len(sc.Metrics)-1].Profile = results.ProfileCalibration
	for i := range sc.Metrics {
		if m := &sc.Metrics[i]; m.Name == "right" {
			m.Better = results.Higher
		}
	}
	for _, c := range cells {
		if c.Role != results.RoleVariant {
			continue
		}
		sc.Questions = append(
			sc.Questions,
			results.Question{
				ID: "lost-" + c.ID, Text: "Does " + c.Label() + " lose more transactions than nothing?", Metric: "lost",
				A: c.ID, B: c.Baseline, Family: "reliability/lost", Test: results.TestRates,
			},
			results.Question{
				ID: "latency-" + c.ID, Text: "What does " + c.Label() + " add to the latency?", Metric: "latency",
				A: c.ID, B: c.Baseline, Family: "reliability/latency",
			},
		)
	}
	return sc
}

// calibrate adds the block that finds the load.
func (s *Store) calibrate(cell string) {
	b := results.Block{Number: 0, Kind: results.BlockCalibration, Profile: results.ProfileCalibration}
	for slot, capacity := range []float64{5710, 5800, 5740} {
		b.Order = append(b.Order, cell)
		inv := s.invoked(results.Identity{Slot: slot}, cell, results.ProfileCalibration)
		inv.Scalars = map[string]float64{"capacity": capacity}
	}
	s.Made.Blocks = append(s.Made.Blocks, b)
}

func (s *Store) invoked(id results.Identity, cell string, profile results.Profile) *results.Invocation {
	began := start.Add(time.Duration(id.Block*1000+id.Slot*60) * time.Second)
	inv := &results.Invocation{
		Format: 1, Identity: id, Cell: cell, Profile: profile, Status: results.StatusOK,
		Session: "sitting-1", Machine: "m1", Start: began, End: began.Add(45 * time.Second), Runtime: "17.0.15+6",
		CPUs: "2-3", Exit: "0", Command: []string{"java", "moobench.server.Main"},
	}
	s.Runs = append(s.Runs, inv)
	return inv
}

// serve makes up a block that loads each cell once.
func (s *Store) serve(b results.Block, cells []results.Cell, behaves []service) {
	rng := rand.New(rand.NewPCG(s.Made.Seed, uint64(b.Number)))
	drift := math.Exp(0.01 * rng.NormFloat64())
	for slot, i := range rng.Perm(len(cells)) {
		b.Order = append(b.Order, cells[i].ID)
		inv := s.invoked(results.Identity{Block: b.Number, Slot: slot}, cells[i].ID, b.Profile)
		if cells[i].Proof.Source != "" {
			inv.Proof = results.Proof{
				Source: "fixture", Expected: requestsHeld, ByExit: requestsHeld, ByLoopEnd: requestsHeld,
			}
		}
		s.load(inv, rng, behaves[i], drift*math.Exp(0.006*rng.NormFloat64()))
	}
	s.Made.Blocks = append(s.Made.Blocks, b)
}

// load makes up the results of the requests of one invocation.
func (s *Store) load(inv *results.Invocation, rng *rand.Rand, v service, effect float64) {
	requests := math.Round(requestsHeld + 200*rng.NormFloat64())
	draw := func(mean float64) float64 {
		if mean == 0 {
			return 0
		}
		return distuv.Poisson{Lambda: mean, Src: rng}.Rand()
	}
	own := v.lost * math.Exp(v.scatter*rng.NormFloat64()) / 1e6
	wrong, reset, ramp := draw(own*requests/3), draw(own*requests*2/3), draw(own*requests/6)
	late := draw(requests / 60_000)
	inv.Scalars = map[string]float64{
		"requests": requests, "lost": wrong + reset, "right": requests - wrong - reset - late,
		"wrong": wrong, "refused": 0, "reset": reset, "timed_out": 0, "truncated": 0, "late": late,
		"lost_all": wrong + reset + ramp, "requests_all": math.Round(requests * 7 / 6),
		"throughput": (requests - wrong - reset) / (holdNS / 1e9), "toggles": (rampNS + holdNS) / toggleNS,
		"toggle_took": 0.3e6 + v.pause/4*effect, "lag_p99": 0.4e6 * effect,
		"cpu_per_request": 0.04 * v.latency * effect, "loop_ns": holdNS, "wall_ns": rampNS + holdNS + 5e9,
	}
	columns := columnSet{inv: inv, sum: &summary.Summary{Version: summary.Version}}
	latency, lag := make([]int64, samplesHeld), make([]int64, samplesHeld)
	for i := range latency {
		since := math.Mod(float64(i)*holdNS/samplesHeld, toggleNS)
		lag[i] = int64(20e3 * rng.ExpFloat64())
		latency[i] = lag[i] + int64(effect*(v.latency*math.Exp(0.2*rng.NormFloat64())+v.pause*math.Exp(-since/40e6)))
	}
	service := make([]int64, samplesHeld)
	for i := range service {
		service[i] = latency[i] - lag[i]
	}
	times := map[string][]int64{"latency": latency, "service": service, "lag": lag}
	columns.add(results.SeriesRequest, results.RequestColumns(), times)
	if n := int(reset); n > 0 {
		broken := make([]int64, n)
		for i := range broken {
			broken[i] = int64(2e5 * rng.ExpFloat64())
		}
		times = map[string][]int64{"latency": broken, "service": broken, "lag": make([]int64, n)}
		columns.add(results.SeriesBroken, results.RequestColumns(), times)
	}
	columns.add(results.SeriesTimeline, results.TimelineColumns(), timeline(rng, v, effect, wrong+reset+ramp))
	columns.add(results.SeriesToggle, results.ToggleColumns(), toggles(rng, v))
	s.Summaries[inv.Identity] = columns.sum
}

// timeline makes up the steps of ramp and hold; losses follow toggles.
func timeline(rng *rand.Rand, v service, effect, lost float64) map[string][]int64 {
	const rows = int((rampNS + holdNS) / stepNS)
	of := map[string][]int64{}
	for i := range rows {
		at := float64(i) * stepNS
		after := v.pause * math.Exp(-math.Mod(at, toggleNS)/40e6)
		p50 := effect * (v.latency*math.Exp(0.02*rng.NormFloat64()) + after/4)
		p99 := p50*1.6 + after
		n := requestsHeld / (holdNS / stepNS) * min(1, (at+stepNS)/rampNS)
		row := map[string]float64{"since": at, "requests": n, "lost": 0, "p50": p50, "p99": p99, "max": p99 * 1.3}
		for name, x := range row {
			of[name] = append(of[name], int64(x))
		}
	}
	for range int(lost) {
		of["lost"][int(toggleNS/stepNS)*(1+rng.IntN(rows/10-1))]++
	}
	return of
}

func toggles(rng *rand.Rand, v service) map[string][]int64 {
	of := map[string][]int64{}
	for i := 1; float64(i)*toggleNS < rampNS+holdNS; i++ {
		of["since"] = append(of["since"], int64(i)*toggleNS)
		of["took"] = append(of["took"], int64(0.3e6+v.pause/4*math.Exp(0.1*rng.NormFloat64())))
		of["on"] = append(of["on"], int64(i%2))
	}
	return of
}

// columnSet collects the series of one invocation.
type columnSet struct {
	inv *results.Invocation
	sum *summary.Summary
}

// add summarises the columns with values; instants and names are not summarised.
func (c *columnSet) add(series string, columns []results.Column, values map[string][]int64) {
	described := results.Series{Name: series, Columns: columns, Batch: 1}
	for _, col := range columns {
		xs, ok := values[col.Name]
		if !ok {
			continue
		}
		builder := summary.NewBuilder(int64(len(xs)))
		builder.Add(xs)
		column, err := builder.Column()
		if err != nil {
			panic(fmt.Sprintf("making up a campaign: %v", err)) // caused only by a wrong count
		}
		column.Series, column.Name, described.Count = series, col.Name, int64(len(xs))
		c.sum.Columns = append(c.sum.Columns, column)
	}
	c.inv.Series = append(c.inv.Series, described)
}
