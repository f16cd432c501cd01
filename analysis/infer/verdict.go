package infer

import (
	"cmp"

	"moobench/analysis/stats"
	"moobench/results"
)

// Verdict says where the interval of a difference lies. Its value is the word for it
// everywhere: on the terminal, on pages and badges, in JSON and in the history.
type Verdict string

const (
	Higher     Verdict = "higher"     // the whole interval is above the neutral value
	Lower      Verdict = "lower"      // the whole interval is below it
	Equivalent Verdict = "equivalent" // no difference is shown, but that it lies within the margin
	Negligible Verdict = "negligible" // a difference is shown, and that it lies within the margin
	Undecided  Verdict = "undecided"  // neither a difference nor equivalence is shown
	// No answers a one-sided question: the asked direction is excluded. The opposite is not
	// claimed, because then directions would be wrong twice as often as alpha allows.
	No       Verdict = "excluded"
	NoAnswer Verdict = "no answer" // there is no interval
)

// Shown says whether a difference is shown.
func (v Verdict) Shown() bool { return v == Higher || v == Lower || v == Negligible }

// within reports whether the difference is shown to lie within the margin.
func (v Verdict) within() bool { return v == Equivalent || v == Negligible }

// VerdictOf reads the verdict from an interval and, with a margin, from the equivalence; never from
// a p. Neutral is 0 for a difference and 1 for a ratio.
func VerdictOf(e *Estimate, neutral float64, alt stats.Alternative, q *Equivalence) Verdict {
	if e == nil || e.Interval == nil {
		if q != nil && q.Within { // few equal values can show that, without an interval at the level of a difference
			return Equivalent
		}
		return NoAnswer
	}
	v, side := Undecided, e.Interval.Side(neutral)
	switch {
	case side == 0:
	case alt == stats.Less && side > 0, alt == stats.Greater && side < 0:
		v = No
	case side > 0:
		v = Higher
	default:
		v = Lower
	}
	switch {
	case q == nil || !q.Within:
	case v == Higher || v == Lower:
		return Negligible
	case v == Undecided:
		return Equivalent
	}
	return v
}

// Judgement is the result for a change, or for a variant against a gate: a verdict with a better
// direction. Its values are used in reports, JSON, JUnit and OpenMetrics.
type Judgement string

const (
	Regression  Judgement = "regression"  // the whole interval is on the worse side, or beyond a gate's allowed ratio
	Improvement Judgement = "improvement" // the whole interval is on the better side
	// Same: the change is shown to lie within the margin, whether or not it is shown to differ.
	Same   Judgement = "equivalent"
	Passed Judgement = "passed" // the whole interval is within the allowed ratio of a gate
	// Differs: two campaigns differ significantly, but the variation between campaigns on this
	// machine is not known.
	Differs Judgement = "unconfirmed difference"
	// Changed: a difference is shown, but no direction is better.
	Changed      Judgement = "changed"
	NotJudged    Judgement = "no answer" // there is no interval, or no criterion
	UndecidedYet Judgement = "undecided" // none of the others is shown
)

// Word is the printed form of a judgement: its value, or a shorter word that sentences go on from.
func (j Judgement) Word() string {
	words := map[Judgement]string{Regression: "worse", Improvement: "better", Differs: "unconfirmed"}
	return cmp.Or(words[j], string(j))
}

// Judge turns a verdict into a judgement, given the better direction. From one night alone, a
// change only differs; it is neither worse nor better.
func Judge(v Verdict, better results.Better, oneNight bool) Judgement {
	switch {
	case v == NoAnswer:
		return NotJudged
	case v.within():
		return Same
	case !v.Shown():
		return UndecidedYet
	case better != results.Lower && better != results.Higher:
		return Changed
	case oneNight:
		return Differs
	case (v == Higher) == (better == results.Lower):
		return Regression
	}
	return Improvement
}

// JudgeGate compares a ratio, of which more than 1 is worse, with 1 + allowed, by its one-sided
// bounds.
func JudgeGate(low, high, allowed float64) Judgement {
	switch limit := 1 + allowed; {
	case low > limit:
		return Regression
	case high <= limit:
		return Passed
	}
	return UndecidedYet
}

// Settlement is the result for a prior claim: an alarm of the history, or a sentence of a paper.
type Settlement string

const (
	Confirmed Settlement = "confirmed" // the joint interval is on the alarm's side of 0, and the change is reportable
	Refuted   Settlement = "refuted"   // too small to report, and the blocks' interval excludes 0 or the alarm's change
	Open      Settlement = "undecided" // neither

	// Reproduced: our whole interval lies on the claimed side and is near the paper's size, or the
	// paper gives none.
	Reproduced  Settlement = "reproduced"
	InDirection Settlement = "reproduced in direction" // on the claimed side, but the size differs, or may differ
	// NotReproduced: the interval lies on the other side, or within the margin of no difference.
	NotReproduced Settlement = "not reproduced"
	// NotAsked: the claim is about the full length of a paper's campaign, and ours was shortened.
	NotAsked Settlement = "not asked"
	// CannotDecide: none of these; the detectable effect is given. It is the same result as Open,
	// with the same value.
	CannotDecide = Open
)
