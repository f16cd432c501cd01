package analysis

import (
	"math"

	"moobench/results"
	"moobench/results/summary"
)

const (
	halfWindow  = "the second half of each invocation's samples; what came before counts as warm-up"
	wholeWindow = "all samples of each invocation: they are too few for a warm-up to be cut off"
	noWindow    = "no series of samples: each value is one figure of the whole invocation"
)

// traceSteps is how many points a trace has at most.
const traceSteps = 100

// columns are the columns of one series metric of one invocation, one per
// thread.
type columns struct {
	columns []*summary.Column
	batches []int64 // calls per sample, by column
	window  summary.Window
	whole   bool // the window had to be everything
}

// columnsOf finds the columns of a series metric.
func columnsOf(m results.Metric, inv *results.Invocation, s *summary.Summary) columns {
	c := columns{columns: s.Find(m.Series, m.Column)}
	var longest *summary.Column
	for _, col := range c.columns {
		c.batches = append(c.batches, batchOf(inv, m.Series, col.Thread))
		if longest == nil || col.Batches() > longest.Batches() {
			longest = col
		}
	}
	if longest == nil {
		return c
	}
	if c.window = longest.Half(); c.window.From >= c.window.To {
		c.window, c.whole = longest.Whole(), true
	}
	return c
}

func batchOf(inv *results.Invocation, series string, thread int) int64 {
	for _, s := range inv.Series {
		if s.Name == series && s.Thread == thread {
			return max(1, s.Batch)
		}
	}
	return 1
}

// mean is the mean per call over the window, NaN without samples.
func (c columns) mean() float64 {
	var sum, n float64
	for i, col := range c.columns {
		m := col.Moments(c.window)
		sum += m.Sum
		n += float64(m.N) * float64(c.batches[i])
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / n
}

// single says whether each sample is one call, so that quantiles of calls were
// observed.
func (c columns) single() bool {
	for _, b := range c.batches {
		if b > 1 {
			return false
		}
	}
	return len(c.columns) > 0
}

// trace is the mean per call over the whole invocation, in steps.
func (c columns) trace() []float64 {
	if len(c.columns) == 0 {
		return nil
	}
	n := c.columns[0].Batches()
	for _, col := range c.columns {
		n = min(n, col.Batches())
	}
	steps := min(n, traceSteps)
	points := make([]float64, 0, steps)
	for s := range steps {
		points = append(points, c.between(s*n/steps, (s+1)*n/steps))
	}
	return points
}

func (c columns) between(from, to int) float64 {
	var sum, n float64
	for i, col := range c.columns {
		for b := from; b < to; b++ {
			m := col.Batch(b)
			sum += m.Sum
			n += float64(m.N) * float64(c.batches[i])
		}
	}
	return sum / n
}
