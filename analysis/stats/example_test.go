package stats_test

import (
	"fmt"
	"math"

	"moobench/analysis/stats"
)

// A paper prints only mean, standard deviation and n of both arms.
func ExampleStudent() {
	with := stats.Sample{Mean: 2.0718, SD: 18.0090, N: 1_000_000}
	without := stats.Sample{Mean: 2.3389, SD: 19.4660, N: 1_000_000}
	e, err := stats.Student(with, without, stats.Less, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("t = %.4f, df = %.0f, p = %.3g, rejected below %.4f\n",
		e.Test.T, e.Test.DF, e.Test.P, -stats.TQuantile(0.05, e.Test.DF))
	// Output: t = -10.0721, df = 1999998, p = 3.68e-24, rejected below -1.6449
}

// A baseline that can't be told from 0 leaves no bounded ratio.
func ExampleFieller() {
	cost := []float64{5.1, 4.8, 5.5, 5.3, 4.9}
	for _, base := range [][]float64{{2.1, 2.4, 2.0, 2.2, 2.3}, {0.4, -0.6, 0.9, -0.1, 0.2}} {
		r, err := stats.Fieller(cost, base, false, 0.95)
		if err != nil {
			fmt.Println(err)
			return
		}
		switch {
		case r.Bounded:
			fmt.Printf("%.3f, from %.3f to %.3f\n", r.Value, r.Interval.Low, r.Interval.High)
		case r.Exclusive:
			fmt.Printf("anything but %.3f to %.3f\n", r.Interval.Low, r.Interval.High)
		case math.IsInf(r.Interval.Low, -1) && math.IsInf(r.Interval.High, 1):
			fmt.Println("any ratio")
		}
	}
	// Output:
	// 2.327, from 2.119 to 2.562
	// anything but -9.561 to 5.974
}
