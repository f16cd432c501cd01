package numbers

import (
	"cmp"
	"fmt"
	"math"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/prose"
	"moobench/analysis/stats"
)

// sentence is the verdict in words, with its uncertainty.
func (c *comparison) sentence() string {
	e := c.Estimate
	switch {
	case c.Equivalence != nil:
		return c.equivalence()
	case c.Verdict == infer.Equivalent:
		return fmt.Sprintf("%s and %s are equivalent within every margin: all values are the same", c.A.Name, c.B.Name)
	case c.kind().Counts && e == nil:
		return fmt.Sprintf("%s: nothing was counted in %s or %s, which says how low the rates are, but not which is lower", c.Verdict, c.A.Name, c.B.Name)
	case c.kind().Counts && c.Verdict == infer.NoAnswer:
		return fmt.Sprintf("no answer: the rate of %s is %s times that of %s, and %s", c.A.Name, c.value(), c.B.Name, infer.OnePair)
	case c.Verdict == infer.NoAnswer && e != nil && c.Statistic != nil:
		return fmt.Sprintf("no answer: the difference of %s from %s is estimated at %s, and so few values have no interval at this level", c.A.Name, c.B.Name, c.value())
	case c.Verdict == infer.NoAnswer:
		return fmt.Sprintf("no answer: without variation between %s and %s there is neither test nor interval", c.A.Name, c.B.Name)
	case c.Verdict == infer.Undecided:
		whether := prose.If(c.asked() != "", " whether %s is %s than %s", c.A.Name, c.asked(), c.B.Name)
		return "undecided" + whether + ": " + c.reach() + c.smallest()
	case c.Verdict == infer.No: // without an amount, which would claim the other direction
		return fmt.Sprintf("no: %s is not %s than %s (%s bound)", c.subject(), c.asked(), c.B.Name, c.level())
	}
	return c.shown()
}

// shown formats a shown difference: "A is less than B by 0.2671 (95 % bound: by at least 0.2235)".
func (c *comparison) shown() string {
	e, amount := c.Estimate, ": "+c.value()+" times as much"
	if e.Neutral == 0 {
		amount = " by " + figure.Quantity(math.Abs(e.point()), c.Unit)
	}
	comparative := map[bool]string{true: "more", false: "less"}[e.point() > e.Neutral]
	return fmt.Sprintf("%s is %s than %s%s (%s)", c.subject(), comparative, c.B.Name, amount, c.interval())
}

// asked is the direction that was asked about.
func (c *comparison) asked() string {
	return map[stats.Alternative]string{stats.Less: "less", stats.Greater: "more"}[c.Alternative]
}

// subject is the subject of the sentence: the sample, or its rate.
func (c *comparison) subject() string {
	return prose.If(c.kind().Counts, "the rate of ") + c.A.Name
}

// point returns the value, with +Inf for nil.
func (e *Estimate) point() float64 { return *cmp.Or(e.Value, new(math.Inf(1))) }

// ratio formats a factor.
func ratio(v float64) string {
	if math.IsInf(v, 0) {
		return "infinitely many"
	}
	return figure.Ratio(v)
}

// value formats the estimate in its unit.
func (c *comparison) value() string {
	if c.Estimate.Neutral == 1 {
		return ratio(c.Estimate.point())
	}
	return figure.Quantity(c.Estimate.point(), c.Unit)
}

// interval formats the interval of a shown difference; an amount has no sign.
func (c *comparison) interval() string {
	e, level := c.Estimate, c.level()
	switch {
	case e.Exclusive && e.Low != nil && e.High != nil:
		return level + " set: anything but " + figure.Range(*e.Low, *e.High, "")
	case e.Low == nil && e.High == nil:
		return "without a bound at " + level
	case e.Low != nil && e.High != nil && e.Neutral == 0:
		low, high := math.Abs(*e.Low), math.Abs(*e.High)
		return level + " CI " + figure.Range(min(low, high), max(low, high), c.Unit)
	case e.Low != nil && e.High != nil && (c.Alternative == stats.TwoSided || *e.Low > 0):
		return level + " CI " + figure.Range(*e.Low, *e.High, "")
	case e.Neutral == 1 && e.High != nil:
		return level + " bound: at most " + figure.Ratio(*e.High) + " times"
	case e.Neutral == 1:
		return level + " bound: at least " + figure.Ratio(*e.Low) + " times"
	case e.High != nil:
		return level + " bound: by at least " + figure.Quantity(math.Abs(*e.High), c.Unit)
	}
	return level + " bound: by at least " + figure.Quantity(*e.Low, c.Unit)
}

// level formats the interval's level, and says whether it is simultaneous.
func (c *comparison) level() string {
	return prose.If(c.family > 1, "simultaneous ") + figure.Level(c.Estimate.Level)
}

// reach says between which bounds the difference or ratio lies.
func (c *comparison) reach() string {
	e, level, unit := c.Estimate, c.level(), c.Unit
	what := "the difference of " + c.A.Name + " from " + c.B.Name
	if e.Neutral == 1 {
		what, unit = "the ratio of "+c.A.Name+" to "+c.B.Name, ""
	}
	switch {
	case e.Exclusive && e.Low != nil && e.High != nil:
		return fmt.Sprintf("%s lies anywhere but within %s (%s confidence)", what, figure.Range(*e.Low, *e.High, unit), level)
	case e.Low == nil && e.High == nil:
		return fmt.Sprintf("%s is estimated at %s, without a bound on either side", what, c.value())
	case e.Low == nil:
		return fmt.Sprintf("%s is estimated at %s, and may be up to %s (%s bound)", what, c.value(), figure.Quantity(*e.High, unit), level)
	case e.High == nil || c.Alternative == stats.Greater:
		return fmt.Sprintf("%s is estimated at %s, and may be down to %s (%s bound)", what, c.value(), figure.Quantity(*e.Low, unit), level)
	}
	return fmt.Sprintf("%s lies within %s (%s CI)", what, figure.Range(*e.Low, *e.High, unit), level)
}

// smallest names the smallest effect that so many values would find.
func (c *comparison) smallest() string {
	d := c.Detectable
	if d == nil {
		return ""
	}
	size := figure.Quantity(d.Value, c.Unit)
	if d.Ratio {
		size = "a ratio of " + figure.Ratio(d.Value)
	}
	return "; could have detected " + size + " with 80 % power" + prose.If(d.ByT, " (by the t test)")
}

// equivalence is the sentence for tost.
func (c *comparison) equivalence() string {
	q, m := c.Equivalence, c.Margin
	margin, what, within := figure.Quantity(m.Size, c.Unit), "the difference", figure.Range(q.Low, q.High, c.Unit)
	if m.Relative {
		margin, what, within = figure.Percent(m.Size), "the ratio", figure.Range(q.Low, q.High, "")
	}
	inside := fmt.Sprintf("%s lies within %s (%s CI)", what, within, figure.Level(q.Level))
	switch c.Verdict {
	case infer.Equivalent:
		return fmt.Sprintf("%s and %s are equivalent within %s: %s", c.A.Name, c.B.Name, margin, inside)
	case infer.Negligible:
		return c.shown() + fmt.Sprintf(", and that is within the margin of %s: %s", margin, inside)
	case infer.NoAnswer:
		return fmt.Sprintf("no answer: %s and %s do not vary against each other, and so few alike values show nothing", c.A.Name, c.B.Name)
	case infer.Undecided:
		return fmt.Sprintf("undecided: neither a difference nor equivalence within %s is shown: %s%s", margin, inside, c.smallest())
	}
	return c.shown() + fmt.Sprintf(", and is not shown to be within the margin of %s", margin)
}
