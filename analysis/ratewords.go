package analysis

import (
	"fmt"
	"math"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// words says what the comparison found, and by which tests.
func (x *Rates) words(q rateQuestion, of *infer.Rates) {
	w := rateWords{x, q, of}
	x.Text = Sentence{w.opening(), w.sentence()}
	x.Detail = w.detail()
}

// rateWords puts a comparison of rates into words: events are "lost", "late".
type rateWords struct {
	*Rates
	q  rateQuestion
	of *infer.Rates
}

// decidedBy names the tests that decided.
func decidedBy(of *infer.Rates) string {
	switch of.Decided {
	case infer.PoissonTests:
		return "the exact conditional test of Poisson counts and quasi-Poisson, both"
	case infer.ExchangedPairs:
		return "quasi-Poisson and signs flipped within blocks, both"
	case infer.ExchangedRuns:
		return "quasi-Poisson and the permutation of the invocations, both"
	}
	if of.A.Events+of.B.Events == 0 {
		return "no test: nothing was counted on either side"
	}
	return "no test: " + infer.OnePair
}

func (w rateWords) sentence() string {
	of, events := spaced(w.Of), spaced(w.q.metric.Name)
	both := fmt.Sprintf("%s with %s, %s with %s", seen(w.A), w.q.a.Label(), seen(w.B), w.q.b.Label())
	switch {
	case w.Verdict == VerdictFree:
		e := w.Equivalence
		return fmt.Sprintf("free within %s: as to %s %s, the difference of %s from %s lies within %s (%s)", w.margin(), events, of, w.q.a.Label(), w.q.b.Label(), w.equivalent(e), both)
	case w.A.Events+w.B.Events == 0:
		return fmt.Sprintf("no %s are %s in either: %s; %s%s", of, events, both, w.fewer(), w.smallest())
	case w.Verdict == VerdictNo:
		often := map[stats.Alternative]string{stats.Greater: "more often", stats.Less: "less often"}[w.q.Alternative]
		return fmt.Sprintf("%s are not %s %s with %s than with %s: %s", of, events, often, w.q.a.Label(), w.q.b.Label(), both)
	case w.Verdict == VerdictNone:
		return fmt.Sprintf("in %s %s, %s differs from %s by %s: %s", events, of, w.q.a.Label(), w.q.b.Label(), w.lies(), both)
	case w.Verdict == VerdictUndecided:
		return fmt.Sprintf("in %s %s, %s differs from %s by %s%s: %s%s", events, of, w.q.a.Label(), w.q.b.Label(), w.lies(), w.opposite(), both, w.smallest())
	}
	text := fmt.Sprintf("%s %s of a million %s are %s with %s than with %s%s: %s%s",
		figure.Ratio(math.Abs(w.Difference)), map[bool]string{true: "fewer", false: "more"}[w.Difference < 0], of, events, w.q.a.Label(), w.q.b.Label(), w.interval(), both, w.times())
	if w.Verdict == VerdictSmall {
		text += "; that is within the margin of " + w.margin()
	}
	return text
}

// spaced is a metric's name as one says it.
func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

// seen is 11 of 1,320,030.
func seen(a Arm) string { return figure.Count(a.Events) + " of " + exposed(a.Exposure) }

func exposed(s float64) string {
	if s < 1e15 && s >= 1 {
		return figure.Count(int64(math.Round(s)))
	}
	return figure.Ratio(s)
}

// lies is where the difference may lie.
func (w rateWords) lies() string {
	if w.Interval == nil {
		return fmt.Sprintf("%s per million, without an interval (%s)", signedNumber(w.Difference), w.NoInterval)
	}
	return fmt.Sprintf("%s per million (%s)", signedRange(w.Interval.Low, w.Interval.High), w.confidence())
}

// opposite says so where the interval does not say why there is none.
func (w rateWords) opposite() string {
	if w.Interval != nil && w.of.Has(infer.CaveatOpposite) {
		return "; " + infer.Opposite
	}
	return ""
}

func signedNumber(v float64) string { return figure.Fit("", v).Signed(v) }

func signedRange(low, high float64) string {
	s := figure.Fit("", low, high)
	return s.Signed(low) + " … " + s.Signed(high)
}

// interval of a shown difference, whatever its sign.
func (w rateWords) interval() string {
	if w.Interval == nil {
		return ""
	}
	low, high := math.Abs(w.Interval.Low), math.Abs(w.Interval.High)
	return fmt.Sprintf(" (%s %s)", w.confidence(), figure.Range(min(low, high), max(low, high), ""))
}

func (w rateWords) confidence() string {
	if w.q.together() {
		return "simultaneous " + figure.Level(w.q.Claimed()) + " CI"
	}
	return figure.Level(w.q.Claimed()) + " CI"
}

// times is the ratio, or its bound where there is no other.
func (w rateWords) times() string {
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

// fewer are the bounds of two rates without any event.
func (w rateWords) fewer() string {
	a, errA := stats.RateInterval(0, w.A.Exposure, confidence)
	b, errB := stats.RateInterval(0, w.B.Exposure, confidence)
	if errA != nil || errB != nil {
		return "how few that means is not known"
	}
	return fmt.Sprintf("fewer than %s per million (%s)", figure.Ratio(million*max(a.High, b.High)), figure.Level(confidence))
}

// smallest is what such a design could have found.
func (w rateWords) smallest() string {
	if w.Detectable == nil {
		return ""
	}
	return fmt.Sprintf("; the smallest rate that so many would find with 80 %% power is %s per million", figure.Ratio(*w.Detectable))
}

func (w rateWords) margin() string {
	if w.Equivalence.Relative {
		return figure.Level(w.Equivalence.Margin)
	}
	return figure.Exactly(w.Equivalence.Margin, "per million")
}

func (w rateWords) equivalent(e *Equivalence) string {
	if e.Relative {
		return equivalenceRange(e, "")
	}
	return signedRange(e.Interval.Low, e.Interval.High) + " per million (" + figure.Level(e.Interval.Level) + " CI)"
}

// opening is the answer where there is no difference to begin with, and yes or no
// where the question has a direction.
func (w rateWords) opening() string {
	switch {
	case w.Verdict == VerdictNone:
		return "no answer"
	case w.Verdict == VerdictNo:
		return "no"
	case w.Verdict == VerdictUndecided, w.q.OneSided() && w.Verdict == VerdictFree:
		return "undecided"
	case w.q.OneSided():
		return "yes"
	}
	return ""
}

// detail is the tests, those that do not hold marked as such.
func (w rateWords) detail() string {
	var parts []string
	if w.Poisson != nil {
		p := "exact conditional test " + figure.P(*w.Poisson)
		if w.q.OneSided() {
			p += " (" + string(w.q.Alternative) + ")"
		}
		if w.PoissonFails {
			p = "struck out, because the counts scatter: " + p
		}
		parts = append(parts, p)
	}
	if s := w.Scatter; s != nil {
		parts = append(parts, fmt.Sprintf("dispersion χ² = %s, df %s, %s", number(s.Chi2), number(s.DF), figure.P(s.P)))
		if s.F != nil && s.PQuasi != nil && w.Poisson != nil {
			parts = append(parts, fmt.Sprintf("quasi-Poisson F = %s, df 1 and %s, %s", number(*s.F), number(s.DF), figure.P(*s.PQuasi)))
		}
		if s.PPermuted != nil {
			parts = append(parts, w.permuted(s))
		}
	}
	n := figure.Plural(w.A.N, "pair of invocations", "pairs of invocations")
	if !w.Blocked {
		n = fmt.Sprintf("%d and %d invocations", w.A.N, w.B.N)
	}
	parts = append(parts, "n = "+n, "decided by "+w.Decided)
	if e := w.Equivalence; e != nil {
		parts = append(parts, fmt.Sprintf("margin %s, TOST %s", w.margin(), figure.P(e.P)))
	}
	return strings.Join(parts, ", ")
}

func (w rateWords) permuted(s *RateScatter) string {
	what := "invocations permuted"
	if w.Blocked {
		what = "signs flipped within blocks"
	}
	if s.Exact {
		what += ", all ways of it"
	}
	what += ", " + figure.P(*s.PPermuted)
	if s.Least {
		what += ", the least that so few can have"
	}
	return what
}
