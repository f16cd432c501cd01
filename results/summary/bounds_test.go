package summary

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestPossible: what is read from a file must be moments that samples can have.
func TestPossible(t *testing.T) {
	for _, c := range []struct {
		m    Moments
		want bool
	}{
		{Moments{N: 1, Sum: 5, Min: 5, Max: 5}, true},
		{Moments{N: 1, Sum: -5, Min: -5, Max: -5}, true},
		{Moments{N: 1}, true},
		{Moments{}, false},
		{Moments{N: -1, Sum: -5, Min: 5, Max: 5}, false},
		{Moments{N: 1, Sum: 5, Min: 6, Max: 5}, false},
		{Moments{N: 1, Sum: 2e9 + 0.5, Min: 2e9 + 1, Max: 2e9}, false},
		{Moments{N: 2, Sum: 12, Min: 5, Max: 5}, false},
		{Moments{N: 2, Sum: 8, Min: 5, Max: 5}, false},
		{Moments{N: 1, Sum: math.NaN(), Min: 5, Max: 5}, false},
		{Moments{N: 1, Sum: 1e9 + 0.9, Min: 1e9, Max: 1e9}, true},
		{Moments{N: 1, Sum: 1e9 + 1, Min: 1e9, Max: 1e9}, true},
		{Moments{N: 1, Sum: 1e9 + 1.5, Min: 1e9, Max: 1e9}, false},
		{Moments{N: 1, Sum: 1e9 - 1, Min: 1e9, Max: 1e9}, true},
		{Moments{N: 1, Sum: 1e9 - 1.5, Min: 1e9, Max: 1e9}, false},
		{Moments{N: 1, Sum: 0.5, Min: -1e9, Max: 0}, true},
		{Moments{N: 1, Sum: -0.5, Min: 0, Max: 1e9}, true},
		{Moments{N: 2, Sum: 10, Min: 4, Max: 6, ss: -1}, false},
		{Moments{N: 2, Sum: 10, Min: 4, Max: 6, ss: 2}, true},
		{Moments{N: 2, Sum: 10, Min: 4, Max: 6, ss: 8}, true},
		{Moments{N: 2, Sum: 10, Min: 4, Max: 6, ss: 8.1}, false},
		{Moments{N: 2, Sum: 10, Min: 4, Max: 6, ss: math.NaN()}, false},
		{Moments{N: 2, Sum: 10, Min: 5, Max: 5, ss: 1}, false},
	} {
		if got := c.m.possible(); got != c.want {
			t.Errorf("%+v: %t", c.m, got)
		}
	}
}

// TestBelowIsChecked: negative samples are counted, are below 0 and have an order.
func TestBelowIsChecked(t *testing.T) {
	for _, c := range []struct {
		below Below
		ok    bool
	}{
		{Below{1, -5, -5}, true},
		{Below{1, -5, -1}, true},
		{Below{0, -5, -1}, false},
		{Below{1, -1, -5}, false},
		{Below{1, -5, 0}, false},
	} {
		column := build(t, []int64{-5, 3}, 2)
		column.Histograms[0].Below = &c.below
		if err := column.check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.below, err)
		}
	}
}

// TestEachListIsCounted: a column has as many of everything as it has batches.
func TestEachListIsCounted(t *testing.T) {
	for i, spoil := range []func(*Column){
		func(*Column) {},
		func(c *Column) { c.Sum = c.Sum[1:] },
		func(c *Column) { c.SS = c.SS[1:] },
		func(c *Column) { c.Min = c.Min[1:] },
		func(c *Column) { c.Max = c.Max[1:] },
		func(c *Column) { c.Histograms = append(c.Histograms, Histogram{}) },
		func(c *Column) { c.Histograms = c.Histograms[1:] },
		func(c *Column) { c.Count++ },
		func(c *Column) { c.Count-- },
	} {
		column := build(t, make([]int64, 51), 51)
		spoil(column)
		if err := column.check(); (err == nil) != (i == 0) {
			t.Errorf("change %d: %v", i, err)
		}
	}
}

// TestHistogramsAreAdded: a histogram is added as it was built and as it is stored, up to a most of samples.
func TestHistogramsAreAdded(t *testing.T) {
	column := build(t, []int64{-7, -9, 3, 3, 5000}, 5)
	if _, err := Encode(&Summary{Columns: []Column{*column}}); err != nil {
		t.Fatal(err)
	}
	built := column.Histograms[0]
	stored := Histogram{HDR: built.HDR, Below: built.Below}
	for _, c := range []struct {
		name string
		h    Histogram
		most int64
		n    int64 // -1: an error
	}{
		{"built", built, math.MaxInt64, 3},
		{"stored", stored, math.MaxInt64, 3},
		{"just as many", stored, 3, 3},
		{"one too many", stored, 2, -1},
		{"none", Histogram{}, 0, 0},
		{"only negative ones", Histogram{Below: built.Below}, 0, 0},
		{"broken", Histogram{HDR: "!!"}, 9, -1},
	} {
		tally := newTally()
		n, err := c.h.addTo(&tally, c.most)
		if want := max(c.n, 0); n != want || (err == nil) != (c.n >= 0) {
			t.Errorf("%s: %d, %v; want %d", c.name, n, err, c.n)
		}
		if c.n == 3 && (tally.n[3] != 2 || tally.n[bucketOf(5000)] != 1 || tally.below != (Below{2, -9, -7})) {
			t.Errorf("%s: %d, below %+v", c.name, tally.n[3], tally.below)
		}
	}
}

// TestBelowAdds: the negative samples of two histograms have the range of both.
func TestBelowAdds(t *testing.T) {
	for _, c := range []struct{ a, b, want Below }{
		{Below{}, Below{2, -9, -7}, Below{2, -9, -7}},
		{Below{2, -9, -7}, Below{}, Below{2, -9, -7}},
		{Below{2, -9, -7}, Below{3, -8, -1}, Below{5, -9, -1}},
		{Below{2, -5, -4}, Below{1, -8, -8}, Below{3, -8, -4}},
	} {
		got := c.a
		if got.add(c.b); got != c.want {
			t.Errorf("%+v and %+v: %+v", c.a, c.b, got)
		}
	}
}

// TestOrderStatistics: both ends are exact, however wide their buckets are, and a bucket has the value of its middle;
// only buckets with samples are kept.
func TestOrderStatistics(t *testing.T) {
	const wide = 5_000_001 // its bucket is 4,096 wide
	d := distributionOf(t, []int64{wide, 7, wide + 1_000_000, 9, wide})
	middle := float64(lowestOf(bucketOf(wide)) + 2048)
	for k, want := range []float64{7, 9, middle, middle, wide + 1_000_000} {
		if got := d.order(int64(k)); got != want {
			t.Errorf("order statistic %d: %v, want %v", k, got, want)
		}
	}
	if !slices.Equal(d.count, []int64{1, 1, 2, 1}) || len(d.bucket) != 4 {
		t.Errorf("buckets %d have %d samples", d.bucket, d.count)
	}
	for _, p := range []float64{-1e-9, 1 + 1e-9, math.NaN()} {
		if got := d.Quantile(p); !math.IsNaN(got) {
			t.Errorf("quantile %v: %v", p, got)
		}
	}
	if got := d.Quantile(0.375); got != (9+middle)/2 {
		t.Errorf("between two samples: %v", got)
	}
	if got := distributionOf(t, []int64{wide, wide, wide}).Quantile(0.5); got != wide {
		t.Errorf("the middle of a bucket lies beyond its only value: %v", got)
	}
	below := distributionOf(t, []int64{-3, -2, 4, 5})
	for k, want := range []float64{-3, math.NaN(), 4, 5} {
		if got := below.order(int64(k)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("with negative ones, order statistic %d: %v, want %v", k, got, want)
		}
	}
}

// TestClip: a window of whole histograms lies within the batches that there are.
func TestClip(t *testing.T) {
	c := &Column{Count: 170}
	for _, w := range []struct{ w, want Window }{
		{Window{-60, 50}, Window{0, 50}},
		{Window{0, 49}, Window{0, 0}},
		{Window{1, 100}, Window{50, 100}},
		{Window{50, 51}, Window{50, 50}},
		{Window{100, 169}, Window{100, 150}},
		{Window{100, 170}, Window{100, 170}},
		{Window{151, 999}, Window{170, 170}},
		{Window{150, 999}, Window{150, 170}},
		{Window{150, 100}, Window{150, 150}},
	} {
		if got := c.clip(w.w); got != w.want {
			t.Errorf("%v: %v, want %v", w.w, got, w.want)
		}
	}
}

// TestRanks: the nearest rank lies among the values, and of none it is 0.
func TestRanks(t *testing.T) {
	for _, c := range []struct {
		all  []int
		q    float64
		want int
	}{
		{nil, 0.5, 0},
		{[]int{7}, 0, 7},
		{[]int{7}, 1, 7},
		{[]int{7, 8}, 0.5, 7},
		{[]int{7, 8}, 0.51, 8},
		{[]int{7, 8, 9}, 2, 9},
		{[]int{7, 8, 9}, -1, 7},
	} {
		if got := NearestRank(c.all, c.q); got != c.want {
			t.Errorf("%v of %v: %d, want %d", c.q, c.all, got, c.want)
		}
	}
}

// TestFind: the columns of a series are found by both names, one for each thread.
func TestFind(t *testing.T) {
	s := &Summary{Columns: []Column{
		{Series: "a", Name: "t"},
		{Series: "a", Name: "u"},
		{Series: "b", Name: "t"},
		{Series: "a", Name: "t", Thread: 1},
	}}
	if got := s.Find("a", "t"); len(got) != 2 || got[0] != &s.Columns[0] || got[1] != &s.Columns[3] {
		t.Errorf("%v", got)
	}
	if got := s.Find("b", "u"); got != nil {
		t.Errorf("%v", got)
	}
}

// TestRoundedMean: squared deviations are from the mean of the samples, not from what rounding makes of it.
func TestRoundedMean(t *testing.T) {
	const large = 1 << 53 // from here on, only every second integer is a float64
	m := momentsOf([]int64{large, large + 2, large + 2})
	if want := 8.0 / 3; math.Abs(m.ss-want) > 1e-9 {
		t.Errorf("squared deviations %v, want %v", m.ss, want)
	}
	if m := momentsOf([]int64{large, large}); m.ss != 0 || m.N != 2 {
		t.Errorf("of equal samples: %+v", m)
	}
}

// TestOnlyNegativeSamples: a histogram that has nothing but the samples below 0 is written as it is.
func TestOnlyNegativeSamples(t *testing.T) {
	h := Histogram{Below: &Below{N: 2, Min: -9, Max: -7}}
	text, err := Encode(&Summary{Columns: []Column{{Name: "t", Histograms: []Histogram{h}}}})
	if err != nil || !strings.Contains(string(text), `"min":-9`) {
		t.Errorf("%s, %v", text, err)
	}
}
