package rows

import (
	"testing"

	"moobench/analysis/caveat"
	"moobench/analysis/infer"
	"moobench/analysis/reading"
	"moobench/results"
)

// A number is found by its metric and statistic, and so is the reason why there is none.
func TestFind(t *testing.T) {
	m := &results.Metric{Name: "duration"}
	all := []Row{
		{Metric: m, Statistic: Mean, Estimate: &infer.Estimate{Value: 5}},
		{Metric: m, Statistic: Difference, Why: "no block holds both"},
		{Metric: &results.Metric{Name: "cpu"}, Statistic: Difference, Estimate: &infer.Estimate{Value: 7}},
	}
	if e := Find(all, "duration", Mean); e == nil || e.Value != 5 {
		t.Errorf("mean %+v", e)
	}
	if e := Find(all, "cpu", Difference); e == nil || e.Value != 7 {
		t.Errorf("difference of another metric %+v", e)
	}
	if Find(all, "duration", Difference) != nil || Find(all, "gone", Mean) != nil {
		t.Error("what is absent is found")
	}
	if why := Why(all, "duration", Difference); why != "no block holds both" || Why(all, "duration", Mean) != "" {
		t.Errorf("the reason is %q", why)
	}
}

// A number has the baseline's caveats only if it compares with the baseline.
func TestCaveats(t *testing.T) {
	alone := []caveat.Mark{{Show: "its own"}}
	r := Row{Alone: alone, Compared: append(alone, caveat.Mark{Show: "baseline's"})}
	if got := r.Caveats(); len(got) != 1 {
		t.Errorf("a mean has %+v", got)
	}
	r.Against = "c00"
	if got := r.Caveats(); len(got) != 2 {
		t.Errorf("a difference has %+v", got)
	}
}

func TestStatistics(t *testing.T) {
	for s, want := range map[Statistic]bool{"p50": true, "p99.9": true, "max": true, Mean: false, "slope_per_n": false} {
		if s.Quantile() != want {
			t.Errorf("%s is a quantile: %v", s, s.Quantile())
		}
	}
	if QuantileOf("p99") != "p99" || QuantileAtStandard("p99") != "p99_at_standard" {
		t.Error("names of quantiles")
	}
	own := Row{Metric: &results.Metric{Name: "calls"}, Statistic: "sustained", About: "the highest rate"}
	if !own.Own() || own.Name() != "calls_sustained" || (&Row{Statistic: Mean}).Own() {
		t.Errorf("own %v, name %q", own.Own(), own.Name())
	}
	interval := &infer.Interval{Low: 1, High: 9}
	e := RateOf(&reading.Rate{Arm: infer.Arm{N: 3, PerMillion: 4}, Interval: interval})
	if e.N != 3 || e.Value != 4 || e.Interval != interval {
		t.Errorf("rate %+v", e)
	}
}
