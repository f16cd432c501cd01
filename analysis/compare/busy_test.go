package compare_test

import (
	"testing"

	"moobench/analysis/compare"
	"moobench/analysis/infer"
	"moobench/analysis/internal/testcampaign"
	"moobench/results"
)

// Other work on the measured CPUs in either campaign makes them differ by more; calls and threads that took turns
// beside it, in either of them, leave the mean without a verdict.
func TestOtherWork(t *testing.T) {
	const loop = 1e9
	campaign := func(seed uint64, slower, others, waited float64) *testcampaign.Store {
		s := called(seed, slower, 1+slower, 0)
		for _, name := range []string{"loop_ns", "cpus_others_ns", "run_delay_ns"} {
			m := results.Metric{Name: name, Unit: "ns", Profile: results.ProfileTiming}
			s.Made.Scenarios[0].Metrics = append(s.Made.Scenarios[0].Metrics, m)
		}
		for _, inv := range s.Runs {
			inv.CPUs = "1"
			inv.Scalars["loop_ns"], inv.Scalars["cpus_others_ns"], inv.Scalars["run_delay_ns"] = loop, others*loop, 0
			if inv.Cell == "c02" {
				inv.Scalars["run_delay_ns"] = waited * loop
			}
		}
		return s
	}
	const (
		few, usual = 0.005, 0.02
		busy, wait = 0.05, 0.4
	)
	for name, c := range map[string]struct {
		others, waited [2]float64 // shares of the loop, in the old and the new campaign
		between        float64
		judged         bool
	}{
		"neither":                      {[2]float64{}, [2]float64{}, few, true},
		"both":                         {[2]float64{busy, busy}, [2]float64{}, usual, true},
		"the old one":                  {[2]float64{busy, 0}, [2]float64{}, usual, true},
		"the new one":                  {[2]float64{0, busy}, [2]float64{}, usual, true},
		"as little as nothing":         {[2]float64{0.02, 0.02}, [2]float64{}, few, true},
		"turns without other work":     {[2]float64{}, [2]float64{wait, wait}, few, true},
		"turns in the old one":         {[2]float64{busy, 0}, [2]float64{wait, 0}, usual, false},
		"turns in the new one":         {[2]float64{busy, 0}, [2]float64{0, wait}, usual, false},
		"turns as short as none":       {[2]float64{busy, busy}, [2]float64{0.05, 0.05}, usual, true},
		"turns a little longer":        {[2]float64{busy, busy}, [2]float64{0.06, 0.05}, usual, false},
		"turns and work, in one alone": {[2]float64{0, busy}, [2]float64{0, wait}, usual, false},
	} {
		older, newer := campaign(1, 0, c.others[0], c.waited[0]), campaign(3, 0.2, c.others[1], c.waited[1])
		all := metrics(t, compare.Options{Anyway: true}, older, newer)
		_, got := changesOf(t, all, "duration")
		if got.OneSpeed == nil || got.OneSpeed.Between != c.between || (got.Verdict == infer.Differs) != c.judged {
			t.Errorf("%s: %s, %+v", name, got.Verdict, got.OneSpeed)
		}
	}
}
