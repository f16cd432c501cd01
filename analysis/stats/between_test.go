package stats_test

import (
	"errors"
	"math"
	"testing"

	"moobench/analysis/stats"
)

func TestMedianBetween(t *testing.T) {
	open := math.Inf(1)
	tests := []struct {
		name         string
		lows, highs  []float64
		value        float64 // NaN: none
		low, high    float64 // of the interval
		level        float64
		medianBounds [2]float64
	}{
		// With ends that are one, it is the median and its order-statistic interval: of ten values the
		// second and the ninth, 97.85 %.
		{"known", seq(1, 10), seq(1, 10), 5.5, 2, 9, 0.978515625, [2]float64{5.5, 5.5}},
		{"all above", []float64{8, 8, 8, 8, 8, 8}, []float64{open, open, open, open, open, open}, math.NaN(), 8, open, 0.96875, [2]float64{8, open}},
		{"all below", []float64{0, 0, 0, 0, 0, 0}, []float64{2, 2, 2, 2, 2, 2}, math.NaN(), 0, 2, 0.96875, [2]float64{0, 2}},
		{"two above", []float64{4, 4, 4, 4, 4, 4, 4, 4, 9, 9}, []float64{9, 9, 9, 9, 9, 9, 9, 9, open, open}, 6, 4, open, 0.978515625, [2]float64{4, 9}},
		{"one above", []float64{4, 4, 4, 4, 4, 4, 4, 4, 4, 9}, []float64{9, 9, 9, 9, 9, 9, 9, 9, 9, open}, 6, 4, 9, 0.978515625, [2]float64{4, 9}},
		{"few", []float64{4, 1}, []float64{9, 4}, math.Sqrt(2.5 * 6.5), 1, 9, 0, [2]float64{2.5, 6.5}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, err := stats.MedianBetween(tt.lows, tt.highs, 0.95)
			if (err != nil) != (tt.level == 0) || tt.level == 0 && !errors.Is(err, stats.ErrTooFew) {
				t.Fatal(err)
			}
			same := func(a, b float64) bool {
				return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1e-12*math.Abs(b)
			}
			if !same(e.Value, tt.value) || e.Interval.Low != tt.low || e.Interval.High != tt.high || !same(e.Interval.Level, tt.level) ||
				[2]float64{e.Low, e.High} != tt.medianBounds || e.N != len(tt.lows) {
				t.Errorf("%+v", e)
			}
		})
	}
	for _, ends := range [][2][]float64{{nil, nil}, {{2}, {1}}, {{-1}, {1}}, {{1}, {1, 2}}, {{math.NaN()}, {1}}} {
		if e, err := stats.MedianBetween(ends[0], ends[1], 0.95); err == nil {
			t.Errorf("%v: %+v", ends, e)
		}
	}
}

func seq(from, to float64) (xs []float64) {
	for x := from; x <= to; x++ {
		xs = append(xs, x)
	}
	return xs
}
