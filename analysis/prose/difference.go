package prose

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/results"
)

// Difference is an inference about two cells' values of a metric, with the details that its sentence needs.
type Difference struct {
	*infer.Answer
	First, Second string // labels of the cells
	Unit          string
	Better        results.Better
	Quantile      string  // p99, of each invocation's calls; "": means
	Baseline      float64 // mean of the second cell; 0 without one
	Unordered     bool    // there are no blocks
	// Standard is the answer at the standard speed of the CPU; nil if it is the same number, or there is none.
	Standard *Standard
}

// Sentence answers the question.
func (f *Difference) Sentence() Sentence {
	s := f.verdict()
	s.Rest += f.doubt() + f.hosts()
	return s
}

// hosts says for which machines the claim holds, if several measured.
func (f *Difference) hosts() string {
	h := f.Answer.Hosts
	if h == nil || h.Complete || f.Answer.Difference == nil {
		return ""
	}
	n := len(h.Each)
	if !h.OfThese {
		return fmt.Sprintf("; so it is on machines like these %d, most of which have one block", n)
	}
	text := fmt.Sprintf("; so it is on these %d machines", n)
	switch i := h.Like; {
	case h.LikeVerdict == infer.NoAnswer:
		return text + ", and of others like them so few say nothing"
	case i != nil && i.Interval != nil:
		text += fmt.Sprintf(", and on machines like these %s: %s", figure.Range(i.Interval.Low, i.Interval.High, f.Unit), h.LikeVerdict)
	}
	return text
}

// verdict is the sentence without its doubts and hosts.
func (f *Difference) verdict() Sentence {
	d := f.Answer.Difference
	switch {
	case d == nil:
		return NoAnswer(f.NoDifference)
	case f.Verdict == infer.Equivalent && f.Equivalence == nil:
		return Sentence{Opening: f.opening(), Rest: fmt.Sprintf("equivalent within every margin: the values of %s and %s are the same", f.First, f.Second)}
	case d.Interval == nil && f.Verdict != infer.Equivalent:
		return NoAnswer(fmt.Sprintf("%s against %s is %s, but %s", f.First, f.Second, Signed(d.Value, f.Unit), d.NoInterval))
	}
	of := If(f.Quantile != "" && !f.ByRanks(), "the mean %s of ", f.Quantile) + // ranks use their median over blocks
		If(f.Quantile != "" && f.ByRanks(), "the %s of ", f.Quantile)
	what, interval := of+f.First, confidence(f.Question, f.Verdict)
	s := Sentence{Opening: f.opening()}
	switch f.Verdict {
	case infer.Undecided:
		within := d.Interval
		if f.Doubt != nil && f.Doubt.Decided {
			within = f.Doubt.Interval
		}
		s.Rest = fmt.Sprintf("the difference of %s from %s lies within %s (%s)", what, f.Second, figure.Range(within.Low, within.High, f.Unit), interval)
		if d.Detectable != nil {
			s.Rest += "; could have detected " + figure.Quantity(*d.Detectable, f.Unit) +
				If(f.Baseline > 0, " (%s)", figure.Percent(*d.Detectable/f.Baseline)) + " with 80 % power"
		}
	case infer.No: // without an amount, which would claim the opposite direction at twice the chance of error
		verb := cmp.Or(map[results.Better]string{results.Lower: "does not cost", results.Higher: "does not yield"}[f.Better], "is not")
		s.Rest = fmt.Sprintf("%s %s %s %s (%s)", what, verb, direction(f.Alternative == stats.Less, f.Better), f.Second, interval)
	case infer.Equivalent:
		s.Rest = fmt.Sprintf("%s: the difference of %s from %s lies within %s",
			Verdict(f.Verdict, f.Equivalence, f.Unit), what, f.Second, equivalenceRange(f.Equivalence, f.Unit))
	default: // the interval excludes 0
		low, high := math.Abs(d.Interval.Low), math.Abs(d.Interval.High)
		verb, than := cmp.Or(map[results.Better]string{results.Lower: "costs", results.Higher: "yields"}[f.Better],
			"is"), direction(d.Value < 0, f.Better)
		if f.Better == results.Lower && d.Value > 0 {
			verb, than = "adds", "over"
		}
		size := figure.Fit(f.Unit, d.Value, low, high)
		amount := size.WithUnit(size.Number(math.Abs(d.Value)))
		if f.Standard.answers(d.Value) {
			s.Rest = f.Standard.sentence(f.Unit, fmt.Sprintf("%s %s", what, verb), fmt.Sprintf("%s %s", than, f.Second), interval, amount)
		} else {
			s.Rest = fmt.Sprintf("%s %s %s %s %s (%s %s)", what, verb, amount, than, f.Second, interval, figure.Range(min(low, high), max(low, high), f.Unit))
			if f.Ratio != nil {
				s.Rest += ", " + timesAsMuch(f.Ratio.Value)
			}
		}
		if f.Verdict == infer.Negligible {
			s.Rest += fmt.Sprintf("; that is within the margin of %s", margin(f.Equivalence, f.Unit, figure.Quantity))
		}
	}
	return s
}

// doubt says that the verdict leaves room for the reference, if that decided it.
func (f *Difference) doubt() string {
	if f.Doubt == nil || !f.Doubt.Decided {
		return ""
	}
	room := fmt.Sprintf("; the speed of the CPU beside %s is known to %s (%s of the call)", f.First, figure.Percent(f.Doubt.Share), figure.Quantity(f.Doubt.Amount, f.Unit))
	return room + If(f.Doubt.Measured, ", so the verdict is that of the times as they were measured") +
		If(!f.Doubt.Measured, ", and the verdict allows for that")
}

// opening is yes or no if the question has a direction, and undecided if there is no answer yet.
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
	return If(q.Family > 1, "simultaneous ") + name
}

// direction compares amounts if one way is better, else plain numbers.
func direction(less bool, b results.Better) string {
	if b == results.Lower || b == results.Higher {
		return map[bool]string{true: "less than", false: "more than"}[less]
	}
	return map[bool]string{true: "below", false: "above"}[less]
}

// timesAsMuch formats a ratio for a sentence: +5.2 %, or 3.6 times as much.
func timesAsMuch(ratio float64) string { return Factor(ratio) + If(!near(ratio), " as much") }

// Factor formats a ratio for a table: in per cent between 0.5 and 2, else as a multiple.
func Factor(ratio float64) string {
	if near(ratio) {
		return map[bool]string{true: "−", false: "+"}[ratio < 1] + figure.Percent(math.Abs(ratio-1))
	}
	return figure.Fit("", ratio).Coarser(2).Number(ratio) + " times"
}

// near says whether a ratio is formatted in per cent.
func near(ratio float64) bool { return ratio > 0.5 && ratio < 2 }

// Verdict formats a verdict, with the margin if it is equivalent.
func Verdict(v infer.Verdict, e *infer.Equivalence, unit string) string {
	if v != infer.Equivalent || e == nil {
		return string(v)
	}
	return string(v) + " within " + margin(e, unit, figure.Quantity)
}

// Judgement formats a judgement, with the margin, a share, if it is "equivalent".
func Judgement(j infer.Judgement, margin float64) string {
	return j.Word() + If(j == infer.Same, " within %s", figure.Level(margin))
}

// margin formats the size of a margin; write formats an amount in a unit.
func margin(e *infer.Equivalence, unit string, write func(float64, string) string) string {
	if e.Relative {
		return figure.Level(e.Margin)
	}
	return write(e.Margin, unit)
}

// equivalenceRange formats the interval of the two one-sided tests.
func equivalenceRange(e *infer.Equivalence, unit string) string {
	if e.Relative {
		return figure.SignedPercent(e.Interval.Low-1) + " … " + figure.SignedPercent(e.Interval.High-1) + level(e.Interval)
	}
	return figure.Range(e.Interval.Low, e.Interval.High, unit) + level(e.Interval)
}

// Detail is the test behind a sentence, for readers who want to check it.
func (f *Difference) Detail() string {
	d, parts := f.Answer.Difference, []string{"the values do not vary"}
	if d == nil || d.Interval == nil {
		return ""
	}
	if d.Test != nil {
		kind, _ := infer.KindOf(f.Kind)
		statistic := kind.Statistic
		if f.Unordered && kind.Pairing != infer.Unpaired && !kind.Ranks() {
			statistic = "Welch's t" // there is no paired t without pairs
		}
		df := If(d.Test.DF > 0, ", df %s", Number(d.Test.DF))
		parts = []string{fmt.Sprintf("%s = %s%s, %s%s", statistic, Number(d.Test.T), df, figure.P(d.Test.P), sided(f.Question))}
	}
	n := figure.Plural(d.N, "pair of invocations", "pairs of invocations")
	if f.Unordered || f.Unpaired() {
		n = fmt.Sprintf("at least %d invocations of each", d.N)
	}
	parts = append(parts, "n = "+n)
	if f.Verdict != infer.Undecided && d.Detectable != nil {
		parts = append(parts, "detectable with 80 % power "+figure.Quantity(*d.Detectable, f.Unit))
	}
	if e := f.Equivalence; e != nil {
		parts = append(parts, fmt.Sprintf("margin %s, TOST %s", margin(e, f.Unit, figure.Quantity), figure.P(e.P)))
	}
	return strings.Join(parts, ", ")
}

func sided(q infer.Question) string {
	return If(q.OneSided(), " (%s)", q.Alternative)
}

// Rates is an inference about two cells' rates, with the details that its sentence needs.
type Rates struct {
	*infer.Rates
	First, Second string // labels of the cells
	Events        string // the counted events: lost, late
	Of            string // the exposure: requests
}

// Sentence answers the question.
func (w *Rates) Sentence() Sentence {
	opening := map[infer.Verdict]string{infer.NoAnswer: "no answer", infer.No: "no", infer.Undecided: "undecided"}[w.Verdict]
	if w.OneSided() {
		opening = cmp.Or(opening, map[infer.Verdict]string{infer.Equivalent: "undecided"}[w.Verdict], "yes")
	}
	return Sentence{opening, w.rest()}
}

// emptyLevel is the level of bounds of rates without any event.
const emptyLevel = 0.95

// rest is the sentence after its opening.
func (w *Rates) rest() string {
	both := fmt.Sprintf("%s with %s, %s with %s", Seen(w.A), w.First, Seen(w.B), w.Second)
	// The range of the difference.
	differs := fmt.Sprintf("in %s %s, %s differs from %s by ", w.Events, w.Of, w.First, w.Second)
	if w.Interval == nil {
		differs += fmt.Sprintf("%s per million, without an interval (%s)", Signed(w.Difference, ""), w.NoInterval)
	} else {
		differs += fmt.Sprintf("%s per million (%s)", signedRange(w.Interval), confidence(w.Question, ""))
	}
	smallest := ""
	if w.Detectable != nil {
		smallest = fmt.Sprintf("; could have detected %s per million with 80 %% power", figure.Ratio(*w.Detectable))
	}
	switch {
	case w.Verdict == infer.Equivalent:
		e := w.Equivalence
		within := signedRange(&e.Interval) + " per million" + level(e.Interval)
		if e.Relative {
			within = equivalenceRange(e, "")
		}
		return fmt.Sprintf("equivalent within %s: as to %s %s, the difference of %s from %s lies within %s (%s)",
			margin(w.Equivalence, "per million", figure.Exactly), w.Events, w.Of, w.First, w.Second, within, both)
	case w.A.Events+w.B.Events == 0:
		fewer := "how few that means is not known"
		a, _, errA := infer.IntervalOf(stats.EventRuns{Events: []int64{0}, Exposure: []float64{w.A.Exposure}}, emptyLevel)
		b, _, errB := infer.IntervalOf(stats.EventRuns{Events: []int64{0}, Exposure: []float64{w.B.Exposure}}, emptyLevel)
		if errA == nil && errB == nil {
			fewer = fmt.Sprintf("fewer than %s per million (%s)", figure.Ratio(max(a.High, b.High)), figure.Level(emptyLevel))
		}
		return fmt.Sprintf("no %s are %s in either: %s; %s%s", w.Of, w.Events, both, fewer, smallest)
	case w.Verdict == infer.No:
		often := map[stats.Alternative]string{stats.Greater: "more often", stats.Less: "less often"}[w.Alternative]
		return fmt.Sprintf("%s are not %s %s with %s than with %s: %s", w.Of, w.Events, often, w.First, w.Second, both)
	case w.Verdict == infer.NoAnswer:
		return differs + ": " + both
	case w.Verdict == infer.Undecided:
		return differs + If(w.Interval != nil && w.Has(infer.CaveatOpposite), "; %s", infer.Opposite) + ": " + both + smallest
	}
	interval := ""
	if w.Interval != nil {
		low, high := math.Abs(w.Interval.Low), math.Abs(w.Interval.High)
		interval = fmt.Sprintf(" (%s %s)", confidence(w.Question, ""), figure.Range(min(low, high), max(low, high), ""))
	}
	text := fmt.Sprintf("%s %s of a million %s are %s with %s than with %s%s: %s%s",
		figure.Ratio(math.Abs(w.Difference)), map[bool]string{true: "fewer", false: "more"}[w.Difference < 0], w.Of, w.Events, w.First, w.Second, interval, both, w.times())
	if w.Verdict == infer.Negligible {
		text += "; that is within the margin of " + margin(w.Equivalence, "per million", figure.Exactly)
	}
	return text
}

func signedRange(i *infer.Interval) string {
	s := figure.Fit("", i.Low, i.High)
	return s.Signed(i.Low) + " … " + s.Signed(i.High)
}

// times formats the ratio, or a bound of it.
func (w *Rates) times() string {
	switch {
	case w.Ratio != nil && *w.Ratio > 0 && w.RatioLow != nil && w.RatioHigh != nil:
		return fmt.Sprintf("; %s times as often (%s)", figure.Ratio(*w.Ratio), figure.Range(*w.RatioLow, *w.RatioHigh, ""))
	case w.Difference > 0 && w.RatioLow != nil && *w.RatioLow > 0:
		return fmt.Sprintf("; at least %s times as often", figure.Ratio(*w.RatioLow))
	case w.Difference < 0 && w.RatioHigh != nil && *w.RatioHigh > 0:
		return fmt.Sprintf("; at most %s times as often", figure.Ratio(*w.RatioHigh))
	}
	return ""
}

// Detail lists the tests, and marks those that do not hold.
func (w *Rates) Detail() string {
	var parts []string
	if w.Poisson != nil {
		p := "exact conditional test " + figure.P(*w.Poisson) + sided(w.Question)
		if w.PoissonFails {
			p = "struck out, because the counts scatter: " + p
		}
		parts = append(parts, p)
	}
	n, permuted := fmt.Sprintf("%d and %d invocations", w.A.N, w.B.N), "invocations permuted"
	if w.Blocked {
		n, permuted = figure.Plural(w.A.N, "pair of invocations", "pairs of invocations"), "signs flipped within blocks"
	}
	if s := w.Scatter; s != nil {
		parts = append(parts, fmt.Sprintf("dispersion χ² = %s, df %s, %s", Number(s.Chi2), Number(s.DF), figure.P(s.P)))
		if w.Poisson != nil {
			parts = append(parts, fmt.Sprintf("quasi-Poisson F = %s, df 1 and %s, %s", Number(s.F), Number(s.DF), figure.P(s.PQuasi)))
		}
		if s.PPermuted != nil {
			permuted += If(s.Exact, ", all ways of it") + ", " + figure.P(*s.PPermuted) + If(s.Least, ", the least that so few can have")
			parts = append(parts, permuted)
		}
	}
	parts = append(parts, "n = "+n, "decided by "+w.Decided)
	if e := w.Equivalence; e != nil {
		parts = append(parts, fmt.Sprintf("margin %s, TOST %s", margin(w.Equivalence, "per million", figure.Exactly), figure.P(e.P)))
	}
	return strings.Join(parts, ", ")
}
