// Package testcampaign makes up campaigns in memory, for tests of campaign readers. Nothing in it
// was measured. The same call makes the same campaign.
package testcampaign

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"moobench/results"
	"moobench/results/summary"
)

// Store is a campaign in memory, with the methods of a results.Store.
type Store struct {
	Made       *results.Campaign
	Hosts      []*results.Machine
	Runs       []*results.Invocation
	Summaries  map[results.Identity]*summary.Summary
	Unreadable error
}

// Campaign returns the campaign.
func (s *Store) Campaign() *results.Campaign { return s.Made }

// Machines returns the hosts.
func (s *Store) Machines() ([]*results.Machine, error) { return s.Hosts, nil }

// Invocations returns all invocations.
func (s *Store) Invocations() ([]*results.Invocation, error) { return s.Runs, s.Unreadable }

// Summary returns the summary of an invocation.
func (s *Store) Summary(inv *results.Invocation) (*summary.Summary, error) {
	if sum := s.Summaries[inv.Identity]; sum != nil {
		return sum, nil
	}
	return nil, errors.New("no summary")
}

// Behaviour describes the invocations of a cell.
type Behaviour struct {
	Mean      float64 // ns per call
	Arrives   float64 // share of the expected records
	Late      float64 // share of the arriving records that come after the loop
	Fails     []int   // blocks in which it fails
	Disturbed []int   // blocks in which it is disturbed
	Slower    float64 // how much slower it is then: 0.2 is 20 %
	Unsteady  []int   // blocks in which its speed changes late
	Batch     int64   // calls per sample; 0 means 1
}

// Plan describes a made-up campaign. Cells[i] behaves as Behaves[i].
type Plan struct {
	Seed      uint64
	Blocks    int
	Resources int
	Samples   int64
	Cells     []results.Cell
	Behaves   []Behaviour
	// Repeat adds, for each block with disturbed invocations, an extra block that repeats them, at
	// most one per four planned ones.
	Repeat bool
}

// start is the start of every made-up campaign.
var start = time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)

// Make executes the plan.
func Make(p Plan) *Store {
	s := &Store{
		Made: &results.Campaign{
			Format: 1, Name: "made-up", About: "Nothing here was measured.", Created: start, Source: "moobench",
			Design: results.DesignBlocks, Seed: p.Seed, Scenarios: []results.Scenario{overhead()}, Cells: p.Cells,
			PlanHash: "6d6f6f62656e6368", Versions: map[string]string{"moobench": "0.1.0", "go": "go1.26.8"},
		},
		Hosts:     []*results.Machine{host()},
		Summaries: map[results.Identity]*summary.Summary{},
	}
	s.Made.Scenarios[0].Questions = questions(p.Cells)
	s.block(p, 0, results.BlockProof, results.ProfileProof)
	for b := 1; b <= p.Blocks+p.Resources; b++ {
		profile := results.ProfileTiming
		if b > p.Blocks {
			profile = results.ProfileResources
		}
		s.block(p, b, results.BlockPlanned, profile)
	}
	if p.Repeat {
		s.Made.Control = &results.Control{Profile: results.ProfileFixedHardware, Repeat: true}
		s.repeat(p)
	}
	return s
}

// repeat adds the extra blocks: the disturbed cells and their baselines, and for a disturbed
// baseline all cells compared with it.
func (s *Store) repeat(p Plan) {
	extra := 0
	for b := 1; b <= p.Blocks && extra < p.Blocks/4; b++ {
		wanted := map[string]bool{}
		var ids []string
		for _, inv := range s.Runs {
			if inv.Block != b || inv.Disturbed == nil {
				continue
			}
			ids = append(ids, inv.Identity.String())
			for _, c := range p.Cells {
				if c.ID == inv.Cell || c.ID == s.Made.Cell(inv.Cell).Baseline || c.Baseline == inv.Cell {
					wanted[c.ID] = true
				}
			}
		}
		if len(ids) == 0 {
			continue
		}
		extra++
		n := p.Blocks + p.Resources + extra
		s.slots(p, n, results.BlockExtra, results.ProfileTiming, func(c results.Cell) bool { return wanted[c.ID] })
		last := &s.Made.Blocks[len(s.Made.Blocks)-1]
		last.Repeats, last.Reason = ids, fmt.Sprintf("%d of block %d disturbed", len(ids), b)
	}
}

func questions(cells []results.Cell) []results.Question {
	var qs []results.Question
	for _, c := range cells {
		if c.Role == results.RoleVariant && c.Baseline != "" {
			qs = append(qs, results.Question{
				ID: "cost-" + c.ID, Text: "What does " + c.Label() + " cost per call?", Metric: "duration",
				A: c.ID, B: c.Baseline, Family: "overhead/duration/" + c.Level(),
			})
		}
	}
	return qs
}

func overhead() results.Scenario {
	const timing, resources = results.ProfileTiming, results.ProfileResources
	metric := func(p results.Profile, name, unit string, better results.Better, about string) results.Metric {
		return results.Metric{Name: name, Unit: unit, Better: better, About: about, Profile: p}
	}
	duration := metric(timing, "duration", "ns", results.Lower, "one call of the monitored method")
	duration.Primary, duration.Series, duration.Column, duration.Executions = true, "duration", "t", "depth"
	return results.Scenario{
		Label: "overhead", Use: "overhead", About: "one call of the monitored method",
		Metrics: []results.Metric{
			duration,
			metric(timing, "alloc_bytes", "B", results.Lower, "bytes allocated by the measuring threads, per call"),
			metric(timing, "gc_count", "1", results.Lower, "garbage collections"),
			metric(timing, "loop_ns", "ns", results.Neither, "wall time of the window"),
			metric(timing, "wall_ns", "ns", results.Neither, "wall time of the invocation"),
			metric(resources, "startup_ns", "ns", results.Lower, "wall time from start to main"),
			metric(resources, "rss_peak_bytes", "B", results.Lower, "peak resident set size"),
		},
	}
}

func host() *results.Machine {
	return &results.Machine{
		Format: 1, ID: "m1", Host: "bench-01", Kernel: "6.1.0", OS: "Debian 12",
		CPU: "Made-up 7402P", CPUs: 4, Memory: 16 << 30,
		Knobs: []results.KnobState{
			{Name: "governor", Found: "schedutil", Wanted: "performance", Got: "performance", Policy: "try"},
			{Name: "smt", Found: "on", Policy: "observe", Reason: "not supported here"},
		},
	}
}

func (s *Store) block(p Plan, n int, kind results.BlockKind, profile results.Profile) {
	s.slots(p, n, kind, profile, func(c results.Cell) bool {
		return (c.Role == results.RoleProof) == (kind == results.BlockProof)
	})
}

// slots makes one invocation of each wanted cell.
func (s *Store) slots(p Plan, n int, kind results.BlockKind, profile results.Profile, wanted func(results.Cell) bool) {
	rng := rand.New(rand.NewPCG(p.Seed, uint64(n)))
	drift := math.Exp(0.01 * rng.NormFloat64()) // common to the block
	var order []string
	for slot, i := range rng.Perm(len(p.Cells)) {
		if !wanted(p.Cells[i]) {
			continue
		}
		id := results.Identity{Block: n, Slot: slot}
		order = append(order, p.Cells[i].ID)
		s.invocation(p, i, id, profile, drift*math.Exp(0.004*rng.NormFloat64()))
	}
	if len(order) > 0 {
		s.Made.Blocks = append(s.Made.Blocks, results.Block{Number: n, Kind: kind, Profile: profile, Order: order})
	}
}

// invocation makes up an invocation; effect is the factor of its JVM and block on times.
func (s *Store) invocation(p Plan, i int, id results.Identity, profile results.Profile, effect float64) {
	c, b := p.Cells[i], p.Behaves[i]
	began := start.Add(time.Duration(id.Block*1000+id.Slot*60) * time.Second)
	inv := &results.Invocation{
		Format: 1, Identity: id, Cell: c.ID, Profile: profile, Status: results.StatusOK,
		Session: "sitting-1", Machine: "m1", Start: began, End: began.Add(42 * time.Second),
		Runtime: "17.0.15+6", CPUs: "2-3", Exit: "0", EnvPad: 17 * id.Slot,
		Command: append([]string{"java", "-Xmx512m"}, append(c.Launch.JVMArgs, "moobench.calls.Main")...),
		Scalars: map[string]float64{
			"alloc_bytes": math.Round(b.Mean / 10), "gc_count": math.Round(b.Mean / 1000),
			"loop_ns": 30e9, "wall_ns": 42e9,
			"startup_ns": 200e6 + 100*1e3*b.Mean*effect, "rss_peak_bytes": (60 + b.Mean/50) * effect * (1 << 20),
		},
	}
	s.Runs = append(s.Runs, inv)
	if holds(b.Fails, id.Block) {
		inv.Status, inv.Scalars = results.StatusFailed, nil
		inv.Failure = &results.Failure{
			Kind: "timeout", Message: "no answer to measure within 90 s", LogTail: "Exception in thread \"main\"",
		}
		return
	}
	if holds(b.Disturbed, id.Block) {
		effect *= 1 + b.Slower
		const others = "other processes took 5 % of the measured CPUs"
		inv.Disturbed = &results.Disturbance{OthersNS: 2e9, Share: 0.05, Reason: others}
		inv.Warnings = []string{others}
	}
	if c.Proof.Source != "" {
		got := int64(b.Arrives * float64(c.Proof.Expected))
		inv.Proof = results.Proof{
			Source: c.Proof.Source, Expected: c.Proof.Expected, ByExit: got,
			ByLoopEnd: int64(float64(got) * (1 - b.Late)), DrainNS: 1e6, Bytes: 48 * got,
		}
	}
	if profile == results.ProfileTiming || profile == results.ProfilePilot {
		s.samples(p, id, inv, b, effect)
	}
}

func holds(blocks []int, n int) bool {
	for _, b := range blocks {
		if b == n {
			return true
		}
	}
	return false
}

// samples makes up the calls: slow at first, and skewed.
func (s *Store) samples(p Plan, id results.Identity, inv *results.Invocation, b Behaviour, effect float64) {
	rng := rand.New(rand.NewPCG(p.Seed^0x5eed, uint64(id.Block*1000+id.Slot)))
	batch := max(1, b.Batch)
	values := make([]int64, p.Samples)
	for i := range values {
		warm := 1 + 1.5*math.Exp(-float64(i)/float64(p.Samples)*25)
		values[i] = int64(math.Round(float64(batch) * b.Mean * effect * warm * math.Exp(0.05*rng.NormFloat64())))
		if rng.IntN(500) == 0 {
			values[i] *= 4
		}
		if holds(b.Unsteady, id.Block) && int64(i) > p.Samples*9/10 {
			values[i] += values[i] / 2
		}
	}
	builder := summary.NewBuilder(p.Samples)
	builder.Add(values)
	col, err := builder.Column()
	if err != nil {
		panic(fmt.Sprintf("making up a campaign: %v", err)) // caused only by a wrong Plan
	}
	col.Series, col.Name = "duration", "t"
	inv.Series = []results.Series{{
		Name: "duration", Count: p.Samples, Batch: batch,
		Columns: []results.Column{{Name: "t", Unit: "ns", Kind: results.KindDuration}},
	}}
	s.Summaries[id] = &summary.Summary{Version: summary.Version, Columns: []summary.Column{col}}
}
