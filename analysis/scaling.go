package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"moobench/analysis/stats"
	"moobench/results"
)

const (
	// shapeLevels and shapeInvocations are what a verdict about a shape needs:
	// different values of the factor, and invocations at each of them.
	shapeLevels, shapeInvocations = 3, 5
	// shapeAlpha is the level of the tests about a shape.
	shapeAlpha = 0.05
	// fewLevels is how many values of the factor even out what is far off at one of
	// them: with fewer, a single invocation at an end of the line moves the slope.
	fewLevels = 5
	// slight is the share of the growth over the whole range up to which a bend,
	// or a mean off the line, does not matter.
	slight = 0.10
)

// curve is what is known of one Growth while its verdict is open.
type curve struct {
	*Growth
	unit    string          // of the metric
	factors []results.Value // the other ones
	x, y    []float64
	// blocks are nil where there are none: otherwise what hits a block moves its
	// whole line, so that a block is one observation of the slope.
	blocks      []int
	span        float64 // largest x less the smallest
	least       int     // invocations of the level that has fewest
	slope, bend scale
	bent        bool    // there is a bend to speak of
	off         float64 // how far the mean of a level lies off the line, at most
	void        []string
}

// growths answers the scenario's scalings.
func (r *reader) growths() []Growth {
	var all []Growth
	for _, q := range r.scenario.Scalings {
		m := r.metric(q.Metric)
		if m == nil {
			continue
		}
		curves := r.curves(q, *m)
		ps := make([]float64, len(curves))
		for i := range curves {
			curves[i].fit()
			ps[i] = curves[i].bendP()
		}
		for i, p := range stats.Holm(ps) {
			if stats.Finite(p) {
				curves[i].BendP = &p
			}
			curves[i].decide()
		}
		for i := range curves {
			curves[i].against(curves)
			all = append(all, *curves[i].Growth)
		}
	}
	return all
}

// curves are the cells of a scaling, those that differ in nothing but the factor
// together: each variant by itself, the baseline among them.
func (r *reader) curves(q results.Scaling, m results.Metric) []curve {
	var all []curve
	for _, c := range r.cells() {
		x, unit, ok := factorOf(c, q.Factor)
		if !ok || c.Role == results.RoleAA {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(c.Factors), func(f results.Value) bool { return f.Name == q.Factor })
		i := slices.IndexFunc(all, func(o curve) bool { return o.Variant == c.Variant && slices.Equal(o.factors, rest) })
		if i < 0 {
			i = len(all)
			all = append(all, curve{unit: m.Unit, factors: rest, Growth: &Growth{
				Factor: q.Factor, Unit: unit, Metric: m.Name, Variant: c.Variant, At: levelOf(rest), Margin: q.Margin, Points: []GrowthPoint{},
			}})
		}
		r.level(&all[i], x, c, m)
	}
	for i := range all {
		slices.SortFunc(all[i].Points, func(a, b GrowthPoint) int { return cmp.Compare(a.X, b.X) })
	}
	return all
}

// level adds a cell to a curve: each invocation is a point of its own.
func (r *reader) level(c *curve, x float64, cell *results.Cell, m results.Metric) {
	if r.void[cell.ID] != "" {
		c.void = append(c.void, cell.ID)
		return
	}
	vs := r.values(cell.ID, m)
	mean, _ := meanOf(numbers(vs))
	if mean == nil {
		return
	}
	c.Points = append(c.Points, GrowthPoint{X: x, Cell: cell.ID, Mean: mean})
	for _, v := range vs {
		c.x, c.y = append(c.x, x), append(c.y, v.x)
		if !r.unordered() {
			c.blocks = append(c.blocks, v.block)
		}
	}
	if c.least == 0 || len(vs) < c.least {
		c.least = len(vs)
	}
}

// factorOf is the number that a cell has of a factor.
func factorOf(c *results.Cell, factor string) (x float64, unit string, ok bool) {
	for _, f := range c.Factors {
		if f.Name == factor {
			x, ok := f.Number()
			return x, f.Unit, ok
		}
	}
	return 0, "", false
}

// levelOf are factors as a cell's level says them.
func levelOf(factors []results.Value) string { return (&results.Cell{Factors: factors}).Level() }

// fit lays the line.
func (c *curve) fit() {
	line, err := stats.Linear(c.x, c.y, confidence)
	if err != nil {
		return
	}
	slope, err := stats.Slope(c.x, c.y, c.blocks)
	if err != nil {
		return
	}
	c.span = slices.Max(c.x) - slices.Min(c.x)
	c.Intercept, c.slope = &line.Intercept, c.scale(slope)
	c.caveats()
	if c.Slope, _ = c.slope.Estimate(confidence); c.Slope != nil && c.Slope.Interval == nil {
		c.Slope = nil // so few values on one line tell of no scatter
	}
	if bend, err := stats.Bend(c.x, c.y, c.blocks); err == nil {
		c.bend, c.bent = c.scale(bend), true
	}
	if _, _, _, p, err := stats.LackOfFit(c.x, c.y); err == nil {
		c.LackOfFitP = &p
	}
	for _, p := range c.Points {
		c.off = max(c.off, math.Abs(p.Mean.Value-line.Intercept-line.Slope*p.X))
	}
	c.Exponent = exponent(c.x, c.y)
}

func (c *curve) scale(k stats.Coefficient) scale {
	return scale{N: len(c.x), Value: k.Value, SE: k.SE, DF: k.DF, SD: k.SE * math.Sqrt(float64(len(c.x))), Size: math.Abs(k.Value)}
}

// caveats says what the slope's interval leans on.
func (c *curve) caveats() {
	n := len(c.Points)
	if n >= fewLevels {
		return
	}
	c.Caveats = append(c.Caveats, Mark{"few values", fmt.Sprintf("%d values", n), fmt.Sprintf(
		"with %d values of %s a few slow invocations at one of them move the whole line, and the interval of the slope holds it less often than it says unless invocations scatter evenly to both sides; measure at %d values or more", n, c.Factor, fewLevels)})
}

// bendP is the p value of the bend before it is adjusted, NaN without one.
func (c *curve) bendP() float64 {
	if !c.bent {
		return math.NaN()
	}
	if e, _ := c.bend.Estimate(confidence); e != nil && e.Test != nil {
		return e.Test.P
	}
	// Nothing scatters about the curve: what bends it is no chance, or rounding.
	if math.Abs(c.bend.Value)*c.span > slight*math.Abs(c.slope.Value) && c.slope.Value != 0 {
		return 0
	}
	return math.NaN()
}

// exponent is the slope between the logarithms.
func exponent(x, y []float64) *float64 {
	lx, ly := make([]float64, len(x)), make([]float64, len(y))
	for i := range x {
		if x[i] <= 0 || y[i] <= 0 {
			return nil
		}
		lx[i], ly[i] = math.Log(x[i]), math.Log(y[i])
	}
	l, err := stats.Linear(lx, ly, confidence)
	if err != nil {
		return nil
	}
	return &l.Slope
}
