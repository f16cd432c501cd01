package main

import (
	"math"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// peer is another tool's method to compute an interval from samples.
type peer struct {
	name  string
	level float64 // confidence level of its interval
	// scale returns the mean of a call over some invocations, with the standard error that the tool's interval
	// is based on.
	scale func(halves []half) infer.Scale
}

// half is the second half of an invocation, for one thread: the samples that the tools keep after warm-up. Its
// values are per call.
type half struct {
	column   *summary.Column
	from, to int // batches
}

// moments returns the moments of the n-th of equally large pieces.
func (h half) moments(n, pieces int) (m summary.Moments) {
	size := h.to - h.from
	for b := h.from + n*size/pieces; b < h.from+(n+1)*size/pieces; b++ {
		m = m.Merge(h.column.Batch(b))
	}
	return m
}

// jmhIterations is JMH's default number of measured iterations of a fork.
const jmhIterations = 5

// The intervals that MooBench and JMH print. JMH's is at 99.9 %; a second one is at the level of the others.
var peers = []peer{
	{"MooBench", level, mooBench},
	{"JMH at 99.9 %", 0.999, jmh},
	{"JMH at 95 %", level, jmh},
}

// mooBench is frameworks/statistics.r: the mean of all calls of the second halves, and qnorm(0.975) sd/√n,
// where n is the number of calls.
func mooBench(halves []half) infer.Scale {
	var m summary.Moments
	for _, h := range halves {
		m = m.Merge(h.moments(0, 1))
	}
	n := float64(m.N)
	sd := math.Sqrt(m.Variance())
	return infer.Scale{N: int(m.N), Value: m.Mean(), SE: sd / math.Sqrt(n), DF: math.Inf(1), SD: sd, Size: m.Mean()}
}

// jmh is the mean of all iterations of all forks and t(n-1) s/√n, where n is the number of iterations. A JVM is
// a fork here, and a fifth of its second half an iteration.
func jmh(halves []half) infer.Scale {
	var iterations []float64
	for _, h := range halves {
		for i := range jmhIterations {
			if m := h.moments(i, jmhIterations); m.N > 0 {
				iterations = append(iterations, m.Mean())
			}
		}
	}
	s, _ := infer.ScaleOf(iterations) // too few have no spread, and nothing is told apart
	return s
}

// halvesOf returns the second halves of a cell's invocations.
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

// judge judges the difference of two campaigns by a tool's intervals, and by the rules of compare: it is
// significant if its interval excludes 0, and negligible if it is shown to lie within the margin.
func (p peer) judge(older, later infer.Scale) (differs, apart, ok bool) {
	d := later.Minus(older)
	if !d.Spread() || !stats.Finite(d.Value, d.SE) {
		return false, false, false
	}
	i := d.Interval(p.level)
	differs = i.Low > 0 || i.High < 0
	limit, tests := margin*min(older.Value, later.Value), d.Interval(2*p.level-1) // two one-sided tests
	within := -limit < tests.Low && tests.High < limit
	return differs, differs && !within, true
}
