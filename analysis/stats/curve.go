package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Coefficient is what least squares estimate of a line's slope or of its bend,
// with three standard errors.
type Coefficient struct {
	Value float64
	// SE supposes that y scatters alike at every x, HC3SE does not; both have DF
	// degrees of freedom.
	SE, HC3SE, DF float64
	// BlockSE holds though what hits a block moves its whole line: it is that of
	// the blocks' parts in the coefficient, sqrt(k/(k-1) sum u²), u the sum over
	// the block of what its residuals add. Where each block has each x, it is the
	// standard error of the mean of k coefficients, one a block. It has BlockDF =
	// k-1 degrees of freedom, and is 0 without two blocks.
	// Source: Cameron and Miller 2015, of the parts of independent clusters.
	BlockSE, BlockDF float64
}

// Slope estimates the slope of a line, as Linear does; blocks are the block of
// each point, nil when there are none.
func Slope(x, y []float64, blocks []int) (Coefficient, error) {
	f, err := fitLine(x, y)
	if err != nil {
		return Coefficient{}, fmt.Errorf("slope: %w", err)
	}
	c := regressor{d: f.dx, e: f.e, free: f.free(), parameters: 2}
	return c.coefficient(f.slope, blocks)
}

// Bend estimates the coefficient of x² when it is added to a line, as Quadratic
// does, in units of y per squared unit of x.
func Bend(x, y []float64, blocks []int) (Coefficient, error) {
	f, err := fitLine(x, y)
	if err != nil {
		return Coefficient{}, fmt.Errorf("bend: %w", err)
	}
	squares, own, err := f.squares()
	if err != nil {
		return Coefficient{}, err
	}
	value, left := rest(f.e, squares)
	free := f.free()
	for i, s := range squares {
		free[i] -= s * s / own
	}
	c := regressor{d: squares, e: left, free: free, parameters: 3}
	return c.coefficient(value, blocks)
}

// free are 1 less the leverage of each point.
func (f fit) free() []float64 {
	all := make([]float64, len(f.dx))
	for i, d := range f.dx {
		all[i] = 1 - 1/float64(len(f.dx)) - d*d/f.sxx
	}
	return all
}

// squares are those of x, cleared of the line, and the sum of their squares.
func (f fit) squares() (cleared []float64, own float64, err error) {
	if len(f.dx) < 4 {
		return nil, 0, fmt.Errorf("bend: %w: %d points", ErrTooFew, len(f.dx))
	}
	cleared = make([]float64, len(f.dx))
	for i, d := range f.dx {
		cleared[i] = d * d
	}
	if _, cleared, err = about(cleared); err != nil {
		return nil, 0, fmt.Errorf("bend: %w", err)
	}
	all := product(cleared, cleared)
	_, cleared = rest(cleared, f.dx)
	own = product(cleared, cleared)
	if !(own > 1e-20*all) || finite(all) != nil {
		return nil, 0, fmt.Errorf("bend: %w: fewer than three different x", ErrSpread)
	}
	return cleared, own, nil
}

// regressor is what a coefficient belongs to, cleared of the others, with the
// residuals of the whole fit.
type regressor struct {
	d, e, free []float64
	parameters int
}

func (r regressor) coefficient(value float64, blocks []int) (Coefficient, error) {
	own, df := product(r.d, r.d), float64(len(r.d)-r.parameters)
	c := Coefficient{Value: value, DF: df, SE: math.Sqrt(product(r.e, r.e) / df / own)}
	robust, parts := 0.0, map[int]float64{}
	for i, d := range r.d {
		if r.free[i] < 1e-12 {
			return Coefficient{}, fmt.Errorf("coefficient: %w: a single point holds it", ErrSpread)
		}
		u := d / own * r.e[i]
		robust += u / r.free[i] * (u / r.free[i])
		if len(blocks) == len(r.d) {
			parts[blocks[i]] += u
		}
	}
	c.HC3SE = math.Sqrt(robust)
	if k := float64(len(parts)); k > 1 {
		c.BlockSE, c.BlockDF = math.Sqrt(k/(k-1)*sumSquares(parts)), k-1
	}
	return c, finite(c.Value, c.SE, c.HC3SE, c.BlockSE)
}

// sumSquares adds in the order of the keys, so that the same data give the same
// last digit.
func sumSquares(parts map[int]float64) float64 {
	sum := 0.0
	for _, k := range slices.Sorted(maps.Keys(parts)) {
		sum += parts[k] * parts[k]
	}
	return sum
}
