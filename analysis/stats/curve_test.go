package stats

import (
	"errors"
	"math"
	"testing"

	"moobench/analysis/internal/testnumber"
)

// curveData are those of testdata/curve.R.
func curveData() (x, y []float64, blocks []int) {
	y = []float64{
		3.31, 3.62, 4.24, 5.37, 6.49, 3.28, 3.58, 4.31, 5.18, 6.21, 3.35, 3.71, 4.52, 5.66, 6.93,
		3.29, 3.66, 4.19, 5.31, 6.44, 3.33, 3.59, 4.37, 5.25, 6.58, 3.30, 3.64, 4.33, 5.41,
	}
	for i := range y {
		x, blocks = append(x, []float64{5, 10, 20, 35, 50}[i%5]), append(blocks, 1+i/5)
	}
	return x, y, blocks
}

func TestCurveAgainstR(t *testing.T) {
	want := readModelData(t, "testdata/curve.txt")
	x, y, blocks := curveData()
	for _, tt := range []struct {
		name   string
		of     func([]float64, []float64, []int) (Known, error)
		blocks []int
	}{{"slope", Slope, blocks}, {"bend", Bend, blocks}, {"slope_points", Slope, nil}, {"bend_points", Bend, nil}} {
		c, err := tt.of(x, y, tt.blocks)
		got := []float64{c.Value, c.SE, c.DF}
		if err != nil || len(want[tt.name]) != len(got) {
			t.Fatalf("%s: got %v, %v, R has %v", tt.name, got, err, want[tt.name])
		}
		for i, w := range want[tt.name] {
			testnumber.Check(t, tt.name, got[i], w, 1e-10)
		}
	}
}

// Slope agrees with Linear; where each block has each x, Slope and Bend are the t
// interval of the blocks' own coefficients.
func TestCurveAgreesWithItsParts(t *testing.T) {
	x, y, blocks := curveData()
	x, y, blocks = x[:25], y[:25], blocks[:25]
	line, err := Linear(x, y)
	if err != nil {
		t.Fatal(err)
	}
	bend, err := Bend(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		of    func([]float64, []float64, []int) (Known, error)
		value float64
	}{"slope": {Slope, line.Slope}, "bend": {Bend, bend.Value}} {
		all, err := tt.of(x, y, blocks)
		if err != nil || !alike(all.Value, tt.value) {
			t.Errorf("%s: %+v, %v, another fit has %v", name, all, err, tt.value)
		}
		var own []float64
		for b := range 5 {
			one, err := tt.of(x[5*b:5*b+5], y[5*b:5*b+5], blocks[5*b:5*b+5])
			if err != nil {
				t.Fatal(err)
			}
			own = append(own, one.Value)
		}
		if sd, err := SD(own); err != nil || !alike(all.SE, sd/math.Sqrt(5)) || !alike(all.DF, 4) {
			t.Errorf("%s: %+v over blocks, their own say %v, %v", name, all, sd/math.Sqrt(5), err)
		}
	}
}

// One block, or one point, that holds the slope leaves nothing to tell its
// scatter from.
func TestCurveHeldByOne(t *testing.T) {
	x, y := []float64{1, 2, 3, 3, 3}, []float64{1, 2, 3, 4, 5}
	if c, err := Slope(x, y, []int{1, 1, 2, 3, 4}); !errors.Is(err, errSpread) {
		t.Error(c, err)
	}
	if c, err := Slope([]float64{1, 3, 3, 3}, []float64{1, 2, 3, 4}, nil); !errors.Is(err, errSpread) {
		t.Error(c, err)
	}
	if c, err := Slope(x, y, []int{1, 2, 1, 2, 1}); err != nil || c.DF > 1.5 {
		t.Error(c, err)
	}
}

func alike(x, y float64) bool { return math.Abs(x-y) <= 1e-11*math.Abs(y) }

func TestCurveOfTooLittle(t *testing.T) {
	if _, err := Slope([]float64{1, 2}, []float64{1, 2}, nil); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	if _, err := Bend([]float64{1, 1, 2, 2}, []float64{1, 2, 3, 4}, nil); !errors.Is(err, errSpread) {
		t.Error(err)
	}
	if _, err := Bend([]float64{1, 2, 3}, []float64{1, 2, 3}, nil); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	if c, err := Slope([]float64{1, 2, 3}, []float64{2, 4, 6}, nil); err != nil || c.Value != 2 || c.SE != 0 {
		t.Error(c, err)
	}
}
