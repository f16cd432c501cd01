package simulation

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

const level = 0.95

// experiment is one simulated campaign of a cell and its baseline.
type experiment struct {
	machine    machine
	cell, base []float64    // means of invocations
	last       [2][]float64 // iterations of the last block
	difference float64      // the truth
	resamples  int
	seed       uint64
	answer     infer.Answer // block by block
}

func (m machine) experiment(r *rand.Rand, blocks, resamples int) experiment {
	e := experiment{
		machine:    m,
		difference: m.expected(baseline*(1+overhead)) - m.expected(baseline),
		resamples:  resamples,
		seed:       r.Uint64(),
	}
	e.cell, e.base = m.pairs(r, blocks-1, baseline*(1+overhead))
	drift := 1 + m.drift*r.NormFloat64()
	e.last[0] = m.calls(r, baseline*(1+overhead)*drift*m.jvm(r))
	e.last[1] = m.calls(r, baseline*drift*m.jvm(r))
	e.cell, e.base = append(e.cell, average(e.last[0])), append(e.base, average(e.last[1]))
	e.answer = ask(infer.Question{Alpha: 1 - level}, e.cell, e.base)
	return e
}

// procedure makes an interval; told is false when it offers none.
type procedure struct {
	name string
	// holds reports whether the interval holds the truth.
	holds func(e experiment) (holds, told bool)
	// claims is between which rates it is said to cover.
	claims func(m machine, blocks int) (low, high float64)
	// costly ones get fewer replicates.
	costly bool
}

var procedures = []procedure{
	{name: "last loop, z (MooBench)", holds: lastLoop, claims: nothing},
	{name: "Welch", holds: welch, claims: unpaired},
	{name: "paired difference", holds: paired, claims: nominally},
	{name: "log ratio", holds: logRatio, claims: nominally},
	{name: "Fieller", holds: fieller, claims: nominally},
	{name: "percentile bootstrap", holds: percentile, claims: nothing, costly: true},
	{name: "studentised bootstrap", holds: studentised, claims: resampled, costly: true},
}

func nothing(machine, int) (low, high float64) { return 0, 1 }

// nominally is 93 to 97 %. Five JVMs that are nearly all in one of two modes are
// no normal sample, and t intervals of them a little too wide; never too narrow.
func nominally(m machine, blocks int) (low, high float64) {
	if blocks < 10 && m.name == bimodal.name {
		return 0.93, 1
	}
	return 0.93, 0.97
}

// unpaired is too wide, never too narrow, when blocks drift.
func unpaired(m machine, blocks int) (low, high float64) {
	if m.drift > 0 {
		return 0.93, 1
	}
	return nominally(m, blocks)
}

// resampled holds from ten blocks on, unless a few JVMs are far off.
func resampled(m machine, blocks int) (low, high float64) {
	if blocks < 10 || m.name == skewed.name || m.name == bimodal.name {
		return nothing(m, blocks)
	}
	return nominally(m, blocks)
}

// solver keeps quantiles from one answer to the next.
var solver = infer.Solver{}

// ask is what the product answers of a cell and its baseline, block by block
// unless the question is Welch's.
func ask(q infer.Question, cell, base []float64) infer.Answer {
	return solver.Compare(q, infer.Data{
		X: infer.Sample{Values: cell}, Y: infer.Sample{Values: base}, Paired: q.Kind != results.TestWelch,
	})
}

// holds says whether the interval of an estimate holds the truth.
func holds(e *infer.Estimate, truth float64) bool {
	return e != nil && e.Interval != nil && e.Interval.Low <= truth && truth <= e.Interval.High
}

func inside(i stats.Interval, truth float64) bool { return i.Low <= truth && truth <= i.High }

// lastLoop is the arithmetic over calls: the last JVM of each cell alone, its
// iterations taken for independent.
func lastLoop(e experiment) (bool, bool) {
	c, b := momentsOf(e.last[0]), momentsOf(e.last[1])
	half := 1.96 * math.Sqrt((c.variance()+b.variance())/iterations)
	return math.Abs(c.mean-b.mean-e.difference) <= half, true
}

func welch(e experiment) (bool, bool) {
	d := ask(infer.Question{Kind: results.TestWelch, Alpha: 1 - level}, e.cell, e.base).Difference
	return holds(d, e.difference), d != nil
}

func paired(e experiment) (bool, bool) {
	d := e.answer.Difference
	return holds(d, e.difference), d != nil
}

func logRatio(e experiment) (bool, bool) {
	r := e.answer.Ratio
	return holds(r, 1+overhead), r != nil
}

func fieller(e experiment) (bool, bool) {
	s := ask(infer.Question{Kind: infer.Fieller, Alpha: 1 - level}, e.cell, e.base).Fieller
	return s != nil && inside(s.Interval, 1+overhead) != s.Exclusive, s != nil
}

func studentised(e experiment) (bool, bool) {
	i, err := stats.Bootstrap{Resamples: e.resamples, Seed: e.seed, BlockLength: 1}.Mean(e.differences(), level)
	return inside(i, e.difference), err == nil || !errors.Is(err, stats.ErrTooFew)
}

// percentile takes the quantiles of resampled means for an interval, as is
// often done: with few blocks it is too narrow.
func percentile(e experiment) (bool, bool) {
	r := rand.New(rand.NewPCG(e.seed, 2))
	d := e.differences()
	means := make([]float64, e.resamples)
	for i := range means {
		for range d {
			means[i] += d[r.IntN(len(d))] / float64(len(d))
		}
	}
	slices.Sort(means)
	cut := int(float64(e.resamples+1) * (1 - level) / 2)
	return means[cut-1] <= e.difference && e.difference <= means[e.resamples-cut], true
}

func (e experiment) differences() []float64 {
	d := make([]float64, len(e.cell))
	for i := range d {
		d[i] = e.cell[i] - e.base[i]
	}
	return d
}

// cases are the rows of the table.
var cases = []struct {
	blocks  int
	machine machine
}{
	{10, quiet},
	{10, normal},
	{10, spiky},
	{10, drifty},
	{10, skewed},
	{10, bimodal},
	{5, normal},
	{5, bimodal},
	{30, normal},
}

// effort is how long the simulation runs.
type effort struct {
	replicates int
	// costly is how many replicates bootstraps get, each of so many resamples.
	costly, resamples int
}

func short() effort { return effort{replicates(), replicates() / 2, 399} }
func long() effort  { return effort{20_000, 4000, 1999} }

// rate is a share of replicates.
type rate struct{ yes, of int }

func (r rate) share() float64 { return float64(r.yes) / float64(r.of) }

func (r rate) String() string {
	if r.of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100*r.share())
}

// about reports whether the rate lies in [low, high], or so near that three
// standard errors of a true rate in its middle would reach further.
func (r rate) about(low, high float64) bool {
	p := (low + high) / 2
	reach := max((high-low)/2, 3*math.Sqrt(p*(1-p)/float64(r.of)))
	return math.Abs(r.share()-p) <= reach
}

// coverage has a row per case and a column per procedure.
func coverage(e effort) [][]rate {
	table := make([][]rate, len(cases))
	for k, c := range cases {
		yes, all := repeat(e.replicates, len(procedures), uint64(k)+10, func(replicate int, r *rand.Rand, told func(int, bool)) {
			x := c.machine.experiment(r, c.blocks, e.resamples)
			for i, p := range procedures {
				if p.costly && replicate >= e.costly {
					continue
				}
				if holds, is := p.holds(x); is {
					told(i, holds)
				}
			}
		})
		for i := range yes {
			table[k] = append(table[k], rate{yes[i], all[i]})
		}
	}
	return table
}

func TestCoverage(t *testing.T) {
	table := coverage(short())
	for k, c := range cases {
		for i, p := range procedures {
			got := table[k][i]
			name := fmt.Sprintf("%s, %d blocks, %s", p.name, c.blocks, c.machine.name)
			low, high := p.claims(c.machine, c.blocks)
			if got.of == 0 {
				if p.name != "studentised bootstrap" || c.blocks >= 8 {
					t.Errorf("%s: no interval", name)
				}
				continue
			}
			if !got.about(low, high) {
				t.Errorf("%s: covers %v %% of %d, and %.0f to %.0f are claimed", name, got, got.of, 100*low, 100*high)
			}
		}
		if got := table[k][0]; k > 0 && got.share() > 0.9 {
			t.Errorf("the last loop alone, %s: covers %v %%, and JVMs that differ should have spoilt it", c.machine.name, got)
		}
	}
	t.Log("\n" + coverageTable(table))
}

func coverageTable(table [][]rate) string {
	var s strings.Builder
	s.WriteString("| Blocks | Machine |")
	for _, p := range procedures {
		fmt.Fprintf(&s, " %s |", p.name)
	}
	s.WriteString("\n| ---: | --- |" + strings.Repeat(" ---: |", len(procedures)) + "\n")
	for k, c := range cases {
		fmt.Fprintf(&s, "| %d | %s |", c.blocks, c.machine.name)
		for _, r := range table[k] {
			fmt.Fprintf(&s, " %v |", r)
		}
		s.WriteString("\n")
	}
	return s.String()
}
