package stats

import "fmt"

// BreuschPagan tests that y scatters about its line as much at every x, in the
// studentised version of Koenker 1981, which needs no normal distribution:
// chi² = n R² of the regression of the squared residuals on x, on one degree of
// freedom. Source: Breusch and Pagan 1979.
func BreuschPagan(x, y []float64) (chi2, p float64, err error) {
	line, err := fitLine(x, y)
	if err != nil {
		return 0, 0, fmt.Errorf("even scatter: %w", err)
	}
	squares, largest := make([]float64, len(x)), 0.0
	for i, e := range line.e {
		squares[i] = e * e
		largest = max(largest, squares[i])
	}
	_, d, err := about(squares)
	if err != nil {
		return 0, 0, fmt.Errorf("even scatter: %w", err)
	}
	all := product(d, d)
	if !(all > 1e-28*largest*largest) {
		return 0, 1, nil // all residuals are of one size
	}
	slope, _ := rest(d, line.dx)
	chi2 = float64(len(x)) * slope * slope * line.sxx / all
	return chi2, ChiSquareTail(chi2, 1), finite(chi2)
}
