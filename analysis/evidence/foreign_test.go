package evidence

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/stats"
	"moobench/results"
)

// busy is a made-up campaign of a baseline and a variant beside other programs.
type busy struct {
	blocks   int
	foreign  func(variant bool, r *rand.Rand) map[string]float64 // shares of the loop, by program
	burst    float64                                             // sd of what the window loses more than the loop, as a share
	steal    float64
	doubt    float64
	untold   bool    // one invocation does not say what it waited for
	jvmSD    float64 // of JVMs, as a share
	baseline float64 // what a call takes by itself; the variant adds 300
}

const planted = 300

func (m busy) campaign(r *rand.Rand) (*results.Campaign, []Invocation) {
	c := &results.Campaign{
		Scenarios: []results.Scenario{{Label: "s", Metrics: []results.Metric{{Name: "duration", Unit: "ns", Series: "duration", Column: "t", Primary: true}}}},
		Cells: []results.Cell{
			{ID: "c00", Scenario: "s", Role: results.RoleBaseline}, {ID: "c01", Scenario: "s", Role: results.RoleVariant, Baseline: "c00"},
		},
	}
	var all []Invocation
	for b := range m.blocks {
		for i, truth := range []float64{m.baseline, m.baseline + planted} {
			const loop = 1e9
			w, lost := &results.Waited{ThreadsNS: loop, StealNS: m.steal * loop, DoubtNS: m.doubt * loop}, m.steal
			for name, share := range m.foreign(i == 1, r) {
				n := 0
				_, _ = fmt.Sscanf(name, "neighbour %d", &n)
				lost += share
				w.ForeignNS += share * loop
				w.Programs = append(w.Programs, results.Program{Name: name, Session: 7 + n, RunNS: share * loop})
			}
			lost = max(0, lost*(1+m.burst*r.NormFloat64()))
			t := truth * (1 + m.jvmSD*r.NormFloat64()) / (1 - lost)
			inv := &results.Invocation{
				Identity: results.Identity{Block: b + 1, Slot: i}, Cell: c.Cells[i].ID, Waited: w,
				Scalars: map[string]float64{runDelay: w.ForeignNS + 1, loopLength: loop},
			}
			if m.untold && b == 0 {
				inv.Waited = nil
			}
			all = append(all, Invocation{
				Invocation: inv, Values: map[string]float64{"duration": t}, Unadjusted: t, Batches: map[string]stats.Sample{},
				Samples: Samples{Other: t}, quantiles: map[string][]float64{"duration": {truth}},
			})
		}
	}
	return c, all
}

// always is a program that takes a share, beside a variant so much more.
func always(share, more, sd float64) func(bool, *rand.Rand) map[string]float64 {
	return func(variant bool, r *rand.Rand) map[string]float64 {
		x := share
		if variant {
			x += more
		}
		return map[string]float64{"neighbour": max(0, x*(1+sd*r.NormFloat64()))}
	}
}

// several are programs that each take a share, now and then.
func several(n int, share, sd float64) func(bool, *rand.Rand) map[string]float64 {
	return func(_ bool, r *rand.Rand) map[string]float64 {
		all := map[string]float64{}
		for i := range n {
			all[fmt.Sprintf("neighbour %d", i)] = max(0, share*(1+sd*r.NormFloat64()))
		}
		return all
	}
}

func TestTakeOut(t *testing.T) {
	for _, c := range []struct {
		name    string
		m       busy
		cost    float64 // that remains; NaN: refused
		kept    string
		refused string
	}{
		{"a quiet machine", busy{blocks: 8, foreign: always(0.002, 0, 0)}, planted / 0.998, "", ""},
		{"a neighbour", busy{blocks: 8, foreign: always(0.3, 0, 0)}, planted, "", ""},
		{"a neighbour who comes and goes", busy{blocks: 8, foreign: always(0.3, 0, 0.5)}, planted, "", ""},
		{"steal", busy{blocks: 8, foreign: always(0, 0, 0), steal: 0.1}, planted, "", ""},
		{"a helper of the variant", busy{blocks: 8, foreign: always(0, 0.2, 0.1)}, 550, "neighbour, session 7", ""},
		{"a neighbour who works for the variant, too", busy{blocks: 8, foreign: always(0.1, 0.1, 0)}, 1000/0.8 - 700/0.9, "neighbour, session 7", ""},
		{"too few blocks to tell", busy{blocks: 4, foreign: always(0.3, 0, 0)}, math.NaN(), "neighbour, session 7", "fewer than 5 blocks"},
		{"an old invocation among them", busy{blocks: 8, foreign: always(0.3, 0, 0), untold: true}, planted / 0.7, "", ""},
		{"no time left", busy{blocks: 8, foreign: always(0.65, 0, 0)}, math.NaN(), "", "waited 65 % of their time"},
		{"asleep or waiting", busy{blocks: 8, foreign: always(0.3, 0, 0), doubt: 0.2}, math.NaN(), "", "slept or waited is not known for 20 %"},
	} {
		c.m.baseline = 700
		campaign, all := c.m.campaign(rand.New(rand.NewPCG(1, 2)))
		takeOut(campaign, all)
		var costs []float64
		for i := 0; i < len(all); i += 2 {
			costs = append(costs, all[i+1].Value("duration")-all[i].Value("duration"))
			if all[i].quantiles["duration"][0] != 700 {
				t.Errorf("%s: quantiles have changed", c.name)
			}
			if o := all[i].Samples.Other; o != all[i].Value("duration") && stats.Finite(o) {
				t.Errorf("%s: the other window has %v, and the chosen one %v", c.name, o, all[i].Value("duration"))
			}
		}
		mean := 0.0
		for _, x := range costs {
			mean += x / float64(len(costs))
		}
		tolerance := 1e-6
		if strings.HasPrefix(c.name, "a helper") {
			tolerance = 60 // its share is another in each JVM
		}
		if math.Abs(mean-c.cost) > tolerance || math.IsNaN(mean) != math.IsNaN(c.cost) {
			t.Errorf("%s: the cost is %v, want %v", c.name, mean, c.cost)
		}
		w := all[1].Waiting
		if !strings.Contains(w.Refused, c.refused) || (w.Refused == "") != (c.refused == "") || strings.Join(w.Kept, ",") != c.kept {
			t.Errorf("%s: %+v", c.name, *w)
		}
		if w.Told == c.m.untold {
			t.Errorf("%s: told is %v", c.name, w.Told)
		}
	}
}

// What calls did not wait for changes nothing, to the last digit.
func TestQuietStays(t *testing.T) {
	campaign, all := busy{blocks: 8, foreign: always(0.004, 0, 0.2), jvmSD: 0.01, baseline: 40}.campaign(rand.New(rand.NewPCG(3, 4)))
	before := results.Each(all, func(e Invocation) float64 { return e.Value("duration") })
	takeOut(campaign, all)
	if after := results.Each(all, func(e Invocation) float64 { return e.Value("duration") }); !slices.Equal(before, after) {
		t.Errorf("%v became %v", before, after)
	}
}

// Intervals hold the truth where the window has lost more or less than the loop, as chance
// would have it; and a neighbour is hardly ever taken for the variant's.
func TestTakenOutIntervalsHold(t *testing.T) {
	const campaigns = 600
	for _, c := range []busy{
		{foreign: always(0.3, 0, 0.05), burst: 0.05, jvmSD: 0.01, baseline: 200},
		{foreign: always(0.25, 0, 0.4), burst: 0.1, jvmSD: 0.01, baseline: 200},
		{foreign: several(10, 0.02, 1), burst: 0.05, jvmSD: 0.01, baseline: 200},
		{foreign: always(0.05, 0, 1), burst: 0.5, jvmSD: 0.02, baseline: 700},
	} {
		for _, c.blocks = range []int{5, 8, 23} {
			t.Run(fmt.Sprintf("%+v", c.blocks), func(t *testing.T) {
				r := rand.New(rand.NewPCG(5, 6))
				held, kept, taken, bias := 0, 0, 0, 0.0
				for range campaigns {
					campaign, all := c.campaign(r)
					takeOut(campaign, all)
					if len(all[0].Waiting.Kept) > 0 {
						kept++
						continue
					}
					if all[0].Waiting.Refused != "" || all[1].Waiting.Refused != "" {
						continue
					}
					taken++
					d, half := difference(t, all, func(e *Invocation) float64 { return e.Value("duration") })
					bias += d - planted
					if math.Abs(d-planted) <= half {
						held++
					}
				}
				if share := 100 * float64(held) / float64(taken); share < 93 {
					t.Errorf("the intervals hold the truth in %.1f %% of the campaigns, want 93 or more", share)
				}
				if b := bias / float64(taken) / planted; math.Abs(b) > 0.02 {
					t.Errorf("costs are off by %.1f %%", 100*b)
				}
				if share := 100 * float64(kept) / campaigns; share > 6 {
					t.Errorf("the neighbour is the variant's in %.1f %% of the campaigns, want at most 5", share)
				}
			})
		}
	}
}

// difference is that of the variant from the baseline, and half of its 95 % interval.
func difference(t *testing.T, all []Invocation, value func(*Invocation) float64) (d, half float64) {
	t.Helper()
	by := ByCell(all)
	s, err := stats.SampleOf(PairsOf(ValuesOf(by["c01"], value), ValuesOf(by["c00"], value)).Differences())
	if err != nil {
		t.Fatal(err)
	}
	n := float64(s.N)
	return s.Mean, stats.TQuantile(0.025, n-1) * s.SD / math.Sqrt(n)
}
