package prose

import (
	"fmt"
	"math"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// Difference is what inference says of two cells' values of a metric, with what its
// sentence needs beside it.
type Difference struct {
	*infer.Answer
	First, Second string // labels of the cells
	Unit          string
	Better        results.Better
	Quantile      string  // p99, of each invocation's calls; "" of means
	Baseline      float64 // mean of the second cell, 0 when it has none
	Unordered     bool    // there are no blocks
}

// Sentence answers the question.
func (f *Difference) Sentence() Sentence {
	d := f.Answer.Difference
	switch {
	case d == nil:
		return NoAnswer(f.NoDifference)
	case d.Interval == nil:
		return NoAnswer(fmt.Sprintf("%s against %s is %s, but %s", f.First, f.Second, Signed(d.Value, f.Unit), d.NoInterval))
	}
	what, interval := f.First, confidence(f.Question, f.Verdict)
	switch {
	case f.Quantile != "" && f.ByRanks(): // which compares their median over blocks
		what = "the " + f.Quantile + " of " + f.First
	case f.Quantile != "":
		what = "the mean " + f.Quantile + " of " + f.First
	}
	s := Sentence{Opening: f.opening()}
	switch f.Verdict {
	case infer.Undecided:
		s.Rest = fmt.Sprintf("the difference of %s from %s lies within %s (%s)", what, f.Second, figure.Range(d.Interval.Low, d.Interval.High, f.Unit), interval)
		if d.Detectable != nil {
			s.Rest += "; the smallest effect that so many blocks would find four times in five is " + figure.Quantity(*d.Detectable, f.Unit)
			if f.Baseline > 0 {
				s.Rest += " (" + figure.Percent(*d.Detectable/f.Baseline) + ")"
			}
		}
	case infer.No: // without an amount, which would claim the opposite direction at twice the chance of error
		verb := map[results.Better]string{results.Lower: "does not cost", results.Higher: "does not yield"}[f.Better]
		if verb == "" {
			verb = "is not"
		}
		s.Rest = fmt.Sprintf("%s %s %s %s (%s)", what, verb, direction(f.Alternative == stats.Less, f.Better), f.Second, interval)
	case infer.Equivalent:
		s.Rest = fmt.Sprintf("free within %s: the difference of %s from %s lies within %s",
			margin(f.Equivalence, f.Unit), what, f.Second, equivalenceRange(f.Equivalence, f.Unit))
	default: // the interval does not hold 0
		low, high := math.Abs(d.Interval.Low), math.Abs(d.Interval.High)
		verb := map[results.Better]string{results.Lower: "costs", results.Higher: "yields"}[f.Better]
		if verb == "" {
			verb = "is"
		}
		size := figure.Fit(f.Unit, d.Value, low, high)
		s.Rest = fmt.Sprintf("%s %s %s %s %s (%s %s)", what, verb, size.WithUnit(size.Number(math.Abs(d.Value))), direction(d.Value < 0, f.Better), f.Second,
			interval, figure.Range(min(low, high), max(low, high), f.Unit))
		if f.Ratio != nil {
			s.Rest += ", " + times(f.Ratio.Value)
		}
		if f.Verdict == infer.Negligible {
			s.Rest += fmt.Sprintf("; that is within the margin of %s", margin(f.Equivalence, f.Unit))
		}
	}
	return s
}

// opening is yes or no where the question has a direction, and undecided where
// there is no answer yet.
func (f *Difference) opening() string {
	yes, no := f.OneSided() && f.Verdict.Shown(), f.Verdict == infer.No
	switch kind, _ := infer.KindOf(f.Kind); {
	case kind.Margin && f.Equivalence != nil:
		yes, no = f.Equivalence.Within, f.Equivalence.Beyond()
	case !f.OneSided() && f.Verdict != infer.Undecided:
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

// confidence names the interval of a question.
func confidence(q infer.Question, v infer.Verdict) string {
	name := figure.Level(q.Claimed()) + " CI"
	if v == infer.No {
		name = figure.Level(1-q.Alpha) + " bound"
	}
	if q.Family > 1 {
		return "simultaneous " + name
	}
	return name
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

// times says a ratio: in per cent from a half to twice, else as a multiple.
func times(ratio float64) string {
	switch {
	case ratio > 0.5 && ratio < 1:
		return "−" + figure.Percent(math.Abs(ratio-1))
	case ratio >= 1 && ratio < 2:
		return "+" + figure.Percent(math.Abs(ratio-1))
	}
	return figure.Ratio(ratio) + " times as much"
}

// margin is the size of a margin.
func margin(e *infer.Equivalence, unit string) string {
	if e.Relative {
		return figure.Level(e.Margin)
	}
	return figure.Quantity(e.Margin, unit)
}

// equivalenceRange is the interval of the two one-sided tests.
func equivalenceRange(e *infer.Equivalence, unit string) string {
	if e.Relative {
		return figure.SignedPercent(e.Interval.Low-1) + " … " + figure.SignedPercent(e.Interval.High-1) + level(e.Interval)
	}
	return figure.Range(e.Interval.Low, e.Interval.High, unit) + level(e.Interval)
}

// Detail is the test behind a sentence, for those who want to check it.
func (f *Difference) Detail() string {
	d := f.Answer.Difference
	if d == nil || d.Interval == nil {
		return ""
	}
	var parts []string
	if d.Test == nil {
		parts = append(parts, "the values do not vary")
	} else {
		parts = append(parts, fmt.Sprintf("%s = %s", f.statistic(), Number(d.Test.T)))
		if d.Test.DF > 0 {
			parts = append(parts, "df "+Number(d.Test.DF))
		}
		parts = append(parts, figure.P(d.Test.P)+sided(f.Question))
	}
	if f.Unordered || f.Unpaired() {
		parts = append(parts, fmt.Sprintf("n = at least %d invocations of each", d.N))
	} else {
		parts = append(parts, "n = "+figure.Plural(d.N, "pair of invocations", "pairs of invocations"))
	}
	if f.Verdict != infer.Undecided && d.Detectable != nil {
		parts = append(parts, "detectable with 80 % power "+figure.Quantity(*d.Detectable, f.Unit))
	}
	if e := f.Equivalence; e != nil {
		parts = append(parts, fmt.Sprintf("margin %s, TOST %s", margin(e, f.Unit), figure.P(e.P)))
	}
	return strings.Join(parts, ", ")
}

func sided(q infer.Question) string {
	if !q.OneSided() {
		return ""
	}
	return " (" + string(q.Alternative) + ")"
}

// statistic names the test's: of values without pairs there is none of pairs.
func (f *Difference) statistic() string {
	kind, _ := infer.KindOf(f.Kind)
	if f.Unordered && kind.Pairing != infer.Unpaired && !kind.Ranks() {
		return "Welch's t"
	}
	return kind.Statistic
}
