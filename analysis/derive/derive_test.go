package derive

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"moobench/results"
)

// three is what three changes of two classes may look like, with a hot method.
func three(before, during, after []int64) Samples {
	return Samples{
		results.SeriesFirst: {"total": {9000}, "match": {1000}, "transform": {2000}, "swap": {5000}, "first_call": {1000}, "undo": {10}, "bare": {5000}},
		results.SeriesTurnaround: {
			"total": {300, 500}, "match": {50, 50}, "transform": {50, 100}, "swap": {150, 250}, "first_call": {50, 100},
			"undo": {10, 10}, "bare": {150, 250},
		},
		results.SeriesBefore: {"t": before}, results.SeriesDuring: {"t": during}, results.SeriesAfter: {"t": after},
	}
}

func TestFiguresOfChanges(t *testing.T) {
	f := Of(three(series(stretch{2_000, 50}), series(stretch{1_000, 900}, stretch{1_000, 100}), series(stretch{2_000, 60})))
	nan := math.NaN()
	want := map[string]float64{
		"sample_1": 9000, "mean_all": 9800. / 3, "sd_all": 4966.219, "sd": 141.421, "least": 300, "most": 9000,
		"over_bare": 2, "parts": 1, "before": 50, "during": 100, "after": 60, "residue": 1.2,
		"back20_calls": nan, "back20_ns": nan, "back5_calls": nan, "back5_ns": nan, "recovery": nan,
	}
	if diff := cmp.Diff(want, f.Values, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-3)); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
	if len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "did not settle within 1000 calls") {
		t.Errorf("warnings: %q", f.Warnings)
	}
}

func TestFiguresOfARecovery(t *testing.T) {
	f := Of(three(series(stretch{10_000, 50}), series(stretch{200, 900}, stretch{100, 110}, stretch{9_700, 100}), series(stretch{10_000, 50})))
	for name, want := range map[string]float64{
		"back20_calls": 200, "back20_ns": 180_000, "back5_calls": 300, "back5_ns": 191_000, "recovery": 161_000, "residue": 1,
	} {
		if f.Values[name] != want {
			t.Errorf("%s: %v, want %v", name, f.Values[name], want)
		}
	}
}

// TestNothingIsDerivedFromNothing: a figure whose samples are not there is not even
// unknown, so that one that was recorded stands.
func TestNothingIsDerivedFromNothing(t *testing.T) {
	for name, s := range map[string]Samples{
		"nothing": {}, "another series": {"duration": {"t": {1, 2}}}, "no first change": {results.SeriesTurnaround: {"total": {1, 2}}},
		"ragged": {results.SeriesSeconds: {"since": {0, 1}, "p99": {5}}}, "executions of no run": {results.SeriesExecution: {"t": {1, 2}}},
		"executions of half a run": {results.SeriesRound: {"t": {1, 2}}, results.SeriesExecution: {"t": {1, 2, 3}}}, "runs alone": {results.SeriesRound: {"t": {1, 2}}},
	} {
		if f := Of(s); len(f.Values) != 0 || len(f.Warnings) != 0 {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if f := Of(Samples{results.SeriesSeconds: {"since": {0}, "p99": {5}, "held": {1}}}); len(f.Values) != 1 || !math.IsNaN(f.Values["settled"]) {
		t.Errorf("one second: %v", f.Values)
	}
}

// TestLoadingIsAPart: where classes are loaded after the order, loading is one of
// the parts that make up the turnaround.
func TestLoadingIsAPart(t *testing.T) {
	s := three(series(stretch{10, 50}), series(stretch{10, 100}), series(stretch{10, 50}))
	s[results.SeriesFirst]["load"], s[results.SeriesTurnaround]["load"] = []int64{0}, []int64{100, 300}
	if got := Of(s).Values["parts"]; got != 1.5 {
		t.Errorf("parts %v", got)
	}
}

func TestPartsThatDoNotAddUp(t *testing.T) {
	for _, c := range []struct {
		unit int64 // of the samples, ns
		swap int64 // in units; 200 is right
		want string
	}{
		{1000, 200, ""},
		{1000, 195, ""}, // 1.25 %
		{10, 100, ""},   // a quarter, but 1 µs
		{1000, 100, "add up to 75.0 %"},
		{1000, 220, "add up to 105.0 %"},
	} {
		s := three(nil, nil, nil)
		for name, values := range s[results.SeriesTurnaround] {
			for i := range values {
				if values[i] *= c.unit; name == "swap" {
					values[i] = c.swap * c.unit
				}
			}
		}
		f := Of(s)
		if got := strings.Join(f.Warnings, "\n"); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("swap %d x %d ns: warned %q, want %q", c.swap, c.unit, got, c.want)
		}
		if want := (200 + float64(c.swap)) / 400; math.Abs(f.Values["parts"]-want) > 1e-12 {
			t.Errorf("swap %d x %d ns: parts %v, want %v", c.swap, c.unit, f.Values["parts"], want)
		}
	}
}
