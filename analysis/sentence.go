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
func (f *findings) sentence(a *Answer, q results.Question, m results.Metric, la, lb string) Sentence {
	d := f.Difference
	switch {
	case d == nil:
		return noAnswer(f.NoDifference)
	case d.Interval == nil:
		s := figure.Fit(m.Unit, d.Value)
		return noAnswer(fmt.Sprintf("%s against %s is %s, but %s", la, lb, s.WithUnit(s.Signed(d.Value)), d.NoInterval))
	}
	what, opening := f.ofWhat(q, la), f.opening(a)
	switch a.Verdict {
	case VerdictUndecided:
		return Sentence{opening, fmt.Sprintf("the difference of %s from %s lies within %s (%s)%s",
			what, lb, figure.Range(d.Interval.Low, d.Interval.High, m.Unit), f.interval(a), f.smallest(m.Unit))}
	case VerdictNo:
		return Sentence{opening, fmt.Sprintf("%s %s (%s)", what, f.notAsAsked(m.Better, lb), f.interval(a))}
	case VerdictFree:
		return Sentence{opening, fmt.Sprintf("free within %s: the difference of %s from %s lies within %s",
			marginSize(f.Equivalence, m.Unit), what, lb, equivalenceRange(f.Equivalence, m.Unit))}
	}
	text := f.shown(a, m, what, lb)
	if a.Verdict == VerdictSmall {
		text += fmt.Sprintf("; that is within the margin of %s", marginSize(f.Equivalence, m.Unit))
	}
	return Sentence{opening, text}
}

// ofWhat is the label, and the quantile where that was asked about. What is
// compared of quantiles is their median over blocks, unless a mean was asked for.
func (f *findings) ofWhat(q results.Question, label string) string {
	for _, known := range quantiles {
		if q.Quantile == 0 || known.p != q.Quantile {
			continue
		}
		if f.Kind == results.TestSign || f.Kind == results.TestSignedRank || f.Kind == results.TestMannWhitney {
			return "the " + known.name + " of " + label
		}
		return "the mean " + known.name + " of " + label
	}
	return label
}

// notAsAsked denies what a one-sided question asked. It has no amount: that would
// claim the opposite direction, at twice the chance of error.
func (f *findings) notAsAsked(b results.Better, than string) string {
	verb := "is not"
	switch b {
	case results.Lower:
		verb = "does not cost"
	case results.Higher:
		verb = "does not yield"
	}
	return strings.Join([]string{verb, direction(f.Alternative == stats.Less, b), than}, " ")
}

// shown is a difference whose interval does not hold 0.
func (f *findings) shown(a *Answer, m results.Metric, la, lb string) string {
	d := f.Difference
	low, high := math.Abs(d.Interval.Low), math.Abs(d.Interval.High)
	s := figure.Fit(m.Unit, d.Value, low, high)
	text := fmt.Sprintf("%s %s (%s %s)", la, amount(d.Value < 0, m.Better, s.WithUnit(s.Number(math.Abs(d.Value))), lb),
		f.interval(a), figure.Range(min(low, high), max(low, high), m.Unit))
	if f.Ratio != nil {
		text += ", " + Times(f.Ratio.Value)
	}
	return text
}

// opening is yes or no where the question has a direction, and undecided where
// there is no answer yet.
func (f *findings) opening(a *Answer) string {
	yes, no := f.OneSided() && a.Verdict.Shown(), a.Verdict == VerdictNo
	switch {
	case f.Kind == results.TestTOST && f.Equivalence != nil:
		yes, no = f.Equivalence.Within, f.Equivalence.Beyond()
	case !f.OneSided() && a.Verdict != VerdictUndecided:
		return ""
	}
	switch {
	case yes:
		return "yes"
	case no:
		return "no"
	}
	return "undecided"
}

// interval names the interval.
func (f *findings) interval(a *Answer) string {
	name := figure.Level(f.Claimed()) + " CI"
	if a.Verdict == VerdictNo {
		name = figure.Level(1-f.Alpha) + " bound"
	}
	if a.FamilySize > 1 {
		return "simultaneous " + name
	}
	return name
}

// smallest is what such a design could have found.
func (f *findings) smallest(unit string) string {
	d := f.Difference.Detectable
	if d == nil {
		return ""
	}
	text := "; the smallest effect that so many blocks would find four times in five is " + figure.Quantity(*d, unit)
	if f.baseline > 0 {
		text += " (" + figure.Percent(*d/f.baseline) + ")"
	}
	return text
}

func amount(less bool, b results.Better, by, than string) string {
	verb := "is"
	switch b {
	case results.Lower:
		verb = "costs"
	case results.Higher:
		verb = "yields"
	}
	return strings.Join([]string{verb, by, direction(less, b), than}, " ")
}

// direction is of amounts where one way is better, and of plain numbers else.
func direction(less bool, b results.Better) string {
	valued := b == results.Lower || b == results.Higher
	switch {
	case valued && less:
		return "less than"
	case valued:
		return "more than"
	case less:
		return "below"
	}
	return "above"
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
	d := f.Difference
	if d == nil || d.Interval == nil {
		return ""
	}
	name, n := f.name(), figure.Plural(d.N, "pair of invocations", "pairs of invocations")
	if f.unordered || f.Kind == results.TestWelch || f.Kind == results.TestStudent || f.Kind == results.TestMannWhitney {
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
		parts = append(parts, "detectable with 80 % power "+figure.Quantity(*d.Detectable, a.Unit))
	}
	if e := f.Equivalence; e != nil {
		parts = append(parts, fmt.Sprintf("margin %s, TOST %s", marginSize(e, a.Unit), figure.P(e.P)))
	}
	return strings.Join(parts, ", ")
}

func (f *findings) sided() string {
	if !f.OneSided() {
		return ""
	}
	return " (" + string(f.Alternative) + ")"
}

func (f *findings) name() string {
	if f.unordered && (f.Kind == results.TestPaired || f.Kind == results.TestTOST) {
		return "Welch's t"
	}
	switch f.Kind {
	case results.TestWelch:
		return "Welch's t"
	case results.TestStudent:
		return "Student's t"
	case results.TestSignedRank:
		return "signed rank V"
	case results.TestSign:
		return "signs S"
	case results.TestMannWhitney:
		return "Mann-Whitney W"
	}
	return "paired t"
}

func number(x float64) string { return strings.Replace(fmt.Sprintf("%.4g", x), "-", "−", 1) }
