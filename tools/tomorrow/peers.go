package main

import (
	"math"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// peer is another tool's way from samples to an interval.
type peer struct {
	name  string
	level float64 // at which its interval is
	// scale is the mean of a call of some invocations, with the standard error that the tool's
	// interval is made of.
	scale func(halves []half) infer.Scale
}

// half is the second half of an invocation, thread by thread: what the tools leave of the
// samples when warm-up is over. Its values are of calls.
type half struct {
	column   *summary.Column
	from, to int // batches
}

// moments are those of the samples of the n-th of so many equal pieces.
func (h half) moments(n, pieces int) (m summary.Moments) {
	size := h.to - h.from
	for b := h.from + n*size/pieces; b < h.from+(n+1)*size/pieces; b++ {
		m = m.Merge(h.column.Batch(b))
	}
	return m
}

// jmhIterations is the number of measured iterations of a fork by default.
const jmhIterations = 5

// The intervals that MooBench and JMH print. JMH's is at 99.9 %; what it would say at the
// level of the others stands beside it.
var peers = []peer{
	{"MooBench", level, mooBench},
	{"JMH at 99.9 %", 0.999, jmh},
	{"JMH at 95 %", level, jmh},
}

// mooBench is frameworks/statistics.r: the mean of all calls of the second halves, and
// qnorm(0.975) sd/√n, n being the number of calls.
func mooBench(halves []half) infer.Scale {
	var m summary.Moments
	for _, h := range halves {
		m = m.Merge(h.moments(0, 1))
	}
	n := float64(m.N)
	sd := math.Sqrt(m.Variance())
	return infer.Scale{N: int(m.N), Value: m.Mean(), SE: sd / math.Sqrt(n), DF: math.Inf(1), SD: sd, Size: m.Mean()}
}

// jmh is the mean of all iterations of all forks and t(n-1) s/√n, n being the number of
// iterations. A JVM is a fork here, and a fifth of its second half an iteration.
func jmh(halves []half) infer.Scale {
	var iterations []float64
	for _, h := range halves {
		for i := range jmhIterations {
			if m := h.moments(i, jmhIterations); m.N > 0 {
				iterations = append(iterations, m.Mean())
			}
		}
	}
	s, _ := infer.ScaleOf(iterations) // of too few it has no spread, and nothing is told apart
	return s
}

// halvesOf are those of a cell's invocations.
func halvesOf(src source, cell string) ([]half, error) {
	m := primaryOf(src.Campaign())
	invocations, err := src.Invocations()
	if err != nil {
		return nil, err
	}
	var all []half
	for _, inv := range invocations {
		counts := !inv.Superseded && inv.Status == results.StatusOK && inv.Invalid == ""
		if inv.Cell != cell || inv.Profile != results.ProfileTiming || !counts {
			continue
		}
		sum, err := src.Summary(inv)
		if err != nil {
			return nil, err
		}
		for _, col := range sum.Find(m.Series, m.Column) {
			all = append(all, half{col, col.Batches() / 2, col.Batches()})
		}
	}
	return all, nil
}

// judge says what a tool's intervals of two campaigns say of their difference, by the rules of
// compare: it is shown where its interval leaves 0 out, and does not count where it is shown
// to lie within the margin.
func (p peer) judge(older, later infer.Scale) (differs, apart, ok bool) {
	d := later.Minus(older)
	if !d.Spread() || !stats.Finite(d.Value, d.SE) {
		return false, false, false
	}
	i := d.Interval(p.level)
	differs = i.Low > 0 || i.High < 0
	limit, tests := margin*min(older.Value, later.Value), d.Interval(2*p.level-1) // two one-sided ones
	within := -limit < tests.Low && tests.High < limit
	return differs, differs && !within, true
}
