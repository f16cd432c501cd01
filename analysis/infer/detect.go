package infer

import (
	"math"

	"moobench/analysis/stats"
)

// Solver finds the effects that designs detect, and remembers them: the same
// designs come up in every cell and metric, and the noncentral t distribution is
// dear. A nil one remembers nothing. It is not for several goroutines at once.
type Solver map[design]float64

// design is all that a detectable effect depends on, in standard errors.
type design struct {
	df, alpha float64
	above     bool
}

// Detectable is the smallest true value, in the unit of s, that a two-sided test
// at 1 - level finds with 80 % power; nil when it can't be told.
func (d Solver) Detectable(s Scale, level float64) *float64 {
	return d.in(s, design{s.DF, 1 - level, false})
}

// DetectableAbove is the smallest true value above 0 that a one-sided lower bound
// at 1 - alpha shows to be above 0 with 80 % power; nil when it can't be told.
func (d Solver) DetectableAbove(s Scale, alpha float64) *float64 {
	return d.in(s, design{s.DF, alpha, true})
}

// absurd is a number of standard errors that no effect worth finding exceeds.
const absurd = 1e6

func (d Solver) in(s Scale, x design) *float64 {
	if !s.Spread() || s.Still() {
		return nil
	}
	units := d.standardErrors(x)
	if v := units * s.SE; units < absurd && stats.Finite(v) {
		return &v
	}
	return nil
}

// standardErrors interpolates fractional degrees of freedom, of which every pair
// of samples has its own: in 1/df the effect is as good as straight between whole
// numbers, below 8 between quarters. Below 2 it is solved as it is.
func (d Solver) standardErrors(x design) float64 {
	step := 1.0
	if x.df < 8 {
		step = 0.25
	}
	low := math.Floor(x.df/step) * step
	if x.df < 2 || low == x.df {
		return d.solve(x)
	}
	high := low + step
	at := func(df float64) float64 { return d.solve(design{df, x.alpha, x.above}) }
	a, b := at(low), at(high)
	return a + (b-a)*(1/low-1/x.df)/(1/low-1/high)
}

func (d Solver) solve(x design) float64 {
	if v, known := d[x]; known {
		return v
	}
	detectable := stats.Detectable
	if x.above {
		detectable = stats.DetectableAbove
	}
	v, err := detectable(1, x.df, x.alpha, Power)
	if err != nil {
		v = math.NaN()
	}
	if d != nil {
		d[x] = v
	}
	return v
}

// excess is the excess over 1 of the ratio whose logarithm is x.
func excess(x *float64) *float64 {
	if x == nil || !stats.Finite(math.Expm1(*x)) {
		return nil
	}
	v := math.Expm1(*x)
	return &v
}
