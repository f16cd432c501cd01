package stats

import "fmt"

// Equivalence is the result of two one-sided tests: PLow is the p of "not above the
// lower margin", PHigh that of "not below the upper one", P the larger of both.
// Interval has the level 1 - 2 alpha; Equivalent reports that it lies inside the
// margins, which is P < alpha.
type Equivalence struct {
	PLow, PHigh, P float64
	Interval       Interval
	Equivalent     bool
}

// EquivalenceT tests whether a value lies between low and high, by two one-sided t
// tests. Errors: errAlpha unless alpha is inside (0, 0.5), errMargin unless low is
// below high. Source: Schuirmann 1987.
func EquivalenceT(value, se, df, low, high, alpha float64) (Equivalence, error) {
	switch err := finite(value, se, df, low, high); {
	case err != nil:
		return Equivalence{}, err
	case !(alpha > 0 && alpha < 0.5):
		return Equivalence{}, fmt.Errorf("%w: %v", errAlpha, alpha)
	case !(low < high):
		return Equivalence{}, fmt.Errorf("%w: %v to %v", errMargin, low, high)
	case !(se >= 0 && df > 0):
		return Equivalence{}, fmt.Errorf("%w: a standard error of %v with %v degrees of freedom", errSpread, se, df)
	}
	i := Studentised(value, se, df, TwoSided, 1-2*alpha).Interval
	e := Equivalence{
		PLow: exceeds(value-low, se, df), PHigh: exceeds(high-value, se, df),
		Interval: i, Equivalent: low < i.Low && i.High < high,
	}
	e.P = max(e.PLow, e.PHigh)
	return e, finite(i.Low, i.High)
}

// exceeds is the one-sided p of d above 0; without spread there is no doubt.
func exceeds(d, se, df float64) float64 {
	switch {
	case se > 0:
		return TTail(d/se, df)
	case d > 0:
		return 0
	}
	return 1
}
