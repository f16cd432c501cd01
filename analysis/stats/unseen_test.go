package stats

import (
	"errors"
	"math"
	"testing"
)

// R: 1/(1 - 0.05^(1/n)). One in 4 of ten, one in 7 of twenty; of one JVM, 95 % may
// be unlike it.
func TestUnseen(t *testing.T) {
	for _, c := range []struct {
		n     int
		oneIn float64
	}{{1, 1 / 0.95}, {5, 2.218674}, {10, 3.863009}, {20, 7.188642}, {30, 10.52257}, {1e6, 333808.7}} {
		got, err := Unseen(c.n, 0.05)
		if err != nil || math.Abs(1/got/c.oneIn-1) > 1e-5 {
			t.Errorf("%d: one in %v, %v, want %v", c.n, 1/got, err, c.oneIn)
		}
		// That so frequent a mode is missed has the probability alpha.
		if missed := math.Pow(1-got, float64(c.n)); math.Abs(missed-0.05) > 1e-9 {
			t.Errorf("%d: missed with %v", c.n, missed)
		}
	}
	if _, err := Unseen(0, 0.05); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	for _, alpha := range []float64{0, 1, -1, math.NaN()} {
		if _, err := Unseen(10, alpha); !errors.Is(err, errLevel) {
			t.Errorf("%v: %v", alpha, err)
		}
	}
}
