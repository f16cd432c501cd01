package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moobench/analysis"
	"moobench/results"
)

// modeReplicates are few: each is a whole analysis.
const modeReplicates = 50

// jvmKind is how the JVMs of all cells scatter, in standard deviations of modeSD:
// next draws that of a cell in a block from that in the block before.
type jvmKind struct {
	name string
	next func(r *rand.Rand, before float64) float64
}

func lognormalScatter(sigma float64) func(*rand.Rand, float64) float64 {
	mean := math.Exp(sigma * sigma / 2)
	sd := mean * math.Sqrt(math.Expm1(sigma*sigma))
	return func(r *rand.Rand, _ float64) float64 { return (math.Exp(sigma*r.NormFloat64()) - mean) / sd }
}

var jvmKinds = []jvmKind{
	{"normal", func(r *rand.Rand, _ float64) float64 { return r.NormFloat64() }},
	{"t3", func(r *rand.Rand, _ float64) float64 { return studentT(r, 3) / math.Sqrt(3) }},
	{"lognormal, sigma 0.5", lognormalScatter(0.5)},
	{"lognormal, sigma 1", lognormalScatter(1)},
	{"AR .6 from block to block", func(r *rand.Rand, before float64) float64 { return 0.6*before + 0.8*r.NormFloat64() }},
}

// modeDesigns are the columns: blocks, and the standard deviation of their drift.
var modeDesigns = []struct {
	blocks int
	drift  float64
}{{10, 0}, {10, 0.03}, {20, 0}, {20, 0.03}}

// twoModes are those of the variant whose finding is counted.
var twoModes = []mode{{0.1, 0.03}, {0.1, 0.05}, {0.1, 0.1}, {0.3, 0.03}, {0.3, 0.05}, {0.3, 0.1}}

// jvms is a campaign of a baseline, its A/A, a variant that falls into a mode, and
// another variant.
func (k jvmKind) jvms(r *rand.Rand, blocks int, drift float64, m mode) *visited {
	v := &visited{}
	v.campaign.Scenarios = []results.Scenario{{Label: "s", Metrics: []results.Metric{{Name: "x", Unit: "ns", Better: results.Lower, Primary: true}}}}
	var all []string
	own := make([]float64, len(cells))
	for c := range cells {
		v.campaign.Cells = append(v.campaign.Cells, cells[c].cell)
		all = append(all, cells[c].cell.ID)
		own[c] = r.NormFloat64()
	}
	for b := range blocks {
		v.campaign.Blocks = append(v.campaign.Blocks, results.Block{Number: b + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: all})
		shared := 1 + drift*r.NormFloat64()
		for c := range cells {
			own[c] = k.next(r, own[c])
			x := 1 + modeSD*own[c]
			if cells[c].cell.Variant == "hot" && r.Float64() < m.share {
				x += m.slower
			}
			v.runs = append(v.runs, &results.Invocation{
				Identity: results.Identity{Block: b + 1, Slot: c}, Cell: cells[c].cell.ID, Profile: results.ProfileTiming, Status: results.StatusOK,
				Scalars: map[string]float64{"x": baseline * cells[c].cost * shared * x},
			})
		}
	}
	return v
}

// warned are how often the hot variant, any other cell, and any cell at all is said
// to fall into two modes.
func (k jvmKind) warned(n int, stream uint64, blocks int, drift float64, m mode) (hot, other, anyOf rate) {
	yes, all := repeat(n, 3, stream, func(_ int, r *rand.Rand, told func(int, bool)) {
		a, err := analysis.Analyse(k.jvms(r, blocks, drift, m))
		if err != nil {
			panic(fmt.Sprintf("simulated JVMs have no answer: %v", err))
		}
		isHot, isOther := false, false
		for _, c := range a.Scenarios[0].Cells {
			if slices.ContainsFunc(c.Marks, func(m analysis.Mark) bool { return m.Kind == "modes" }) {
				isHot, isOther = isHot || c.Variant == "hot", isOther || c.Variant != "hot"
			}
		}
		told(0, isHot)
		told(1, isOther)
		told(2, isHot || isOther)
	})
	return rate{yes[0], all[0]}, rate{yes[1], all[1]}, rate{yes[2], all[2]}
}

// modesSection is the document's section on modes: false warnings and power.
func modesSection(e effort) string {
	var s strings.Builder
	n := e.costly / 4
	fmt.Fprintf(&s, `%d campaigns of each row, of four cells (baseline, its A/A, two variants), JVMs that scatter by %.1f %%. In %% of them: any of the four cells is said to fall into two modes though none does (at most 5 wanted).

`, n, 100*modeSD)
	head := func(first string) {
		fmt.Fprintf(&s, "| %s |", first)
		for _, d := range modeDesigns {
			fmt.Fprintf(&s, " n = %d, block drift %.0f %% |", d.blocks, 100*d.drift)
		}
		s.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(modeDesigns)) + "\n")
	}
	head("JVMs")
	for i, k := range jvmKinds {
		fmt.Fprintf(&s, "| %s |", k.name)
		for j, d := range modeDesigns {
			_, _, any := k.warned(n, uint64(1400+10*i+j), d.blocks, d.drift, mode{})
			fmt.Fprintf(&s, " %v |", any)
		}
		s.WriteString("\n")
	}
	s.WriteString("\nOne of the variants falls into a slower mode in a share of its JVMs: how often it is said to, and, in brackets, how often another cell is.\n\n")
	head("The variant's JVMs, else normal")
	for i, m := range twoModes {
		fmt.Fprintf(&s, "| %v |", m)
		for j, d := range modeDesigns {
			hot, other, _ := jvmKinds[0].warned(n, uint64(1500+10*i+j), d.blocks, d.drift, m)
			fmt.Fprintf(&s, " %v (%v) |", hot, other)
		}
		s.WriteString("\n")
	}
	s.WriteString("\nA mode needs two JVMs to be one: of a mode of 10 %, ten JVMs have two in 26 % of the campaigns, twenty in 61 %; of one of 30 %, in 85 and 99 %. One JVM that is far off is what heavy tails are made of, and no counter can tell the two apart with so few.\n")
	return s.String()
}

// TestModesAreTold: JVMs of one mode are hardly ever said to have two, and modes
// that are far apart are found as often as two JVMs show them.
func TestModesAreTold(t *testing.T) {
	for i, k := range jvmKinds {
		for j, d := range modeDesigns {
			if _, _, any := k.warned(modeReplicates, uint64(1400+10*i+j), d.blocks, d.drift, mode{}); any.share() > 0.05 && !any.about(0, 0.1) {
				t.Errorf("%s, %d blocks: two modes in %v %% of the campaigns that have none", k.name, d.blocks, any)
			}
		}
	}
	for i, m := range []struct {
		mode
		blocks int
		least  float64
	}{{twoModes[2], 10, 0.18}, {twoModes[2], 20, 0.52}, {twoModes[5], 10, 0.78}, {twoModes[5], 20, 0.95}} {
		hot, other, _ := jvmKinds[0].warned(modeReplicates, uint64(1600+i), m.blocks, 0.03, m.mode)
		if hot.share() < m.least-2*math.Sqrt(m.least*(1-m.least)/float64(hot.of)) || other.share() > 0.05 {
			t.Errorf("%v, %d blocks: said in %v %%, of another cell in %v %%", m.mode, m.blocks, hot, other)
		}
	}
}
