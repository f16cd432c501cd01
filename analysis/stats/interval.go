package stats

import "math"

// MeanInterval estimates the mean of a population from independent values:
// mean ± t(n-1; level) s/sqrt(n). Source: Student 1908.
func MeanInterval(xs []float64, level float64) (Estimate, error) {
	if err := check(xs, level, 2); err != nil {
		return Estimate{}, err
	}
	mean, err := Mean(xs)
	if err != nil {
		return Estimate{}, err
	}
	sd, err := SD(xs)
	if err != nil {
		return Estimate{}, err
	}
	n := float64(len(xs))
	e := studentised(mean, sd/math.Sqrt(n), n-1, level)
	e.N, e.SD = len(xs), sd
	return e, finite(e.Interval.Low, e.Interval.High)
}

// studentised is value ± t(df; level) se, with the test of the value 0.
func studentised(value, se, df, level float64) Estimate {
	h := TQuantile((1-level)/2, df) * se
	e := Estimate{Value: value, Interval: Interval{value - h, value + h, level}}
	if t := value / se; se > 0 && !math.IsInf(t, 0) {
		e.Test = &Test{T: t, DF: df, P: TTwoSided(t, df)}
	}
	return e
}
