package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/stats"
)

const (
	pilot     = 10   // blocks
	precision = 0.02 // half-width of a difference, of the cell's own mean
	peekFrom  = 5    // blocks
	most      = 2000 // blocks
)

// plans are what is sized: one variant, or four of them in one family, from
// free to fifty times the baseline.
var plans = []struct {
	machine machine
	levels  []float64 // of the variants, as multiples of the baseline
}{
	{wide, []float64{1 + overhead}},
	{wideSpiky, []float64{1 + overhead}},
	{wideSkewed, []float64{1 + overhead}},
	{heavy, []float64{1 + overhead}},
	{lognormal, []float64{1 + overhead}},
	{rare, []float64{1 + overhead}},
	{wide, []float64{1, 1 + overhead, 2, 50}},
	{wideSpiky, []float64{1, 1 + overhead, 2, 50}},
	{heavy, []float64{1, 1 + overhead, 2, 50}},
	{rare, []float64{1, 1 + overhead, 2, 50}},
}

// plan is a campaign that decides how long it runs.
type plan struct {
	machine machine
	levels  []float64 // ns, the baseline last
	r       *rand.Rand
	cells   []moments // of the variants
	diffs   []moments // of the differences from the baseline
}

func (p *plan) block() {
	y := p.machine.block(p.r, p.levels...)
	base := len(y) - 1
	for c := range p.diffs {
		p.cells[c].add(y[c])
		p.diffs[c].add(y[c] - y[base])
	}
}

// holds reports whether all intervals of the given half-widths hold the truth.
func (p *plan) holds(half func(cell int) float64) bool {
	base := p.machine.expected(p.levels[len(p.levels)-1])
	for c, d := range p.diffs {
		if math.Abs(d.mean-(p.machine.expected(p.levels[c])-base)) > half(c) {
			return false
		}
	}
	return true
}

// twoStages is Stein's plan: the pilot decides once, and its standard deviation
// is kept; larger is with that of all blocks where that is larger, which is what
// reports print.
func (p *plan) twoStages(alpha float64) (kept, larger bool, blocks int) {
	for range pilot {
		p.block()
	}
	need, s := pilot, make([]float64, len(p.diffs))
	for c, d := range p.diffs {
		s[c] = math.Sqrt(d.variance())
		n, err := stats.SteinSize(s[c], precision*p.cells[c].mean, pilot, alpha)
		if err != nil {
			return false, false, pilot
		}
		need = max(need, n)
	}
	for range need - pilot {
		p.block()
	}
	t := stats.TQuantile(alpha/2, pilot-1)
	root := math.Sqrt(float64(need))
	kept = p.holds(func(c int) float64 { return t * s[c] / root })
	larger = p.holds(func(c int) float64 { return t * max(s[c], math.Sqrt(p.diffs[c].variance())) / root })
	return kept, larger, need
}

// untilReached looks after each block, and stops when all intervals are narrow
// enough.
func (p *plan) untilReached(t func(df int) float64) (bool, int) {
	for n := 1; ; n++ {
		p.block()
		if n < peekFrom {
			continue
		}
		half := func(c int) float64 { return t(n-1) * math.Sqrt(p.diffs[c].variance()/float64(n)) }
		reached := true
		for c := range p.diffs {
			reached = reached && half(c) <= precision*p.cells[c].mean
		}
		if reached || n == most {
			return p.holds(half), n
		}
	}
}

// sized are the rates of one plan, and how many blocks it took on average.
type sized struct {
	larger, stein, peek     rate
	steinBlocks, peekBlocks float64
}

func sizing(e effort) []sized {
	found := make([]sized, len(plans))
	for k, c := range plans {
		alpha := (1 - level) / float64(len(c.levels))
		quantiles := make([]float64, most)
		for df := peekFrom - 1; df < most; df++ {
			quantiles[df] = stats.TQuantile(alpha/2, float64(df))
		}
		var levels []float64
		for _, l := range append(append([]float64(nil), c.levels...), 1) {
			levels = append(levels, l*baseline)
		}
		start := func(r *rand.Rand) *plan {
			n := len(c.levels)
			return &plan{c.machine, levels, r, make([]moments, n), make([]moments, n)}
		}
		blocks := make([][2]int, e.replicates)
		yes, all := repeat(e.replicates, 3, uint64(300+k), func(i int, r *rand.Rand, told func(int, bool)) {
			kept, larger, n := start(r).twoStages(alpha)
			told(0, kept)
			told(2, larger)
			blocks[i][0] = n
			holds, n := start(r).untilReached(func(df int) float64 { return quantiles[df] })
			told(1, holds)
			blocks[i][1] = n
		})
		f := &found[k]
		f.stein, f.peek, f.larger = rate{yes[0], all[0]}, rate{yes[1], all[1]}, rate{yes[2], all[2]}
		for _, b := range blocks {
			f.steinBlocks += float64(b[0]) / float64(e.replicates)
			f.peekBlocks += float64(b[1]) / float64(e.replicates)
		}
	}
	return found
}

func TestSizing(t *testing.T) {
	found := sizing(short())
	for k, f := range found {
		name := fmt.Sprintf("%s, %d variants", plans[k].machine.name, len(plans[k].levels))
		// With the larger spread they hold at least as often as they say, but where
		// a mode may have gone unseen in all blocks.
		low := 0.94
		if plans[k].machine.name == rare.name {
			low = 0.85 // of four that hold together 0.75
			if len(plans[k].levels) > 1 {
				low = 0.7
			}
		}
		if !f.larger.about(low, 1) || f.larger.share() < f.stein.share() {
			t.Errorf("%s: two stages cover %v %%, with the pilot's spread alone %v %%", name, f.larger, f.stein)
		}
		if f.steinBlocks <= pilot {
			t.Errorf("%s: the pilot is always enough, and nothing was tested", name)
		}
	}
	if peek, stein := found[0].peek, found[0].stein; peek.share() >= stein.share() {
		t.Errorf("stopping when the width is reached covers %v %%, and two stages %v %%", peek, stein)
	}
	t.Log("\n" + sizingTable(found))
}

func sizingTable(found []sized) string {
	var s strings.Builder
	s.WriteString("| Variants | Machine | two stages | with the pilot's s alone | blocks | stopping when reached | blocks |\n")
	s.WriteString("| ---: | --- | ---: | ---: | ---: | ---: | ---: |\n")
	for k, f := range found {
		fmt.Fprintf(&s, "| %d | %s | %v | %v | %.1f | %v | %.1f |\n",
			len(plans[k].levels), plans[k].machine.name, f.larger, f.stein, f.steinBlocks, f.peek, f.peekBlocks)
	}
	return s.String()
}
