package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"moobench/analysis"
	"moobench/analysis/chapter/growth"
	"moobench/analysis/compare"
	"moobench/analysis/evidence"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/results"
)

// tellable is how far from a speed the standard may be, as a logarithm, for a cost to be
// carried to it: nobody has measured programs over more than that.
const tellable = 0.35

// speedReplicates is how many campaigns, or pairs of them, each row gets: 10,000 with -long,
// else as many as take a second.
func speedReplicates() int {
	if *longer {
		return 10_000
	}
	return 100
}

// pairRow is a row of the table of identical campaigns.
type pairRow struct {
	name string
	wanderer
	bars
	// quick ones are simulated in each run of the tests.
	quick bool
}

// bars are what is wanted of a row.
type bars struct {
	// apart is the share of pairs that may be told apart, holds that of the intervals that
	// have to hold the cost.
	apart, holds float64
	// wide and plain are how many times as wide as the plain t interval of what was measured
	// the interval may be, with the factor for neighbours that are alike and without; 0 is
	// not asked.
	wide, plain float64
}

// shared is the machine that the rows differ from in one thing each.
func shared(change func(m *wanderer)) wanderer {
	m := wanderer{
		between: 0.1, within: 0.1, jvm: normalJVM(0.044), elasticity: usualPrograms,
		base: 40, cost: 660, levels: 1, blocks: 8,
	}
	change(&m)
	return m
}

func unchanged(*wanderer) {}

func blocks(n int) func(*wanderer) { return func(m *wanderer) { m.blocks = n } }

// program has an elasticity that is given, beside a baseline that follows the reference.
func program(elasticity float64, n int) wanderer {
	return shared(func(m *wanderer) { m.elasticity, m.blocks = known(elasticity, 1), n })
}

// alone is a program that follows the speed unlike most, in campaigns that hardly tell how.
func alone(elasticity float64) wanderer {
	m := program(elasticity, 5)
	m.within = 0.02
	return m
}

// still is a machine whose speed hardly moves.
func still(n int) wanderer {
	return shared(func(m *wanderer) { m.between, m.within, m.jvm, m.blocks = 0, 0.001, normalJVM(0.02), n })
}

// busy is one that a program of elasticity .8 was measured on, whose JVMs differ by 0.5 % at
// one speed: whatever is said of the cost is said of the speed.
func busy(within, perBlock float64, n int) wanderer {
	return wanderer{
		within: within, perBlock: perBlock, jvm: normalJVM(0.005), elasticity: known(0.8, 1),
		base: 40, cost: 600, levels: 1, blocks: n,
	}
}

// What is wanted of programs as they are, of such as follow the speed unlike most, and of a
// quiet machine; of JVMs in two modes, where the plain t of eight values holds 92.9 %; of
// neighbours that are alike, which so few values hardly tell.
var (
	asSaid     = bars{apart: 0.055, holds: 0.93}
	outside    = bars{apart: 0.07, holds: 0.93}
	atRest     = bars{apart: 0.055, holds: 0.93, wide: 1.08, plain: 1.02}
	unfactor   = bars{apart: 0.055, holds: 0.93, wide: 1.02, plain: 1.02}
	inModes    = bars{apart: 0.055, holds: 0.905}
	inARow     = bars{apart: 0.085, holds: 0.905}
	hardlyTold = bars{apart: 0.18, holds: 0.86}
)

var pairRows = []pairRow{
	{"as above", shared(unchanged), asSaid, true},
	{"5 blocks", shared(blocks(5)), asSaid, true},
	{"23 blocks", shared(blocks(23)), asSaid, true},
	{"0 % between campaigns", shared(func(m *wanderer) { m.between = 0 }), asSaid, false},
	{"5 % between campaigns", shared(func(m *wanderer) { m.between = 0.05 }), asSaid, false},
	{"20 % between campaigns", shared(func(m *wanderer) { m.between = 0.2 }), asSaid, true},
	{"2 % between JVMs", shared(func(m *wanderer) { m.within = 0.02 }), asSaid, true},
	{"5 % between JVMs", shared(func(m *wanderer) { m.within = 0.05 }), asSaid, false},
	{"speed AR .3", shared(func(m *wanderer) { m.ar = 0.3 }), asSaid, false},
	{"speed AR .6", shared(func(m *wanderer) { m.ar = 0.6 }), asSaid, false},
	{"residuals t3", shared(func(m *wanderer) { m.jvm = heavyJVM(0.044) }), asSaid, false},
	{"residuals in two modes", shared(func(m *wanderer) { m.jvm = bimodalJVM(0.096) }), inModes, false},
	{"residuals AR .25", shared(func(m *wanderer) { m.alike = 0.25 }), inARow, true},
	{"residuals AR .25, 23 blocks", shared(func(m *wanderer) { m.alike, m.blocks = 0.25, 23 }), inARow, false},
	{"elasticity .45, 5 blocks", program(0.45, 5), outside, false},
	{"elasticity .45", program(0.45, 8), outside, false},
	{"elasticity .45, 23 blocks", program(0.45, 23), outside, false},
	{"elasticity .6, 5 blocks", program(0.6, 5), outside, false},
	{"elasticity .6", program(0.6, 8), outside, true},
	{"elasticity .6, 23 blocks", program(0.6, 23), outside, false},
	{"elasticity 1", program(1, 8), asSaid, false},
	{"elasticity 1.3, 5 blocks", program(1.3, 5), outside, false},
	{"elasticity 1.3", program(1.3, 8), outside, true},
	{"elasticity 1.3, 23 blocks", program(1.3, 23), outside, false},
	{"elasticity 1.8, 5 blocks", program(1.8, 5), outside, false},
	{"elasticity 1.8", program(1.8, 8), outside, false},
	{"elasticity 1.8, 23 blocks", program(1.8, 23), outside, false},
	{"6 levels", shared(func(m *wanderer) { m.levels = 6 }), asSaid, false},
	{"a quiet machine, 5 blocks", still(5), unfactor, false},
	{"a quiet machine", still(8), atRest, true},
	{"a quiet machine, 23 blocks", still(23), atRest, false},
	{"5 % between JVMs, 3 % between blocks, 10 blocks", busy(0.05, 0.03, 10), asSaid, true},
	{"5 % between JVMs, 3 % between blocks, 23 blocks", busy(0.05, 0.03, 23), asSaid, false},
	{"12 % between JVMs, 23 blocks", busy(0.12, 0, 23), asSaid, false},
	{"1 % between JVMs, 10 blocks", busy(0.01, 0, 10), asSaid, false},
	{"elasticity .2", program(0.2, 10), outside, false},
	{"reference in two modes of its own", shared(func(m *wanderer) { m.ownModes = 0.1 }), asSaid, false},
	{"elasticity .45, 2 % between JVMs, 5 blocks", alone(0.45), hardlyTold, false},
	{"elasticity 1.8, 2 % between JVMs, 5 blocks", alone(1.8), hardlyTold, false},
}

// The outcomes of a pair.
const (
	toldApart = iota
	changeShown
	refused
	ownHolds
	standardHolds
	pairOutcomes
)

// paired is what came out of a row.
type pairedRates struct {
	rates [pairOutcomes]rate
	// wide and plain are the mean width of the interval over that of the plain t interval of
	// what was measured, with the factor for neighbours that are alike and without.
	wide, plain float64
}

// pairsOf simulates a row.
func pairsOf(row pairRow, stream uint64, n int) pairedRates {
	var own, without, measured float64
	yes, all := repeat(n, pairOutcomes, stream, func(_ int, r *rand.Rand, told func(int, bool)) {
		var p programs
		p.variant, p.base = row.elasticity(r)
		both := []*analysis.Answers{analysed(row.campaign(r, p)), analysed(row.campaign(r, p))}
		c := changeBetween(both)
		told(toldApart, c.Verdict != infer.UndecidedYet && c.Verdict != infer.Same && c.Verdict != infer.NotJudged)
		told(refused, c.Verdict == infer.NotJudged)
		if c.Estimate != nil && c.Estimate.Interval != nil {
			told(changeShown, !holds(c.Estimate, 0))
		}
		for _, a := range both {
			s := &a.Scenarios[0]
			level := max(1, row.levels)
			x, y := s.Cells[len(s.Cells)-1].MetricNamed("duration"), s.Cells[len(s.Cells)-3].MetricNamed("duration")
			at := math.Log(s.References[0].At)
			told(ownHolds, holds(x.Difference, row.costs(p, level, at-math.Log(standardNS))))
			if carried := s.References[0].Unused == ""; carried && math.Abs(at-math.Log(standardNS)) <= tellable {
				standard := difference(x.Values.At(math.Log(standardNS)), y.Values.At(math.Log(standardNS)), true)
				told(standardHolds, holds(standard, row.costs(p, level, 0)))
			}
			own += x.Difference.Interval.Half()
			without += difference(x.Values, y.Values, false).Interval.Half()
			measured += difference(x.Values.Measured(), y.Values.Measured(), false).Interval.Half()
		}
	})
	found := pairedRates{wide: own / measured, plain: without / measured}
	for i := range found.rates {
		found.rates[i] = rate{yes[i], all[i]}
	}
	return found
}

// changeBetween is what compare says of the last variant.
func changeBetween(campaigns []*analysis.Answers) compare.Change {
	c, err := compare.Several(campaigns, compare.Options{Solver: solver})
	if err != nil {
		panic(fmt.Sprintf("two campaigns of one plan are not compared: %v", err))
	}
	rows := c.Scenarios[0].Metrics[0].Rows
	return rows[len(rows)-1].Changes[0]
}

// difference is what the product says of the values of a cell and its baseline; in order,
// neighbours may be alike.
func difference(cell, base evidence.Values, ordered bool) *infer.Estimate {
	data := reading.Paired(evidence.PairsOf(cell, base))
	data.Ordered = ordered
	return solver.Compare(infer.Question{Alpha: 1 - level}, data).Difference
}

// above and below report whether a rate is beyond a limit by more than chance: three
// standard errors of the limit.
func (r rate) above(limit float64) bool { return r.share() > limit+r.chance(limit) }

func (r rate) below(limit float64) bool { return r.share() < limit-r.chance(limit) }

func (r rate) chance(p float64) float64 { return 3 * math.Sqrt(p*(1-p)/float64(r.of)) }

// TestSpeedPairs: identical campaigns are told apart as seldom as is said, and their own
// intervals hold the cost at the speed that they ran at, and at the standard one.
func TestSpeedPairs(t *testing.T) {
	for k, row := range pairRows {
		if !row.quick && !*longer {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			found := pairsOf(row, pairStream+uint64(k), speedReplicates())
			t.Log(row.line(found))
			if got := found.rates[toldApart]; got.above(row.apart) {
				t.Errorf("%v %% of %d pairs told apart, want at most %.1f", got, got.of, 100*row.apart)
			}
			for outcome, at := range map[int]string{ownHolds: "as it ran", standardHolds: "at the standard"} {
				if got := found.rates[outcome]; got.below(row.holds) {
					t.Errorf("the interval %s holds the cost in %v %% of %d, want %.1f", at, got, got.of, 100*row.holds)
				}
			}
			if found.wide > row.wide && row.wide > 0 || found.plain > row.plain && row.plain > 0 {
				t.Errorf("%.3f times as wide as the plain t, %.3f without the factor; want %.2f and %.2f", found.wide, found.plain, row.wide, row.plain)
			}
		})
	}
}

const pairHead = "| What is unlike | told apart | interval without 0 | no answer | as it ran | at the standard | width | without the factor |\n" +
	"| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"

// line is a row of the table.
func (row pairRow) line(f pairedRates) string {
	return fmt.Sprintf("| %s | %v | %v | %v | %v | %v | %.3f | %.3f |\n", row.name, f.rates[toldApart], f.rates[changeShown],
		f.rates[refused], f.rates[ownHolds], f.rates[standardHolds], f.wide, f.plain)
}

// growingRow is a row of the table of what grows.
type growingRow struct {
	name string
	wanderer
	// bent is the share of lines that may be called something else: two tests of 5 % each
	// look for it where scatter leaves much open, and none finds anything where it is small.
	bent  float64
	quick bool
}

// growing6 is a line of six values, measured in ten blocks.
func growing6(m wanderer) wanderer {
	m.levels, m.blocks, m.base, m.cost = 6, 10, 40, 600
	return m
}

var growingRows = []growingRow{
	{"as above", growing6(shared(unchanged)), 0.1, false},
	{"5 % between JVMs, 3 % between blocks", growing6(busy(0.05, 0.03, 10)), 0.05, true},
	{"12 % between JVMs", growing6(busy(0.12, 0, 10)), 0.05, false},
	{"1 % between JVMs", growing6(busy(0.01, 0, 10)), 0.05, false},
}

// The outcomes of what grows.
const (
	slopeHolds = iota
	levelsHold
	bent
	growingOutcomes
)

// growingRates simulates a row: whether the intervals of the slope and of a question between
// two levels hold the truth, and whether the line is called something else.
func growingRates(row growingRow, stream uint64, n int) [growingOutcomes]rate {
	yes, all := repeat(n, growingOutcomes, stream, func(_ int, r *rand.Rand, told func(int, bool)) {
		var p programs
		p.variant, p.base = row.elasticity(r)
		s := row.campaign(r, p)
		sc := &s.Made.Scenarios[0]
		sc.Scalings = []results.Scaling{{Factor: "depth", Metric: "duration"}}
		variant := func(level int) string { return s.Made.Cells[3*level-1].ID }
		sc.Questions = append(sc.Questions, results.Question{ID: "levels", Metric: "duration", A: variant(6), B: variant(1), Asked: true})
		a := analysed(s)
		found := &a.Scenarios[0]
		speed := math.Log(found.References[0].At / standardNS)
		for _, g := range found.Growths {
			if g.Variant != s.Made.Cells[2].Variant {
				continue
			}
			told(slopeHolds, holds(g.Slope, row.cost*math.Exp(p.variant*speed)))
			told(bent, g.Verdict == growth.Faster || g.Verdict == growth.Other)
		}
		told(levelsHold, holds(found.Answers[len(found.Answers)-1].Difference, row.takes(p, 6, speed)-row.takes(p, 1, speed)))
	})
	var found [growingOutcomes]rate
	for i := range found {
		found[i] = rate{yes[i], all[i]}
	}
	return found
}

// TestSpeedGrowth: all levels are carried to one speed, so that what lies between them is as
// sure as it is said to be, and a line stays one.
func TestSpeedGrowth(t *testing.T) {
	for k, row := range growingRows {
		if !row.quick && !*longer {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			found := growingRates(row, growingStream+uint64(k), speedReplicates()/2)
			t.Log(row.line(found))
			for outcome, about := range map[int]string{slopeHolds: "the slope", levelsHold: "the difference of two levels"} {
				if got := found[outcome]; got.below(0.93) {
					t.Errorf("the interval of %s holds it in %v %% of %d, want 93", about, got, got.of)
				}
			}
			if got := found[bent]; got.above(row.bent) {
				t.Errorf("%v %% of %d lines called something else, want at most %.0f", got, got.of, 100*row.bent)
			}
		})
	}
}

const growingHead = "| What is unlike | slope | difference of two levels | called something else |\n| --- | ---: | ---: | ---: |\n"

func (row growingRow) line(f [growingOutcomes]rate) string {
	return fmt.Sprintf("| %s | %v | %v | %v |\n", row.name, f[slopeHolds], f[levelsHold], f[bent])
}
