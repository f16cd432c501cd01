package summary

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func build(t interface{ Fatal(...any) }, values []int64, piece int) *Column {
	b := NewBuilder(int64(len(values)))
	for at := 0; at < len(values); at += piece {
		b.Add(values[at:min(at+piece, len(values))])
	}
	c, err := b.Column()
	if err != nil {
		t.Fatal(err)
	}
	return &c
}

func drawValues(t *rapid.T) []int64 {
	n := rapid.IntRange(0, 20_000).Draw(t, "n")
	x := rapid.Uint64().Draw(t, "seed") | 1
	offset := rapid.Int64Range(0, 1<<40).Draw(t, "offset")
	spread := rapid.Int64Range(1, 1<<rapid.IntRange(1, 61).Draw(t, "bits")).Draw(t, "spread")
	values := make([]int64, n)
	for i := range values {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		values[i] = offset + int64(x>>1)%spread
	}
	return values
}

func TestHowTheStreamIsCutDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := drawValues(t)
		a := build(t, values, max(1, len(values)))
		b := build(t, values, rapid.IntRange(1, 5000).Draw(t, "piece"))
		sa, sb := &Summary{Columns: []Column{*a}}, &Summary{Columns: []Column{*b}}
		for _, s := range []*Summary{sa, sb} {
			if _, err := Encode(s); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(sa, sb, asStored); diff != "" {
			t.Fatal(diff)
		}
	})
}

// asStored compares what is written.
var asStored = cmpopts.IgnoreUnexported(Histogram{})

// TestHistogramIsTheLibrarys records sample by sample what the builder counts.
func TestHistogramIsTheLibrarys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := drawValues(t)
		c := build(t, values, 1000)
		if _, err := Encode(&Summary{Columns: []Column{*c}}); err != nil {
			t.Fatal(err)
		}
		for i, h := range c.Histograms {
			from, to := Start(c.Count, i*perHistogram), Start(c.Count, min((i+1)*perHistogram, c.Batches()))
			dense, below := newHDR(), Below{}
			for _, v := range values[from:to] {
				if v < 0 {
					below = Below{below.N + 1, min(below.Min, v), 0}
				} else if err := dense.RecordValue(v); err != nil {
					t.Fatal(err)
				}
			}
			want := ""
			if dense.TotalCount() > 0 {
				data, err := dense.EncodeV2()
				if err != nil {
					t.Fatal(err)
				}
				want = string(data)
			}
			if h.HDR != want {
				t.Errorf("histogram %d of %d samples: %s, want %s", i, len(values), h.HDR, want)
			}
			if (h.Below != nil) != (below.N > 0) || h.Below != nil && (h.Below.N != below.N || h.Below.Min != below.Min) {
				t.Errorf("histogram %d: below %+v, want %+v", i, h.Below, below)
			}
		}
	})
}

// newHDR is a histogram of the library's other kind.
func newHDR() *hdrhistogram.Histogram { return hdrhistogram.New(1, math.MaxInt64, digits) }

func TestBuckets(t *testing.T) {
	dense := newHDR()
	last := -1
	for bucket := range buckets {
		low := lowestOf(bucket)
		if got := bucketOf(low); got != bucket || bucketOf(max(low-1, 0)) != max(last, 0) {
			t.Fatalf("bucket %d begins at %d, which is in bucket %d", bucket, low, got)
		}
		if low > 0 && dense.ValuesAreEquivalent(low, low-1) {
			t.Fatalf("the library has %d and %d in one bucket", low-1, low)
		}
		last = bucket
	}
	if bucketOf(math.MaxInt64) != buckets-1 {
		t.Errorf("the largest value is in bucket %d of %d", bucketOf(math.MaxInt64), buckets)
	}
}

func TestMergeIsTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := drawValues(t)
		if len(values) == 0 {
			return
		}
		c := build(t, values, 1000)
		w := c.Since(rapid.IntRange(0, 1100).Draw(t, "from"))
		part := values[Start(c.Count, w.From):]
		m := c.Moments(w)
		if m.N != int64(len(part)) {
			t.Fatalf("%d samples in %v, want %d", m.N, w, len(part))
		}
		if m.N == 0 {
			return
		}
		want := momentsOf(part)
		scale := math.Max(math.Abs(float64(want.Min)), math.Abs(float64(want.Max)))
		if m.Min != want.Min || m.Max != want.Max || math.Abs(m.Sum-want.Sum) > 1e-12*scale*float64(m.N) {
			t.Errorf("got %+v, want %+v", m, want)
		}
		// What float64 keeps of values this large bounds each deviation.
		n, eps := float64(m.N), scale*1e-15
		if tol := 1e-9*want.ss + n*eps*(eps+2*math.Sqrt(want.ss/n)); math.Abs(m.ss-want.ss) > tol {
			t.Errorf("ss %g, want %g ± %g", m.ss, want.ss, tol)
		}
	})
}

func TestQuantileError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := drawValues(t)
		if len(values) == 0 {
			return
		}
		c := build(t, values, 1000)
		w := c.Half()
		d, err := NewDistribution([]Window{w}, c)
		if err != nil {
			t.Fatal(err)
		}
		sorted := slices.Sorted(slices.Values(values[Start(c.Count, w.From):]))
		if d.N() != int64(len(sorted)) {
			t.Fatalf("%d samples, want %d", d.N(), len(sorted))
		}
		if d.N() == 0 {
			if !math.IsNaN(d.Quantile(.5)) {
				t.Error("a quantile of nothing")
			}
			return
		}
		for _, p := range []float64{0, .01, .25, .5, .9, .99, .999, 1, rapid.Float64Range(0, 1).Draw(t, "p")} {
			h := p * float64(len(sorted)-1)
			k := int(h)
			want := float64(sorted[k])
			if k+1 < len(sorted) {
				want += (h - float64(k)) * (float64(sorted[k+1]) - want)
			}
			if got := d.Quantile(p); math.Abs(got-want) > 1e-3*want+1e-9 {
				t.Errorf("quantile %v = %v, want %v", p, got, want)
			}
		}
	})
}

func TestQuantileOfSmallValuesIsExact(t *testing.T) {
	values := make([]int64, 2048)
	for i := range values {
		values[i] = int64(i)
	}
	c := build(t, values, 100)
	d, err := NewDistribution([]Window{c.Whole()}, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []int{0, 1, 77, 1000, 2046, 2047} {
		if got := d.Quantile(float64(v) / 2047); math.Abs(got-float64(v)) > 1e-9 {
			t.Errorf("got %v, want %d", got, v)
		}
	}
}

// TestStableVariance has a spread of one nanosecond round a second: the sum of
// squares would need 20 digits more than it has.
func TestStableVariance(t *testing.T) {
	values := make([]int64, 100_000)
	for i := range values {
		values[i] = 1_000_000_000 + int64(i%2)
	}
	c := build(t, values, 999)
	m := c.Moments(c.Whole())
	want := .25 * float64(m.N) / float64(m.N-1)
	if math.Abs(m.Variance()-want) > 1e-9 || m.Mean() != 1_000_000_000.5 {
		t.Errorf("variance %v, want %v; mean %v", m.Variance(), want, m.Mean())
	}
}

// TestMoments: a variance needs two samples, whatever joins them.
func TestMoments(t *testing.T) {
	for _, c := range []struct {
		values         []int64
		mean, variance float64
	}{
		{nil, math.NaN(), math.NaN()}, {[]int64{7}, 7, math.NaN()}, {[]int64{1, 3}, 2, 2}, {[]int64{3, 3}, 3, 0}, {[]int64{-1, 0, 4}, 1, 7},
	} {
		column := build(t, c.values, 1)
		m := column.Moments(column.Whole())
		same := func(got, want float64) bool { return got == want || math.IsNaN(got) && math.IsNaN(want) }
		if !same(m.Mean(), c.mean) || !same(m.Variance(), c.variance) || m.N != int64(len(c.values)) {
			t.Errorf("%v: %d samples, mean %v, variance %v; want %v and %v", c.values, m.N, m.Mean(), m.Variance(), c.mean, c.variance)
		}
		if m != m.Merge(Moments{}) || m != (Moments{}).Merge(m) {
			t.Errorf("%v and nothing else: %+v and %+v, want %+v", c.values, m.Merge(Moments{}), Moments{}.Merge(m), m)
		}
	}
}

func TestExtremes(t *testing.T) {
	values := []int64{math.MinInt64, -5, 0, 7, math.MaxInt64, math.MaxInt64}
	c := build(t, values, 2)
	m := c.Moments(c.Whole())
	if m.N != 6 || m.Min != math.MinInt64 || m.Max != math.MaxInt64 {
		t.Errorf("%+v", m)
	}
	d, err := NewDistribution([]Window{c.Whole()}, c)
	if err != nil {
		t.Fatal(err)
	}
	if d.below != (Below{2, math.MinInt64, -5}) {
		t.Errorf("below: %+v", d.below)
	}
	for _, tt := range []struct{ p, want float64 }{{0, math.MinInt64}, {.2, math.NaN()}, {.4, 0}, {.6, 7}, {.8, math.MaxInt64}, {1, math.MaxInt64}} {
		if got := d.Quantile(tt.p); math.Abs(got-tt.want) > 1e-3*math.Abs(tt.want) || math.IsNaN(got) != math.IsNaN(tt.want) {
			t.Errorf("quantile %v = %v, want %v", tt.p, got, tt.want)
		}
	}
	data, err := Encode(&Summary{Columns: []Column{*c}})
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(*c, back.Columns[0], asStored); diff != "" {
		t.Error(diff)
	}
}

func TestWindows(t *testing.T) {
	tests := []struct {
		n     int64
		since int
		want  Window
	}{
		{2_000_000, 0, Window{0, 1000}},
		{2_000_000, 500, Window{500, 1000}},
		{2_000_000, 501, Window{550, 1000}},
		{2_000_000, 951, Window{1000, 1000}},
		{120, 60, Window{100, 120}},
		{120, -3, Window{0, 120}},
		{0, 0, Window{0, 0}},
	}
	for _, tt := range tests {
		c := &Column{Count: tt.n}
		if got := c.Since(tt.since); got != tt.want {
			t.Errorf("%d samples since batch %d: %v, want %v", tt.n, tt.since, got, tt.want)
		}
	}
	c := &Column{Count: 5000}
	if got := c.Half(); got != (Window{500, 1000}) {
		t.Errorf("half: %v", got)
	}
	if got := c.clip(Window{60, 170}); got != (Window{100, 150}) {
		t.Errorf("clip: %v", got)
	}
}

// TestWithout: a histogram that has a batch to be left out is left out whole, and the others next to
// each other are one part.
func TestWithout(t *testing.T) {
	out := func(n int, batches ...int) []bool {
		all := make([]bool, n)
		for _, b := range batches {
			all[b] = true
		}
		return all
	}
	for _, test := range []struct {
		w    Window
		out  []bool
		want []Window
	}{
		{Window{0, 200}, nil, []Window{{0, 200}}},
		{Window{0, 200}, out(200), []Window{{0, 200}}},
		{Window{0, 200}, out(200, 60), []Window{{0, 50}, {100, 200}}},
		{Window{0, 200}, out(200, 49, 150), []Window{{50, 150}}},
		{Window{0, 130}, out(130, 129), []Window{{0, 100}}},
		{Window{50, 130}, out(130, 0), []Window{{50, 130}}},
		{Window{0, 200}, out(30, 29), []Window{{50, 200}}}, // nothing is said of later ones
		{Window{0, 100}, out(100, 0, 99), nil},
	} {
		if got := test.w.Without(test.out); !slices.Equal(got, test.want) {
			t.Errorf("%v without %d: %v, want %v", test.w, len(test.out), got, test.want)
		}
	}
}

func TestStart(t *testing.T) {
	for _, n := range []int64{0, 1, 999, 1000, 1001, 2_000_000, math.MaxInt64} {
		if Start(n, 0) != 0 || Start(n, MaxBatches) != n {
			t.Errorf("%d samples: from %d to %d", n, Start(n, 0), Start(n, MaxBatches))
		}
	}
	if got := Start(2500, 999); got != 2497 {
		t.Errorf("got %d", got)
	}
}

func TestBuilderCounts(t *testing.T) {
	for _, given := range []int{9, 11} {
		b := NewBuilder(10)
		b.Add(make([]int64, given))
		if _, err := b.Column(); err == nil {
			t.Errorf("%d samples instead of 10 were taken", given)
		}
	}
	// A count that nobody can mean costs no memory before the samples come.
	NewBuilder(math.MaxInt64).Add([]int64{1})
}

// Builders take memory when samples come, and give it back with the last one.
func TestBuilderMemory(t *testing.T) {
	b := NewBuilder(3)
	held := func() bool { return b.tally.n != nil || b.batch != nil }
	if held() || b.column.Sum != nil {
		t.Error("memory was taken before a sample came")
	}
	b.Add([]int64{1, 2})
	if !held() {
		t.Error("nothing counts the samples")
	}
	b.Add([]int64{3})
	if held() {
		t.Error("memory is held after the last sample")
	}
	if c, err := b.Column(); err != nil || len(c.Sum) != 3 || len(c.Histograms) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	none, err := NewBuilder(0).Column()
	if data, jsonErr := json.Marshal(none); err != nil || jsonErr != nil || !strings.Contains(string(data), `"sum":[]`) {
		t.Errorf("of no samples: %s, %v", data, err)
	}
}

func TestDecodeErrors(t *testing.T) {
	c := build(t, []int64{1, 2, 3}, 1)
	spoil := map[string]func(*Column){
		"batches":    func(c *Column) { c.Sum = c.Sum[:2] },
		"histograms": func(c *Column) { c.Histograms = nil },
		"count":      func(c *Column) { c.Count = -1 },
	}
	for name, f := range spoil {
		bad := *c
		f(&bad)
		data, err := json.Marshal(Summary{Version: Version, Columns: []Column{bad}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(data); err == nil {
			t.Errorf("%s: decoded", name)
		}
	}
	bad := *c
	bad.Histograms = []Histogram{{HDR: "!!"}}
	if _, err := NewDistribution([]Window{bad.Whole()}, &bad); err == nil {
		t.Error("a histogram of !! was decoded")
	}
	bad.Histograms = []Histogram{{}}
	if _, err := NewDistribution([]Window{bad.Whole()}, &bad); err == nil {
		t.Error("missing samples were not missed")
	}
}

func TestThreadsTogether(t *testing.T) {
	a, b := build(t, []int64{1, 2, 3}, 3), build(t, []int64{4, 5}, 3)
	d, err := NewDistribution([]Window{{0, MaxBatches}}, a, b)
	if err != nil {
		t.Fatal(err)
	}
	if d.N() != 5 || d.Quantile(.5) != 3 || d.Quantile(1) != 5 {
		t.Errorf("n %d, median %v, max %v", d.N(), d.Quantile(.5), d.Quantile(1))
	}
	if m := a.Moments(a.Whole()).Merge(b.Moments(b.Whole())); m.Mean() != 3 || m.Variance() != 2.5 {
		t.Errorf("%+v", m)
	}
}

// FuzzDecode reads a summary.json that anybody may have written: what is let
// through has finite figures, between its extremes.
func FuzzDecode(f *testing.F) {
	for _, values := range [][]int64{{}, {5}, {math.MinInt64, -5, 0, 7, math.MaxInt64}, make([]int64, 3000)} {
		b := NewBuilder(int64(len(values)))
		b.Add(values)
		c, err := b.Column()
		if err != nil {
			f.Fatal(err)
		}
		data, err := Encode(&Summary{Columns: []Column{c}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Decode(data)
		if err != nil || s.Version != Version {
			return
		}
		for i := range s.Columns {
			c := &s.Columns[i]
			m := c.Moments(c.Half())
			if m.N > 0 && (math.IsNaN(m.Mean()) || math.IsInf(m.Mean(), 0)) || m.N > 1 && !(m.Variance() >= 0 && m.Variance() <= math.MaxFloat64) {
				t.Errorf("%+v: mean %v, variance %v", m, m.Mean(), m.Variance())
			}
			d, err := NewDistribution([]Window{c.Half()}, c)
			if err != nil {
				continue
			}
			for _, p := range []float64{0, .01, .5, .999, 1} {
				if q := d.Quantile(p); q < float64(m.Min) || q > float64(m.Max) || math.IsNaN(q) && d.N() > 0 && d.below.N == 0 {
					t.Errorf("quantile %v of %+v: %v", p, m, q)
				}
			}
		}
	})
}
