package infer

import (
	"math"

	"moobench/analysis/stats"
)

// Solver finds the effects that designs detect, and remembers them: the same
// designs come up in every cell and metric, and the noncentral t distribution takes
// long. A nil one remembers nothing. It is not for several goroutines at once.
type Solver map[design]float64

// design is all that a detectable effect depends on, in standard errors.
type design struct {
	df, alpha float64
	alt       stats.Alternative
}

// Detectable is the smallest true value, in the unit of s, that a two-sided test
// at 1 - level finds with 80 % power; nil when it can't be told.
func (d Solver) Detectable(s Scale, level float64) *float64 {
	return d.detect(s, design{s.DF, 1 - level, stats.TwoSided})
}

// DetectableAbove is the smallest true value above 0 that a one-sided lower bound
// at 1 - alpha shows to be above 0 with 80 % power; nil when it can't be told.
func (d Solver) DetectableAbove(s Scale, alpha float64) *float64 {
	return d.detect(s, design{s.DF, alpha, stats.Greater})
}

// absurd is a number of standard errors that no effect worth finding exceeds.
const absurd = 1e6

// detect interpolates fractional degrees of freedom, of which every pair of samples has its
// own: in 1/df the effect is as good as straight between whole numbers, below 8 between
// quarters. Below 2 it is solved as it is.
func (d Solver) detect(s Scale, x design) *float64 {
	if !s.Spread() || s.Still() {
		return nil
	}
	step := 1.0
	if x.df < 8 {
		step = 0.25
	}
	low, units := math.Floor(x.df/step)*step, 0.0
	if x.df < 2 || low == x.df {
		units = d.solve(x)
	} else {
		high := low + step
		a, b := d.solve(design{low, x.alpha, x.alt}), d.solve(design{high, x.alpha, x.alt})
		units = a + (b-a)*(1/low-1/x.df)/(1/low-1/high)
	}
	if v := units * s.SE; units < absurd && stats.Finite(v) {
		return &v
	}
	return nil
}

func (d Solver) solve(x design) float64 {
	if v, known := d[x]; known {
		return v
	}
	v, err := stats.Detectable(1, x.df, x.alpha, Power, x.alt)
	if err != nil {
		v = math.NaN()
	}
	if d != nil {
		d[x] = v
	}
	return v
}
