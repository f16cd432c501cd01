package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// QuasiPoissonTest is the F test that arms differ in their rate, with the scatter
// of the runs, and not Poisson's, as the yardstick.
type QuasiPoissonTest struct {
	F, DF1, DF2, P float64
	// Dispersion is how many times Poisson's variance the counts of an arm have.
	Dispersion float64
}

// QuasiPoisson compares the rates of arms from the counts k of runs with the
// exposures s: a log-linear model with offset log s; F = (deviance of one rate -
// deviance of a rate each)/(arms-1)/dispersion, the dispersion being Pearson's
// chi²/df. ErrSpread when the runs of an arm do not differ at all.
// Source: McCullagh and Nelder 1989, 6.2.3; as R's anova(glm(…, quasipoisson), test = "F").
func QuasiPoisson(k []int64, s []float64, arm []int) (QuasiPoissonTest, error) {
	c, err := countRuns(k, s, arm)
	if err != nil {
		return QuasiPoissonTest{}, fmt.Errorf("quasi-Poisson test: %w", err)
	}
	t := QuasiPoissonTest{DF1: float64(len(c.arms) - 1), DF2: c.df, Dispersion: c.chi2 / c.df}
	if t.DF1 < 1 {
		return QuasiPoissonTest{}, fmt.Errorf("quasi-Poisson test: %w: one arm", ErrTooFew)
	}
	if t.Dispersion == 0 {
		return QuasiPoissonTest{}, fmt.Errorf("quasi-Poisson test: %w: no two runs of an arm differ", ErrSpread)
	}
	deviance := 0.0
	for _, arm := range slices.Sorted(maps.Keys(c.arms)) {
		if a := c.arms[arm]; a.events > 0 {
			deviance += 2 * a.events * math.Log(a.events/a.exposure*(c.all.exposure/c.all.events))
		}
	}
	t.F = max(0, deviance) / t.DF1 / t.Dispersion
	t.P = FTail(t.F, t.DF1, t.DF2)
	return t, finite(t.F, t.P)
}
