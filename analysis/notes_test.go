package analysis

import (
	"math"
	"strings"
	"testing"

	"moobench/analysis/chapter/fleet"
	"moobench/analysis/evidence"
	"moobench/results"
)

// TestWindowWords: the samples behind the means, which are all if a wanted window was empty.
func TestWindowWords(t *testing.T) {
	for _, c := range []struct {
		series string
		window results.Window
		whole  bool
		kind   results.Window
		want   string
	}{
		{"", results.WindowHalf, false, "", noWindow},
		{"x", "", false, results.WindowSteady, windows[results.WindowSteady]},
		{"x", results.WindowSteady, false, results.WindowSteady, windows[results.WindowSteady]},
		{"x", results.WindowHalf, false, results.WindowHalf, windows[results.WindowHalf]},
		{"x", results.WindowAll, false, results.WindowAll, windows[results.WindowAll]},
		{"x", results.WindowHalf, true, results.WindowHalf, wholeWindow},
	} {
		made := oneScenario(results.Cell{ID: "c"})
		made.Scenarios[0].Metrics[0].Series, made.Scenarios[0].Window = c.series, c.window
		r := readerOf(made, &evidence.Invocation{Invocation: &results.Invocation{Cell: "c"}, Whole: c.whole})
		if got := r.window(); got != c.want || r.windowKind() != c.kind {
			t.Errorf("%+v: %q, %q", c, got, r.windowKind())
		}
	}
}

// TestInterchangeable: machines form a pool if the control says so, or several measured shards, unless they were lanes.
func TestInterchangeable(t *testing.T) {
	merged, lanes := &Campaign{}, &Campaign{}
	merged.Hosts, lanes.Hosts = []fleet.Host{{}}, []fleet.Host{{Lane: 1}}
	for _, c := range []struct {
		name string
		c    *Campaign
		want string
	}{
		{"one machine", &Campaign{}, ""},
		{"a pool", &Campaign{Control: &results.Control{Pool: "p"}}, "p"},
		{"a control without one", &Campaign{Control: &results.Control{}}, ""},
		{"merged", merged, results.FleetPool},
		{"lanes", lanes, ""},
	} {
		if got := c.c.Pool(); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// TestPooledScale: each rate times the scale, with Student's t of both.
func TestPooledScale(t *testing.T) {
	got, ok := pooledScale([]float64{0.1, 0.2, 0.3}, 10, []float64{0.2, 0.3, 0.4}, 100)
	if !ok || math.Abs(got.MeanA-2) > 1e-12 || math.Abs(got.SDA-1) > 1e-12 || math.Abs(got.MeanB-30) > 1e-12 ||
		math.Abs(got.SDB-10) > 1e-12 || got.Test == nil || got.Test.DF != 4 || math.Abs(got.Bound+2.13185) > 1e-5 {
		t.Errorf("%+v, %t", got, ok)
	}
	if want := -28 / math.Sqrt(101.0/3); got.Test == nil || math.Abs(got.Test.T-want) > 1e-9 {
		t.Errorf("t %+v, want %v", got.Test, want)
	}
	if got.Test.Kind != string(results.TestStudent) || !strings.HasPrefix(got.words(), "L^ = 2") ||
		!strings.Contains(got.words(), "(sd), pooled t = −4.8") || !strings.HasSuffix(got.words(), "df 4") {
		t.Errorf("%s", got.words())
	}
	still, ok := pooledScale([]float64{0.1, 0.1}, 10, []float64{0.1, 0.1}, 10)
	if !ok || still.Test != nil || !strings.HasSuffix(still.words(), ", without spread and so without t") {
		t.Errorf("%s, %t", still.words(), ok)
	}
	for _, c := range [][2][]float64{
		{nil, {1, 2}},
		{{1}, {1, 2}},
		{{1, 2}, {1}},
		{{1, math.Inf(1)}, {1, 2}},
		{{1, 2}, {1, math.NaN()}},
	} {
		if got, ok := pooledScale(c[0], 1, c[1], 1); ok {
			t.Errorf("%v and %v: %+v", c[0], c[1], got)
		}
	}
}
