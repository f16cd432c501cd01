package testcampaign

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"moobench/results"
	"moobench/results/summary"

	"pgregory.net/rapid"
)

// Flat is a campaign whose only metric is a scalar: a source for simulations.
type Flat struct {
	Made results.Campaign
	All  []*results.Invocation
}

func (f *Flat) Campaign() *results.Campaign                 { return &f.Made }
func (f *Flat) Machines() ([]*results.Machine, error)       { return nil, nil }
func (f *Flat) Invocations() ([]*results.Invocation, error) { return f.All, nil }
func (f *Flat) Summary(*results.Invocation) (*summary.Summary, error) {
	return nil, fmt.Errorf("there is none")
}

// Piloted is a campaign with a pilot: the baseline at 100, and a variant per
// standard deviation of the differences.
func Piloted(rng *rand.Rand, blocks int, s results.Sizing, sds ...float64) *Flat {
	f := &Flat{}
	f.Made.Scenarios = []results.Scenario{{
		Label: "s", Sizing: &s,
		Metrics: []results.Metric{{Name: "x", Unit: "ns", Better: results.Lower, Primary: true}},
	}}
	f.Made.Cells = []results.Cell{{ID: "c0", Scenario: "s", Variant: "none", Role: results.RoleBaseline}}
	for i := range sds {
		id := string(rune('a' + i))
		f.Made.Cells = append(f.Made.Cells, results.Cell{ID: id, Scenario: "s", Variant: id, Role: results.RoleVariant, Baseline: "c0"})
	}
	for b := 1; b <= blocks; b++ {
		f.Block(rng, b, sds)
	}
	return f
}

// PilotedCost is the cost of each variant of Piloted, in ns.
const PilotedCost = 50

// Block adds a block; each variant scatters by its standard deviation.
func (f *Flat) Block(rng *rand.Rand, number int, sds []float64) {
	drift := 3 * rng.NormFloat64()
	b := results.Block{Number: number, Kind: results.BlockPlanned, Profile: results.ProfileTiming}
	for slot, c := range f.Made.Cells {
		x := 100 + drift
		if slot > 0 {
			x += PilotedCost + sds[slot-1]*rng.NormFloat64()
		}
		began := time.Unix(int64(1000*number+10*slot), 0)
		f.All = append(f.All, &results.Invocation{
			Identity: results.Identity{Block: number, Slot: slot}, Cell: c.ID, Profile: results.ProfileTiming, Status: results.StatusOK,
			Scalars: map[string]float64{"x": x}, Start: began, End: began.Add(time.Second),
		})
		b.Order = append(b.Order, c.ID)
	}
	f.Made.Blocks = append(f.Made.Blocks, b)
}

// Costing sets what a call of a cell costs, in ns, without noise.
func (f *Flat) Costing(cell string, ns float64) {
	for _, inv := range f.All {
		if inv.Cell == cell {
			inv.Scalars["x"] += ns - PilotedCost
		}
	}
}

// AnyValue draws a value: mostly a usual one, else one that no measurement should give.
func AnyValue(t *rapid.T) float64 {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{0, -1, 1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, 5e-324, 1e-300}),
		rapid.Float64Range(90, 110), rapid.Float64(),
	).Draw(t, "value")
}
