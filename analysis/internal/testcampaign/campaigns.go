package testcampaign

import (
	"errors"
	"fmt"

	"moobench/results"
)

const expected = 20_000_000

func parameters(threads string) []results.Value {
	return []results.Value{
		{Name: "depth", Value: "10", Unit: "calls"},
		{Name: "threads", Value: threads, Unit: "threads"},
		{Name: "calls", Value: "2_000_000", Unit: "calls"},
	}
}

// Baselines returns the first two cells of every level.
func Baselines() []results.Cell {
	none := results.Cell{
		ID: "c00", Scenario: "overhead", Variant: "none", Role: results.RoleBaseline, Parameters: parameters("1"),
		Proof: results.ProofPlan{Kind: results.ProofBaseline},
	}
	aa := none
	aa.ID, aa.Role, aa.Baseline = "c01", results.RoleAA, "c00"
	return []results.Cell{none, aa}
}

// Variant is a cell compared with the baseline.
func Variant(n int, name string, proof results.ProofPlan) results.Cell {
	return results.Cell{
		ID: fmt.Sprintf("c%02d", n), Scenario: "overhead", Variant: name, Role: results.RoleVariant, Baseline: "c00",
		Parameters: parameters("1"), Proof: proof,
		Launch: results.Launch{JVMArgs: []string{"-javaagent:" + name + ".jar"}},
	}
}

func count(source string) results.ProofPlan {
	return results.ProofPlan{Kind: results.ProofCount, Source: source, Expected: expected}
}

// zero is the proof of a cell without records by a proof cell with some.
func zero(cell string) results.ProofPlan {
	return results.ProofPlan{Kind: results.ProofZero, Source: "kieker-tcp", Cell: cell}
}

// Small is a healthy campaign.
func Small() *Store {
	return Make(Plan{
		Seed: 20140901, Blocks: 8, Resources: 3, Samples: 2000,
		Cells: append(
			Baselines(),
			Variant(2, "kieker/manual/inactive", zero("c03")),
			Variant(3, "kieker/bci/tcp", count("kieker-tcp")),
			Variant(4, "probe/hotswap/collect", count("fixture")),
			Variant(5, "probe/bci/disabled", results.ProofPlan{Kind: results.ProofSibling, Cell: "c04"}),
		),
		Behaves: []Behaviour{
			{Mean: 561},
			{Mean: 561},
			{Mean: 716},
			{Mean: 2072, Arrives: 1},
			{Mean: 901, Arrives: 1},
			{Mean: 561},
		},
	})
}

// Troubled is a campaign with every kind of failure.
func Troubled() *Store {
	cells := append(
		Baselines(),
		Variant(2, "opentelemetry/bci/otlp", count("otlp")),
		Variant(3, "opentelemetry/bci/otlp-large", count("otlp")),
		Variant(4, "kieker/bci/wrong-class", count("kieker-tcp")),
		Variant(5, "kieker/bci/collect", results.ProofPlan{Kind: results.ProofSibling, Cell: "c08"}),
		Variant(6, "mine/bci/default", results.ProofPlan{Kind: results.ProofNone}),
		Variant(7, "kieker/bci/inactive", zero("c08")),
		Variant(8, "kieker/bci/tcp", count("kieker-tcp")),
	)
	cells[2].Queue, cells[3].Queue = 2048, 8_000_000
	cells[7].Parameters = parameters("4")
	cells[8].Role = results.RoleProof
	s := Make(Plan{
		Seed: 7, Blocks: 6, Samples: 2000, Cells: cells,
		Behaves: []Behaviour{
			{Mean: 561, Disturbed: []int{2}},
			{Mean: 561},
			{Mean: 5310, Arrives: 0.045, Batch: 10},
			{Mean: 3100, Arrives: 1, Late: 0.43},
			{Mean: 570, Arrives: 0},
			{Mean: 2072, Fails: []int{1, 3, 4}},
			{Mean: 900, Fails: []int{1, 2, 3, 4, 5, 6}},
			{Mean: 720, Arrives: 0},
			{Mean: 1, Arrives: 1},
		},
	})
	s.Made.GivenUp = []results.GivenUp{{Cell: "c06", Block: 4, Reason: "3 failures in a row"}}
	s.Unreadable = errors.New("reading invocations/b0009.s00.r0: it is cut off")
	s.Hosts[0].CPUs = 2
	for _, inv := range s.Runs {
		inv.CPUs = "1"
	}
	// The interrupted first attempt at block 6 is superseded.
	old := *s.Runs[len(s.Runs)-1]
	old.Superseded = true
	s.Runs = append(s.Runs, &old)
	return s
}

// Unordered is a campaign imported from elsewhere.
func Unordered() *Store {
	s := Small()
	s.Made.Design, s.Made.Source = results.DesignUnordered, "MooBench"
	s.Made.Blocks, s.Made.Seed, s.Made.PlanHash = nil, 0, ""
	kept := s.Runs[:0]
	for i, inv := range s.Runs {
		if inv.Cell == "c01" || inv.Profile != results.ProfileTiming || i%7 == 0 {
			continue
		}
		sum := s.Summaries[inv.Identity]
		inv.Identity, inv.Proof, inv.Scalars, inv.CPUs = results.Identity{Slot: len(kept)}, results.Proof{}, nil, ""
		s.Summaries[inv.Identity] = sum
		kept = append(kept, inv)
	}
	s.Runs = kept
	cells := s.Made.Cells[:0]
	for _, c := range s.Made.Cells {
		if c.Role != results.RoleAA {
			c.Proof = results.ProofPlan{Kind: results.ProofNone}
			cells = append(cells, c)
		}
	}
	s.Made.Cells = cells
	return s
}

// Sized is a campaign whose pilot determined its number of blocks, with stages that split the cost,
// questions of its own and a paper's arithmetic. One variant has no steady state in some blocks.
func Sized() *Store {
	cells := append(
		Baselines(),
		Variant(2, "kieker/manual/inactive", zero("c04")),
		Variant(3, "kieker/manual/collect", results.ProofPlan{Kind: results.ProofSibling, Cell: "c04"}),
		Variant(4, "kieker/manual/tcp", count("kieker-tcp")),
		Variant(5, "probe/bci/disabled", results.ProofPlan{Kind: results.ProofNone}),
	)
	for i, stage := range []string{"inactive", "collect", "tcp"} {
		place(&cells[2+i], "kieker", "manual", stage)
	}
	cells[4].Proof.Expected = 10 * 2000 // one record for each of the 10 calls of a sample
	s := Make(Plan{
		Seed: 1945, Blocks: 14, Samples: 2000, Cells: cells,
		Behaves: []Behaviour{
			{Mean: 561},
			{Mean: 561},
			{Mean: 716},
			{Mean: 1402, Unsteady: []int{2, 7}},
			{Mean: 2072, Arrives: 0.8},
			{Mean: 561},
		},
	})
	sc := &s.Made.Scenarios[0]
	sc.Pool = results.PoolCalls
	sc.Sizing = &results.Sizing{
		Precision: 0.005, Pilot: results.PilotBlocks, MaxBlocks: 14,
		Decision: &results.Decision{
			Blocks: 14, Wanted: 19, Cut: results.CutBlocks,
			Reason: "± 0.5 % of each cell's own mean needs 19 blocks; cut to 14 by max_blocks",
		},
	}
	sc.Questions = append(
		sc.Questions,
		results.Question{
			ID: "rq1", Text: "Is a disabled probe free?", Metric: "duration", A: "c05", B: "c00",
			Margin: &results.Margin{Share: 0.02}, Asked: true,
		},
		results.Question{
			ID: "rq2", Text: "Does collecting cost more than asking?", Metric: "duration", A: "c03", B: "c02",
			Alternative: "greater", Asked: true,
		},
	)
	return s
}

// Script is a variant name with an injection attempt.
const Script = "</script><script>alert(1)</script>"

// Hostile is a campaign with untrustworthy labels everywhere.
func Hostile() *Store {
	s := Small()
	esc := "\x1b[31mred\x1b[0m\u202egnp"
	s.Made.Name, s.Made.About, s.Made.Source = Script, Script, Script
	s.Made.Cells[2].Variant, s.Made.Cells[3].Variant = Script, esc
	s.Made.Cells[4].Factors = []results.Value{{Name: Script, Value: "{{.}}${x}`"}}
	s.Made.Scenarios[0].About = Script
	s.Made.Scenarios[0].Metrics[1].About = Script
	s.Made.Scenarios[0].Questions[0].Text = Script
	s.Hosts[0].Host, s.Hosts[0].CPU = Script, esc
	s.Runs[3].Command = []string{"java", Script, esc}
	s.Runs[4].Warnings = []string{Script, esc}
	s.Runs[5].Status = results.StatusFailed
	s.Runs[5].Failure = &results.Failure{Kind: Script, Message: esc, LogTail: Script}
	return s
}

// Tiny is a healthy campaign, small enough to be read completely.
func Tiny() *Store {
	return Make(Plan{
		Seed: 1, Blocks: 3, Resources: 1, Samples: 200,
		Cells:   append(Baselines(), Variant(2, "kieker/bci/tcp", count("kieker-tcp"))),
		Behaves: []Behaviour{{Mean: 561}, {Mean: 561}, {Mean: 2072, Arrives: 1}},
	})
}

// Settled is a campaign whose pilot found how many calls there are, in blocks 5 to 11; one of the JVMs of a variant
// changed late.
func Settled() *Store {
	p := Plan{
		Seed: 3, Blocks: 3, Samples: 2000,
		Cells: append(
			Baselines(),
			Variant(2, "kieker/bci/tcp", count("kieker-tcp")),
			Variant(3, "mine/bci/default", results.ProofPlan{Kind: results.ProofNone}),
		),
		Behaves: []Behaviour{{Mean: 561}, {Mean: 561}, {Mean: 2072, Arrives: 1}, {Mean: 900, Unsteady: []int{10}}},
	}
	s := Make(p)
	for i, id := range []string{"c00", "c00", "c02", "c02", "c02", "c03", "c03"} {
		of := func(c results.Cell) bool { return c.ID == id }
		s.slots(p, p.Blocks+2+i, results.BlockPilot, results.ProfilePilot, of)
		s.Made.Blocks[len(s.Made.Blocks)-1].Calls = 2000
	}
	s.Made.Scenarios[0].Settling = &results.Settling{
		Parameter: "calls", Series: "duration", WithinNS: 10e9,
		Decision: &results.SettlingDecision{
			Groups: []results.SettledGroup{{Calls: 90_000, Cells: []results.SettledCell{
				{Cell: "c00", JVMs: 2, Tried: 2000, Needs: 10_000},
				{Cell: "c01"},
				{Cell: "c02", JVMs: 2, Tried: 2000, Needs: 10_000},
				{Cell: "c03", JVMs: 2, Tried: 2000, Needs: 10_000, Trend: results.TrendRises},
			}}},
			Reason: "calls found by a pilot of 2 JVMs a cell: 90,000, so that those of none take 50 ms",
		},
	}
	return s
}

// Single is a campaign of one block.
func Single() *Store {
	return Make(Plan{
		Seed: 2, Blocks: 1, Samples: 30,
		Cells:   append(Baselines(), Variant(2, "kieker/bci/tcp", count("kieker-tcp"))),
		Behaves: []Behaviour{{Mean: 561}, {Mean: 561}, {Mean: 2072, Arrives: 1}},
	})
}
