package load

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func drawLoad(t *rapid.T) Load {
	l := Load{
		Arrival: rapid.SampledFrom([]Arrival{Constant, Poisson}).Draw(t, "arrival"),
		Rate:    rapid.Float64Range(1, 20_000).Draw(t, "rate"),
		Ramp:    time.Duration(rapid.IntRange(0, 500).Draw(t, "ramp, ms")) * time.Millisecond,
		Hold:    time.Duration(rapid.IntRange(1, 500).Draw(t, "hold, ms")) * time.Millisecond,
		Seed:    rapid.Uint64().Draw(t, "seed"),
	}
	for _, w := range rapid.SliceOfN(rapid.IntRange(0, 9), 1, 5).Draw(t, "weights") {
		l.Requests = append(l.Requests, Request{Weight: w})
	}
	return l
}

// TestScheduleDependsOnTheSeedAlone: not on who answers, and how fast, so it is
// enough that two are the same.
func TestScheduleDependsOnTheSeedAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLoad(t)
		a := schedule(l)
		l.Clients, l.Timeout = 7, time.Hour
		if b := schedule(l); !slices.Equal(a, b) {
			t.Fatal("the same seed gave two schedules")
		}
		l.Seed++
		if b := schedule(l); l.Arrival == Poisson && len(a) > 3 && slices.Equal(a, b) {
			t.Fatal("two seeds gave the same schedule")
		}
	})
}

func TestScheduleFollowsTheRate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLoad(t)
		all := schedule(l)
		if !slices.IsSortedFunc(all, byDue) || len(all) > 0 && (all[0].intendedNS < 0 || all[len(all)-1].intendedNS >= int64(l.Ramp+l.Hold)) {
			t.Fatal("not in order, or outside the load")
		}
		hold, _ := slices.BinarySearchFunc(all, Sample{intendedNS: int64(l.Ramp)}, byDue)
		for _, c := range []struct {
			part string
			got  int
			want float64
		}{
			{"ramp", hold, l.Rate * l.Ramp.Seconds() / 2},
			{"hold", len(all) - hold, l.Rate * l.Hold.Seconds()},
		} {
			off := 1.001
			if l.Arrival == Poisson {
				off = 7*math.Sqrt(c.want) + 12
			}
			if math.Abs(float64(c.got)-c.want) > off {
				t.Fatalf("%s: %d requests, want %.1f", c.part, c.got, c.want)
			}
		}
	})
}

// TestPoissonDistances: in a Poisson process of this rate the distances have its
// mean, and a standard deviation as large.
func TestPoissonDistances(t *testing.T) {
	all := schedule(Load{Requests: []Request{{}}, Arrival: Poisson, Rate: 1000, Hold: 100 * time.Second, Seed: 1})
	var sum, squares float64
	for i := range all[1:] {
		d := float64(all[i+1].intendedNS - all[i].intendedNS)
		sum += d
		squares += d * d
	}
	n := float64(len(all) - 1)
	mean := sum / n
	if sd := math.Sqrt(squares/n - mean*mean); math.Abs(mean-1e6) > 2e4 || math.Abs(sd-1e6) > 3e4 {
		t.Errorf("mean %.0f ns, standard deviation %.0f ns: both must be near 1,000,000", mean, sd)
	}
}

func TestDrawFollowsTheWeights(t *testing.T) {
	l := Load{Requests: []Request{{Weight: 70}, {}, {Weight: 29}}, Seed: 5}
	d, got := newDraw(l, 0), [3]int{}
	const n = 100_000
	for range n {
		got[d.next()]++
	}
	for i, want := range []float64{0.70, 0.01, 0.29} {
		if share := float64(got[i]) / n; math.Abs(share-want) > 0.01 {
			t.Errorf("request %d was drawn in %.3f of all cases, want %.2f", i, share, want)
		}
	}
	if a, b := newDraw(l, 1), newDraw(l, 2); func() bool {
		for range 100 {
			if a.next() != b.next() {
				return false
			}
		}
		return true
	}() {
		t.Error("two clients draw the same")
	}
}
