package analysis

import (
	"fmt"
	"math"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// decide finds the verdict and says why: flat before linear, linear before a
// bend, because a bend that does not matter is none.
func (c *curve) decide() {
	c.Verdict = GrowthUndecided
	why := c.tooLittle()
	if why == "" {
		c.Verdict, why = c.shape()
	}
	c.Why, c.Text = why, string(c.Verdict)+": "+why
	if c.Slope != nil {
		c.Text = c.slopeText() + "; " + c.Text
	}
}

// tooLittle says why there can be no verdict, "" when there can.
func (c *curve) tooLittle() string {
	switch {
	case len(c.void) > 0:
		return fmt.Sprintf("%s not instrumented, so that there are no values", figure.Plural(len(c.void), "of its cells is", "of its cells are"))
	case len(c.Points) < shapeLevels:
		return fmt.Sprintf("%s of %s, and a shape needs %d", figure.Plural(len(c.Points), "value", "values"), c.Factor, shapeLevels)
	case c.least < shapeInvocations:
		return fmt.Sprintf("only %s at one value of %s, and a shape needs %d at each", figure.Plural(c.least, "invocation", "invocations"), c.Factor, shapeInvocations)
	case c.Slope == nil || !c.bent:
		return "no line can be laid through its values"
	}
	return ""
}

// shape is the verdict on what has enough values.
func (c *curve) shape() (verdict GrowthShape, why string) {
	growth := math.Abs(c.slope.Value) * c.span
	if flat, text := c.flat(); flat {
		return GrowthFlat, text
	}
	grows := c.grows()
	bends := c.BendP != nil && *c.BendP < shapeAlpha
	off := c.LackOfFitP != nil && *c.LackOfFitP < shapeAlpha
	switch limit := c.bendLimit(); {
	case grows && limit <= slight*growth && (!off || c.off <= slight*growth):
		return GrowthLinear, c.linearText(limit/growth, off)
	case bends && c.bend.Value > 0 && c.slope.Value > 0 && grows:
		return GrowthFaster, "it bends upwards (" + figure.P(*c.BendP) + "), so that the line says too little at the end"
	case bends && c.bend.Value < 0 && c.slope.Value > 0 && grows:
		return GrowthOther, "slower than linear: it bends downwards (" + figure.P(*c.BendP) + ")"
	case bends:
		return GrowthOther, "it bends (" + figure.P(*c.BendP) + ") and does not rise throughout"
	case off:
		return GrowthOther, "the means lie off the line (lack of fit " + figure.P(*c.LackOfFitP) + "), by up to " + figure.Quantity(c.off, c.unit)
	case grows:
		return GrowthUndecided, "it grows, and no bend is shown, but there may be one of as much as " + figure.Percent(limit/growth) + " of the growth"
	}
	return GrowthUndecided, c.noGrowth()
}

// grows says whether the interval of the slope excludes 0.
func (c *curve) grows() bool { return c.Slope.Interval.Low > 0 || c.Slope.Interval.High < 0 }

// flat says whether the growth over the whole range lies within the margin, by
// two one-sided tests, and no level's mean lies farther off the line than that.
func (c *curve) flat() (flat bool, text string) {
	if c.Margin <= 0 {
		return false, ""
	}
	e, err := stats.EquivalenceT(c.slope.Value*c.span, c.slope.SE*c.span, c.slope.DF, -c.Margin, c.Margin, shapeAlpha)
	if err != nil || !e.Equivalent || c.off > c.Margin {
		return false, ""
	}
	return true, fmt.Sprintf("over the whole range it grows by %s (90 %% CI), which is within ± %s",
		figure.Range(e.Interval.Low, e.Interval.High, c.unit), figure.Exactly(c.Margin, c.unit))
}

// bendLimit is the largest bend that the interval of the square term leaves,
// over the whole range, in the metric's unit.
func (c *curve) bendLimit() float64 {
	i := c.bend.Interval(confidence)
	return max(math.Abs(i.Low), math.Abs(i.High)) * c.span * c.span
}

func (c *curve) linearText(bend float64, off bool) string {
	text := fmt.Sprintf("a bend is at most %s of the growth", figure.Percent(bend))
	switch {
	case off:
		text += fmt.Sprintf("; the means lie off the line (lack of fit %s), but by no more than %s of it", figure.P(*c.LackOfFitP), figure.Percent(c.off/math.Abs(c.slope.Value)/c.span))
	case c.LackOfFitP != nil:
		text += ", and the means lie on the line but for chance (lack of fit " + figure.P(*c.LackOfFitP) + ")"
	}
	return text
}

// noGrowth is said where the slope may be 0.
func (c *curve) noGrowth() string {
	i := c.slope.Interval(1 - 2*shapeAlpha)
	text := "growth over the whole range may be " + figure.Range(i.Low*c.span, i.High*c.span, c.unit) + " (90 % CI)"
	if c.Margin <= 0 {
		return text + ", and no margin says how much would matter"
	}
	return text + ", which is not within ± " + figure.Exactly(c.Margin, c.unit) + ": more invocations may tell"
}

// slopeText is the slope per unit: +135 µs (128 … 142 µs) per class.
func (c *curve) slopeText() string {
	i := c.Slope.Interval
	return signed(c.Slope.Value, c.unit) + " (" + figure.Range(i.Low, i.High, c.unit) + ")" + c.each()
}

func signed(v float64, unit string) string {
	s := figure.Fit(unit, v)
	return s.WithUnit(s.Signed(v))
}

// each is what a slope is per: a class, where the factor counts classes.
func (c *curve) each() string {
	one := strings.TrimSuffix(c.Unit, "s")
	switch {
	case c.Unit == "" || c.Unit == "1":
		return " per unit of " + c.Factor
	case c.Unit == "ns":
		one = c.Unit
	case strings.HasSuffix(c.Unit, "sses"):
		one = strings.TrimSuffix(c.Unit, "es")
	}
	return " per " + one
}

// against sets the slope against that of the same variant where one factor is
// true that is false here, if that one grows at all.
func (c *curve) against(all []curve) {
	if c.Slope == nil {
		return
	}
	for i := range all {
		o := &all[i]
		if o.Variant != c.Variant || o.Slope == nil || !o.grows() {
			continue
		}
		if here, there, ok := switched(c.factors, o.factors); ok {
			c.Against = append(c.Against, c.over(o, here, there))
		}
	}
}

// switched says whether the second factors are the first ones with one false
// made true.
func switched(a, b []results.Value) (here, there string, ok bool) {
	for i := range a {
		switch {
		case i >= len(b) || a[i].Name != b[i].Name || ok && a[i] != b[i]:
			return "", "", false
		case a[i].Value == "false" && b[i].Value == "true":
			here, there, ok = levelOf(a[i:i+1]), levelOf(b[i:i+1]), true
		case a[i] != b[i]:
			return "", "", false
		}
	}
	return here, there, ok
}

// over is Fieller's ratio of the two slopes, as of independent ones: what hits
// both alike makes it wider than it need be.
func (c *curve) over(o *curve, here, there string) SlopeRatio {
	s := SlopeRatio{At: o.At, Level: confidence}
	r, err := stats.FiellerKnown(c.slope.Known(), o.slope.Known(), confidence)
	if err != nil {
		s.Text = "no ratio to the slope at " + o.At + ": " + infer.Reason(err)
		return s
	}
	s.Ratio = &r.Value
	if !r.Bounded {
		s.Text = "no bounded ratio to the slope at " + o.At + ", which can't be told from 0"
		return s
	}
	low, high := r.Interval.Low, r.Interval.High
	s.Low, s.High = &low, &high
	s.Text = fmt.Sprintf("%s costs %s (%s … %s) of %s,%s", here, fraction(r.Value), fraction(low), fraction(high), there, c.each())
	return s
}

// fraction is a ratio as a person says it: 1/41, or 2.1 times.
func fraction(r float64) string {
	switch {
	case r > 0 && r <= 0.5:
		return "1/" + short(1/r)
	case r >= 1.5:
		return short(r) + " times"
	}
	return figure.Percent(r)
}

// short has two significant digits, or is whole.
func short(x float64) string {
	if x < 10 {
		return fmt.Sprintf("%.1f", x)
	}
	return figure.Count(int64(math.Round(min(x, 1e15))))
}
