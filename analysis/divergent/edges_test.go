package divergent

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The reach is that of the table where it has the number, between two entries on a line over the logarithm, and
// beyond the last grows by one with each doubling.
func TestReach(t *testing.T) {
	for _, c := range []struct{ n, low, high, steps float64 }{
		{20, 0.75, 0.9, 6.8},
		{30, 0.75, 0.9, 6.8},
		{math.Sqrt(30 * 50), 0.75, 0.9, 6.5},
		{50, 0.75, 0.9, 6.2},
		{100, 0.75, 0.9, 5.6},
		{499, 0.75, 0.9, 5.6},
		{500, 0.9, 0.95, 9.3},
		{math.Sqrt(500 * 1000), 0.9, 0.95, 9.55},
		{1000, 0.9, 0.95, 9.8},
		{math.Sqrt(5000 * 20_000), 0.9, 0.95, 12.4},
		{20_000, 0.9, 0.95, 13.2},
		{80_000, 0.9, 0.95, 15.2},
	} {
		if low, high, steps := reach(c.n); low != c.low || high != c.high || math.Abs(steps-c.steps) > 1e-9 {
			t.Errorf("%v executions: %v, %v, %v, want %v, %v, %v", c.n, low, high, steps, c.low, c.high, c.steps)
		}
	}
}

// A fence continues the tail as a power, and lies neither within twice the median nor within some clock readings
// of it.
func TestFence(t *testing.T) {
	at := func(median, low, high float64) func(float64) float64 {
		return func(q float64) float64 { return map[float64]float64{0.5: median, 0.75: low, 0.9: high}[q] }
	}
	for _, c := range []struct {
		name string
		of   func(float64) float64
		want float64
	}{
		{"a power", at(10_000, 11_000, 12_000), 10_000 + 2000*math.Pow(2, 6.8)},
		{"no tail", at(10_000, 11_000, 11_000), 20_000},
		{"no tail of short times", at(100, 150, 150), 300},
		{"within the clock's resolution", at(10_000, 10_001, 10_100), 10_000 + 100*math.Pow(2, 6.8)},
	} {
		if got := fence(20, c.of); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func valuesOf(ns ...int64) *values {
	v := &values{}
	for _, x := range ns {
		v.add(x)
	}
	return v
}

// times are n times from one on, each one longer.
func times(from int64, n int) []int64 {
	all := make([]int64, n)
	for i := range all {
		all[i] = from + int64(i)
	}
	return all
}

// A kind of its own has a twentieth of all, and three; the gap before it is wider than half of what is below it,
// and than either kind, and it begins at the first value behind the gap.
func TestKinds(t *testing.T) {
	for _, c := range []struct {
		name        string
		ns          []int64
		from, share float64
	}{
		{"one kind", times(1000, 100), 0, 0},
		{"two kinds", slices.Concat(times(1000, 50), times(3000, 50)), 3000, 0.5},
		{"hardly apart", slices.Concat(times(1000, 50), times(1500, 50)), 0, 0},
		{"just apart", slices.Concat(times(1000, 50), times(1600, 50)), 1600, 0.5},
		{"more than a twentieth", slices.Concat(times(1000, 94), times(3000, 6)), 3000, 0.06},
		{"less", slices.Concat(times(1000, 96), times(3000, 4)), 0, 0},
		{"three", slices.Concat(times(1000, 17), times(3000, 3)), 3000, 0.15},
		{"two", slices.Concat(times(1000, 18), times(3000, 2)), 0, 0},
		{"one in the gap", slices.Concat(times(1000, 50), []int64{2000}, times(5000, 49)), 5000, 0.49},
		{"the wider of two gaps", slices.Concat(times(1000, 30), times(1700, 40), times(9000, 30)), 9000, 0.3},
	} {
		if from, share := valuesOf(c.ns...).kinds(); from != c.from || math.Abs(share-c.share) > 1e-12 {
			t.Errorf("%s: %v of them from %v on, want %v from %v", c.name, share, from, c.share, c.from)
		}
	}
}

// Values above a limit do not lie on it, kept or counted, and all are in the bin that has them.
func TestAboveAndBins(t *testing.T) {
	v := valuesOf(10, 20, 20, 30)
	for fence, want := range map[float64]int64{9: 4, 10: 3, 19.9: 3, 20: 1, 30: 0} {
		if got := v.above(fence); got != want {
			t.Errorf("%d above %v, want %d", got, fence, want)
		}
	}
	many := valuesOf(slices.Concat(times(0, mostExact), []int64{9000, 9001})...)
	if many.exact != nil || many.n != mostExact+2 || many.above(5000) != 2 || many.above(1e9) != 0 {
		t.Errorf("%d values, %d of them above 5000", many.n, many.above(5000))
	}
	if just := valuesOf(times(0, mostExact)...); just.counts != nil || len(just.exact) != mostExact {
		t.Errorf("%d values are kept", len(just.exact))
	}
	bins := valuesOf(1, 2, 1024).bins(1, 1023)
	if len(bins) != 40 || bins[0].FromNS != 1 || math.Abs(bins[39].ToNS-1024) > 1e-6 {
		t.Errorf("%d bins from %v", len(bins), bins[0])
	}
	for i, want := range map[int]int64{0: 1, 4: 1, 39: 1} {
		if bins[i].N != want {
			t.Errorf("bin %d, from %v: %d, want %d", i, bins[i].FromNS, bins[i].N, want)
		}
	}
}

// Of a slower kind the fence is its own if it is large; else it is as far out as that of the faster kind.
func TestFenceOfTwoKinds(t *testing.T) {
	faster := times(1000, 400)
	ofFaster := fence(400, valuesOf(faster...).quantile)
	for _, c := range []struct {
		name string
		slow []int64
		want float64
	}{
		{"none", nil, ofFaster},
		{"too few", times(5000, 199), 5099 * ofFaster / 1199},
		{"enough", times(5000, 200), fence(200, valuesOf(times(5000, 200)...).quantile)},
	} {
		v := valuesOf(slices.Concat(faster, c.slow)...)
		if got := v.fenceOf(float64(len(c.slow)) / float64(v.n)); math.Abs(got-c.want) > 0.01*c.want {
			t.Errorf("%s: %v, want about %v", c.name, got, c.want)
		}
	}
}

// Of more than fifty the paper's rule names the first, ours the longest, both in their order; counts have all.
func TestNamed(t *testing.T) {
	const ordinary = 2000
	ns := times(1000, ordinary)
	for i := range ns {
		ns[i] = 1000 + int64(i%7)
	}
	var first, longest []int64
	for i := range int64(60) {
		at := 100 + 10*i
		ns[at] = 1_000_000 + (i*37)%60 // no two alike
		if i < mostExecutions {
			first = append(first, at)
		}
		if (i*37)%60 >= 10 {
			longest = append(longest, at)
		}
	}
	s := Of(ns)
	if s.Paper.N != 60 || s.Ours.N != 60 {
		t.Fatalf("%d and %d of 60 are divergent", s.Paper.N, s.Ours.N)
	}
	if s.SteadyFrom > 100 || s.Paper.Share != 60./ordinary || s.Ours.Share != 60/float64(ordinary-s.SteadyFrom) {
		t.Errorf("steady from %d on, shares %v and %v", s.SteadyFrom, s.Paper.Share, s.Ours.Share)
	}
	if diff := cmp.Diff(first, indices(s.Paper)); diff != "" {
		t.Errorf("the paper's rule (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(longest, indices(s.Ours)); diff != "" {
		t.Errorf("our rule (-want +got):\n%s", diff)
	}
}

// Nothing, and one execution, have no spread and no slope; from twenty on there is a fence.
func TestFew(t *testing.T) {
	if s := Of(nil); s.N != 0 || s.SDNS != 0 || s.SlopeNS != 0 || s.Paper.Share != 0 || s.FenceNS != 0 {
		t.Errorf("nothing: %+v", s)
	}
	if s := Of([]int64{7}); s.MeanNS != 7 || s.SDNS != 0 || s.SlopeNS != 0 || s.InterceptNS != 7 || s.LeastNS != 7 {
		t.Errorf("one: %+v", s)
	}
	if s := Of(times(1000, 2)); s.SlopeNS != 1 || s.InterceptNS != 1000 || s.SDNS != 0.5 {
		t.Errorf("two: %+v", s)
	}
	// In order they would be a warm-up.
	even := func(n int) []int64 {
		ns := times(1000, n)
		for i := range ns {
			ns[i] = 1000 + int64(i%2)
		}
		return ns
	}
	if s := Of(even(fewest - 1)); s.FenceNS != 0 {
		t.Errorf("of %d: %v", fewest-1, s.FenceNS)
	}
	if s := Of(even(fewest)); s.FenceNS != 2000 || s.SteadyFrom != 0 || s.MedianNS != 1000 {
		t.Errorf("of %d: %v from %d on", fewest, s.FenceNS, s.SteadyFrom)
	}
}
