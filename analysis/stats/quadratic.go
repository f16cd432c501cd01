package stats

import "fmt"

// Quadratic tests whether a line bends: the coefficient of x² when it is added
// to the line, in units of y per squared unit of x, and F = (what it takes off
// the residual sum of squares)/(what remains/(n-3)) on 1 and n-3 degrees of
// freedom. x is centred before it is squared, and the square cleared of the
// line, so that no digits are lost. Source: Draper and Smith 1998, 12.1.
func Quadratic(x, y []float64) (coefficient, f, p float64, err error) {
	line, err := fitLine(x, y)
	if err != nil {
		return 0, 0, 0, fmt.Errorf("bend: %w", err)
	}
	squares, own, err := line.squares()
	if err != nil {
		return 0, 0, 0, fmt.Errorf("bend: %w", err)
	}
	coefficient, left := rest(line.e, squares)
	rss, df := product(left, left), float64(len(x)-3)
	f = coefficient * coefficient * own / (rss / df)
	if err := finite(coefficient, f); err != nil {
		return 0, 0, 0, fmt.Errorf("bend: %w: nothing scatters about the curve", ErrSpread)
	}
	return coefficient, f, FTail(f, 1, df), nil
}
