// Package growth says how metrics grow with a factor: a line through one value per invocation, and its shape.
package growth

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"moobench/analysis/caveat"
	"moobench/analysis/evidence"
	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/reading"
	"moobench/analysis/stats"
	"moobench/results"
)

// Line says how a metric of one variant grows with a factor: a line through one value per invocation, and
// whether it fits.
type Line struct {
	Factor  string `json:"factor"`                // name
	Unit    string `json:"factor_unit,omitempty"` // unit of the factor
	Metric  string `json:"metric"`                // name
	Variant string `json:"variant"`               // variant of the line
	// At names the other factors, one_by_one=true: each combination has its own line; absent if nothing else
	// varies.
	At     string  `json:"other_factors,omitempty"`
	Points []Point `json:"points"` // in order of x
	// Slope is the growth per unit of the factor, in the metric's unit, with the interval of stats.Slope at
	// 0.95: t over the slopes of blocks, if there are blocks. n counts invocations. It is absent if no line can
	// be fitted.
	Slope     *infer.Estimate `json:"slope,omitempty"`
	Intercept *float64        `json:"intercept,omitempty"` // value of the line at 0
	// Caveats say why the interval may cover the slope less often than its level.
	Caveats []caveat.Mark `json:"caveats,omitempty"`
	// LackOfFitP is the p value of the lack-of-fit test, whose null hypothesis is that the means lie on the
	// line; absent if it can't be computed.
	LackOfFitP *float64 `json:"lack_of_fit_p,omitempty"`
	// BendP is the p value of the test that the quadratic term is 0, Holm-adjusted over the lines of one factor
	// and metric; absent if it can't be computed.
	BendP *float64 `json:"bend_p,omitempty"`
	// Exponent is the slope of the logarithms, for display: 1 is proportional, 0 constant.
	Exponent *float64 `json:"exponent,omitempty"`
	// Margin is the largest growth over the whole range that counts as flat, in the
	// metric's unit; absent: none was set.
	Margin float64 `json:"margin,omitempty"`
	// Against compares the slope with that of the same variant at the other value of a factor that is true or
	// false.
	Against []SlopeRatio `json:"against,omitempty"`
	Verdict Shape        `json:"verdict"` // the shape that the data show
	Text    string       `json:"text"`    // slope with interval, the verdict, and why
	Why     string       `json:"-"`       // the reason for the verdict
}

// Lines are the lines of all metrics, factors and variants of a scenario.
type Lines []Line

// SlopeRatio is the ratio of the slopes of two Growths, with Fieller's interval for independent slopes.
type SlopeRatio struct {
	At    string   `json:"other_factors"`   // other factors of the other line
	Ratio *float64 `json:"ratio,omitempty"` // this slope over the other one
	// Low and High bound Ratio; High is absent if the other slope can't be told from 0: the ratio is then
	// unbounded.
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
	Level float64  `json:"level,omitempty"` // of the interval
	Text  string   `json:"text"`            // "one_by_one=false grows by 1/41 (1/45 … 1/37) of one_by_one=true"
}

// Point is one level of the factor.
type Point struct {
	X    float64         `json:"x"`    // value of the factor
	Cell string          `json:"cell"` // ID
	Mean *infer.Estimate `json:"mean"` // mean over invocations
}

// Shape is the shape that the data show.
type Shape string

const (
	Flat      Shape = "flat"               // the interval of the growth lies within the margin
	Linear    Shape = "linear"             // no bend that matters
	Faster    Shape = "faster than linear" // it bends upwards
	Other     Shape = "other"              // neither
	Undecided Shape = "undecided"          // too few levels or invocations
)

const (
	// shapeLevels and shapeInvocations are the least numbers for a verdict about a shape: of values of the
	// factor, and of invocations at each.
	shapeLevels, shapeInvocations = 3, 5
	// shapeAlpha is the level of the tests about a shape.
	shapeAlpha = 0.05
	// fewLevels is the number of values of the factor from which an outlier at one of them evens out: with
	// fewer, a single invocation at an end of the line moves the slope.
	fewLevels = 5
	// slight is the share of the growth over the whole range up to which a bend,
	// or a mean off the line, does not matter.
	slight = 0.10
)

// curve is a Line whose verdict is still open.
type curve struct {
	*Line
	unit    string          // of the metric
	factors []results.Value // the other factors
	x, y    []float64
	on      [][]infer.Sensitivity // sensitivities of each y
	// apart and scatter are sums over the levels of the variance of an invocation: apart from the standard
	// error of the mean, which knows that all values of a level share one elasticity, scatter from the plain
	// spread of the values.
	apart, scatter float64
	// blocks is nil without blocks. A disturbance of a block moves its whole line, so that a block is one
	// observation of the slope.
	blocks  []int
	span    float64 // largest x less the smallest
	least   int     // invocations of the level with the fewest
	slope   infer.Scale
	bend    *infer.Scale // nil with too few values
	off     float64      // largest distance of a level's mean from the line
	invalid int          // cells without an answer
}

// Of answers the scenario's scalings.
func Of(r *reading.Reading) Lines {
	var all Lines
	for _, q := range r.Scenario.Scalings {
		m := r.Metric(q.Metric)
		if m.Name == "" {
			continue
		}
		curves := curves(r, q, m)
		ps := make([]float64, len(curves))
		for i, c := range curves {
			c.fit()
			ps[i] = c.bendP()
		}
		for i, p := range stats.Holm(ps) {
			curves[i].BendP = infer.FinitePtr(p)
			curves[i].decide()
		}
		for _, c := range curves {
			c.against(curves)
			all = append(all, *c.Line)
		}
	}
	return all
}

// curves groups the cells of a scaling that differ only in the factor: a curve for each variant, and for the
// baseline.
func curves(r *reading.Reading, q results.Scaling, m results.Metric) []*curve {
	var all []*curve
	for _, c := range r.Cells {
		at := slices.IndexFunc(c.Factors, func(f results.Value) bool { return f.Name == q.Factor })
		if at < 0 || c.Role == results.RoleAA {
			continue
		}
		x, ok := c.Factors[at].Number()
		if !ok {
			continue
		}
		rest := slices.Delete(slices.Clone(c.Factors), at, at+1)
		i := slices.IndexFunc(all, func(o *curve) bool {
			return o.Variant == c.Variant && slices.Equal(o.factors, rest)
		})
		if i < 0 {
			i = len(all)
			all = append(all, &curve{unit: m.Unit, factors: rest, Line: &Line{
				Factor: q.Factor, Unit: c.Factors[at].Unit, Metric: m.Name, Variant: c.Variant,
				At: levelOf(rest), Margin: q.Margin, Points: []Point{},
			}})
		}
		if r.Invalid[c.ID] != "" {
			all[i].invalid++
		} else {
			all[i].add(x, c.ID, r.Values(c.ID, m), !r.Unordered())
		}
	}
	for _, c := range all {
		slices.SortFunc(c.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
	}
	return all
}

// levelOf formats factors like a cell's level.
func levelOf(factors []results.Value) string { return (&results.Cell{Factors: factors}).Level() }

// add adds a cell to a curve: each invocation is its own point.
func (c *curve) add(x float64, cell string, vs evidence.Values, inBlocks bool) {
	mean, _ := infer.MeanOf(reading.SampleOf(vs), reading.Confidence, inBlocks)
	if mean == nil {
		return
	}
	c.Points = append(c.Points, Point{X: x, Cell: cell, Mean: mean})
	if s, why := reading.SampleOf(vs).Scale(false); why == "" && s.Spread() {
		plain, _ := infer.ScaleOf(vs.Numbers()) // they have a mean
		c.apart, c.scatter = c.apart+float64(s.N)*s.SE*s.SE, c.scatter+plain.SD*plain.SD
	}
	for _, v := range vs {
		c.x, c.y, c.on = append(c.x, x), append(c.y, v.X), append(c.on, v.Sensitivities)
		if inBlocks {
			c.blocks = append(c.blocks, v.Block)
		}
	}
	c.least = min(cmp.Or(c.least, len(vs)), len(vs))
}

// fit fits the line.
func (c *curve) fit() {
	line, err := stats.Linear(c.x, c.y)
	slope, errSlope := stats.Slope(c.x, c.y, c.blocks)
	if err != nil || errSlope != nil {
		return
	}
	scale := func(k stats.Known, by coefficient) infer.Scale {
		s := infer.Scale{
			N:     len(c.x),
			Value: k.Value,
			SE:    k.SE,
			DF:    k.DF,
			SD:    k.SE * math.Sqrt(float64(len(c.x))),
			Size:  math.Abs(k.Value),
		}
		return s.Off(c.sensitivities(by))
	}
	c.span = slices.Max(c.x) - slices.Min(c.x)
	c.Intercept, c.slope = &line.Intercept, scale(slope, stats.Slope)
	if n := len(c.Points); n < fewLevels {
		text := fmt.Sprintf("with %d values of %s a few slow invocations at one of them move the whole line, "+
			"and the interval of the slope covers it less often than it claims unless invocations scatter "+
			"symmetrically; measure at %d values or more", n, c.Factor, fewLevels)
		c.Caveats = append(c.Caveats,
			caveat.Mark{Rank: caveat.Remark, Kind: "few values", Show: fmt.Sprintf("%d values", n), Text: text})
	}
	if c.Slope, _ = c.slope.Estimate(reading.Confidence); c.Slope != nil && c.Slope.Interval == nil {
		c.Slope = nil // few values, exactly on a line, show no scatter
	}
	if bend, err := stats.Bend(c.x, c.y, c.blocks); err == nil {
		c.bend = new(scale(bend, stats.Bend))
	}
	_, _, _, p, errFit := stats.LackOfFit(c.x, c.y, c.more())
	c.LackOfFitP = infer.FinitePtr(p, errFit)
	for _, p := range c.Points {
		c.off = max(c.off, math.Abs(p.Mean.Value-line.Intercept-line.Slope*p.X))
	}
	lx, errX := stats.Logs(c.x)
	ly, errY := stats.Logs(c.y)
	l, err := stats.Linear(lx, ly)
	c.Exponent = infer.FinitePtr(l.Slope, errX, errY, err)
}

// more is the factor by which the variance of a level's mean exceeds what its values suggest, because one
// elasticity carried them all.
func (c *curve) more() float64 {
	if !slices.ContainsFunc(c.on, func(on []infer.Sensitivity) bool { return len(on) > 0 }) || !(c.scatter > 0) {
		return 1
	}
	return c.apart / c.scatter
}

// coefficient estimates one coefficient of a curve; it is linear in y.
type coefficient func(x, y []float64, blocks []int) (stats.Known, error)

// sensitivities says how a coefficient depends on the elasticities of its values. It is linear, so that this is
// the same coefficient of the values' sensitivities.
func (c *curve) sensitivities(by coefficient) []infer.Sensitivity {
	changes := map[*stats.Elasticity][]float64{}
	var order []*stats.Elasticity
	for i, on := range c.on {
		for _, s := range on {
			if changes[s.On] == nil {
				changes[s.On] = make([]float64, len(c.x))
				order = append(order, s.On)
			}
			changes[s.On][i] += s.By
		}
	}
	return results.Each(order, func(e *stats.Elasticity) infer.Sensitivity {
		k, _ := by(c.x, changes[e], nil) // it exists wherever the curve's does
		return infer.Sensitivity{On: e, By: k.Value}
	})
}

// bendP is the p value of the bend before adjustment; NaN without one.
func (c *curve) bendP() float64 {
	if c.bend == nil {
		return math.NaN()
	}
	if e, _ := c.bend.Estimate(reading.Confidence); e != nil && e.Test != nil {
		return e.Test.P
	}
	// Without scatter every bend is beyond chance, unless it is rounding.
	if math.Abs(c.bend.Value)*c.span > slight*math.Abs(c.slope.Value) && c.slope.Value != 0 {
		return 0
	}
	return math.NaN()
}

// decide finds the verdict and says why. Flat comes before linear and linear before a bend, because a bend that
// does not matter is not called one.
func (c *curve) decide() {
	c.Verdict = Undecided
	switch {
	case c.invalid > 0:
		c.Why = fmt.Sprintf("%s no answer, so that there are no values",
			figure.Plural(c.invalid, "of its cells has", "of its cells have"))
	case len(c.Points) < shapeLevels:
		c.Why = fmt.Sprintf("%s of %s, and a shape needs %d",
			figure.Plural(len(c.Points), "value", "values"), c.Factor, shapeLevels)
	case c.least < shapeInvocations:
		c.Why = fmt.Sprintf("only %s at one value of %s, and a shape needs %d at each",
			figure.Plural(c.least, "invocation", "invocations"), c.Factor, shapeInvocations)
	case c.Slope == nil || c.bend == nil:
		c.Why = "no line can be laid through its values"
	default:
		c.Verdict, c.Why = c.shape()
	}
	c.Text = string(c.Verdict) + ": " + c.Why
	if c.Slope != nil { // +135 µs (128 … 142 µs) per class
		i := c.Slope.Interval
		c.Text = prose.Signed(c.Slope.Value, c.unit) + " (" + figure.Range(i.Low, i.High, c.unit) + ")" + c.perUnit() +
			"; " + c.Text
	}
}

// shape is the verdict if there are enough values. It judges the largest bend, over the whole range, that the
// interval of the quadratic term allows.
func (c *curve) shape() (verdict Shape, why string) {
	if text := c.flat(); text != "" {
		return Flat, text
	}
	growth, interval := math.Abs(c.slope.Value)*c.span, c.bend.Interval(reading.Confidence)
	limit := max(math.Abs(interval.Low), math.Abs(interval.High)) * c.span * c.span
	grows := c.grows()
	bends := c.BendP != nil && *c.BendP < shapeAlpha
	off := c.LackOfFitP != nil && *c.LackOfFitP < shapeAlpha
	switch {
	case grows && limit <= slight*growth && (!off || c.off <= slight*growth):
		return Linear,
			fmt.Sprintf("a bend is at most %s of the growth", figure.Percent(limit/growth)) + c.onLine(off)
	case bends && c.bend.Value > 0 && c.slope.Value > 0 && grows:
		return Faster,
			"it bends upwards (" + figure.P(*c.BendP) + "), so the line is too low at the end"
	case bends && c.bend.Value < 0 && c.slope.Value > 0 && grows:
		return Other, "slower than linear: it bends downwards (" + figure.P(*c.BendP) + ")"
	case bends:
		return Other, "it bends (" + figure.P(*c.BendP) + ") and does not rise throughout"
	case off:
		return Other,
			"the means lie off the line (lack of fit " + figure.P(*c.LackOfFitP) + "), by up to " +
				figure.Quantity(c.off, c.unit)
	case grows:
		return Undecided,
			"it grows, and no bend is shown, but there may be one of as much as " + figure.Percent(limit/growth) +
				" of the growth"
	}
	i := c.slope.Interval(1 - 2*shapeAlpha) // contains 0
	return Undecided,
		"growth over the whole range may be " + figure.Range(i.Low*c.span, i.High*c.span, c.unit) + " (90 % CI)" +
			prose.If(c.Margin <= 0, ", and no margin says how much would matter") +
			prose.If(c.Margin > 0, ", which is not within ± %s: more invocations may tell",
				figure.Exactly(c.Margin, c.unit))
}

// onLine says how far the means of a linear growth lie off its line; "" if unknown.
func (c *curve) onLine(off bool) string {
	switch {
	case off:
		return fmt.Sprintf("; the means lie off the line (lack of fit %s), but by no more than %s of it",
			figure.P(*c.LackOfFitP), figure.Percent(c.off/math.Abs(c.slope.Value)/c.span))
	case c.LackOfFitP != nil:
		return ", and the means lie on the line within chance (lack of fit " + figure.P(*c.LackOfFitP) + ")"
	}
	return ""
}

// grows reports whether the interval of the slope excludes 0.
func (c *curve) grows() bool { return reading.PlainVerdict(c.Slope).Shown() }

// flat says that the growth over the whole range lies within the margin, by two one-sided tests, and that no
// level's mean lies further off the line; "" otherwise, or without a margin.
func (c *curve) flat() string {
	e, err := stats.EquivalenceT(c.slope.Value*c.span, c.slope.SE*c.span, c.slope.DF, -c.Margin, c.Margin, shapeAlpha)
	return prose.If(err == nil && e.Within && c.off <= c.Margin,
		"over the whole range it grows by %s (90 %% CI), which is within ± %s",
		figure.Range(e.Interval.Low, e.Interval.High, c.unit), figure.Exactly(c.Margin, c.unit))
}

// perUnit names the unit of a slope: a class, if the factor counts classes.
func (c *curve) perUnit() string {
	switch stem, isClasses := strings.CutSuffix(c.Unit, "sses"); {
	case c.Unit == "" || c.Unit == "1":
		return " per unit of " + c.Factor
	case c.Unit == "ns":
		return " per ns"
	case isClasses:
		return " per " + stem + "ss"
	}
	return " per " + strings.TrimSuffix(c.Unit, "s")
}

// against divides the slope by that of the same variant with one factor true that is false here, if that slope
// is not 0. The interval is Fieller's for independent slopes; disturbances that hit both make it wider than
// necessary.
func (c *curve) against(all []*curve) {
	for _, o := range all {
		here, there, ok := switched(c.factors, o.factors)
		if !ok || o.Variant != c.Variant || c.Slope == nil || !o.grows() {
			continue
		}
		s := SlopeRatio{At: o.At, Level: reading.Confidence}
		r, err := stats.FiellerKnown(c.slope.Known(), o.slope.Known(), reading.Confidence)
		switch {
		case err != nil:
			s.Text = "no ratio to the slope at " + o.At + ": " + infer.Reason(err)
		case !r.Bounded:
			s.Ratio, s.Text = &r.Value, "no bounded ratio to the slope at "+o.At+", which can't be told from 0"
		default:
			s.Ratio, s.Low, s.High = &r.Value, &r.Interval.Low, &r.Interval.High
			s.Text = fmt.Sprintf("%s costs %s (%s … %s) of %s,%s",
				here, fraction(r.Value), fraction(*s.Low), fraction(*s.High), there, c.perUnit())
		}
		c.Against = append(c.Against, s)
	}
}

// switched reports whether b is a with one false factor turned true.
func switched(a, b []results.Value) (here, there string, ok bool) {
	for i := range a {
		switch {
		case i < len(b) && a[i] == b[i]:
		case i < len(b) && !ok && a[i].Name == b[i].Name && a[i].Value == "false" && b[i].Value == "true":
			here, there, ok = levelOf(a[i:i+1]), levelOf(b[i:i+1]), true
		default:
			return "", "", false
		}
	}
	return here, there, ok
}

// fraction formats a ratio as a person says it: 1/41, or 2.1 times. It has two significant digits, or is whole.
func fraction(r float64) string {
	short := func(x float64) string {
		if x < 10 {
			return fmt.Sprintf("%.1f", x)
		}
		return figure.Count(int64(math.Round(min(x, 1e15))))
	}
	switch {
	case r > 0 && r <= 0.5:
		return "1/" + short(1/r)
	case r >= 1.5:
		return short(r) + " times"
	}
	return figure.Percent(r)
}
