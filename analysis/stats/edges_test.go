package stats

import (
	"errors"
	"math"
	"testing"
)

// A sum of variances that is not positive is 0, and keeps the degrees of freedom of all.
func TestNoVariance(t *testing.T) {
	for _, c := range []struct {
		name string
		vs   []Variance
		want Variance
	}{
		{"none", nil, Variance{}},
		{"all 0", []Variance{{0, 3}, {0, 4}}, Variance{0, 7}},
		{"exactly taken off", []Variance{{2, 3}, {-2, 4}}, Variance{0, 7}},
		{"more taken off", []Variance{{2, 3}, {-3, 4}}, Variance{0, 7}},
		{"one", []Variance{{2, 3}}, Variance{2, 3}},
		{"two alike", []Variance{{2, 3}, {2, 3}}, Variance{4, 6}},
	} {
		got := SumOfVariances(c.vs...)
		if got.Value != c.want.Value || math.Abs(got.DF-c.want.DF) > 1e-12 {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Only a mean of 0 below the line is called one: other values that are not numbers are what they are.
func TestBelowTheLine(t *testing.T) {
	x, y := Known{Value: 3, SE: 0.1, DF: 5}, Known{Value: 2, SE: 0.1, DF: 5}
	if r, err := FiellerKnown(x, y, 0.95); err != nil || r.Value != 1.5 {
		t.Errorf("%+v, %v", r, err)
	}
	zero, infinite := y, x
	zero.Value, infinite.Value = 0, math.Inf(1)
	if _, err := FiellerKnown(x, zero, 0.95); !errors.Is(err, ErrZeroBelow) {
		t.Errorf("0 below the line: %v", err)
	}
	if _, err := FiellerKnown(infinite, y, 0.95); !errors.Is(err, ErrNotFinite) || errors.Is(err, ErrZeroBelow) {
		t.Errorf("infinity above 2: %v", err)
	}
	for _, known := range []func(a, b *Known){
		func(a, _ *Known) { a.DF = 0 },
		func(_, b *Known) { b.DF = 0 },
		func(a, _ *Known) { a.SE = -0.1 },
		func(_, b *Known) { b.SE = -0.1 },
	} {
		a, b := x, y
		known(&a, &b)
		if _, err := FiellerKnown(a, b, 0.95); !errors.Is(err, ErrTooFew) {
			t.Errorf("%+v over %+v: %v", a, b, err)
		}
	}
	a, b := x, y
	a.SE, b.SE = 0, 0
	if _, err := FiellerKnown(a, b, 0.95); errors.Is(err, ErrTooFew) {
		t.Errorf("without any spread: %v", err)
	}
}
