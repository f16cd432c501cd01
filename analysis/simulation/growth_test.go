package simulation

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"moobench/analysis/stats"
)

// What grows takes growthLevel + growthSlope x, in ns.
const growthLevel, growthSlope = 300.0, 135.0

// growthCase is how invocations of a growing cell scatter: factor draws what one
// invocation's mean is multiplied with, and even is a standard deviation, in ns,
// that is the same at each value. drift is that of a block, relative.
type growthCase struct {
	name        string
	factor      func(r *rand.Rand) float64
	mean        float64 // of factor
	even, drift float64
	symmetric   bool
}

func modes(share, apart float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		f := 1 + 0.003*r.NormFloat64()
		if r.Float64() < share {
			f += apart
		}
		return f
	}
}

func heavyTailed(sd float64) func(r *rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return 1 + sd/math.Sqrt(3)*studentT(r, 3) }
}

// studentT draws from Student's distribution.
func studentT(r *rand.Rand, df int) float64 {
	squares := 0.0
	for range df {
		z := r.NormFloat64()
		squares += z * z
	}
	return r.NormFloat64() / math.Sqrt(squares/float64(df))
}

var growthCases = []growthCase{
	{"JVM sd 3 %", normalJVM(0.03), 1, 0, 0, true},
	{"JVM sd 100 ns at each value", steadyJVM, 1, 100, 0, true},
	{"JVM sd 3 %, heavy tails (t3)", heavyTailed(0.03), 1, 0, 0, true},
	{"half of the JVMs 3 % slower", modes(0.5, 0.03), 1.015, 0, 0, true},
	{"JVM sd 0.5 %, block drift 2 %", normalJVM(0.005), 1, 0, 0.02, true},
	{"JVM sd 2 %, block drift 2 %", normalJVM(0.02), 1, 0, 0.02, true},
	{"30 % of the JVMs 3 % slower", modes(0.3, 0.03), 1.009, 0, 0, false},
	{"10 % of the JVMs 20 % slower", modes(0.1, 0.2), 1.02, 0, 0, false},
}

// growthDesigns are the columns: blocks, and values of the factor from 5 to 50.
var growthDesigns = []struct{ blocks, values int }{{5, 3}, {5, 5}, {5, 10}, {10, 3}, {10, 5}, {10, 10}}

// draw makes up one value per block and value of the factor.
func (c growthCase) draw(r *rand.Rand, blocks, values int) (x, y []float64, block []int) {
	for b := range blocks {
		drift := 1 + c.drift*r.NormFloat64()
		for i := range values {
			at := math.Floor(5 + 45*float64(i)/float64(values-1))
			x, block = append(x, at), append(block, b)
			y = append(y, (growthLevel+growthSlope*at)*drift*c.factor(r)+c.even*r.NormFloat64())
		}
	}
	return x, y, block
}

// growing has a row per case and a column per design: how often the slope's
// interval holds the truth.
func growing(e effort) [][]rate {
	table := make([][]rate, len(growthCases))
	for k, c := range growthCases {
		for i, d := range growthDesigns {
			yes, all := repeat(e.replicates, 1, uint64(1000+10*k+i), func(_ int, r *rand.Rand, told func(int, bool)) {
				s, err := stats.Slope(c.draw(r, d.blocks, d.values))
				if err != nil {
					panic(fmt.Sprintf("a simulated line has no slope: %v", err))
				}
				told(0, math.Abs(s.Value-growthSlope*c.mean) <= stats.TQuantile((1-level)/2, s.DF)*s.SE)
			})
			table[k] = append(table[k], rate{yes[0], all[0]})
		}
	}
	return table
}

func growthTable(table [][]rate) string {
	var s strings.Builder
	s.WriteString("| Machine |")
	for _, d := range growthDesigns {
		fmt.Fprintf(&s, " %d blocks, %d values |", d.blocks, d.values)
	}
	s.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(growthDesigns)) + "\n")
	for k, c := range growthCases {
		fmt.Fprintf(&s, "| %s |", c.name)
		for _, r := range table[k] {
			fmt.Fprintf(&s, " %v |", r)
		}
		s.WriteString("\n")
	}
	return s.String()
}

// growthSection is the section of the document.
func growthSection(e effort) string {
	return fmt.Sprintf(`A line through one value per block and value of the factor, from 5 to 50; invocations take %.0f + %.0f x ns and scatter in proportion to that, unless it says otherwise. The slope's interval is that of the mean of the blocks' own slopes.

%s
Where invocations scatter evenly to both sides it holds the slope as often as it says, whether the machine drifts from block to block or not. Where a few are far off to one side, few values of the factor leave the average of the blocks' slopes skewed: below five values the answer warns. No interval of so few JVMs can know of a mode that none of them met.
`, growthLevel, growthSlope, growthTable(growing(e)))
}

// TestGrowthCoverage: of symmetric noise, at least 93 % of the intervals hold the
// slope from five values on.
func TestGrowthCoverage(t *testing.T) {
	table := growing(short())
	for k, c := range growthCases {
		for i, d := range growthDesigns {
			if got := table[k][i]; c.symmetric && d.values >= 5 && got.share() < 0.93-3*seOf(got.of) {
				t.Errorf("%s, %d blocks, %d values: %v %% of the intervals hold the slope", c.name, d.blocks, d.values, got)
			}
		}
	}
	t.Log("\n" + growthTable(table))
}
