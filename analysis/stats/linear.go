package stats

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Line is the least-squares line y = Intercept + Slope x. Slopes are in units of y per unit of x.
type Line struct {
	Intercept, Slope float64
	// Test tests a slope of 0. If the points lie exactly on the line, T is the largest float (or 0,
	// for a level line), and P 0 (or 1).
	Test Test
}

// Linear fits a line. It returns errSpread if x does not vary, or if a single point determines the
// slope, because then its standard error is unknown. The test assumes equal variance of y at every
// x; that of Slope does not. Source: Draper and Smith 1998, 1.4.
func Linear(x, y []float64) (Line, error) {
	f, err := fitLine(x, y)
	if err != nil {
		return Line{}, fmt.Errorf("line: %w", err)
	}
	for _, d := range f.dx { // a point with leverage 1 lies on the line whatever its value
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
	meanX, dx, errX := centre(x)
	meanY, dy, errY := centre(y)
	f := fit{meanX: meanX, meanY: meanY, dx: dx, sxx: floats.Dot(dx, dx), syy: floats.Dot(dy, dy)}
	switch err := cmp.Or(in("x", errX), in("y", errY)); {
	case len(x) != len(y):
		return fit{}, ErrUnpaired
	case len(x) < 3:
		return fit{}, fmt.Errorf("%w: %d points", ErrTooFew, len(x))
	case err != nil:
		return fit{}, err
	case !(f.sxx > 1e-30*f.meanX*f.meanX):
		return fit{}, fmt.Errorf("%w: x does not vary", errSpread)
	}
	f.slope, f.e = regress(dy, f.dx)
	f.rss = floats.Dot(f.e, f.e)
	return f, finite(f.meanX, f.meanY, f.slope, f.sxx, f.syy, f.rss)
}

// centre returns the mean and the deviations from it, corrected for the rounding of the mean.
func centre(xs []float64) (mean float64, d []float64, err error) {
	mean, err = Mean(xs)
	d = deviations(xs, mean)
	left, rest := Mean(d)
	if err := cmp.Or(err, rest); err != nil {
		return 0, nil, err
	}
	for i := range d {
		d[i] -= left
	}
	return mean + left, d, nil
}

// regress returns the coefficient of x in y, both centred, and the residuals. The second pass makes
// these orthogonal to x up to rounding.
func regress(y, x []float64) (coefficient float64, residuals []float64) {
	residuals = slices.Clone(y)
	for range 2 {
		c := floats.Dot(residuals, x) / floats.Dot(x, x)
		coefficient += c
		for i := range residuals {
			residuals[i] -= c * x[i]
		}
	}
	return coefficient, residuals
}

// LackOfFit tests whether the means of y at each x lie on a line, using the scatter of the
// replicates at the same x: F = [(RSS - SSpe)/(m-2)] / [SSpe/(n-m)], with m different x, RSS of the
// line and SSpe of the replicates about their means; more is the variance inflation factor of the
// means, 1 for independent replicates. It returns ErrTooFew with fewer than three x, or no
// replicate. Source: Draper and Smith 1998, 2.1.
func LackOfFit(x, y []float64, more float64) (f, df1, df2, p float64, err error) {
	line, err := fitLine(x, y)
	if err != nil {
		return 0, 0, 0, 0, fmt.Errorf("lack of fit: %w", err)
	}
	// The mean residual at an x is the distance of its mean from the line.
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
		mean, d, _ := centre(groups[at]) // no error: residuals with a finite sum of squares are finite
		lack += float64(len(d)) * mean * mean
		pure += floats.Dot(d, d)
	}
	f = lack / df1 / (pure / df2) / more
	rounding := 1e-28 * (line.syy + line.meanY*line.meanY*float64(len(x)))
	if pure <= rounding || finite(f) != nil {
		return 0, 0, 0, 0, fmt.Errorf("lack of fit: %w: no two values at the same x differ", errSpread)
	}
	return f, df1, df2, fTail(f, df1, df2), nil
}

// Slope estimates the slope of a line, as Linear does, in units of y per unit of x; blocks holds
// the block of each point, nil without blocks. It returns ErrTooFew for fewer than three points;
// errSpread if x does not vary, or if a single cluster determines the slope, because then its
// standard error is unknown.
//
// SE is valid under unequal variances of y, and if a disturbance shifts the whole line of a block:
// it is the bias-reduced cluster-robust one (CR2), sqrt(sum u²), where u = l'(I - H)^(-1/2) e for
// each cluster, with its residuals e, its part l of the coefficient's weights and its part H of the
// hat matrix. Clusters are blocks; without two blocks they are the points, and SE is HC2. DF are
// the degrees of freedom of SE by Satterthwaite's approximation, as for independent points. If each
// of k blocks has each x, SE is the standard error of the mean of k coefficients, one per block,
// and DF is k-1.
//
// Sources: Bell and McCaffrey 2002; Imbens and Kolesár 2016; Pustejovsky and Tipton 2018.
func Slope(x, y []float64, blocks []int) (Known, error) {
	f, err := fitLine(x, y)
	if err != nil {
		return Known{}, in("slope", err)
	}
	c, err := coefficient(f.slope, f.e, blocks, f.dx)
	return c, in("slope", err)
}

// Bend estimates the coefficient of x² when it is added to a line, in units of y per squared unit
// of x; x is centred before squaring, and the line is removed from the square, to avoid
// cancellation. It returns the errors of Slope, and needs four points and three different x.
func Bend(x, y []float64, blocks []int) (Known, error) {
	f, err := fitLine(x, y)
	switch {
	case err != nil:
		return Known{}, in("bend", err)
	case len(x) < 4:
		return Known{}, fmt.Errorf("bend: %w: %d points", ErrTooFew, len(x))
	}
	squares := make([]float64, len(x))
	for i, d := range f.dx {
		squares[i] = d * d
	}
	if _, squares, err = centre(squares); err != nil {
		return Known{}, fmt.Errorf("bend: %w", err)
	}
	all := floats.Dot(squares, squares)
	_, squares = regress(squares, f.dx)
	if own := floats.Dot(squares, squares); !(own > 1e-20*all) || finite(all) != nil {
		return Known{}, fmt.Errorf("bend: %w: fewer than three different x", errSpread)
	}
	value, left := regress(f.e, squares)
	c, err := coefficient(value, left, blocks, squares, f.dx)
	return c, in("bend", err)
}

// clusters returns the points of each block, in the order in which blocks appear;
// with fewer than two blocks each point is a cluster.
func clusters(n int, blocks []int) [][]int {
	points := make([]int, n)
	for i := range points {
		points[i] = i
	}
	if len(blocks) != n || slices.Min(blocks) == slices.Max(blocks) {
		blocks = points
	}
	return Grouped(points, func(i int) int { return blocks[i] })
}

// coefficient estimates the coefficient of the first regressor. The regressors are orthogonal to
// each other and to the intercept's, which is added; e holds the residuals of the whole fit.
func coefficient(value float64, e []float64, blocks []int, regressors ...[]float64) (Known, error) {
	regressors = append(regressors, slices.Repeat([]float64{1}, len(e)))
	norms := make([]float64, len(regressors))
	for j, r := range regressors {
		norms[j] = math.Sqrt(floats.Dot(r, r))
	}
	variance, trace, squares := 0.0, 0.0, 0.0
	var shares [][]float64
	for _, points := range clusters(len(e), blocks) {
		q := mat.NewDense(len(points), len(regressors), nil) // the cluster's rows of the orthonormal design
		for row, i := range points {
			for j, r := range regressors {
				q.Set(row, j, r[i]/norms[j])
			}
		}
		weights, err := reduced(q)
		if err != nil {
			return Known{}, err
		}
		// own is w'w, and share q'w, with the adjusted weights w of the points.
		u, own, share := 0.0, 0.0, make([]float64, len(regressors))
		for row, i := range points {
			w := floats.Dot(q.RawRowView(row), weights)
			u, own = u+w*e[i], own+w*w
			for j := range share {
				share[j] += q.At(row, j) * w
			}
		}
		variance += u * u
		// The quadratic form has own - share'share on its diagonal, and -share'share of two
		// clusters off it.
		diagonal := own - floats.Dot(share, share)
		trace, squares = trace+diagonal, squares+diagonal*diagonal
		for _, other := range shares {
			off := floats.Dot(share, other)
			squares += 2 * off * off
		}
		shares = append(shares, share)
	}
	c := Known{Value: value, SE: math.Sqrt(variance) / norms[0], DF: trace * trace / squares}
	return c, finite(c.Value, c.SE, c.DF)
}

// reduced returns (I - q'q)^(-1/2) a, where a is the unit vector of the first regressor. A
// cluster's rows q of the orthonormal design times it are the weights (I - qq')^(-1/2) q a of its
// points.
func reduced(q *mat.Dense) ([]float64, error) {
	_, p := q.Dims()
	var hat mat.SymDense
	hat.SymOuterK(1, q.T())
	var eigen mat.EigenSym
	if !eigen.Factorize(&hat, true) {
		return nil, fmt.Errorf("%w: no eigenvalues", ErrNotFinite)
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	weights := make([]float64, p)
	for k, value := range eigen.Values(nil) {
		first := vectors.At(0, k)
		if value > 1-1e-12 {
			if math.Abs(first) > 1e-6 {
				return nil, fmt.Errorf("%w: a single point or block holds it", errSpread)
			}
			continue
		}
		for j := range weights {
			weights[j] += vectors.At(j, k) * first / math.Sqrt(1-value)
		}
	}
	return weights, nil
}
