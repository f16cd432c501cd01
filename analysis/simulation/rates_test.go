package simulation

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"moobench/analysis"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	rateExposure   = 1e5 // requests of an invocation
	rateReplicates = 80
	longReplicates = 1500
	gridReplicates = 10000
	ratesDocument  = "RATES.md"
	// falseAnswers is the most in which equal cells may be told apart.
	falseAnswers = 0.06
)

// losses are how two cells lose requests: so many per invocation on average. Own
// and shared are the variances of the gamma factors of mean 1 that each invocation
// and each block multiply its rate with; dispersion of the counts is 1 + own lost.
type losses struct {
	name                    string
	blocks                  int
	lost, more, own, shared float64
	// covers is the least of the differences that the intervals may hold, of
	// those that have one.
	covers float64
}

var lossCases = append([]losses{
	{"Poisson, 0.3 lost", 10, 0.3, 10, 0, 0, 0.95},
	{"Poisson, 3 lost", 10, 3, 2, 0, 0, 0.93},
	{"Poisson, 30 lost", 10, 30, 1.3, 0, 0, 0.93},
	{"3 lost, variance twice Poisson's", 10, 3, 3, 1.0 / 3, 0, 0.90},
	{"30 lost, variance four times Poisson's", 10, 30, 2, 0.1, 0, 0.90},
	{"30 lost, blocks differ alike", 10, 30, 2, 0, 0.3, 0.90},
	{"30 lost, in few invocations", 10, 30, 4, 5, 0, 0},
}, fewBlocks()...)

// fewBlocks are campaigns of one to five blocks.
func fewBlocks() []losses {
	var all []losses
	for blocks := 1; blocks <= 5; blocks++ {
		for _, c := range []losses{
			{"Poisson", 0, 30, 3, 0, 0, 0.93},
			{"variance twice Poisson's", 0, 30, 3, 1.0 / 30, 0, 0.93},
			{"variance four times Poisson's", 0, 30, 3, 3.0 / 30, 0, 0.93},
			{"variance 30 times Poisson's", 0, 30, 3, 29.0 / 30, 0, 0.75},
		} {
			c.blocks = blocks
			all = append(all, c)
		}
	}
	return all
}

// outcomes of one simulated campaign.
const (
	alarmed = iota // equal cells told apart
	poisson        // equal cells told apart by Poisson's test alone
	equal          // the interval of equal cells holds 0
	held           // that of unlike ones holds the truth
	found          // unlike ones told apart
	ratings
)

func gamma(r *rand.Rand, variance float64) float64 {
	if variance == 0 {
		return 1
	}
	return distuv.Gamma{Alpha: 1 / variance, Beta: 1 / variance, Src: r}.Rand()
}

// lose is a campaign of a baseline and a variant that loses so many times more.
func (l losses) lose(r *rand.Rand, more float64) *visited {
	v := &visited{}
	v.campaign.Scenarios = []results.Scenario{{
		Label: "s", Metrics: []results.Metric{{Name: "lost", Unit: "1", Better: results.Lower, Of: "requests"}},
		Questions: []results.Question{{ID: "q", Metric: "lost", A: "c2", B: "c0", Test: results.TestRates}},
	}}
	v.campaign.Cells = []results.Cell{cells[0].cell, cells[2].cell}
	c := l.counts(r, more)
	for b := range l.blocks {
		v.campaign.Blocks = append(v.campaign.Blocks, results.Block{Number: b + 1, Kind: results.BlockPlanned, Profile: results.ProfileTiming, Order: []string{"c0", "c2"}})
		for slot, arm := range []stats.EventRuns{c.B, c.A} {
			v.runs = append(v.runs, &results.Invocation{
				Identity: results.Identity{Block: b + 1, Slot: slot}, Cell: []string{"c0", "c2"}[slot], Profile: results.ProfileTiming, Status: results.StatusOK,
				Scalars: map[string]float64{"lost": float64(arm.Events[b]), "requests": rateExposure},
			})
		}
	}
	return v
}

// answered is the comparison of a campaign; it ends the program when there is none,
// because only a mistake here can do that.
func answered(v *visited) *analysis.Rates {
	a, err := analysis.Analyse(v)
	if err != nil || a.Scenarios[0].Answers[0].Rates == nil {
		panic(fmt.Sprintf("simulated losses have no answer: %v, %+v", err, a))
	}
	return a.Scenarios[0].Answers[0].Rates
}

// decideRates has a row for each of the cases, with a rate for each outcome.
func decideRates(replicates int) [][]rate {
	var table [][]rate
	for k, c := range lossCases {
		yes, all := repeat(replicates, ratings, uint64(k)+900, func(_ int, r *rand.Rand, told func(int, bool)) {
			same, other := c.compare(r, 1), c.compare(r, c.more)
			told(alarmed, same.Verdict != infer.Undecided && same.Verdict != infer.NoAnswer)
			told(poisson, same.Poisson != nil && *same.Poisson < 0.05)
			told(found, other.Verdict == infer.Higher)
			if i := same.Interval; i != nil {
				told(equal, i.Low <= 0 && 0 <= i.High)
			}
			if i := other.Interval; i != nil {
				truth := c.lost * (c.more - 1) / rateExposure * 1e6
				told(held, i.Low <= truth && truth <= i.High)
			}
		})
		var row []rate
		for o := range ratings {
			row = append(row, rate{yes[o], all[o]})
		}
		table = append(table, row)
	}
	return table
}

// compare asks the inference directly: a campaign that is analysed as a whole gives
// the same figures, and takes fifty times as long.
func (l losses) compare(r *rand.Rand, more float64) *infer.Rates {
	x, err := infer.CompareRates(infer.Question{Alpha: 0.05, Family: 1}, l.counts(r, more))
	if err != nil {
		panic(fmt.Sprintf("simulated losses have no answer: %v", err))
	}
	return x
}

// counts are those of a variant that loses so many times more, and of a baseline.
func (l losses) counts(r *rand.Rand, more float64) infer.Counts {
	c := infer.Counts{Blocked: true}
	for range l.blocks {
		shared := gamma(r, l.shared)
		for _, arm := range []struct {
			runs  *stats.EventRuns
			times float64
		}{{&c.B, 1}, {&c.A, more}} {
			lost := int64(0)
			if mean := l.lost * arm.times * shared * gamma(r, l.own); mean > 0 {
				lost = int64(distuv.Poisson{Lambda: mean, Src: r}.Rand())
			}
			arm.runs.Events, arm.runs.Exposure = append(arm.runs.Events, lost), append(arm.runs.Exposure, rateExposure)
		}
	}
	return c
}

// fewCounts are the events of an arm in the table of few blocks, and scatters how
// many times Poisson's variance the counts of its invocations have.
var (
	fewCounts = []float64{1, 3, 10, 30, 100}
	scatters  = []float64{1, 2, 4, 30}
)

// falseOfFew is the share of equal arms of two to four blocks that are told apart.
func falseOfFew(replicates int) map[[3]float64]rate {
	table := map[[3]float64]rate{}
	for blocks := 2; blocks <= 4; blocks++ {
		for _, scatter := range scatters {
			for k, events := range fewCounts {
				lost := events / float64(blocks)
				l := losses{blocks: blocks, lost: lost, own: (scatter - 1) / lost}
				yes, all := repeat(replicates, 1, uint64(1000*blocks)+uint64(10*scatter)+uint64(k), func(_ int, r *rand.Rand, told func(int, bool)) {
					c := l.counts(r, 1)
					x, err := stats.CompareRates(c.A, c.B, true)
					i, noInterval := x.RatioInterval(0.95)
					told(0, err != nil || noInterval == nil && (i.Low > 1 || i.High < 1))
				})
				table[[3]float64{float64(blocks), scatter, events}] = rate{yes[0], all[0]}
			}
		}
	}
	return table
}

func fewTable(table map[[3]float64]rate) string {
	var s strings.Builder
	s.WriteString("| Blocks | Variance, in Poisson's | 1 lost an arm | 3 | 10 | 30 | 100 |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for blocks := 2; blocks <= 4; blocks++ {
		for _, scatter := range scatters {
			fmt.Fprintf(&s, "| %d | %v |", blocks, scatter)
			for _, events := range fewCounts {
				fmt.Fprintf(&s, " %v |", table[[3]float64{float64(blocks), scatter, events}])
			}
			s.WriteString("\n")
		}
	}
	return s.String()
}

// TestFewBlocks: two to four blocks tell equal arms apart as seldom as more do,
// whatever their scatter and however few their events.
func TestFewBlocks(t *testing.T) {
	table := falseOfFew(rateReplicates)
	for key, got := range table {
		if got.share() > falseAnswers && !got.about(falseAnswers, falseAnswers) {
			t.Errorf("%v blocks, %v times Poisson's variance, %v events an arm: %v %% false answers of %d, at most %.0f are claimed", key[0], key[1], key[2], got, got.of, 100*falseAnswers)
		}
	}
	t.Log("\n" + fewTable(table))
}

func rateTable(table [][]rate) string {
	var s strings.Builder
	s.WriteString("| Blocks | Losses of an invocation | false answers | Poisson's test alone | interval holds 0 | times | interval holds the truth | told apart |\n| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for k, c := range lossCases {
		row := table[k]
		fmt.Fprintf(&s, "| %d | %s | %v | %v | %v | %v | %v | %v |\n", c.blocks, c.name, row[alarmed], row[poisson], some(row[equal]), c.more, some(row[held]), row[found])
	}
	return s.String()
}

// some is a share of the campaigns that have an interval; one block has none.
func some(r rate) string {
	if r.of == 0 {
		return "none"
	}
	return r.String()
}

func TestRateDecisions(t *testing.T) {
	if *update {
		if err := os.WriteFile(ratesDocument, []byte(rateReport(longReplicates)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	table := decideRates(rateReplicates)
	for k, c := range lossCases {
		name := fmt.Sprintf("%d blocks, %s", c.blocks, c.name)
		if got := table[k][alarmed]; got.share() > falseAnswers && !got.about(falseAnswers, falseAnswers) || c.blocks == 1 && got.share() > 0 {
			t.Errorf("%s: %v %% false answers of %d, at most %.0f are claimed", name, got, got.of, 100*falseAnswers)
		}
		for _, o := range []int{equal, held} {
			if got := table[k][o]; got.of > 0 && got.share() < c.covers && !got.about(c.covers, c.covers) {
				t.Errorf("%s: %v %% of %d intervals hold the truth, at least %.0f are claimed", name, got, got.of, 100*c.covers)
			}
		}
	}
	if got := table[4][poisson]; got.share() < 0.15 {
		t.Errorf("Poisson's test alone tells %v %% apart, and scatter should have spoilt it", got)
	}
	text, err := os.ReadFile(ratesDocument)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range lossCases {
		if !strings.Contains(string(text), fmt.Sprintf("| %d | %s |", c.blocks, c.name)) {
			t.Errorf("%s has no row of %d blocks, %s: write it anew with -update", ratesDocument, c.blocks, c.name)
		}
	}
	t.Log("\n" + rateTable(table))
}

func rateReport(replicates int) string {
	return fmt.Sprintf(`# How often losses are told apart that are alike

Made by `+"`go test ./analysis/simulation -run TestRateDecisions -update`"+`. Seed %d, %d campaigns of each row, of so many blocks of %.0f requests; in the rows of few blocks 30 of them are lost by an invocation. All figures but "blocks" and "times" are per cent, nominal 5 for false answers and 95 for intervals.

%s
False answers, Poisson's test alone, and the interval that holds 0, are of cells that lose alike; the others are of a variant that loses so many times more. Poisson's test alone is the exact test that takes all events for independent. One block says nothing of how invocations vary: it has no verdict and no interval.
Two to four blocks, %d campaigns of each figure: false answers of cells that lose so many in all of their invocations.

%s
Where all losses lie in few invocations, ten invocations show too few of these for an interval to be wide enough.
`, seed, replicates, rateExposure, rateTable(decideRates(replicates)), gridReplicates, fewTable(falseOfFew(gridReplicates)))
}
