package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Line is the straight line y = Intercept + Slope x by least squares. Slopes are
// in units of y per unit of x.
type Line struct {
	Intercept, Slope float64
	// Test is of a slope of 0. When the points lie on the line exactly, T is
	// the largest float (or 0, of a level line), and P 0 (or 1).
	Test Test
}

// Linear fits a line. errSpread when x does not vary, or when a single point
// determines the slope, since then its scatter is unknown. The test
// assumes that y scatters equally at every x; that of Slope does not.
// Source: Draper and Smith 1998, 1.4.
func Linear(x, y []float64) (Line, error) {
	f, err := fitLine(x, y)
	if err != nil {
		return Line{}, fmt.Errorf("line: %w", err)
	}
	for _, d := range f.dx { // through a point with leverage 1 the line goes whatever its value is
		if 1-1/float64(len(x))-d*d/f.sxx < 1e-12 {
			return Line{}, fmt.Errorf("line: %w: a single point holds the slope", errSpread)
		}
	}
	df := float64(len(x) - 2)
	se := math.Sqrt(f.rss/df) / math.Sqrt(f.sxx)
	l := Line{Intercept: f.meanY - f.slope*f.meanX, Slope: f.slope}
	switch t := l.Slope / se; {
	case l.Slope == 0:
		l.Test = Test{0, df, 1}
	case math.IsInf(t, 0):
		l.Test = Test{math.Copysign(math.MaxFloat64, l.Slope), df, 0}
	default:
		l.Test = Test{t, df, TTwoSided(t, df)}
	}
	return l, finite(l.Intercept, se)
}

// fit is a line with the deviations dx of x from its mean and the residuals e.
type fit struct {
	meanX, meanY, slope, sxx, syy, rss float64
	dx, e                              []float64
}

// fitLine needs three points.
func fitLine(x, y []float64) (fit, error) {
	if len(x) != len(y) {
		return fit{}, ErrUnpaired
	}
	if len(x) < 3 {
		return fit{}, fmt.Errorf("%w: %d points", ErrTooFew, len(x))
	}
	f, err := fit{}, error(nil)
	if f.meanX, f.dx, err = centre(x); err != nil {
		return fit{}, fmt.Errorf("x: %w", err)
	}
	var dy []float64
	if f.meanY, dy, err = centre(y); err != nil {
		return fit{}, fmt.Errorf("y: %w", err)
	}
	f.sxx, f.syy = dot(f.dx, f.dx), dot(dy, dy)
	if !(f.sxx > 1e-30*f.meanX*f.meanX) {
		return fit{}, fmt.Errorf("%w: x does not vary", errSpread)
	}
	f.slope, f.e = regress(dy, f.dx)
	f.rss = dot(f.e, f.e)
	return f, finite(f.meanX, f.meanY, f.slope, f.sxx, f.syy, f.rss)
}

// centre returns the mean and the deviations from it, corrected for the rounding of
// the mean.
func centre(xs []float64) (mean float64, d []float64, err error) {
	if mean, err = Mean(xs); err != nil {
		return 0, nil, err
	}
	d = deviations(xs, mean)
	left, err := Mean(d)
	if err != nil {
		return 0, nil, err
	}
	for i := range d {
		d[i] -= left
	}
	return mean + left, d, nil
}

// dot is the inner product.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// regress returns the coefficient of x in y, both centred, and the residuals. The
// second pass makes these orthogonal to x up to rounding.
func regress(y, x []float64) (coefficient float64, residuals []float64) {
	residuals = slices.Clone(y)
	for range 2 {
		c := dot(residuals, x) / dot(x, x)
		coefficient += c
		for i := range residuals {
			residuals[i] -= c * x[i]
		}
	}
	return coefficient, residuals
}

// LackOfFit tests that the means of y at each x lie on a line up to chance, which is
// known from the scatter of the replicates at the same x: F = [(RSS - SSpe)/(m-2)] /
// [SSpe/(n-m)], with m different x, RSS of the line and SSpe of the replicates
// about their means. ErrTooFew with fewer than three x, or no replicate.
// Source: Draper and Smith 1998, 2.1.
func LackOfFit(x, y []float64) (f, df1, df2, p float64, err error) {
	line, err := fitLine(x, y)
	if err != nil {
		return 0, 0, 0, 0, fmt.Errorf("lack of fit: %w", err)
	}
	// The mean residual at an x is how far its mean lies off the line.
	groups := map[float64][]float64{}
	for i := range x {
		groups[x[i]] = append(groups[x[i]], line.e[i])
	}
	df1, df2 = float64(len(groups)-2), float64(len(x)-len(groups))
	if df1 < 1 || df2 < 1 {
		return 0, 0, 0, 0, fmt.Errorf("lack of fit: %w: %d points at %d different x", ErrTooFew, len(x), len(groups))
	}
	lack, pure := 0.0, 0.0
	for _, at := range slices.Sorted(maps.Keys(groups)) {
		mean, d, err := centre(groups[at])
		if err != nil {
			return 0, 0, 0, 0, fmt.Errorf("lack of fit: %w", err)
		}
		lack += float64(len(d)) * mean * mean
		pure += dot(d, d)
	}
	f = lack / df1 / (pure / df2)
	rounding := 1e-28 * (line.syy + line.meanY*line.meanY*float64(len(x)))
	if pure <= rounding || finite(f) != nil {
		return 0, 0, 0, 0, fmt.Errorf("lack of fit: %w: no two values at the same x differ", errSpread)
	}
	return f, df1, df2, fTail(f, df1, df2), nil
}
