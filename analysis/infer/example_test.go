package infer_test

import (
	"fmt"

	"moobench/analysis/infer"
	"moobench/results"
)

// Is a probe equivalent within 1 %? Each pair is one block.
func ExampleSolver_Compare() {
	probe := []float64{100.4, 102.1, 99.2, 101.0, 100.6, 98.9}
	none := []float64{100.1, 101.9, 99.5, 100.8, 100.2, 99.0}
	a := infer.Solver{}.Compare(
		infer.Question{Kind: results.TestTOST, Alpha: 0.05, Margin: &results.Margin{Share: 0.01}},
		infer.Data{X: infer.Sample{Values: probe}, Y: infer.Sample{Values: none}, Paired: true})
	fmt.Printf("ratio %.4f, 90 %% interval %.4f to %.4f, within the margin: %t\n",
		a.Ratio.Value, a.Equivalence.Interval.Low, a.Equivalence.Interval.High, a.Equivalence.Within)
	// Output: ratio 1.0011, 90 % interval 0.9990 to 1.0033, within the margin: true
}
