package stats

import (
	"math"
	"testing"
)

// Figures of a thesis on reducing monitoring overhead (2014), as printed there:
// pooled one-sided t tests of summaries.
func TestStudentAgainstThesis(t *testing.T) {
	for _, c := range []struct {
		name         string
		x, y         Sample
		t, df, bound float64
	}{
		{"a million calls", Sample{2.0718, 18.0090, 1_000_000}, Sample{2.3389, 19.4660, 1_000_000}, -10.0721, 1_999_998, -1.6449},
		{"ten runs", Sample{24.817, 26.385, 10}, Sample{50.743, 28.444, 10}, -2.1132, 18, -1.7341},
	} {
		e, err := Student(c.x, c.y, Less, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		bound := -TQuantile(0.05, c.df)
		if math.Abs(e.Test.T-c.t) > 5e-5 || e.Test.DF != c.df || math.Abs(bound-c.bound) > 5e-5 {
			t.Errorf("%s: t = %v, df = %v, bound %v, want %v, %v, %v", c.name, e.Test.T, e.Test.DF, bound, c.t, c.df, c.bound)
		}
		// What lies beyond the bound has p below 0.05 and an interval below 0.
		if !(e.Test.P < 0.05) || !(e.Interval.High < 0) || !math.IsInf(e.Interval.Low, -1) {
			t.Errorf("%s: p = %v, interval %v: not as the bound says", c.name, e.Test.P, e.Interval)
		}
	}
}
