package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// TTail is P(T > t) of Student's t with df degrees of freedom, computed
// directly as I(df/(df+t²); df/2, 1/2)/2, so that 1e-31 is not lost in 1 - CDF.
// Source: Abramowitz and Stegun 1964, 26.7.1.
func TTail(t, df float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: df}.Survival(t)
}

// TTwoSided is P(|T| > |t|) of Student's t with df degrees of freedom.
func TTwoSided(t, df float64) float64 { return min(1, 2*TTail(math.Abs(t), df)) }

// TQuantile is the t whose upper tail is p: TTail(TQuantile(p, df), df) = p,
// for 0 < p < 1. The distribution's own inverse is polished by Newton steps on
// the directly computed tail.
func TQuantile(p, df float64) float64 {
	switch {
	case p == 0.5:
		return 0
	case p > 0.5:
		return -TQuantile(1-p, df)
	}
	d := distuv.StudentsT{Sigma: 1, Nu: df}
	t := -d.Quantile(p)
	for range 4 {
		step := (d.Survival(t) - p) / d.Prob(t)
		if math.IsNaN(step) || math.Abs(step) > t/2 {
			break
		}
		t += step
	}
	return t
}
