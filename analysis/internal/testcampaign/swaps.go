package testcampaign

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"moobench/results"
	"moobench/results/summary"
)

// Swapped is a campaign about probes that are swapped in: the time of a change, its growth with the
// number of classes changed at once, the probes' cost per call, and a paper's figures for
// comparison. Some swaps pay for themselves, some may, some never do.
func Swapped() *Store {
	cells, behaves := perCall()
	s := Make(Plan{Seed: 511, Blocks: 10, Samples: 300, Cells: cells, Behaves: behaves})
	s.Made.Scenarios = append(
		s.Made.Scenarios,
		swaps("turnaround", "from a change to the first instrumented call"),
		swaps("scalability", "a change of many classes"),
	)
	s.Made.Scenarios[2].Scalings = []results.Scaling{
		{Factor: "at_once", Metric: "turnaround", Margin: 100e3}, {Factor: "at_once", Metric: "match", Margin: 100e3},
	}
	changes := s.changes()
	for i := range s.Made.Blocks {
		s.change(&s.Made.Blocks[i], changes)
	}
	value := func(name string, x float64) results.PublishedValue {
		return results.PublishedValue{Name: name, Value: x, Unit: "ns"}
	}
	n := results.PublishedValue{Name: "n", Value: 500, Unit: "1"}
	source := "Made-up 2014, Figure 1: another machine, JDK 8"
	s.Made.Published = []results.Published{
		{
			Scenario: "turnaround", Variant: "probe/hotswap/collect", Source: source,
			Note: "one class redefined in each change",
			Values: []results.PublishedValue{
				value("mean", 38_984_740), value("median", 38_901_000.5),
				value("sd", 1_203_400), value("ci95", 105_480), n,
			},
		},
		{
			Scenario: "turnaround", Variant: "probe/manual/collect", Source: source,
			Values: []results.PublishedValue{value("mean", 129_310), n},
		},
	}
	return s
}

// perCall returns the cells that measure a probe's cost per call, at two levels.
func perCall() (cells []results.Cell, behaves []Behaviour) {
	variants := []string{
		"none", "none", "probe/manual/collect", "probe/manual/inactive",
		"probe/hotswap/collect", "probe/hybrid/collect", "probe/attach/collect",
	}
	for _, depth := range []string{"1", "10"} {
		none := fmt.Sprintf("c%02d", len(cells))
		for i, name := range variants {
			c := Baselines()[min(i, 1)]
			if i > 1 {
				c = Variant(0, name, count("fixture"))
				place(&c, "probe", strings.Split(name, "/")[1], strings.Split(name, "/")[2])
			}
			if c.Stage == "inactive" {
				c.Proof = results.ProofPlan{Kind: results.ProofNone}
			}
			if c.ID = fmt.Sprintf("c%02d", len(cells)); i > 0 {
				c.Baseline = none
			}
			c.Factors = []results.Value{{Name: "depth", Value: depth, Unit: "calls"}}
			c.Parameters = c.Factors
			cells = append(cells, c)
			mean := []float64{20, 20, 90, 21.2, 88, 90.1, 94}[i]
			if depth == "10" {
				mean *= 10
			}
			behaves = append(behaves, Behaviour{Mean: mean, Arrives: 1})
		}
	}
	return cells, behaves
}

// swaps returns a scenario of changes.
func swaps(name, about string) results.Scenario {
	once := func(name, about string) results.Metric {
		return results.Metric{
			Name: name, Unit: "ns", Better: results.Lower, About: about,
			Profile: results.ProfileTiming, Key: true,
		}
	}
	of := func(m results.Metric, column string) results.Metric {
		m.Series, m.Column = "turnaround", column
		return m
	}
	sc := results.Scenario{Label: name, Use: name, About: about, Window: results.WindowAll, Metrics: []results.Metric{
		of(once("turnaround", "from just before the change to just after the first call"), "total"),
		of(once("match", "finding what a pattern matches"), "match"),
		of(once("swap", "exchanging the classes"), "swap"),
		once("sample_1", "the first change of all"),
		once("recovery", "time that the calls after the change took longer than before it"),
		once("sd", "standard deviation of the changes after the first"),
	}}
	sc.Metrics[0].Primary, sc.Metrics[0].Once, sc.Metrics[4].Once = true, true, true
	return sc
}

// change is a cell with the times of its changes, in ns.
type change struct {
	cell                   results.Cell
	total, match, recovery float64
}

// changes adds the cells of both scenarios of changes.
func (s *Store) changes() []change {
	var all []change
	add := func(scenario string, factors []results.Value, variants ...change) {
		for i, v := range variants {
			c := v.cell
			c.ID, c.Scenario, c.Factors = fmt.Sprintf("c%02d", len(s.Made.Cells)), scenario, factors
			c.Parameters = append([]results.Value{{Name: "loaded", Value: "10000", Unit: "classes"}}, factors...)
			if v.cell = c; i > 0 {
				v.cell.Baseline = fmt.Sprintf("c%02d", len(s.Made.Cells)-i)
			}
			s.Made.Cells, all = append(s.Made.Cells, v.cell), append(all, v)
		}
	}
	of := func(mode string, role results.Role, total, match, recovery float64) change {
		c := results.Cell{Variant: "probe/" + mode + "/collect", Role: role}
		place(&c, "probe", mode, "collect")
		c.Proof = results.ProofPlan{Kind: results.ProofCount, Source: "fixture"}
		return change{c, total, match, recovery}
	}
	add(
		"turnaround", nil,
		of("manual", results.RoleBaseline, 129e3, 120e3, 0), of("manual", results.RoleAA, 129e3, 120e3, 0),
		of("hotswap", results.RoleVariant, 435e3, 2e3, 40e6),
		of("hybrid", results.RoleVariant, 437e3, 2e3, 40e6), of("attach", results.RoleVariant, 436e3, 2e3, 55e6),
	)
	for _, n := range []float64{5, 15, 30, 50} {
		for i, one := range []string{"false", "true"} {
			factors := []results.Value{
				{Name: "at_once", Value: fmt.Sprint(n), Unit: "classes"},
				{Name: "one_by_one", Value: one},
			}
			slope, bend, more := []float64{3.3e3, 135e3}[i], []float64{600, 0}[i], []float64{40, 2e3}[i]*n
			add(
				"scalability", factors,
				of("manual", results.RoleBaseline, 129e3, 2e3, 0), of("manual", results.RoleAA, 129e3, 2e3, 0),
				of("hotswap", results.RoleVariant, 300e3+slope*n, 2e3+more, 0),
				of("attach", results.RoleVariant, 310e3+slope*n+bend*n*n, 2e3+more, 0),
			)
		}
	}
	return all
}

// change appends the invocations of changes to a block.
func (s *Store) change(b *results.Block, all []change) {
	if b.Kind == results.BlockProof {
		return
	}
	rng := rand.New(rand.NewPCG(12, uint64(b.Number)))
	drift := math.Exp(0.01 * rng.NormFloat64())
	for _, i := range rng.Perm(len(all)) {
		c, id := all[i], results.Identity{Block: b.Number, Slot: len(b.Order)}
		b.Order = append(b.Order, c.cell.ID)
		began := start.Add(time.Duration(id.Block*1000+id.Slot*60) * time.Second)
		effect := func() float64 { return drift * math.Exp(0.01*rng.NormFloat64()) }
		inv := &results.Invocation{
			Format: 1, Identity: id, Cell: c.cell.ID, Profile: b.Profile, Status: results.StatusOK,
			Session: "sitting-1", Machine: "m1", Start: began, End: began.Add(30 * time.Second), Runtime: "17.0.15+6",
			CPUs: "2-3", Exit: "0", Command: []string{"java", "moobench.classes.Main"},
			Scalars: map[string]float64{
				"sample_1": 20 * c.total * effect(), "recovery": c.recovery * effect(), "sd": 0.04 * c.total * effect(),
			},
			Proof: results.Proof{Source: "fixture", Expected: 80, ByExit: 80, ByLoopEnd: 80},
		}
		s.Runs = append(s.Runs, inv)
		s.turnaround(inv, rng, c, effect())
	}
}

// turnaround makes up the changes of one invocation.
func (s *Store) turnaround(inv *results.Invocation, rng *rand.Rand, c change, effect float64) {
	const n = 80
	series := results.Series{Name: "turnaround", Count: n, Batch: 1}
	sum := &summary.Summary{Version: summary.Version}
	for k, name := range []string{"total", "match", "swap"} {
		mean := []float64{c.total, c.match, max(0, c.total-c.match) * 0.8}[k]
		series.Columns = append(series.Columns, results.Column{Name: name, Unit: "ns", Kind: results.KindDuration})
		values := make([]int64, n)
		for i := range values {
			values[i] = int64(mean * effect * math.Exp(0.04*rng.NormFloat64()))
		}
		builder := summary.NewBuilder(n)
		builder.Add(values)
		col, err := builder.Column()
		if err != nil {
			panic(fmt.Sprintf("making up a campaign: %v", err)) // caused only by a wrong change
		}
		col.Series, col.Name = series.Name, name
		sum.Columns = append(sum.Columns, col)
	}
	inv.Series = []results.Series{series}
	s.Summaries[inv.Identity] = sum
}
