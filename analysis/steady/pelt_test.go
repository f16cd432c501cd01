package steady

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// unpruned is the dynamic programme that tries every last change.
func unpruned(c *cost, n int, beta float64) ([]int, float64) {
	best, previous := make([]float64, n+1), make([]int, n+1)
	best[0] = -beta
	for t := shortest; t <= n; t++ {
		best[t] = math.Inf(1)
		for s := 0; s <= t-shortest; s++ {
			if s > 0 && s < shortest {
				continue
			}
			if f := best[s] + c.segment(s, t) + beta; f < best[t] {
				best[t], previous[t] = f, s
			}
		}
	}
	var at []int
	for t := previous[n]; t > 0; t = previous[t] {
		at = append(at, t)
	}
	slices.Reverse(at)
	return at, best[n]
}

// levels draws a series of several levels and noises, some of it quantised.
func levels(t *rapid.T) (y []float64, quantum float64) {
	quantum = rapid.SampledFrom([]float64{0, 0, 0.1, 0.5}).Draw(t, "quantum")
	for range rapid.IntRange(1, 6).Draw(t, "levels") {
		at, sd := rapid.Float64Range(0.5, 3).Draw(t, "level"), rapid.SampledFrom([]float64{0, 0.001, 0.05, 1}).Draw(t, "sd")
		for _, e := range rapid.SliceOfN(rapid.Float64Range(-2, 2), 1, 40).Draw(t, "noise") {
			v := at + sd*e
			if quantum > 0 {
				v = quantum * math.Round(v/quantum)
			}
			y = append(y, v)
		}
	}
	for len(y) < shortest {
		y = append(y, 1)
	}
	return y, quantum
}

func TestPruningLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y, quantum := levels(t)
		beta := rapid.SampledFrom([]float64{0.1, 2, 10, 60}).Draw(t, "beta")
		c := newCost(y, quantum)
		at, total := c.pelt(beta)
		want, least := unpruned(c, len(y), beta)
		if diff := cmp.Diff(want, at); diff != "" || total != least {
			t.Fatalf("%v costs %v, and %v without pruning\n%s", at, total, least, diff)
		}
	})
}

func TestPruningPrunes(t *testing.T) {
	y := make([]float64, 1000)
	for i := range y {
		y[i] = 1 + float64(i/100)/10 + 0.01*math.Sin(float64(i*i))
	}
	c := newCost(y, 0)
	p := partition{best: make([]float64, 1001), previous: make([]int, 1001)}
	for s := shortest; s <= 1000; s++ {
		if s == shortest || s >= 2*shortest {
			p.add(c, s-shortest, 1000)
		}
		p.end(c, s, 100)
	}
	if left := grouped*len(p.groups) + len(p.young); left > 250 {
		t.Errorf("%d candidates are left after ten clear steps of 100", left)
	}
}

func TestBoundIsBelow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCost([]float64{1, 1, 1}, 0)
		k, v := rapid.Float64Range(5, 2000).Draw(t, "k"), rapid.Float64Range(0, 1e6).Draw(t, "v")
		low, exact := c.bound(k, v), c.likelihood(k, v)
		if low > exact+1e-9*math.Abs(exact) || v > c.floor && low < exact-k/256 {
			t.Fatalf("bound %v of %v", low, exact)
		}
	})
}

// Two parts never cost more than the whole: what pruning rests on.
func TestCuttingNeverCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y, quantum := levels(t)
		c := newCost(y, quantum)
		at := rapid.IntRange(1, len(y)-1).Draw(t, "at")
		whole, parts := c.segment(0, len(y)), c.segment(0, at)+c.segment(at, len(y))
		if parts > whole+1e-9*math.Abs(whole) {
			t.Fatalf("whole %v, parts %v", whole, parts)
		}
	})
}
