package stats

// Verdict is what an interval and a test of equivalence say together.
type Verdict string

const (
	// CostShown: the whole interval is above the neutral value.
	CostShown Verdict = "cost shown"
	// GainShown: the whole interval is below the neutral value.
	GainShown Verdict = "gain shown"
	// Free: it holds the neutral value, and the value is within the margin.
	Free Verdict = "free"
	// Both: it does not hold the neutral value, and the value is within the margin.
	Both Verdict = "both"
	// Undecided: there are too few values to say. It is never "no difference".
	Undecided Verdict = "undecided"
)

// Judge reads the verdict from intervals, never from a p: shown is the
// simultaneous one of the value, neutral is 0 of a difference and 1 of a ratio.
func Judge(shown Interval, neutral float64, e Equivalence) Verdict {
	cost, gain := shown.Low > neutral, shown.High < neutral
	switch {
	case (cost || gain) && e.Equivalent:
		return Both
	case cost:
		return CostShown
	case gain:
		return GainShown
	case e.Equivalent:
		return Free
	}
	return Undecided
}
