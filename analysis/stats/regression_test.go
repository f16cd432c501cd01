package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis/internal/testnumber"
)

// NIST StRD: Norris, a line of lower difficulty, and its certified values.
func TestLineAgainstNIST(t *testing.T) {
	y := []float64{
		0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1, 668.8, 339.3, 448.9, 10.8,
		557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2, 117.6, 228.9, 668.4, 449.2, 0.2,
	}
	x := []float64{
		0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5, 666.9, 338.0, 447.5, 11.6,
		556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1, 118.3, 229.2, 669.1, 448.9, 0.5,
	}
	l, err := Linear(x, y)
	if err != nil {
		t.Fatal(err)
	}
	testnumber.Check(t, "intercept", l.Intercept, -0.262323073774029, 1e-12)
	testnumber.Check(t, "slope", l.Slope, 1.00211681802045, 1e-13)
	testnumber.Check(t, "s.e. of the slope", l.Slope/l.Test.T, 0.429796848199937e-03, 1e-12)
	testnumber.Check(t, "F", l.Test.T*l.Test.T, 5436385.54079785, 1e-12)
}

// NIST StRD: Pontius, a quadratic whose x go to three millions.
func TestBendAgainstNIST(t *testing.T) {
	y := []float64{
		0.11019, 0.21956, 0.32949, 0.43899, 0.54803, 0.65694, 0.76562, 0.87487, 0.98292, 1.09146,
		1.20001, 1.30822, 1.41599, 1.52399, 1.63194, 1.73947, 1.84646, 1.95392, 2.06128, 2.16844,
		0.11052, 0.22018, 0.32939, 0.43886, 0.54798, 0.65739, 0.76596, 0.87474, 0.98300, 1.09150,
		1.20004, 1.30818, 1.41613, 1.52408, 1.63159, 1.73965, 1.84696, 1.95445, 2.06177, 2.16829,
	}
	x := make([]float64, len(y))
	for i := range x {
		x[i] = 150000 * float64(1+i%20)
	}
	c, err := Bend(x, y, nil)
	if err != nil {
		t.Fatal(err)
	}
	testnumber.Check(t, "coefficient", c.Value, -0.316081871345029e-14, 1e-12)
}

func TestLinesScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 30).Draw(t, "n")
		k, shift := rapid.Float64Range(0.5, 4).Draw(t, "k"), rapid.Float64Range(-100, 100).Draw(t, "shift")
		x, y := make([]float64, n), make([]float64, n)
		sx, sy := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = float64(i%5), float64(rapid.IntRange(0, 1000).Draw(t, "y"))/7
			sx[n-1-i], sy[n-1-i] = k*x[i]+shift, 3*y[i]-shift // in reverse order, too
		}
		a, err := Linear(x, y)
		b, err2 := Linear(sx, sy)
		if err != nil || err2 != nil {
			if (err == nil) != (err2 == nil) {
				t.Fatal(err, err2)
			}
			return
		}
		nearly(t, "slope", b.Slope, a.Slope*3/k, 1e3)
		own, err := Slope(x, y, nil)
		moved, err2 := Slope(sx, sy, nil)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		nearly(t, "HC2", moved.SE, own.SE*3/k, 1e3)
		if fit, _ := fitLine(x, y); math.Sqrt(fit.rss/float64(n-2)) < 1e-6 {
			return
		}
		f, _, _, _, err := LackOfFit(x, y, 1)
		g, _, _, _, err2 := LackOfFit(sx, sy, 1)
		if (err == nil) != (err2 == nil) || math.Abs(f-g) > 1e-6*(1+f) {
			t.Fatalf("lack of fit: F = %v, and %v scaled; %v, %v", f, g, err, err2)
		}
	})
}

func TestBadLines(t *testing.T) {
	up := []float64{1, 2, 3, 4}
	linear := func(x, y []float64) error { return second(Linear(x, y)) }
	for name, c := range map[string]struct{ got, want error }{
		"two points":      {linear([]float64{1, 2}, []float64{1, 2}), ErrTooFew},
		"unpaired":        {linear(up, up[:3]), ErrUnpaired},
		"constant x":      {linear([]float64{2, 2, 2}, []float64{1, 2, 3}), errSpread},
		"NaN":             {linear([]float64{1, math.NaN(), 3}, []float64{1, 2, 3}), ErrNotFinite},
		"one point holds": {linear([]float64{5, 5, 5, 9}, []float64{1, 2, 3, 9}), errSpread},
		"overflow":        {linear([]float64{-1e300, 0, 1e300}, []float64{1, 2, 5}), ErrNotFinite},
		"two x bend":      {bend([]float64{1, 1, 2, 2}, []float64{1, 3, 5, 4}), errSpread},
		"bend of three":   {bend(up[:3], []float64{1, 3, 5}), ErrTooFew},
		"no replicates":   {lack(up, []float64{1, 3, 5, 4}), ErrTooFew},
		"equal ones":      {lack([]float64{1, 1, 2, 3}, []float64{4, 4, 5, 9}), errSpread},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}

func bend(x, y []float64) error { return second(Bend(x, y, nil)) }

func lack(x, y []float64) error { _, _, _, _, err := LackOfFit(x, y, 1); return err }

func TestExactLines(t *testing.T) {
	l, err := Linear([]float64{1, 2, 3, 4}, []float64{2, 4, 6, 8})
	if err != nil || l.Slope != 2 || l.Test.P != 0 || math.IsInf(l.Test.T, 0) {
		t.Errorf("got %+v, %v", l, err)
	}
	l, err = Linear([]float64{1, 2, 3, 4}, []float64{7, 7, 7, 7})
	if err != nil || l.Slope != 0 || l.Test.P != 1 {
		t.Errorf("level: got %+v, %v", l, err)
	}
}

// Where y scatters ten times more at one end, the slope is covered as often as its
// error and degrees of freedom say, and the common error falls short.
func TestUnevenScatter(t *testing.T) {
	const lines = 3000
	rng := rand.New(rand.NewPCG(3, 4))
	covered, common := 0, 0
	x, y := make([]float64, 50), make([]float64, 50)
	for range lines {
		for i := range x {
			x[i] = float64(5 * (1 + i/5))
			y[i] = 2*x[i] + x[i]*x[i]/250*rng.NormFloat64()
		}
		l, err := Linear(x, y)
		if err != nil {
			t.Fatal(err)
		}
		c, err := Slope(x, y, nil)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(c.Value-2) <= TQuantile(0.025, c.DF)*c.SE {
			covered++
		}
		if math.Abs(l.Slope-2) <= TQuantile(0.025, l.Test.DF)*l.Slope/l.Test.T {
			common++
		}
	}
	if share := float64(covered) / lines; share < 0.935 || share > 0.965 {
		t.Errorf("%.3f of the intervals hold the slope", share)
	}
	if share := float64(common) / lines; share > 0.93 {
		t.Errorf("%.3f of the intervals of a common error hold the slope: nothing was tested", share)
	}
}
