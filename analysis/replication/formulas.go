package replication

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// alpha is the level of the papers' one-sided tests.
const alpha = 0.05

// columns are the columns from which a formula takes its figures.
type columns struct {
	figures figures
	places  []string
	per     []float64 // mean and sd of each place are divided by it
	err     error     // the first error
}

func (c *columns) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

// take returns the named figures of a place, in that order; 0 for a missing one.
func (c *columns) take(place string, names ...string) []float64 {
	all := make([]float64, len(names))
	for i, name := range names {
		n, ok := c.figures(place)[name]
		if all[i] = n.value; !ok {
			c.fail("%s has no %s", place, name)
		}
	}
	return all
}

func (c *columns) sample(i int) stats.Sample {
	f := c.take(c.places[i], "mean", "sd", "n")
	if f[2] < 2 || f[2] > math.MaxInt32*1024 {
		c.fail("%s: n = %v is not a size of a sample to test", c.places[i], f[2])
	}
	return stats.Sample{Mean: f[0] / c.per[i], SD: f[1] / c.per[i], N: int(f[2])}
}

// formula computes one number from arms columns.
type formula struct {
	kind    string
	arms    int
	compute func(*columns) float64
}

// formulas are all formulas.
var formulas = []formula{
	tested("pooled-t", stats.Student, func(t stats.Test) float64 { return t.T }),
	tested("pooled-p", stats.Student, func(t stats.Test) float64 { return stats.TTwoSided(t.T, t.DF) }),
	tested("pooled-bound", stats.Student, func(t stats.Test) float64 { return -stats.TQuantile(alpha, t.DF) }),
	tested("welch-bound", stats.Welch, func(t stats.Test) float64 { return -stats.TQuantile(alpha, t.DF) }),
	figured("z-half", func(x []float64) float64 { return z975() * x[0] / math.Sqrt(x[1]) }, "sd", "n"),
	figured("t-half", func(x []float64) float64 {
		return stats.TQuantile(0.025, x[1]-1) * x[0] / math.Sqrt(x[1])
	}, "sd", "n"),
	// Mistakes the sum of all values for their number.
	figured("z-half-of-total", func(x []float64) float64 {
		return z975() * x[0] / math.Sqrt(x[1]*x[2])
	}, "sd", "mean", "n"),
	figured("sd-of-z-half", func(x []float64) float64 { return x[0] * math.Sqrt(x[1]) / z975() }, "ci95", "n"),
	figured("n-of-z-half", func(x []float64) float64 { return math.Pow(z975()*x[0]/x[1], 2) }, "sd", "ci95"),
	figured("total", func(x []float64) float64 { return x[0] * x[1] }, "mean", "n"),
	// Variance over mean of the counts of one run, from sums over n runs.
	figured("dispersion", func(x []float64) float64 { return x[0] * x[0] / x[1] / x[2] }, "sd", "mean", "n"),
	// Share of the variance due to the largest value alone.
	figured("share-of-max", func(x []float64) float64 {
		return math.Pow((x[0]-x[1])/x[2], 2) / (x[3] - 1)
	}, "max", "mean", "sd", "n"),
	ofMeans("per-million", 1, func(x []float64) float64 { return x[0] * infer.Million }),
	ofMeans("ratio", 2, func(x []float64) float64 { return x[0] / x[1] }),
	ofMeans("difference", 2, func(x []float64) float64 { return x[0] - x[1] }),
	{breakEvenKind, 4, breakEven},
}

// formulaOf finds a formula by its name.
func formulaOf(kind string) (formula, error) {
	var names []string
	for _, f := range formulas {
		if f.kind == kind {
			return f, nil
		}
		names = append(names, f.kind)
	}
	return formula{}, fmt.Errorf("unknown kind %q: there are %s", kind, strings.Join(names, ", "))
}

// z975 is the normal quantile of a 95 % interval: that of t with infinite df.
func z975() float64 { return stats.TQuantile(0.025, math.Inf(1)) }

// figured is a formula on one column's figures.
func figured(kind string, f func([]float64) float64, names ...string) formula {
	return formula{kind, 1, func(c *columns) float64 { return f(c.take(c.places[0], names...)) }}
}

// ofMeans is a formula on means alone, each in its scale.
func ofMeans(kind string, arms int, f func([]float64) float64) formula {
	return formula{kind, arms, func(c *columns) float64 { return f(c.means()) }}
}

// means returns the means of all places, each in its scale.
func (c *columns) means() []float64 {
	var all []float64
	for i, place := range c.places {
		all = append(all, c.take(place, "mean")[0]/c.per[i])
	}
	return all
}

const breakEvenKind = "break-even"

// breakEven is the number of calls after which the extra cost of the third over the fourth, per call, makes up
// for the extra cost of the first over the second, once. If a call saves nothing, that is never.
func breakEven(c *columns) float64 {
	x := c.means()
	once, saved := x[0]-x[1], x[2]-x[3]
	switch {
	case c.err != nil:
		return 0
	case once <= 0:
		return 0
	case saved <= 0:
		c.err = errNever
		return 0
	}
	return once / saved
}

// errNever says that no number of calls is enough.
var errNever = errors.New("it never pays: a call saves nothing")

// tested is a formula on a test of two samples.
func tested(
	kind string,
	test func(x, y stats.Sample, alt stats.Alternative, level float64) (stats.Estimate, error),
	f func(stats.Test) float64,
) formula {
	return formula{kind, 2, func(c *columns) float64 {
		e, err := test(c.sample(0), c.sample(1), stats.Less, 1-alpha)
		if err == nil && e.Test == nil {
			err = errors.New("both samples have no spread: there is no t")
		}
		if err != nil {
			c.fail("%s against %s: %w", c.places[0], c.places[1], err)
			return 0
		}
		return f(*e.Test)
	}}
}
