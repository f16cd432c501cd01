package simulation

import (
	"math/rand/v2"
	"testing"

	"moobench/analysis"
	"moobench/analysis/compare"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// quantileRow is a row of identical campaigns whose quantiles are compared.
type quantileRow struct {
	name string
	wanderer
	apart float64 // share of the pairs that may be told apart
	quick bool
}

// single is the machine on which each call is a sample.
func single(m wanderer) wanderer {
	m.calls = true
	return m
}

var quantileRows = []quantileRow{
	{"as above", single(shared(unchanged)), asSaid.apart, true},
	{"23 blocks", single(shared(blocks(23))), asSaid.apart, false},
	{"20 % between campaigns", single(shared(func(m *wanderer) { m.between = 0.2 })), asSaid.apart, false},
	{"elasticity .6", single(program(0.6, 8)), outside.apart, false},
	{"elasticity 1.3", single(program(1.3, 8)), outside.apart, false},
	{"a quiet machine", single(still(8)), asSaid.apart, false},
}

// quantileReplicates is how many pairs each row gets: calls take time to make.
func quantileReplicates() int { return speedReplicates() / 3 }

// The outcomes of a pair whose quantiles are compared: told apart, made dearer and found, and
// whether the interval at the standard speed holds the cost.
const (
	p50Apart = iota
	p90Apart
	p50Found
	p90Found
	p50Standard
	quantileOutcomes
)

// quantileRates simulates a row.
func quantileRates(row quantileRow, stream uint64, n int) (found [quantileOutcomes]rate) {
	dearer := row.wanderer
	dearer.base, dearer.cost = 1.25*row.base, 1.25*row.cost
	yes, all := repeat(n, quantileOutcomes, stream, func(_ int, r *rand.Rand, told func(int, bool)) {
		var p programs
		p.variant, p.base = row.elasticity(r)
		older, newer, other := standardised(row.campaign(r, p)), standardised(row.campaign(r, p)), standardised(dearer.campaign(r, p))
		for i, c := range quantileChanges(older, newer) {
			told(p50Apart+i, apart(c))
		}
		for i, c := range quantileChanges(older, other) {
			told(p50Found+i, apart(c))
		}
		median := older.Scenarios[0].Cells[2].MetricNamed("duration").Quantile("p50")
		if s := median.AtStandard; s != nil && s.Difference != nil {
			told(p50Standard, holds(s.Difference, callUnit*row.costs(p, 1, 0)))
		}
	})
	for i := range found {
		found[i] = rate{yes[i], all[i]}
	}
	return found
}

// standardised is what the product says of a campaign that has a standard speed.
func standardised(s *testcampaign.Store) *analysis.Answers {
	s.Made.Standards = []results.Standard{{NS: standardNS, From: "benchmarks.toml"}}
	return analysed(s)
}

// quantileChanges are what compare says of the variant's p50 and p90.
func quantileChanges(campaigns ...*analysis.Answers) (all []compare.Change) {
	c, err := compare.Several(campaigns, compare.Options{Solver: solver, All: true})
	if err != nil {
		panic("two campaigns of one plan are not compared: " + err.Error())
	}
	for _, m := range c.Scenarios[0].Metrics {
		if m.Quantile != "" {
			all = append(all, m.Rows[len(m.Rows)-1].Changes[0])
		}
	}
	return all
}

// apart says whether a change is told from none.
func apart(c compare.Change) bool {
	return c.Verdict != infer.UndecidedYet && c.Verdict != infer.Same && c.Verdict != infer.NotJudged
}

// TestQuantilePairs: the p50 and the p90 of identical campaigns are told apart as seldom as their
// means, those of dearer ones are found, and the interval at the standard speed holds the cost.
func TestQuantilePairs(t *testing.T) {
	for k, row := range quantileRows {
		if !row.quick && !*longer {
			continue
		}
		t.Run(row.name, func(t *testing.T) {
			found := quantileRates(row, quantileStream+uint64(k), quantileReplicates())
			t.Logf("told apart: p50 %v, p90 %v %%; 25 %% more found: %v, %v; standard holds %v", found[p50Apart], found[p90Apart], found[p50Found], found[p90Found], found[p50Standard])
			for _, i := range []int{p50Apart, p90Apart} {
				if found[i].above(row.apart) {
					t.Errorf("%v %% of %d pairs told apart, want at most %.1f", found[i], found[i].of, 100*row.apart)
				}
			}
			if found[p50Standard].of > 0 && found[p50Standard].below(0.93) {
				t.Errorf("the interval at the standard holds the cost in %v %% of %d", found[p50Standard], found[p50Standard].of)
			}
			if found[p50Found].below(0.8) || found[p90Found].below(0.8) {
				t.Errorf("a quarter more is found in %v and %v %%", found[p50Found], found[p90Found])
			}
		})
	}
}
