package derive

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"moobench/analysis/divergent"
	"moobench/results"
)

// ran are runs of a program of these executions each, and the slow ones among them.
func ran(executions, slow []int64, runs int) Samples {
	s := Samples{results.SeriesRound: {"t": make([]int64, runs)}}
	for name, ns := range map[string][]int64{results.SeriesExecution: executions, results.SeriesSlow: slow} {
		if len(ns) > 0 {
			s[name] = map[string][]int64{"t": slices.Repeat(ns, runs)}
		}
	}
	return s
}

// TestFiguresOfExecutions: a run is judged by itself, however many there are.
func TestFiguresOfExecutions(t *testing.T) {
	fast := append(series(stretch{1, 1000}), series(stretch{48, 100}, stretch{1, 900})...)
	slow := series(stretch{10, 5000}, stretch{1, 9000})
	want := map[string]float64{
		"executions": 50, "execution_sd": 166.865215, "execution_longest": 1000, "first_diverges": 1, "divergent_sd": 0.04,
		"divergent_tail":    1. / 45,                                    // after five that count as warm-up
		"slow_divergent_sd": 1. / 11, "slow_divergent_tail": math.NaN(), // too few to see a tail
	}
	for _, runs := range []int{1, 3} {
		if diff := cmp.Diff(want, Of(ran(fast, slow, runs)).Values, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("%d runs (-want +got):\n%s", runs, diff)
		}
	}
	if f := Of(ran(fast[1:], nil, 1)); f.Values["first_diverges"] != 0 || len(f.Values) != 6 {
		t.Errorf("with a usual first execution: %v", f.Values)
	}
}

// TestRunsDifferInWhatTheyTell: a figure that some runs have is the mean of these.
func TestRunsDifferInWhatTheyTell(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		shares []float64
		want   float64
	}{{[]float64{nan, 0.5, 0.1}, 0.3}, {[]float64{nan, nan}, nan}} {
		i := -1
		got := perRun(judged(make([]int64, len(c.shares)), len(c.shares)), func(*divergent.Series) float64 { i++; return c.shares[i] })
		if !(got == c.want || math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v: %v, want %v", c.shares, got, c.want)
		}
	}
}
