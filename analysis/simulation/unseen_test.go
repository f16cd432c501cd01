package simulation

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	// Invocations of both cells scatter by this much, beside the variant's mode.
	modeSD = 0.003
	// margin is what counts as free, relative.
	margin    = 0.01
	gateAlpha = 0.01
)

// mode is one that a share of a variant's JVMs falls into, and no JVM of the
// baseline: it is slower there by so much of the baseline.
type mode struct{ share, slower float64 }

func (m mode) String() string {
	return fmt.Sprintf("%.0f %% of them +%.3g %%", 100*m.share, 100*m.slower)
}

// cost is the true mean cost, relative to the baseline.
func (m mode) cost() float64 { return m.share * m.slower }

var (
	modeBlocks = []int{5, 10, 20, 30}
	// slowModes cost the margin or more.
	slowModes = []mode{{0.3, 0.033}, {0.2, 0.05}, {0.1, 0.1}, {0.1, 0.3}, {0.05, 0.4}}
	// gateModes are judged by a gate whose limit is their true cost.
	gateModes = []mode{{0.1, 0.5}, {0.2, 0.2}, {0.3, 0.12}, {0.5, 0.06}}
)

// pairs draws invocations of the variant and of the baseline.
func (m mode) pairs(r *rand.Rand, blocks int) (cell, base []float64) {
	for range blocks {
		f := 1 + modeSD*r.NormFloat64()
		if r.Float64() < m.share {
			f += m.slower
		}
		cell, base = append(cell, baseline*f), append(base, baseline*(1+modeSD*r.NormFloat64()))
	}
	return cell, base
}

// equivalences has, per mode and number of blocks, how often it is called free
// within the margin, and how often the interval of the difference holds the truth.
func equivalences(e effort) [][][2]rate {
	table := make([][][2]rate, len(slowModes))
	for k, m := range slowModes {
		for i, blocks := range modeBlocks {
			yes, all := repeat(e.replicates, 2, uint64(1200+10*k+i), func(_ int, r *rand.Rand, told func(int, bool)) {
				cell, base := m.pairs(r, blocks)
				a := ask(infer.Question{Alpha: 1 - level, Margin: &results.Margin{Share: margin}}, cell, base)
				if a.Equivalence == nil || a.Difference == nil {
					panic("simulated pairs have no answer: " + a.NoDifference + a.NoRatio)
				}
				told(0, a.Equivalence.Within)
				told(1, holds(a.Difference, m.cost()*baseline))
			})
			table[k] = append(table[k], [2]rate{{yes[0], all[0]}, {yes[1], all[1]}})
		}
	}
	return table
}

// gates has, per mode and number of blocks, how often a gate passes, and how
// often it says worse, of a variant exactly at its limit.
func gates(e effort) [][][2]rate {
	table := make([][][2]rate, len(gateModes))
	for k, m := range gateModes {
		for i, blocks := range modeBlocks {
			yes, all := repeat(e.replicates, 2, uint64(1300+10*k+i), func(_ int, r *rand.Rand, told func(int, bool)) {
				cell, base := m.pairs(r, blocks)
				ratio := ask(infer.Question{Alpha: 2 * gateAlpha}, cell, base).Ratio // two one-sided bounds
				if ratio == nil || ratio.Interval == nil {
					panic("simulated pairs have no interval of the ratio")
				}
				told(0, ratio.Interval.High <= 1+m.cost())
				told(1, ratio.Interval.Low > 1+m.cost())
			})
			table[k] = append(table[k], [2]rate{{yes[0], all[0]}, {yes[1], all[1]}})
		}
	}
	return table
}

func modeTable(of []mode, first string, table [][][2]rate) string {
	var s strings.Builder
	s.WriteString("| Variant's JVMs | " + first + " |")
	for _, n := range modeBlocks {
		fmt.Fprintf(&s, " n = %d |", n)
	}
	s.WriteString("\n| --- | ---: |" + strings.Repeat(" ---: |", len(modeBlocks)) + "\n")
	for k, m := range of {
		fmt.Fprintf(&s, "| %v | +%.2g %% |", m, 100*m.cost())
		for _, r := range table[k] {
			fmt.Fprintf(&s, " %v (%v) |", r[0], r[1])
		}
		s.WriteString("\n")
	}
	return s.String()
}

// unseen is the section of the document.
func unseen(e effort) string {
	return fmt.Sprintf(`JVMs of both cells scatter by %.1f %%, and some of the variant's, none of the baseline's, fall into a slower mode. In %% of the campaigns: called equivalent within %.0f %% although the mean cost is that much or more (nominal 5 at most), and, in brackets, the 95 %% interval of the difference holds the truth.

%s
A gate at %.0f %% whose limit is exactly the true cost: "passed" (nominal %.0f at most), and, in brackets, "worse".

%s
Nothing can be known of a mode that did not occur: of n JVMs, one that fewer than one in k falls into is missed with a probability above 5 %%, k = 1/(1 − 0.05^(1/n)): one in %s of five, ten, twenty and thirty. That is why answers from fewer than twenty JVMs say so.
`, 100*modeSD, 100*margin, modeTable(slowModes, "true mean cost", equivalences(e)), 100*gateAlpha, 100*gateAlpha, modeTable(gateModes, "limit", gates(e)), oneIn())
}

// oneIn are k of the numbers of blocks.
func oneIn() string {
	var ks []string
	for _, n := range modeBlocks {
		share, err := stats.Unseen(n, 0.05)
		if err != nil {
			panic(err)
		}
		ks = append(ks, fmt.Sprintf("%.1f", 1/share))
	}
	return strings.Join(ks, ", ")
}

// TestUnseenModes: a mode in one arm alone breaks what equivalence promises where
// there are few JVMs, and hardly any more where it is frequent enough to be seen.
func TestUnseenModes(t *testing.T) {
	free, passed := equivalences(short()), gates(short())
	rare, often := free[2], free[0] // one in ten of the JVMs, three in ten
	if got := rare[1][0]; got.share() < 0.25 {
		t.Errorf("%v, 10 JVMs: free in %v %%, and an unseen mode should have spoilt it", slowModes[2], got)
	}
	if got := often[3][0]; got.share() > 0.11 || !often[3][1].about(0.93, 0.97) {
		t.Errorf("%v, 30 JVMs: free in %v %%, coverage %v %%", slowModes[0], got, often[3][1])
	}
	for k, m := range gateModes {
		for i, n := range modeBlocks {
			if got := passed[k][i][1]; n >= 10 && got.share() > 0.025 {
				t.Errorf("%v, %d JVMs: a gate at its limit says worse in %v %%", m, n, got)
			}
		}
	}
}
