package simulation

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/results"
	"moobench/results/summary"
)

// repeatBlocks is how many blocks a campaign plans, and an extra one for four
// of them at most.
const repeatBlocks = 20

// repeatReplicates are few: each is a whole analysis.
const repeatReplicates = 80

// visitor is what disturbs invocations.
type visitor struct {
	name string
	// chance of each invocation to be hit, and how much longer it takes then.
	chance, slower float64
	// own says that only the variant meets it, because it does it itself: it is
	// a part of its cost.
	own bool
}

var visitors = []visitor{
	{"all cells, 5 % of invocations, 2 % slower", 0.05, 0.02, false},
	{"all cells, 5 % of invocations, 30 % slower", 0.05, 0.3, false},
	{"its own doing, 10 % of invocations, 10 % slower", 0.1, 0.1, true},
	{"its own doing, 25 % of invocations, 10 % slower", 0.25, 0.1, true},
}

// cells are the baseline, its A/A, the variant that is looked at, and another.
var cells = []struct {
	cell results.Cell
	cost float64 // of the baseline
}{
	{results.Cell{ID: "c0", Scenario: "s", Variant: "none", Role: results.RoleBaseline}, 1},
	{results.Cell{ID: "c1", Scenario: "s", Variant: "none", Role: results.RoleAA, Baseline: "c0"}, 1},
	{results.Cell{ID: "c2", Scenario: "s", Variant: "hot", Role: results.RoleVariant, Baseline: "c0"}, 1 + overhead},
	{results.Cell{ID: "c3", Scenario: "s", Variant: "other", Role: results.RoleVariant, Baseline: "c0"}, 1 + overhead},
}

// visited is a campaign with disturbed invocations, in memory.
type visited struct {
	campaign results.Campaign
	runs     []*results.Invocation
	machine  machine
	visitor  visitor
	r        *rand.Rand
}

func (v *visited) Campaign() *results.Campaign                 { return &v.campaign }
func (v *visited) Machines() ([]*results.Machine, error)       { return nil, nil }
func (v *visited) Invocations() ([]*results.Invocation, error) { return v.runs, nil }
func (v *visited) Summary(*results.Invocation) (*summary.Summary, error) {
	return nil, errors.New("it has none")
}

// visit makes a campaign and repeats what was disturbed, block by block.
func visit(r *rand.Rand, m machine, by visitor) *visited {
	v := &visited{machine: m, visitor: by, r: r}
	v.campaign.Scenarios = []results.Scenario{{Label: "s", Metrics: []results.Metric{{Name: "x", Unit: "ns", Better: results.Lower, Primary: true}}}}
	var all []string
	for _, c := range cells {
		v.campaign.Cells = append(v.campaign.Cells, c.cell)
		all = append(all, c.cell.ID)
	}
	extra := 0
	for planned := 0; planned < repeatBlocks; planned++ {
		again := v.block(results.BlockPlanned, all, nil)
		for len(again) > 0 && extra < repeatBlocks/4 {
			extra++
			again = v.block(results.BlockExtra, v.pairs(again), again)
		}
	}
	return v
}

// pairs are the cells of invocations, their baseline, and of a baseline all
// that is compared with it.
func (v *visited) pairs(again []string) []string {
	wanted := []string{"c0"}
	for _, inv := range v.runs {
		if !slices.Contains(again, inv.Identity.String()) {
			continue
		}
		for _, c := range cells {
			if (c.cell.ID == inv.Cell || c.cell.Baseline == inv.Cell) && !slices.Contains(wanted, c.cell.ID) {
				wanted = append(wanted, c.cell.ID)
			}
		}
	}
	return wanted
}

// block makes one invocation of each of some cells, and returns those that were
// disturbed.
func (v *visited) block(kind results.BlockKind, ids, repeats []string) (disturbed []string) {
	b := results.Block{Number: len(v.campaign.Blocks) + 1, Kind: kind, Profile: results.ProfileTiming, Order: ids, Repeats: repeats}
	v.campaign.Blocks = append(v.campaign.Blocks, b)
	drift := 1 + v.machine.drift*v.r.NormFloat64()
	for slot, c := range cells {
		if !slices.Contains(ids, c.cell.ID) {
			continue
		}
		inv := &results.Invocation{
			Identity: results.Identity{Block: b.Number, Slot: slot}, Cell: c.cell.ID, Profile: results.ProfileTiming, Status: results.StatusOK,
		}
		level := baseline * c.cost * drift * v.machine.jvm(v.r)
		if v.r.Float64() < v.visitor.chance && (!v.visitor.own || c.cell.Variant == "hot") {
			level *= 1 + v.visitor.slower
			inv.Disturbed = &results.Disturbance{Reason: "another process"}
			disturbed = append(disturbed, inv.Identity.String())
		}
		inv.Scalars = map[string]float64{"x": v.machine.mean(v.r, level)}
		v.runs = append(v.runs, inv)
	}
	return disturbed
}

// truth is what a variant costs: what it does itself belongs to it.
func (v visitor) truth(m machine, variant string) float64 {
	cost := 1 + overhead
	if v.own && variant == "hot" {
		cost *= 1 + v.chance*v.slower
	}
	return m.expected(baseline*cost) - m.expected(baseline)
}

// The answers whose intervals are counted.
const (
	onKept = iota
	onAll  // which is what reports print
	outcomes
)

// repeatedRates is how often the intervals hold the truth; bias and half-width
// are means over campaigns, in ns.
type repeatedRates struct {
	rates      [outcomes]rate
	bias, half [outcomes]float64
}

func repeating(n int) []repeatedRates {
	found := make([]repeatedRates, len(visitors))
	for k, by := range visitors {
		type sum struct{ bias, half [outcomes]float64 }
		sums := make([]sum, n)
		yes, all := repeat(n, outcomes, uint64(400+k), func(i int, r *rand.Rand, told func(int, bool)) {
			a, err := analysis.Analyse(visit(r, drifty, by))
			if err != nil {
				return
			}
			s := a.Scenarios[0]
			for j := range outcomes {
				hold := true
				for c := 3; c >= 2; c-- { // the hot one's bias and half-width stay
					e, truth := answerOf(s, c, j), by.truth(drifty, s.Cells[c].Variant)
					hold = hold && e.Interval.Low <= truth && truth <= e.Interval.High
					sums[i].bias[j], sums[i].half[j] = e.Value-truth, (e.Interval.High-e.Interval.Low)/2
				}
				told(j, hold)
			}
		})
		for o := range outcomes {
			found[k].rates[o] = rate{yes[o], all[o]}
		}
		for _, s := range sums {
			for j := range s.bias {
				found[k].bias[j] += s.bias[j] / float64(n)
				found[k].half[j] += s.half[j] / float64(n)
			}
		}
	}
	return found
}

// answerOf is the cost of a cell; where nothing was repeated both are one.
func answerOf(s analysis.Scenario, cell, which int) *analysis.Estimate {
	m := s.Cells[cell].Metrics[0]
	if which == onKept && s.Repeats != nil {
		return m.Kept
	}
	return m.Difference
}

func TestRepeats(t *testing.T) {
	found := repeating(repeatReplicates)
	for k, f := range found {
		name, reported := visitors[k].name, f.rates[onAll]
		if !reported.about(0.9, 1) {
			t.Errorf("%s: covers %v %% as reported", name, reported)
		}
		if visitors[k].own && (f.bias[onKept] >= 0 || math.Abs(f.bias[onAll]) >= math.Abs(f.bias[onKept]) || reported.share() <= f.rates[onKept].share()) {
			t.Errorf("%s: bias %.1f ns and coverage %v %% as reported, %.1f ns and %v %% when left out", name, f.bias[onAll], reported, f.bias[onKept], f.rates[onKept])
		}
	}
	t.Log("\n" + repeatTable(found))
}

func repeatTable(found []repeatedRates) string {
	var s strings.Builder
	s.WriteString("| Disturbed | all, as reported | left out | bias, as reported | bias, left out | half-width, as reported | left out |\n")
	s.WriteString("| --- |" + strings.Repeat(" ---: |", 6) + "\n")
	for k, f := range found {
		fmt.Fprintf(&s, "| %s | %v | %v |", visitors[k].name, f.rates[onAll], f.rates[onKept])
		fmt.Fprintf(&s, " %s | %s | %.1f | %.1f |\n", signed(f.bias[onAll]), signed(f.bias[onKept]), f.half[onAll], f.half[onKept])
	}
	return s.String()
}

func signed(x float64) string {
	return strings.Replace(fmt.Sprintf("%+.1f", math.Round(10*x)/10), "-", "−", 1)
}
