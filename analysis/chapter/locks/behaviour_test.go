package locks

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"moobench/analysis/divergent"
	"moobench/results/events"
)

// TestBehaviours: made-up series with the code that goes with them, as the microbenchmarks of
// the paper have it; and what looks alike, and isn't.
func TestBehaviours(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	series := func(n int, at func(i int) float64) *divergent.Series {
		ns := make([]int64, n)
		for i := range ns {
			ns[i] = int64(at(i) * math.Exp(0.05*r.NormFloat64()))
		}
		return divergent.Of(ns)
	}
	flat := func(int) float64 { return 1000 }
	alike := divergent.Of(slices.Repeat([]int64{1000}, 500)) // 500,000 ns
	odd := divergent.Of(append(slices.Repeat([]int64{40}, 699), 900))
	const getter, plain = 5, 60
	for _, c := range []struct {
		name    string
		section Section
		want    string
	}{
		{"M1, arithmetic that is compiled once", Section{Code: Code{Size: plain, Branches: 1}, Times: series(50, func(i int) float64 { return map[bool]float64{true: 90_000, false: 1000}[i == 0] })}, ""},
		{"M2, M13, a list that grows", Section{Code: Code{Size: plain, Grows: "java.util.ArrayList.add"}, Times: series(500, func(i int) float64 {
			return map[bool]float64{true: 9000, false: 100}[i == 10 || i == 15 || i == 22 || i == 33 || i == 109 || i == 244]
		})}, "C"},
		{"M3, a map that rehashes", Section{Code: Code{Size: plain, Grows: "java.util.Map.put"}, Times: series(50, func(i int) float64 { return map[bool]float64{true: 20_000, false: 1000}[i == 0 || i == 25 || i == 48] })}, "C"},
		{"M4, allocation, and garbage is collected", Section{Code: Code{Size: plain, Allocations: 1}, Collections: [2]int{1, 1}, Times: series(500, func(i int) float64 { return map[bool]float64{true: 5e6, false: 1000}[i == 320] })}, "E"},
		{"allocation whose outliers have nothing to do with it", Section{Code: Code{Size: plain, Allocations: 1}, Times: series(500, func(i int) float64 { return map[bool]float64{true: 5e6, false: 1000}[i == 320 || i == 401 || i == 7] })}, ""},
		{"M10, a list of lists", Section{Code: Code{Size: plain, Reads: "java.util.ArrayList.get"}, Times: series(50, func(i int) float64 { return 1e6 * (1 + 10*r.Float64()) })}, "D"},
		{"M11, two ways", Section{Code: Code{Size: plain, Branches: 1}, Times: series(500, func(i int) float64 { return []float64{1000, 17e6}[r.IntN(2)] })}, "A"},
		{"M12, nested locks of threads that contend", Section{Code: Code{Size: plain}, Contended: 300, WaitNS: 400_000, Times: series(500, flat)}, "B"},
		{"M15, the network", Section{Code: Code{Size: plain, IO: "java.net.InetAddress.isReachable"}, Times: series(50, func(i int) float64 { return map[bool]float64{true: 1e7, false: 3e5}[i == 0] })}, "F"},
		{"a getter", Section{Kind: events.SectionMethod, Code: Code{Size: getter}, Times: series(5000, func(i int) float64 { return map[bool]float64{true: 900, false: 40}[i%700 == 699] })}, "G"},
		{"once, from a file", Section{Code: Code{Size: plain, IO: "java.io.FileInputStream.read"}, Times: series(1, flat)}, "FH"},
		{"always alike", Section{Kind: events.SectionMethod, Code: Code{Size: plain, Branches: 3, Allocations: 2}, Times: series(5000, flat)}, ""},
		{"a list that has room", Section{Code: Code{Size: plain, Grows: "java.util.ArrayList.add"}, Times: alike}, ""},
		{"a getter that is always alike", Section{Kind: events.SectionMethod, Code: Code{Size: getter}, Times: alike}, ""},
		{"threads that contend just enough", Section{Code: Code{Size: plain}, Contended: 5, WaitNS: 50_000, Times: alike}, "B"},
		{"threads that contend too rarely", Section{Code: Code{Size: plain}, Contended: 4, WaitNS: 50_000, Times: alike}, ""},
		{"threads that contend for too short a time", Section{Code: Code{Size: plain}, Contended: 5, WaitNS: 49_999, Times: alike}, ""},
		{"a getter of 14 instructions", Section{Kind: Plain, Code: Code{Size: 14}, Times: odd}, "G"},
		{"one of 15", Section{Kind: Plain, Code: Code{Size: 15}, Times: odd}, ""},
		{"of an unknown number", Section{Kind: Plain, Times: odd}, ""},
		{"one that calls", Section{Kind: Plain, Code: Code{Size: 14, Calls: 1}, Times: odd}, ""},
		{"a block", Section{Kind: Block, Code: Code{Size: 14}, Times: odd}, ""},
		{"once, and without a device", Section{Code: Code{Size: plain, Branches: 1, Grows: "java.util.ArrayList.add"}, Times: divergent.Of([]int64{1000})}, "H"},
	} {
		got := ""
		for _, b := range behaviours(&c.section) {
			got += string(rune(b))
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q; %d divergent by the paper's rule, %d by ours, slow from %v", c.name, got, c.want, c.section.Times.Paper.N, c.section.Times.Ours.N, c.section.Times.SlowFromNS)
		}
	}
}
