package analysis

import (
	"fmt"
	"math"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/stats"
	"moobench/results"
)

// sentence puts the findings into words.
func (f *findings) sentence(a *Answer, q results.Question, m results.Metric, la, lb string) string {
	d := f.difference
	switch {
	case d == nil:
		return "no answer: " + f.why
	case d.Interval == nil:
		s := figure.Fit(m.Unit, d.Value)
		return fmt.Sprintf("no answer: %s against %s is %s, but %s", la, lb, s.WithUnit(s.Signed(d.Value)), d.NoInterval)
	}
	what := f.ofWhat(q, la)
	switch a.Verdict {
	case VerdictUndecided:
		return f.toTheAsker(a) + fmt.Sprintf("the difference of %s from %s lies within %s (%s)%s",
			what, lb, figure.Range(d.Interval.Low, d.Interval.High, m.Unit), f.interval(a), f.smallest(m.Unit))
	case VerdictFree:
		return f.toTheAsker(a) + fmt.Sprintf("free within %s: the difference of %s from %s lies within %s",
			f.equivalence.size(m.Unit), what, lb, f.equivalence.words(m.Unit))
	}
	text := f.toTheAsker(a) + f.shown(a, m, what, lb)
	if a.Verdict == VerdictSmall {
		text += fmt.Sprintf("; that is within the margin of %s", f.equivalence.size(m.Unit))
	}
	return text
}

// ofWhat is the label, and the quantile where that was asked about.
func (f *findings) ofWhat(q results.Question, label string) string {
	for _, known := range quantiles {
		if q.Quantile != 0 && known.p == q.Quantile {
			return "the " + known.name + " of " + label
		}
	}
	return label
}

// shown is a difference whose interval does not hold 0.
func (f *findings) shown(a *Answer, m results.Metric, la, lb string) string {
	d := f.difference
	low, high := math.Abs(d.Interval.Low), math.Abs(d.Interval.High)
	s := figure.Fit(m.Unit, d.Value, low, high)
	text := fmt.Sprintf("%s %s (%s %s)", la, amount(d.Value < 0, m.Better, s.WithUnit(s.Number(math.Abs(d.Value))), lb),
		f.interval(a), figure.Range(min(low, high), max(low, high), m.Unit))
	if f.ratio != nil {
		text += ", " + Times(f.ratio.Value)
	}
	return text
}

// toTheAsker begins with yes or no, where the question has a direction.
func (f *findings) toTheAsker(a *Answer) string {
	yes, no := false, false
	switch v := verdict(f.difference); {
	case f.kind == results.TestTOST && f.equivalence != nil:
		yes, no = f.equivalence.Free, f.equivalence.beyond()
	case f.alternative == stats.Less:
		yes, no = v == VerdictLess, v == VerdictMore
	case f.alternative == stats.Greater:
		yes, no = v == VerdictMore, v == VerdictLess
	default:
		if a.Verdict == VerdictUndecided {
			return "undecided: "
		}
		return ""
	}
	switch {
	case yes:
		return "yes: "
	case no:
		return "no: "
	}
	return "undecided: "
}

// interval names the interval.
func (f *findings) interval(a *Answer) string {
	level := 1 - a.Alpha
	if f.alternative != stats.TwoSided {
		level = 1 - 2*a.Alpha
	}
	if a.FamilySize > 1 {
		return "simultaneous " + figure.Level(level) + " CI"
	}
	return figure.Level(level) + " CI"
}

// smallest is what such a design could have found.
func (f *findings) smallest(unit string) string {
	d := f.difference.Detectable
	if d == nil {
		return ""
	}
	text := "; the smallest effect that so many blocks would find four times in five is " + figure.Quantity(*d, unit)
	if f.baseline > 0 {
		text += " (" + figure.Percent(*d/f.baseline) + ")"
	}
	return text
}

// words is the interval of the two one-sided tests.
func (e *Equivalence) words(unit string) string {
	level := " (" + figure.Level(e.Interval.Level) + " CI)"
	if e.Relative {
		return figure.SignedPercent(e.Interval.Low-1) + " … " + figure.SignedPercent(e.Interval.High-1) + level
	}
	return figure.Range(e.Interval.Low, e.Interval.High, unit) + level
}

func amount(less bool, b results.Better, by, than string) string {
	verb, direction := "is", "above"
	if less {
		direction = "below"
	}
	if b == results.Lower || b == results.Higher {
		direction = "more than"
		if less {
			direction = "less than"
		}
	}
	switch b {
	case results.Lower:
		verb = "costs"
	case results.Higher:
		verb = "yields"
	}
	return strings.Join([]string{verb, by, direction, than}, " ")
}

// Times says a ratio: in per cent from a half to twice, else as a multiple.
func Times(ratio float64) string {
	if ratio > 0.5 && ratio < 2 {
		sign := "+"
		if ratio < 1 {
			sign = "−"
		}
		return sign + figure.Percent(math.Abs(ratio-1))
	}
	return figure.Ratio(ratio) + " times as much"
}

// mind recalls the marks of what is compared; those of a baseline stand at its
// own number.
func mind(cells []Cell, a *Answer) string {
	var shows []string
	for _, c := range cells {
		for _, m := range c.Marks {
			switch {
			case m.Kind == markRepeated && !c.manyRepeated():
			case c.ID == a.A:
				shows = append(shows, m.Show)
			case c.ID == a.B && c.Role == results.RoleVariant:
				shows = append(shows, c.Label+" "+m.Show)
			}
		}
	}
	if len(shows) == 0 {
		return ""
	}
	return "; mind: " + strings.Join(shows, ", ")
}

// detail is the test behind a sentence, for those who want to check it.
func (f *findings) detail(a *Answer) string {
	d := f.difference
	if d == nil || d.Interval == nil {
		return ""
	}
	name, n := f.name(), figure.Plural(d.N, "pair of invocations", "pairs of invocations")
	if f.unordered || f.kind == results.TestWelch || f.kind == results.TestStudent || f.kind == results.TestMannWhitney {
		n = fmt.Sprintf("at least %d invocations of each", d.N)
	}
	var parts []string
	if d.Test == nil {
		parts = append(parts, "the values do not vary")
	} else {
		parts = append(parts, fmt.Sprintf("%s = %s", name, number(d.Test.T)))
		if d.Test.DF > 0 {
			parts = append(parts, "df "+number(d.Test.DF))
		}
		parts = append(parts, figure.P(d.Test.P)+f.sided())
	}
	parts = append(parts, "n = "+n)
	if a.Verdict != VerdictUndecided && d.Detectable != nil {
		parts = append(parts, "detectable "+figure.Quantity(*d.Detectable, a.unit))
	}
	if e := f.equivalence; e != nil {
		parts = append(parts, fmt.Sprintf("margin %s, TOST %s", e.size(a.unit), figure.P(e.P)))
	}
	return strings.Join(parts, ", ")
}

func (f *findings) sided() string {
	if f.alternative == stats.TwoSided {
		return ""
	}
	return " (" + string(f.alternative) + ")"
}

func (f *findings) name() string {
	if f.unordered && (f.kind == results.TestPaired || f.kind == results.TestTOST) {
		return "Welch's t"
	}
	switch f.kind {
	case results.TestWelch:
		return "Welch's t"
	case results.TestStudent:
		return "Student's t"
	case results.TestSignedRank:
		return "signed rank V"
	case results.TestMannWhitney:
		return "Mann-Whitney W"
	}
	return "paired t"
}

func number(x float64) string { return strings.Replace(fmt.Sprintf("%.4g", x), "-", "−", 1) }
