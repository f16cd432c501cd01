package stats

import "fmt"

// Alternative is the alternative hypothesis of a test.
type Alternative string

const (
	// TwoSided: the value differs from the neutral one.
	TwoSided Alternative = "two-sided"
	// Less: the value is below it; the interval is bounded above only.
	Less Alternative = "less"
	// Greater: the value is above it; the interval is bounded below only.
	Greater Alternative = "greater"
)

// ParseAlternative reads two-sided, less or greater; anything else is
// ErrAlternative.
func ParseAlternative(text string) (Alternative, error) {
	a := Alternative(text)
	return a, a.check()
}

func (a Alternative) check() error {
	switch a {
	case TwoSided, Less, Greater:
		return nil
	}
	return fmt.Errorf("%w: %q", ErrAlternative, string(a))
}

// p joins the two tails of a test: below is P(at most the observed value), above is
// P(at least it). Two-sided is twice the smaller, at most 1, as in R.
func (a Alternative) p(below, above float64) float64 {
	switch a {
	case Less:
		return min(1, below)
	case Greater:
		return min(1, above)
	}
	return min(1, 2*min(below, above))
}

// tail is the probability with which an interval at the level may miss on one side.
func (a Alternative) tail(level float64) float64 {
	if a == TwoSided {
		return (1 - level) / 2
	}
	return 1 - level
}
