package reading

import (
	"math"
	"strings"
	"testing"

	"moobench/analysis/infer"
	"moobench/results"
)

// lost is a metric that counts events of requests.
var lost = results.Metric{Name: "lost", Unit: "1", Of: "requests", Better: results.Lower, Profile: results.ProfileTiming}

// losing is a scenario in which each invocation of the cells a and c lost so many of 1000 requests.
func losing(a, c []float64) *Reading {
	r := ordinary("")
	for id, counts := range map[string][]float64{"a": a, "c": c} {
		for i, e := range r.ByCell[id] {
			e.Scalars = map[string]float64{"requests": 1000}
			if i < len(counts) {
				e.Scalars["lost"] = counts[i]
			}
			e.Values["lost"] = e.Scalars["lost"]
			if i >= len(counts) {
				delete(e.Values, "lost")
				delete(e.Scalars, "lost")
			}
		}
	}
	return r
}

// Values that are no counts are left out.
func TestCounts(t *testing.T) {
	r := losing(nil, []float64{3, 0.5, -1, math.NaN(), 1 << 41, 0})
	counts := r.Counts("c", lost)
	if len(counts.blocks) != 2 || counts.Events[0] != 3 || counts.Events[1] != 0 || counts.Exposure[1] != 1000 {
		t.Errorf("%+v", counts)
	}
	if counts.blocks[0] != 1 || counts.blocks[1] != 6 {
		t.Errorf("blocks %v", counts.blocks)
	}
}

// A rate has an exact interval, and is compared with that of its baseline in the same blocks.
func TestRate(t *testing.T) {
	r := losing([]float64{0, 0, 0, 0, 0, 0}, []float64{9, 11, 10, 8, 12, 10})
	c := r.Campaign.Cell("c")
	rate, why := r.Rate(c, lost, 1)
	if why != "" || rate.N != 6 || rate.Events != 60 || rate.PerMillion != 10_000 || rate.Interval == nil {
		t.Fatalf("%+v, %q", rate, why)
	}
	if i := rate.Interval; !(i.Low < 10_000 && 10_000 < i.High) {
		t.Errorf("interval %+v", i)
	}
	v := rate.Versus
	if v == nil || rate.NoVersus != "" || v.Verdict != infer.Higher || v.Difference != 10_000 || v.A.N != 6 {
		t.Fatalf("against the baseline: %+v, %q", v, rate.NoVersus)
	}
	if base, _ := r.Rate(r.Campaign.Cell("a"), lost, 1); base == nil || base.Versus != nil || base.NoVersus != "" {
		t.Errorf("the baseline: %+v", base)
	}
}

// What can't be compared says why.
func TestRatesNotCompared(t *testing.T) {
	half := []float64{600, 610, 590, 600, 600, 600}
	for _, c := range []struct {
		name string
		a, c []float64
		why  string
	}{
		{"not counted", nil, []float64{1, 2}, "no invocation counted it, in it or in what it is compared with"},
		{"no block holds both", []float64{1}, []float64{math.NaN(), 1, 2}, "no block holds both"},
		{"not rare", half, half, "more than half of all are"},
	} {
		r := losing(c.a, c.c)
		x, why := r.CompareRates(infer.Question{Alpha: Alpha}, r.Campaign.Cell("c"), r.Campaign.Cell("a"), lost)
		if x != nil || !strings.HasPrefix(why, c.why) {
			t.Errorf("%s: %+v, %q", c.name, x, why)
		}
	}
	gone := &results.Cell{ID: "c", Scenario: "s", Role: results.RoleVariant, Baseline: "gone"}
	r := losing([]float64{1}, []float64{1, 2})
	if rate, _ := r.Rate(gone, lost, 1); rate == nil || rate.NoVersus != "its baseline is not in the campaign" {
		t.Errorf("%+v", rate)
	}
}

// bounded is a scenario whose first over values of the cell c are only known to exceed 500.
func bounded(over int) *Reading {
	r := ordinary("")
	for i, e := range r.ByCell["c"] {
		e.Scalars = map[string]float64{"x": 200}
		if i < over {
			e.AtLeast = map[string]float64{"x": 500}
			delete(e.Values, "x")
		}
	}
	for _, e := range r.ByCell["a"] {
		e.Scalars = map[string]float64{"x": 100}
	}
	return r
}

// Values over a bound have no mean. The median is exact while most values are known, and what is added is at least
// what the bounds show.
func TestAtLeast(t *testing.T) {
	metric := results.Metric{Name: "x", Unit: "ns", Better: results.Lower, Profile: results.ProfileTiming}
	few := bounded(2)
	c := few.Campaign.Cell("c")
	a := few.AtLeast(c, metric)
	if a == nil || a.Runs != 2 || a.Of != 6 || a.Bound != 500 || a.Median == nil || a.Blocks != 6 {
		t.Fatalf("%+v", a)
	}
	if a.Difference == nil || a.Low == nil || a.Verdict != infer.Higher {
		t.Errorf("%+v", a)
	}
	if text := a.Text("ns"); !strings.Contains(text, "in 2 of 6 runs it was over 500.0 ns, at least ") ||
		!strings.Contains(text, " more than without in the median of 6 blocks (95 %: at least ") {
		t.Errorf("%s", text)
	}
	all := bounded(6).AtLeast(c, metric)
	if all.Median != nil || all.Runs != 6 {
		t.Errorf("of no known value: %+v", all)
	}
	if none := bounded(0).AtLeast(c, metric); none != nil {
		t.Errorf("without a bound: %+v", none)
	}
	for _, e := range few.ByCell["a"] {
		e.AtLeast = map[string]float64{"x": 50}
		delete(e.Values, "x")
	}
	open := few.AtLeast(c, metric)
	if open.Difference != nil || open.Low != nil || open.Verdict != infer.NoAnswer {
		t.Errorf("a baseline without an upper bound: %+v", open)
	}
}

// A metric that only has bounds is compared in no mean.
func TestNoMeanOfBounds(t *testing.T) {
	r := bounded(2)
	metric := results.Metric{Name: "x", Unit: "ns", Profile: results.ProfileTiming}
	for _, c := range []struct{ a, b, want string }{
		{"c", "a", "in 2 of 6 runs it was over"},
		{"d", "c", "of C, in 2 of 6 runs it was over"},
		{"d", "a", ""},
	} {
		if why := r.NoMean(c.a, c.b, metric); !strings.HasPrefix(why, c.want) || (c.want == "") != (why == "") {
			t.Errorf("%s against %s: %q, want %q", c.a, c.b, why, c.want)
		}
	}
}
