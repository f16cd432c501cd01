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
	Equivalent Verdict = "equivalent" // no difference is shown, and it lies within the margin
	Negligible Verdict = "negligible" // a difference is shown, and it lies within the margin
	Undecided  Verdict = "undecided"  // neither a difference nor equivalence is shown
	// No answers a one-sided question: what was asked about is excluded. That the
	// opposite is true is not claimed: a direction would be asserted twice as
	// often as alpha allows.
	No       Verdict = "excluded"
	NoAnswer Verdict = "no answer" // there is no interval
)

// Shown says whether a difference is shown.
func (v Verdict) Shown() bool { return v == Higher || v == Lower || v == Negligible }

// within says whether the difference is shown to lie within the margin.
func (v Verdict) within() bool { return v == Equivalent || v == Negligible }

// VerdictOf reads the verdict from an interval and, where there is a margin, from
// the equivalence; never from a p. Neutral is 0 of a difference and 1 of a ratio.
func VerdictOf(e *Estimate, neutral float64, alt stats.Alternative, q *Equivalence) Verdict {
	if e == nil || e.Interval == nil {
		if q != nil && q.Within { // so few alike values show that, and have no interval at the level of a difference
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

// Judgement is what is said of a change, or of a variant against what is allowed:
// a verdict with a direction that is wanted. The values are those that reports,
// JSON, JUnit and OpenMetrics have.
type Judgement string

const (
	Regression  Judgement = "regression"  // the whole interval is on the side that is not wanted, of a gate beyond what is allowed
	Improvement Judgement = "improvement" // it is on the side that is wanted
	// Same: the change is shown to lie within the margin, whether or not it is shown
	// to differ from none.
	Same   Judgement = "equivalent"
	Passed Judgement = "passed" // the whole interval is within what a gate allows
	// Differs: two campaigns differ by more than they leave to chance; how much campaigns of
	// this machine differ by without a change is not known.
	Differs Judgement = "unconfirmed difference"
	// Changed: a difference is shown of what has no wanted direction.
	Changed      Judgement = "changed"
	NotJudged    Judgement = "no answer" // there is no interval, or nothing to judge by
	UndecidedYet Judgement = "undecided" // the interval leaves more open than that
)

// Word is the printed form of a judgement: its value, or a shorter word that sentences go on from.
func (j Judgement) Word() string {
	words := map[Judgement]string{Regression: "worse", Improvement: "better", Differs: "unconfirmed"}
	return cmp.Or(words[j], string(j))
}

// Judge says what a verdict means where one direction is better. What is judged of
// one night alone differs, and is neither worse nor better.
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

// JudgeGate says whether a ratio, of which more than 1 is worse, is beyond 1 +
// allowed, by its one-sided bounds.
func JudgeGate(low, high, allowed float64) Judgement {
	switch limit := 1 + allowed; {
	case low > limit:
		return Regression
	case high <= limit:
		return Passed
	}
	return UndecidedYet
}

// Settlement is what data say of a claim that was made before them: an alarm of
// the history, or a sentence of a paper.
type Settlement string

const (
	Confirmed Settlement = "confirmed" // the joint interval is beyond 0 on the side of the alarm, and the change worth a word
	Refuted   Settlement = "refuted"   // what was measured is not worth a word, or a change as large as the alarm's is outside the blocks' interval
	Open      Settlement = "undecided" // neither

	// Reproduced: all of our interval lies on the claimed side and is near the
	// paper's size, or the paper gives none.
	Reproduced  Settlement = "reproduced"
	InDirection Settlement = "reproduced in direction" // it lies on the claimed side; the size differs, or may differ
	// NotReproduced: it lies on the other side, or within the margin of no
	// difference.
	NotReproduced Settlement = "not reproduced"
	// NotAsked: it is about the whole length of a paper's campaign, and ours was shortened.
	NotAsked Settlement = "not asked"
	// CannotDecide: none of these; what such a campaign can detect is said. The fact is that
	// of Open, and so is the value.
	CannotDecide = Open
)
