package prose

import (
	"fmt"
	"math"
	"strings"

	"moobench/analysis/figure"
	"moobench/analysis/infer"
	"moobench/analysis/stats"
)

// Rates is what inference says of two cells' rates, with what its sentence needs beside
// it.
type Rates struct {
	*infer.Rates
	First, Second string // labels of the cells
	Events        string // what is counted: lost, late
	Of            string // out of what: requests
}

// Sentence answers the question.
func (w *Rates) Sentence() Sentence {
	s := Sentence{Rest: w.rest()}
	switch {
	case w.Verdict == infer.NoAnswer:
		s.Opening = "no answer"
	case w.Verdict == infer.No:
		s.Opening = "no"
	case w.Verdict == infer.Undecided, w.OneSided() && w.Verdict == infer.Equivalent:
		s.Opening = "undecided"
	case w.OneSided():
		s.Opening = "yes"
	}
	return s
}

func (w *Rates) rest() string {
	both := fmt.Sprintf("%s with %s, %s with %s", Seen(w.A), w.First, Seen(w.B), w.Second)
	// Where the difference may lie.
	differs := fmt.Sprintf("in %s %s, %s differs from %s by ", w.Events, w.Of, w.First, w.Second)
	if w.Interval == nil {
		differs += fmt.Sprintf("%s per million, without an interval (%s)", Signed(w.Difference, ""), w.NoInterval)
	} else {
		differs += fmt.Sprintf("%s per million (%s)", signedRange(w.Interval), confidence(w.Question, ""))
	}
	smallest := ""
	if w.Detectable != nil {
		smallest = fmt.Sprintf("; the smallest rate that so many would find with 80 %% power is %s per million", figure.Ratio(*w.Detectable))
	}
	switch {
	case w.Verdict == infer.Equivalent:
		e := w.Equivalence
		within := signedRange(&e.Interval) + " per million" + level(e.Interval)
		if e.Relative {
			within = equivalenceRange(e, "")
		}
		return fmt.Sprintf("free within %s: as to %s %s, the difference of %s from %s lies within %s (%s)", w.margin(), w.Events, w.Of, w.First, w.Second, within, both)
	case w.A.Events+w.B.Events == 0:
		return fmt.Sprintf("no %s are %s in either: %s; %s%s", w.Of, w.Events, both, w.fewer(), smallest)
	case w.Verdict == infer.No:
		often := map[stats.Alternative]string{stats.Greater: "more often", stats.Less: "less often"}[w.Alternative]
		return fmt.Sprintf("%s are not %s %s with %s than with %s: %s", w.Of, w.Events, often, w.First, w.Second, both)
	case w.Verdict == infer.NoAnswer:
		return differs + ": " + both
	case w.Verdict == infer.Undecided:
		if w.Interval != nil && w.Has(infer.CaveatOpposite) {
			differs += "; " + infer.Opposite
		}
		return differs + ": " + both + smallest
	}
	interval := ""
	if w.Interval != nil {
		low, high := math.Abs(w.Interval.Low), math.Abs(w.Interval.High)
		interval = fmt.Sprintf(" (%s %s)", confidence(w.Question, ""), figure.Range(min(low, high), max(low, high), ""))
	}
	text := fmt.Sprintf("%s %s of a million %s are %s with %s than with %s%s: %s%s",
		figure.Ratio(math.Abs(w.Difference)), map[bool]string{true: "fewer", false: "more"}[w.Difference < 0], w.Of, w.Events, w.First, w.Second, interval, both, w.times())
	if w.Verdict == infer.Negligible {
		text += "; that is within the margin of " + w.margin()
	}
	return text
}

func signedRange(i *infer.Interval) string {
	s := figure.Fit("", i.Low, i.High)
	return s.Signed(i.Low) + " … " + s.Signed(i.High)
}

// times is the ratio, or its bound where there is no other.
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

// emptyLevel is the confidence of the bounds of rates without any event.
const emptyLevel = 0.95

// fewer are the bounds of two rates without any event.
func (w *Rates) fewer() string {
	a, errA := stats.RateInterval(0, w.A.Exposure, emptyLevel)
	b, errB := stats.RateInterval(0, w.B.Exposure, emptyLevel)
	if errA != nil || errB != nil {
		return "how few that means is not known"
	}
	return fmt.Sprintf("fewer than %s per million (%s)", figure.Ratio(infer.Million*max(a.High, b.High)), figure.Level(emptyLevel))
}

func (w *Rates) margin() string {
	if w.Equivalence.Relative {
		return figure.Level(w.Equivalence.Margin)
	}
	return figure.Exactly(w.Equivalence.Margin, "per million")
}

// Detail is the tests, those that do not hold marked as such.
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
		if s.F != nil && s.PQuasi != nil && w.Poisson != nil {
			parts = append(parts, fmt.Sprintf("quasi-Poisson F = %s, df 1 and %s, %s", Number(*s.F), Number(s.DF), figure.P(*s.PQuasi)))
		}
		if s.PPermuted != nil {
			if s.Exact {
				permuted += ", all ways of it"
			}
			permuted += ", " + figure.P(*s.PPermuted)
			if s.Least {
				permuted += ", the least that so few can have"
			}
			parts = append(parts, permuted)
		}
	}
	parts = append(parts, "n = "+n, "decided by "+w.Decided)
	if e := w.Equivalence; e != nil {
		parts = append(parts, fmt.Sprintf("margin %s, TOST %s", w.margin(), figure.P(e.P)))
	}
	return strings.Join(parts, ", ")
}
