package infer

import "moobench/analysis/stats"

// Verdict is what an interval says of a difference. The values are those that
// reports, JSON and the history have.
type Verdict string

const (
	Higher     Verdict = "higher"     // the whole interval is above the neutral value
	Lower      Verdict = "lower"      // the whole interval is below it
	Equivalent Verdict = "equivalent" // no difference is shown, and it lies within the margin
	Negligible Verdict = "negligible" // a difference is shown, and it lies within the margin
	Undecided  Verdict = "undecided"  // neither a difference nor equivalence is shown
	// No answers a one-sided question: what was asked about is excluded. That the
	// opposite is true is not claimed: a direction would be asserted twice as
	// often as alpha allows.
	No       Verdict = "excluded"
	NoAnswer Verdict = "no answer" // there is no interval
)

// Word is the verdict as sentences and badges have it, where that is not its value.
func (v Verdict) Word() string {
	switch v {
	case Higher:
		return "more"
	case Lower:
		return "less"
	case Equivalent:
		return "free"
	case Negligible:
		return "small"
	case No:
		return "no"
	}
	return string(v)
}

// Shown says whether a difference is shown.
func (v Verdict) Shown() bool { return v == Higher || v == Lower || v == Negligible }

// Within says whether the difference is shown to lie within the margin.
func (v Verdict) Within() bool { return v == Equivalent || v == Negligible }

// VerdictOf reads the verdict from an interval and, where there is a margin, from
// the equivalence; never from a p. Neutral is 0 of a difference and 1 of a ratio.
func VerdictOf(e *Estimate, neutral float64, alt stats.Alternative, q *Equivalence) Verdict {
	if e == nil || e.Interval == nil {
		return NoAnswer
	}
	v := direction(e.Interval.Low > neutral, e.Interval.High < neutral, alt)
	switch {
	case q == nil || !q.Within:
	case v == Higher || v == Lower:
		return Negligible
	case v == Undecided:
		return Equivalent
	}
	return v
}

// direction is what is shown, to those who ask in one direction or in both.
func direction(above, below bool, alt stats.Alternative) Verdict {
	switch {
	case above && below, !above && !below:
		return Undecided
	case alt == stats.Less && above, alt == stats.Greater && below:
		return No
	case above:
		return Higher
	}
	return Lower
}
