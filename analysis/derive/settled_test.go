package derive

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"moobench/results"
)

// seconds are those of a load that is held from one on, whose p99 in ms is f of the
// second.
func seconds(n, hold int, f func(i int) float64) (since, p99, held []int64) {
	for i := range n {
		since, p99, held = append(since, int64(i)*int64(time.Second)), append(p99, int64(f(i)*1e6)), append(held, int64(pick(i >= hold, 1, 0)))
	}
	return since, p99, held
}

func TestSettled(t *testing.T) {
	flat := func(int) float64 { return 10 }
	for name, test := range map[string]struct {
		n, hold int
		f       func(i int) float64
		want    int // seconds; 0: never
	}{
		"from the start":      {30, 5, flat, 1},
		"no ramp":             {20, 0, flat, 1},
		"too short a hold":    {14, 5, flat, 0},
		"just long enough":    {15, 5, flat, 1},
		"nothing at all":      {0, 0, flat, 0},
		"a step down at 8":    {40, 5, func(i int) float64 { return pick(i < 8, 100, 10) }, 9},
		"a step up at 8":      {40, 5, func(i int) float64 { return pick(i < 8, 1, 10) }, 9},
		"within the band":     {40, 5, func(i int) float64 { return pick(i%2 == 0, 8.5, 11.5) }, 1},
		"decays":              {60, 5, func(i int) float64 { return 10 + 90/float64(1+i*i) }, 8},
		"one long pause":      {40, 5, func(i int) float64 { return pick(i == 20, 400, 10) }, 1},
		"two seconds stalled": {40, 5, func(i int) float64 { return pick(i == 20 || i == 21, 400, 10) }, 1},
		"a pause at the end":  {40, 5, func(i int) float64 { return pick(i == 39, 400, 10) }, 1},
		"grows":               {60, 5, func(i int) float64 { return float64(i + 1) }, 0},
		"jumps near the end":  {60, 5, func(i int) float64 { return pick(i < 50, 10, 20) }, 0},
		"up and down":         {60, 5, func(i int) float64 { return pick(i/10%2 == 0, 10, 20) }, 0},
		"no answers":          {40, 5, func(int) float64 { return 0 }, 0},
		"none in the ramp":    {40, 5, func(i int) float64 { return pick(i < 5, 0, 10) }, 6},
		"dead after 20":       {40, 5, func(i int) float64 { return pick(i < 20, 10, 0) }, 0},
	} {
		got, ok := settledNS(seconds(test.n, test.hold, test.f))
		if want := int64(test.want) * int64(time.Second); got != want || ok != (want > 0) {
			t.Errorf("%s: settled after %v, %t; want %v", name, time.Duration(got), ok, time.Duration(want))
		}
	}
}

func pick(first bool, a, b float64) float64 {
	if first {
		return a
	}
	return b
}

// TestSettledScales: the unit of the latency decides nothing, nor does what a
// server was slow at before it was quick.
func TestSettledScales(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p99 := rapid.SliceOfN(rapid.IntRange(0, 1000), 0, 80).Draw(t, "p99")
		hold := rapid.IntRange(0, 20).Draw(t, "hold")
		at := func(scale int) (int64, bool) {
			since, scaled, held := seconds(len(p99), hold, func(int) float64 { return 0 })
			for i, v := range p99 {
				scaled[i] = int64(v * scale)
			}
			return settledNS(since, scaled, held)
		}
		one, ok := at(1000)
		other, alike := at(3000)
		if one != other || ok != alike {
			t.Fatalf("settled after %d, %t, but three times as slow after %d, %t", one, ok, other, alike)
		}
		if ok && (one <= 0 || one > int64(len(p99))*int64(time.Second)) {
			t.Fatalf("settled after %d ns of %d s", one, len(p99))
		}
	})
}

// TestSettledNeedsItsColumns: a load whose columns don't belong together tells nothing of when it settled.
func TestSettledNeedsItsColumns(t *testing.T) {
	since, p99, held := seconds(60, 10, func(int) float64 { return 1 })
	for _, test := range []struct {
		what             string
		since, p99, held []int64
		told             bool
	}{
		{"whole", since, p99, held, true},
		{"no column", nil, nil, nil, false},
		{"no quantiles", since, nil, held, false},
		{"fewer quantiles", since, p99[1:], held, false},
		{"nothing held", since, p99, nil, false},
		{"more held", since, p99, append(held[:60:60], 1), false},
	} {
		f := Figures{Values: map[string]float64{}}
		f.settled(map[string][]int64{"since": test.since, "p99": test.p99, "held": test.held})
		if _, told := f.Values[results.DerivedSettled]; told != test.told {
			t.Errorf("%s: %v", test.what, f.Values)
		}
	}
}

func TestMean(t *testing.T) {
	for _, test := range []struct {
		ns   []int64
		want float64
	}{{nil, 0}, {[]int64{7}, 7}, {[]int64{7, 8}, 7.5}, {[]int64{-1, 0, 4}, 1}} {
		if got := mean(test.ns); got != test.want {
			t.Errorf("%v: %v, want %v", test.ns, got, test.want)
		}
	}
}
