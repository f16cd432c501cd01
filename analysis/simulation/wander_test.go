package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"moobench/analysis"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// standardNS is what the reference takes at the standard speed, which is the mean of the
// logarithms of what it takes in all campaigns.
const standardNS = 2000.0

// wanderer is a machine whose CPU's speed wanders, and two programs on it: what an
// invocation of one takes is proportional to what the reference takes, to the power of the
// program's elasticity.
type wanderer struct {
	// between, perBlock and within are the standard deviations of the logarithm of the speed:
	// between campaigns, between the blocks of one, and between the JVMs of a block; ar is
	// the correlation of neighbouring JVMs in that.
	between, perBlock, within, ar float64
	// jvm draws the factor that an invocation differs by from others at one speed; its mean is
	// 1. alike is the correlation of neighbouring blocks in that, of each cell.
	jvm   func(r *rand.Rand) float64
	alike float64
	// elasticity draws that of the variant, which all its levels have, and its baseline's.
	elasticity func(r *rand.Rand) (variant, base float64)
	// base is what the unmonitored program takes at the standard speed, in ns, and cost what
	// the variant adds to that, at each of so many levels 1, 2, … so many times.
	base, cost float64
	levels     int
	blocks     int
	// touched is by how much longer the reference takes beside the variant because of what
	// the variant does, as a share; slows says that the variant itself is slowed by that, too.
	touched float64
	slows   bool
	// turns is the standard error of what is known of that from turns of JVMs; 0: nothing is.
	turns float64
	// calls says that each call is a sample, so that there are quantiles.
	calls bool
	// ownModes is by how much longer the reference takes in half of the JVMs than in the
	// others, for a reason of its own.
	ownModes float64
}

// known are fixed elasticities.
func known(variant, base float64) func(*rand.Rand) (float64, float64) {
	return func(*rand.Rand) (float64, float64) { return variant, base }
}

// usualPrograms draws both elasticities from what most programs have.
func usualPrograms(r *rand.Rand) (variant, base float64) {
	return 1 + 0.2*r.NormFloat64(), 1 + 0.2*r.NormFloat64()
}

// programs are the elasticities of one replicate: a program is the same in all campaigns.
type programs struct{ variant, base float64 }

// takes is what a call takes on average where the logarithm of what the reference takes is
// so much above that at the standard speed; a level of 0 is the baseline's.
func (m wanderer) takes(p programs, level int, speed float64) float64 {
	if level == 0 {
		return m.base * math.Exp(p.base*speed)
	}
	return (m.base + m.cost*float64(level)) * math.Exp(p.variant*speed)
}

// costs is what monitoring costs at a level and a speed.
func (m wanderer) costs(p programs, level int, speed float64) float64 {
	own := 0.0
	if m.slows { // at the speed that there would be without it
		own = math.Log1p(m.touched)
	}
	return m.takes(p, level, speed+own) - m.takes(p, 0, speed)
}

// plan is the cells of the campaign: a baseline, its second, and the variant, at each level.
func (m wanderer) plan() []results.Cell {
	var cells []results.Cell
	for level := range max(1, m.levels) {
		some := append(testcampaign.Baselines(), testcampaign.Variant(2, "kieker/bci/collect", results.ProofPlan{Kind: results.ProofNone}))
		for i := range some {
			some[i].ID = fmt.Sprintf("c%02d", len(cells)+i)
			if i > 0 {
				some[i].Baseline = fmt.Sprintf("c%02d", len(cells))
			}
			if m.levels > 1 {
				some[i].Factors = []results.Value{{Name: "depth", Value: fmt.Sprint(level + 1), Unit: "calls"}}
			}
		}
		cells = append(cells, some...)
	}
	return cells
}

// campaign makes one up. In each block the cells come in random order.
func (m wanderer) campaign(r *rand.Rand, p programs) *testcampaign.Store {
	cells := m.plan()
	var values []testcampaign.Value
	here, wander := m.between*r.NormFloat64(), m.within*r.NormFloat64()
	last := make([]float64, len(cells)) // what the JVMs of the last block differed by
	for b := range m.blocks {
		block := here + m.perBlock*r.NormFloat64()
		for slot, i := range r.Perm(len(cells)) {
			wander = m.ar*wander + m.within*math.Sqrt(1-m.ar*m.ar)*r.NormFloat64()
			own := m.jvm(r) - 1
			if b > 0 {
				own = m.alike*last[i] + math.Sqrt(1-m.alike*m.alike)*own
			}
			last[i] = own
			ns, reference := m.invocation(r, p, cells[i], i/3+1, block+wander)
			v := testcampaign.Value{Block: b + 1, Slot: slot, Cell: cells[i].ID, NS: ns * (1 + own), ReferenceNS: reference}
			if m.calls {
				v.Calls = callsOf(r, v.NS)
			}
			values = append(values, v)
		}
	}
	s := testcampaign.FromValues(cells, values)
	s.Made.Scenarios[0].Metrics = s.Made.Scenarios[0].Metrics[:1]
	if m.turns > 0 {
		s.Made.Influences = []results.Influence{m.influence(r, s)}
	}
	return s
}

// influence is what ten pairs of JVMs that took turns show of what the variant does to the reference.
func (m wanderer) influence(r *rand.Rand, s *testcampaign.Store) results.Influence {
	const pairs = 10
	host := s.Hosts[0]
	sum, squares := 0.0, 0.0
	for range pairs {
		x := math.Log1p(m.touched) + m.turns*math.Sqrt(pairs)*r.NormFloat64()
		sum, squares = sum+x, squares+x*x
	}
	return results.Influence{
		Cell: "c02", CPU: host.CPU, Stepping: host.Stepping, Core: host.Core, Runtime: s.Runs[0].Runtime,
		Reference: s.Made.Versions[results.VersionReference], LogRatio: sum / pairs,
		SE: math.Sqrt((squares - sum*sum/pairs) / (pairs - 1) / pairs), N: pairs,
	}
}

// callUnit is what a call of one ns takes where calls are samples, which are whole.
const callUnit = 1000

// callsOf are calls that take the same, but for the last one, which may have waited: less than a
// tenth of a half of them.
func callsOf(r *rand.Rand, each float64) []int64 {
	const calls = 24
	all := slices.Repeat([]int64{int64(math.Round(callUnit * each))}, calls)
	all[calls-1] *= 1 + int64(r.IntN(10))
	return all
}

// invocation is what the calls and the reference take in one JVM, but for what it differs by
// from others at one speed.
func (m wanderer) invocation(r *rand.Rand, p programs, c results.Cell, level int, speed float64) (ns, reference float64) {
	found := speed
	if c.Role == results.RoleVariant {
		found += math.Log1p(m.touched)
	} else {
		level = 0
	}
	if m.ownModes > 0 { // half of them up and half of them down, so that they cancel on average
		reference = (math.Round(r.Float64()) - 0.5) * math.Log1p(m.ownModes)
	}
	reference = standardNS * math.Exp(found+reference)
	if !m.slows {
		found = speed
	}
	return m.takes(p, level, found), reference
}

// analysed is what the product says of a campaign.
func analysed(s *testcampaign.Store) *analysis.Answers {
	a, err := analysis.AnalyseWith(solver, s)
	if err != nil {
		panic(fmt.Sprintf("a made-up campaign has no answer: %v", err))
	}
	return a
}
