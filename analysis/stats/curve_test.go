package stats

import (
	"errors"
	"math"
	"testing"
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
	for name, of := range map[string]func([]float64, []float64, []int) (Coefficient, error){"slope": Slope, "bend": Bend} {
		c, err := of(x, y, blocks)
		got := []float64{c.Value, c.SE, c.HC3SE, c.DF, c.BlockSE, c.BlockDF}
		for i, w := range want[name] {
			if err != nil || len(want[name]) != len(got) || math.Abs(got[i]/w-1) > 1e-11 {
				t.Fatalf("%s: got %v, %v, R has %v", name, got, err, want[name])
			}
		}
	}
}

// Slope and Bend agree with Linear and Quadratic; where each block has each x,
// the error over blocks is that of the mean of the blocks' own slopes.
func TestCurveAgreesWithItsParts(t *testing.T) {
	x, y, blocks := curveData()
	x, y, blocks = x[:25], y[:25], blocks[:25]
	slope, err := Slope(x, y, blocks)
	line, lineErr := Linear(x, y, 0.95)
	if err != nil || lineErr != nil || !alike(slope.SE, line.SlopeSE) || !alike(slope.HC3SE, line.HC3SE) {
		t.Errorf("%+v, %v, Linear has %+v, %v", slope, err, line, lineErr)
	}
	var own []float64
	for b := range 5 {
		one, err := Slope(x[5*b:5*b+5], y[5*b:5*b+5], nil)
		if err != nil || one.BlockDF != 0 {
			t.Fatal(one, err)
		}
		own = append(own, one.Value)
	}
	if sd, err := SD(own); err != nil || !alike(slope.BlockSE, sd/math.Sqrt(5)) {
		t.Errorf("%v over blocks, their own slopes say %v, %v", slope.BlockSE, sd/math.Sqrt(5), err)
	}
	bend, err := Bend(x, y, blocks)
	c, f, _, quadraticErr := Quadratic(x, y)
	if err != nil || quadraticErr != nil || !alike(bend.Value, c) || !alike(bend.Value*bend.Value/bend.SE/bend.SE, f) {
		t.Errorf("%+v, %v, Quadratic has %v, F %v", bend, err, c, f)
	}
}

func alike(x, y float64) bool { return math.Abs(x-y) <= 1e-11*math.Abs(y) }

func TestCurveOfTooLittle(t *testing.T) {
	if _, err := Slope([]float64{1, 2}, []float64{1, 2}, nil); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	if _, err := Bend([]float64{1, 1, 2, 2}, []float64{1, 2, 3, 4}, nil); !errors.Is(err, ErrSpread) {
		t.Error(err)
	}
	if _, err := Bend([]float64{1, 2, 3}, []float64{1, 2, 3}, nil); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	if c, err := Slope([]float64{1, 2, 3}, []float64{2, 4, 6}, nil); err != nil || c.Value != 2 || c.SE != 0 {
		t.Error(c, err)
	}
}
