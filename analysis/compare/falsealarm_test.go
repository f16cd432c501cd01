package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"moobench/analysis/infer"

	"moobench/analysis/stats"
)

// Of campaigns between which nothing changed, one in twenty says of any of its
// cells that it did, and half of these that it is worse. The share is that of a
// fixed seed; the limits are four standard errors.
func TestFalseAlarms(t *testing.T) {
	const comparisons, variants = 600, 4
	worse, either, d := 0, 0, infer.Solver{}
	random := rand.New(rand.NewPCG(20140901, 8))
	for range comparisons {
		m := primaryOf(d, night(1, drawn(t, random, variants, 0)...), night(2, drawn(t, random, variants, 0)...), 1e-6)
		if higher(m) {
			worse++
		}
		if m.Count(infer.Differs) > 0 {
			either++
		}
	}
	within(t, "either way", either, comparisons, 0.05)
	within(t, "higher", worse, comparisons, 0.025)
}

// higher says whether any variant is shown to be.
func higher(m Metric) bool {
	return slices.ContainsFunc(m.Rows, func(r Row) bool {
		c := r.Changes[0]
		return c.Verdict == infer.Differs && c.Estimate.Interval.Low > 1
	})
}

// Where nights differ by 2 % of themselves, as in HISTORY.md, and each campaign has
// 15 blocks that scatter by 3 %, nearly one comparison in four would call a single
// cell worse if it were taken for more than two nights; by 1 %, one in nine.
func TestNightsThatDiffer(t *testing.T) {
	const comparisons = 1000
	d, se := infer.Solver{}, 0.03/math.Sqrt(15)
	random := rand.New(rand.NewPCG(20140901, 10))
	for _, c := range []struct{ nights, want float64 }{{0, 0.025}, {0.01, 0.11}, {0.02, 0.23}} {
		hits := 0
		for range comparisons {
			var pair [2]made
			for i := range pair {
				night := math.Sqrt(max(0, c.nights*c.nights-se*se)) * random.NormFloat64()
				pair[i] = blocks(t, random, 15, 0.5+night, 0.03)
			}
			if higher(primaryOf(d, night(1, baseline(1000), pair[0]), night(2, baseline(1000), pair[1]), 1e-6)) {
				hits++
			}
		}
		within(t, fmt.Sprintf("nights that differ by %v", c.nights), hits, comparisons, c.want)
	}
}

// A change of 5 % where two campaigns differ by 1 % is found nearly always.
func TestPower(t *testing.T) {
	const comparisons = 100
	found, d := 0, infer.Solver{}
	random := rand.New(rand.NewPCG(20140901, 9))
	for range comparisons {
		m := primaryOf(d, night(1, drawn(t, random, 2, 0)...), night(2, drawn(t, random, 2, 0.05)...), defaultMargin)
		found += m.Count(infer.Differs)
	}
	if found < 2*comparisons*95/100 {
		t.Errorf("%d of %d changes were found", found, 2*comparisons)
	}
}

// drawn are a baseline and variants of ten blocks, whose ratios scatter by 2 % from
// block to block; the shift is what all of them changed by.
func drawn(t *testing.T, random *rand.Rand, variants int, shift float64) []made {
	all := []made{baseline(1000)}
	for i := range variants {
		one := blocks(t, random, 10, 0.5+shift, 0.02)
		one.variant = fmt.Sprint("v", i)
		all = append(all, one)
	}
	return all
}

// blocks are a variant of n blocks whose logarithms scatter by sd.
func blocks(t *testing.T, random *rand.Rand, n int, log, sd float64) made {
	t.Helper()
	logs := make([]float64, n)
	for b := range logs {
		logs[b] = log + sd*random.NormFloat64()
	}
	s, err := stats.SampleOf(logs)
	if err != nil {
		t.Fatal(err)
	}
	one := variant("v", s.Mean, s.SD/math.Sqrt(float64(n)))
	one.n, one.df = n, float64(n-1)
	return one
}

func within(t *testing.T, what string, hits, of int, want float64) {
	t.Helper()
	share, se := float64(hits)/float64(of), math.Sqrt(want*(1-want)/float64(of))
	t.Logf("%s: %.3f, nominal %.3f", what, share, want)
	if math.Abs(share-want) > 4*se {
		t.Errorf("%s: %.3f of the comparisons, want %.3f ± %.3f", what, share, want, 4*se)
	}
}
