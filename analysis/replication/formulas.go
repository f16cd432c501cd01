package replication

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"moobench/analysis/stats"
)

// alpha is that of the papers' one-sided tests.
const alpha = 0.05

// perMillion is the scale of rates.
const perMillion = 1e6

// arm is a column that a formula takes.
type arm struct {
	place   string
	figures map[string]Number
	per     float64 // mean and sd are divided by it
}

func (a arm) figure(name string) (float64, error) {
	n, ok := a.figures[name]
	if !ok {
		return 0, fmt.Errorf("%s has no %s", a.place, name)
	}
	return n.Value, nil
}

// some are several figures, in that order.
func (a arm) some(names ...string) ([]float64, error) {
	var all []float64
	for _, name := range names {
		x, err := a.figure(name)
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// mean is the arm's mean in its scale.
func (a arm) mean() (float64, error) {
	x, err := a.figure("mean")
	return x / a.per, err
}

func (a arm) sample() (stats.Sample, error) {
	f, err := a.some("mean", "sd", "n")
	if err != nil {
		return stats.Sample{}, err
	}
	if f[2] < 2 || f[2] > math.MaxInt32*1024 {
		return stats.Sample{}, fmt.Errorf("%s: n = %v is no size of a sample to test", a.place, f[2])
	}
	return stats.Sample{Mean: f[0] / a.per, SD: f[1] / a.per, N: int(f[2])}, nil
}

// formula computes one number from so many columns.
type formula struct {
	arms    int
	compute func([]arm) (float64, error)
}

// formulaOf finds a formula by its name.
func formulaOf(kind string) (formula, error) {
	one := func(f func([]float64) float64, names ...string) formula {
		return formula{1, func(a []arm) (float64, error) {
			x, err := a[0].some(names...)
			if err != nil {
				return 0, err
			}
			return f(x), nil
		}}
	}
	switch kind {
	case "pooled-t":
		return formula{2, func(a []arm) (float64, error) { t, err := student(a); return t.T, err }}, nil
	case "pooled-p":
		return formula{2, func(a []arm) (float64, error) { t, err := student(a); return stats.TTwoSided(t.T, t.DF), err }}, nil
	case "pooled-bound":
		return formula{2, func(a []arm) (float64, error) { t, err := student(a); return -stats.TQuantile(alpha, t.DF), err }}, nil
	case "welch-bound":
		return formula{2, welchBound}, nil
	case "z-half":
		return one(func(x []float64) float64 { return z975() * x[0] / math.Sqrt(x[1]) }, "sd", "n"), nil
	case "t-half":
		return one(func(x []float64) float64 { return stats.TQuantile(0.025, x[1]-1) * x[0] / math.Sqrt(x[1]) }, "sd", "n"), nil
	case "z-half-of-total": // the sum of all values is taken for their number
		return one(func(x []float64) float64 { return z975() * x[0] / math.Sqrt(x[1]*x[2]) }, "sd", "mean", "n"), nil
	case "sd-of-z-half":
		return one(func(x []float64) float64 { return x[0] * math.Sqrt(x[1]) / z975() }, "ci95", "n"), nil
	case "n-of-z-half":
		return one(func(x []float64) float64 { return math.Pow(z975()*x[0]/x[1], 2) }, "sd", "ci95"), nil
	case "total":
		return one(func(x []float64) float64 { return x[0] * x[1] }, "mean", "n"), nil
	case "dispersion": // variance over mean of counts of one run, from sums over n runs
		return one(func(x []float64) float64 { return x[0] * x[0] / x[1] / x[2] }, "sd", "mean", "n"), nil
	case "share-of-max": // of the variance, by the largest value alone
		return one(func(x []float64) float64 { return math.Pow((x[0]-x[1])/x[2], 2) / (x[3] - 1) }, "max", "mean", "sd", "n"), nil
	case "per-million":
		return formula{1, func(a []arm) (float64, error) { x, err := a[0].mean(); return x * perMillion, err }}, nil
	case "ratio":
		return means(2, func(x []float64) float64 { return x[0] / x[1] }), nil
	case "difference":
		return means(2, func(x []float64) float64 { return x[0] - x[1] }), nil
	case "break-even": // calls after which what the third costs more than the fourth makes up for the first two
		return means(4, func(x []float64) float64 { return (x[0] - x[1]) / (x[2] - x[3]) }), nil
	}
	return formula{}, fmt.Errorf("unknown kind %q: there are %s", kind, strings.Join(formulas(), ", "))
}

// formulas are the names of all of them.
func formulas() []string {
	return []string{
		"pooled-t", "pooled-p", "pooled-bound", "welch-bound", "z-half", "t-half", "z-half-of-total", "sd-of-z-half", "n-of-z-half",
		"total", "dispersion", "share-of-max", "per-million", "ratio", "difference", "break-even",
	}
}

// z975 is the normal quantile of a 95 % interval: that of t with endless df.
func z975() float64 { return stats.TQuantile(0.025, math.Inf(1)) }

// means are formulas of means alone.
func means(arms int, f func([]float64) float64) formula {
	return formula{arms, func(a []arm) (float64, error) {
		var all []float64
		for _, one := range a {
			x, err := one.mean()
			if err != nil {
				return 0, err
			}
			all = append(all, x)
		}
		return f(all), nil
	}}
}

type twoSamples func(x, y stats.Sample, alt stats.Alternative, level float64) (stats.Estimate, error)

func student(a []arm) (stats.Test, error) { return tested(stats.Student, a) }

func welchBound(a []arm) (float64, error) {
	t, err := tested(stats.Welch, a)
	return -stats.TQuantile(alpha, t.DF), err
}

func tested(test twoSamples, a []arm) (stats.Test, error) {
	x, err := a[0].sample()
	if err != nil {
		return stats.Test{}, err
	}
	y, err := a[1].sample()
	if err != nil {
		return stats.Test{}, err
	}
	e, err := test(x, y, stats.Less, 1-alpha)
	if err == nil && e.Test == nil {
		err = errors.New("both samples have no spread: there is no t")
	}
	if err != nil {
		return stats.Test{}, fmt.Errorf("%s against %s: %w", a[0].place, a[1].place, err)
	}
	return *e.Test, nil
}
