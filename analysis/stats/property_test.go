package stats

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func values(t *rapid.T, least int) []float64 {
	return rapid.SliceOfN(rapid.Float64Range(1, 1e6), least, 40).Draw(t, "values")
}

func nearly(t *rapid.T, what string, got, want, scale float64) {
	if math.Abs(got-want) > 1e-9*scale {
		t.Fatalf("%s = %v, want %v", what, got, want)
	}
}

func TestQuantileInvertsTail(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		df := rapid.Float64Range(1, 1e4).Draw(t, "df")
		p := math.Pow(10, rapid.Float64Range(-12, math.Log10(0.49)).Draw(t, "log p"))
		if got := TTail(TQuantile(p, df), df); math.Abs(got-p) > 1e-9*p {
			t.Fatalf("TTail(TQuantile(%v, %v)) = %v", p, df, got)
		}
	})
}

func TestBadValues(t *testing.T) {
	for name, c := range map[string]struct {
		made func() (Estimate, error)
		want error
	}{
		"NaN":      {func() (Estimate, error) { return MedianInterval([]float64{1, 2, 3, 4, 5, math.NaN()}, 0.95) }, ErrNotFinite},
		"infinite": {func() (Estimate, error) { return WelchDifference([]float64{math.Inf(1), 1}, []float64{1, 2}, 0.95) }, ErrNotFinite},
		"overflow": {func() (Estimate, error) {
			return WelchDifference([]float64{1e308, -1e308, 1e308, 1e308}, []float64{1, 2}, 0.95)
		}, ErrNotFinite},
		"level 1":      {func() (Estimate, error) { return WelchDifference([]float64{1, 2}, []float64{1, 2}, 1) }, errLevel},
		"level NaN":    {func() (Estimate, error) { return WelchDifference([]float64{1, 2}, []float64{1, 2}, math.NaN()) }, errLevel},
		"five medians": {func() (Estimate, error) { return MedianInterval([]float64{1, 2, 3, 4, 5}, 0.95) }, ErrTooFew},
		"one to welch": {func() (Estimate, error) { return WelchDifference([]float64{1, 2}, []float64{1}, 0.95) }, ErrTooFew},
	} {
		if _, err := c.made(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestConstantValuesHaveNoTest(t *testing.T) {
	w, err := WelchDifference([]float64{3, 3, 3}, []float64{1, 1}, 0.95)
	if err != nil || w.Test != nil || w.Interval.Low != 2 {
		t.Errorf("welch: got %+v, %v", w, err)
	}
}

func within(e Estimate, truth float64) int {
	if e.Interval.Low <= truth && truth <= e.Interval.High {
		return 1
	}
	return 0
}
