package derive

import (
	"math"
	"slices"

	"moobench/analysis/divergent"
	"moobench/results"
)

// executions derives the figures of the executions in a program's runs. Each run of an invocation
// starts afresh and is judged by itself; the figures are means over the runs.
func (f *Figures) executions(s Samples) {
	runs := len(s[results.SeriesRound]["t"])
	if usual := judged(s[results.SeriesExecution]["t"], runs); usual != nil {
		longest := func(d *divergent.Series) float64 { return float64(d.MostNS) }
		f.Values[results.DerivedExecutions] = perRun(usual, func(d *divergent.Series) float64 { return float64(d.N) })
		f.Values[results.DerivedExecutionSD] = perRun(usual, func(d *divergent.Series) float64 { return d.SDNS })
		f.Values[results.DerivedExecutionLongest] = perRun(usual, longest)
		f.Values[results.DerivedFirstDiverges] = perRun(usual, firstDiverges)
		f.Values[results.DerivedDivergentSD] = perRun(usual, beyondSD)
		f.Values[results.DerivedDivergentTail] = perRun(usual, beyondTail)
	}
	if slow := judged(s[results.SeriesSlow]["t"], runs); slow != nil {
		f.Values[results.DerivedSlowDivergentSD] = perRun(slow, beyondSD)
		f.Values[results.DerivedSlowDivergentTail] = perRun(slow, beyondTail)
	}
}

// judged returns the executions of each run; nil if they can't be assigned to runs.
func judged(ns []int64, runs int) (all []*divergent.Series) {
	if len(ns) == 0 || runs == 0 || len(ns)%runs != 0 {
		return nil
	}
	for run := range slices.Chunk(ns, len(ns)/runs) {
		all = append(all, divergent.Of(run))
	}
	return all
}

// perRun is the mean of a figure over the runs that have it; NaN if none does.
func perRun(runs []*divergent.Series, figure func(*divergent.Series) float64) float64 {
	sum, n := 0.0, 0.0
	for _, run := range runs {
		if x := figure(run); !math.IsNaN(x) {
			sum, n = sum+x, n+1
		}
	}
	return sum / n
}

func beyondSD(d *divergent.Series) float64 { return d.Paper.Share }

// beyondTail is NaN if there are too few executions to see a tail.
func beyondTail(d *divergent.Series) float64 {
	if d.FenceNS == 0 {
		return math.NaN()
	}
	return d.Ours.Share
}

// firstDiverges is 1 if the paper's rule names the first execution.
func firstDiverges(d *divergent.Series) float64 {
	if d.Paper.N > 0 && d.Paper.Named[0].Index == 0 {
		return 1
	}
	return 0
}
