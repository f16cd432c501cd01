package analysis

import (
	"fmt"
	"math"

	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
)

const (
	// neighbourAlpha is the level at which neighbouring blocks count as alike:
	// two tests of every cell must not cry wolf.
	neighbourAlpha = 0.01
	resamples      = 10_000
)

// neighbours warns when the differences of neighbouring blocks resemble each
// other: then blocks are not independent, and the t interval may be too narrow.
// The interval of a bootstrap that resamples runs of neighbours stands beside.
func (r *reader) neighbours(c *results.Cell, level float64) []Mark {
	m := r.primary()
	if m == nil || c.Role != results.RoleVariant || r.unordered() || r.void[c.ID] != "" {
		return nil
	}
	var ds []float64
	for _, p := range pairs(r.values(c.ID, *m), r.values(c.Baseline, *m)) {
		ds = append(ds, p.x-p.y)
	}
	lag, byLag, err := stats.Lag1(ds)
	byRuns, err2 := stats.Runs(ds)
	if err != nil || err2 != nil || min(byLag, byRuns) >= neighbourAlpha/2 {
		return nil
	}
	b := stats.Bootstrap{Resamples: resamples, Seed: r.campaign.Seed, BlockLength: int(math.Round(math.Cbrt(float64(len(ds)))))}
	text := fmt.Sprintf("the differences of neighbouring blocks resemble each other (lag 1: %s, %s): something drifts on the machine that blocks do not cancel, and the interval may be too narrow", number(lag), figure.P(min(byLag, byRuns)))
	if i, err := b.Mean(ds, level); err == nil && stats.Finite(i.Low, i.High) {
		text += "; a bootstrap of neighbouring blocks gives " + figure.Range(i.Low, i.High, m.Unit)
	}
	return []Mark{{"neighbours", "blocks alike", text + "; quieten the machine, or make more blocks"}}
}
