package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
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
		if m.Count(VerdictWorse) > 0 {
			worse++
		}
		if m.Count(VerdictWorse)+m.Count(VerdictBetter) > 0 {
			either++
		}
	}
	within(t, "worse or better", either, comparisons, 0.05)
	within(t, "worse", worse, comparisons, 0.025)
}

// A change of 5 % where two campaigns differ by 1 % is found nearly always.
func TestPower(t *testing.T) {
	const comparisons = 100
	found, d := 0, infer.Solver{}
	random := rand.New(rand.NewPCG(20140901, 9))
	for range comparisons {
		m := primaryOf(d, night(1, drawn(t, random, 2, 0)...), night(2, drawn(t, random, 2, 0.05)...), defaultMargin)
		found += m.Count(VerdictWorse)
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
		logs := make([]float64, 10)
		for b := range logs {
			logs[b] = 0.5 + shift + 0.02*random.NormFloat64()
		}
		s, err := stats.SampleOf(logs)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, variant(fmt.Sprint("v", i), s.Mean, s.SD/math.Sqrt(float64(s.N))))
	}
	return all
}

func within(t *testing.T, what string, hits, of int, want float64) {
	t.Helper()
	share, se := float64(hits)/float64(of), math.Sqrt(want*(1-want)/float64(of))
	t.Logf("%s: %.3f, nominal %.3f", what, share, want)
	if math.Abs(share-want) > 4*se {
		t.Errorf("%s: %.3f of the comparisons, want %.3f ± %.3f", what, share, want, 4*se)
	}
}
