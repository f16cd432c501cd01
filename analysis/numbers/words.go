package numbers

import (
	"fmt"
	"math"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

func list(kinds []Kind) string {
	var names []string
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// words puts a comparison into a sentence.
type words struct {
	*Comparison
	unit        string
	alternative stats.Alternative
	together    bool // one of several intervals that hold together
}

func (c *one) sentence() string {
	w := words{c.Comparison, c.Unit, c.Alternative, c.family > 1}
	if c.Equivalence != nil {
		return w.equivalence(c.Margin)
	}
	return w.sentence()
}

func (c *rates) sentence() string {
	w := words{c.Comparison, "", c.Alternative, c.family > 1}
	switch {
	case c.Estimate == nil:
		return fmt.Sprintf("%s: nothing was counted in %s or %s, which says how low the rates are, but not which is lower", c.Verdict, c.A.Name, c.B.Name)
	case c.Verdict != infer.NoAnswer:
		return w.sentence()
	}
	return fmt.Sprintf("no answer: the rate of %s is %s times that of %s, and %s", c.A.Name, w.estimate(c.Estimate), c.B.Name, infer.OnePair)
}

func (w words) sentence() string {
	switch w.Verdict {
	case infer.NoAnswer:
		if e := w.Estimate; e != nil && w.Statistic != nil {
			return fmt.Sprintf("no answer: the difference of %s from %s is estimated at %s, and so few values have no interval at this level", w.A.Name, w.B.Name, w.estimate(e))
		}
		return fmt.Sprintf("no answer: without variation between %s and %s there is neither test nor interval", w.A.Name, w.B.Name)
	case infer.Undecided:
		return w.undecided()
	case infer.No:
		return w.denied()
	}
	return w.shown()
}

// shown is "A is less than B by 0.2671 (95 % bound: by at least 0.2235)".
func (w words) shown() string {
	e := w.Estimate
	comparative := "less"
	if e.point() > e.Neutral {
		comparative = "more"
	}
	if e.Neutral == 1 {
		return fmt.Sprintf("%s is %s than %s: %s times as much (%s)", w.subject(), comparative, w.B.Name, ratio(e.point()), w.interval())
	}
	s := figure.Fit(w.unit, e.point())
	return fmt.Sprintf("%s is %s than %s by %s (%s)", w.subject(), comparative, w.B.Name, s.WithUnit(s.Number(math.Abs(e.point()))), w.interval())
}

// denied answers no to a one-sided question. It has no amount, which would claim
// the other direction.
func (w words) denied() string {
	comparative := map[stats.Alternative]string{stats.Less: "less", stats.Greater: "more"}[w.alternative]
	return fmt.Sprintf("no: %s is not %s than %s (%s bound)", w.subject(), comparative, w.B.Name, w.level(w.Estimate))
}

// subject says of which kind of middle the sentence speaks.
func (w words) subject() string {
	if w.Estimate.What == "ratio of rates" {
		return "the rate of " + w.A.Name
	}
	return w.A.Name
}

// ratio is a factor in words.
func ratio(v float64) string {
	if math.IsInf(v, 0) {
		return "infinitely many"
	}
	return figure.Ratio(v)
}

// estimate is the value in its unit.
func (w words) estimate(e *Estimate) string {
	if e.Neutral == 1 {
		return ratio(e.point())
	}
	return figure.Quantity(e.point(), w.unit)
}

// interval of a shown difference: of its amount, whatever the sign.
func (w words) interval() string {
	e := w.Estimate
	level := w.level(e)
	switch {
	case e.Exclusive && e.Low != nil && e.High != nil:
		return level + " set: anything but " + figure.Range(*e.Low, *e.High, "")
	case e.Low == nil && e.High == nil:
		return "without a bound at " + level
	case e.Low != nil && e.High != nil && e.Neutral == 0:
		low, high := math.Abs(*e.Low), math.Abs(*e.High)
		return level + " CI " + figure.Range(min(low, high), max(low, high), w.unit)
	case e.Low != nil && e.High != nil && (w.alternative == stats.TwoSided || *e.Low > 0):
		return level + " CI " + figure.Range(*e.Low, *e.High, "")
	case e.Neutral == 1 && e.High != nil:
		return level + " bound: at most " + figure.Ratio(*e.High) + " times"
	case e.Neutral == 1:
		return level + " bound: at least " + figure.Ratio(*e.Low) + " times"
	case e.High != nil:
		return level + " bound: by at least " + figure.Quantity(math.Abs(*e.High), w.unit)
	}
	return level + " bound: by at least " + figure.Quantity(*e.Low, w.unit)
}

// level of an interval, and whether it holds together with others.
func (w words) level(e *Estimate) string {
	if w.together {
		return "simultaneous " + figure.Level(e.Level)
	}
	return figure.Level(e.Level)
}

// undecided says how far the difference may lie, and what would have been found.
func (w words) undecided() string {
	e := w.Estimate
	var text string
	switch w.alternative {
	case stats.Less:
		text = fmt.Sprintf("undecided whether %s is less than %s", w.A.Name, w.B.Name)
	case stats.Greater:
		text = fmt.Sprintf("undecided whether %s is more than %s", w.A.Name, w.B.Name)
	default:
		text = "undecided"
	}
	return text + ": " + w.reach(e) + w.smallest()
}

// reach is where the difference or ratio lies.
func (w words) reach(e *Estimate) string {
	level, unit := w.level(e), w.unit
	what := "the difference of " + w.A.Name + " from " + w.B.Name
	if e.Neutral == 1 {
		what, unit = "the ratio of "+w.A.Name+" to "+w.B.Name, ""
	}
	switch {
	case e.Exclusive && e.Low != nil && e.High != nil:
		return fmt.Sprintf("%s lies anywhere but within %s (%s confidence)", what, figure.Range(*e.Low, *e.High, unit), level)
	case e.Low == nil && e.High == nil:
		return fmt.Sprintf("%s is estimated at %s, without a bound on either side", what, w.estimate(e))
	case e.Low == nil:
		return fmt.Sprintf("%s is estimated at %s, and may be up to %s (%s bound)", what, w.estimate(e), figure.Quantity(*e.High, unit), level)
	case e.High == nil || w.alternative == stats.Greater:
		return fmt.Sprintf("%s is estimated at %s, and may be down to %s (%s bound)", what, w.estimate(e), figure.Quantity(*e.Low, unit), level)
	}
	return fmt.Sprintf("%s lies within %s (%s CI)", what, figure.Range(*e.Low, *e.High, unit), level)
}

// smallest is what so many values would have found.
func (w words) smallest() string {
	d := w.Detectable
	if d == nil {
		return ""
	}
	size := figure.Quantity(d.Value, w.unit)
	if d.Ratio {
		size = "a ratio of " + figure.Ratio(d.Value)
	}
	text := "; the smallest effect that so many values would find four times in five is " + size
	if d.ByT {
		text += " (by the t test)"
	}
	return text
}

// equivalence is the sentence of a tost.
func (w words) equivalence(m Margin) string {
	q := w.Equivalence
	margin := figure.Quantity(m.Size, w.unit)
	within := figure.Range(q.Low, q.High, w.unit)
	what := "the difference"
	if m.Relative {
		margin, what, within = figure.Percent(m.Size), "the ratio", figure.Range(q.Low, q.High, "")
	}
	inside := fmt.Sprintf("%s lies within %s (%s CI)", what, within, figure.Level(q.Level))
	switch w.Verdict {
	case infer.Equivalent:
		return fmt.Sprintf("%s and %s are equivalent within %s: %s", w.A.Name, w.B.Name, margin, inside)
	case infer.Negligible:
		return w.shown() + fmt.Sprintf(", and that is within the margin of %s: %s", margin, inside)
	case infer.Undecided:
		return fmt.Sprintf("undecided: neither a difference nor equivalence within %s is shown: %s%s", margin, inside, w.smallest())
	}
	return w.shown() + fmt.Sprintf(", and is not shown to be within the margin of %s", margin)
}

// rateSentence is of one rate alone.
func rateSentence(c *Comparison) string {
	e := c.Estimate
	if *c.A.Count == 0 && e.High != nil {
		return fmt.Sprintf("the rate of %s is at most %s (%s bound; nothing was counted)", c.A.Name, figure.Ratio(*e.High), figure.Level(e.Level))
	}
	if e.Low == nil || e.High == nil {
		return fmt.Sprintf("the rate of %s is %s", c.A.Name, ratio(e.point()))
	}
	return fmt.Sprintf("the rate of %s is %s (%s CI %s)", c.A.Name, ratio(e.point()), figure.Level(e.Level), figure.Range(*e.Low, *e.High, ""))
}
