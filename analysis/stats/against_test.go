package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"moobench/analysis/internal/testnumber"
)

// With a standard error that is no larger than the others', t is the externally
// studentised residual of the value among all of them (Cook and Weisberg 1982):
// e/(s sqrt(1-h)) with h = 1/n of all n, and s from the rest.
func TestAgainstIsAStudentisedResidual(t *testing.T) {
	xs := []float64{1.2, 0.8, 1.1, 0.95, 1.3, 1.05, 0.7, 1.15}
	ses := []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}
	const x = 1.9
	e, err := EarlierOf(xs, ses)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Against([]float64{x}, []float64{0.1}, 14, e, 0.95)
	if err != nil || got.Test == nil {
		t.Fatal(got, err)
	}
	all, sum, squares := append([]float64{x}, xs...), 0.0, 0.0
	for _, v := range all {
		sum += v
	}
	n := float64(len(all))
	for _, v := range all {
		squares += (v - sum/n) * (v - sum/n)
	}
	residual, free := x-sum/n, 1-1/n
	s := math.Sqrt((squares - residual*residual/free) / (n - 2))
	testnumber.Check(t, "t", got.Test.T, residual/(s*math.Sqrt(free)), 1e-12)
	testnumber.Check(t, "df", got.Test.DF, n-2, 1e-12)
	testnumber.Check(t, "difference", got.Value, residual/free, 1e-12)
}

// A value that was measured less precisely needs to be further off.
func TestAgainstKnowsItsOwnError(t *testing.T) {
	e := Earlier{Mean: 0, N: 20, SD: 0.02, DF: 19, Within: 0.005}
	precise, err := Against([]float64{0.1}, []float64{0.001}, 14, e, 0.99)
	if err != nil {
		t.Fatal(err)
	}
	usual, err := Against([]float64{0.1}, []float64{0.005}, 14, e, 0.99)
	if err != nil {
		t.Fatal(err)
	}
	rough, err := Against([]float64{0.1}, []float64{0.03}, 4, e, 0.99)
	if err != nil {
		t.Fatal(err)
	}
	if precise.SD != usual.SD || !(rough.SD > usual.SD) || !(rough.Test.P > usual.Test.P) || !(rough.Test.DF < usual.Test.DF) {
		t.Errorf("precise %+v, usual %+v, rough %+v", precise, usual, rough)
	}
	// By hand: v² = .02²·1.05 + .03² - .005² = .001295.
	testnumber.Check(t, "v", rough.SD, math.Sqrt(0.001295), 1e-12)
}

// By hand: three values, v² = .02² (1/3 + 1/20).
func TestAgainstSeveral(t *testing.T) {
	e := Earlier{Mean: 1, N: 20, SD: 0.02, DF: 19, Within: 0.005}
	xs, ses := []float64{1.02, 1.05, 1.08}, []float64{0.005, 0.005, 0.005}
	got, err := Against(xs, ses, 14, e, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	testnumber.Check(t, "difference", got.Value, 0.05, 1e-9)
	testnumber.Check(t, "v", got.SD, math.Sqrt(0.0004*(1.0/3+0.05)), 1e-12)
}

// The level holds: of normal values, one in a hundred is told apart at 1 %.
func TestAgainstHoldsItsLevel(t *testing.T) {
	const n = 4000
	for _, k := range []int{1, 3, 5} {
		rng := rand.New(rand.NewPCG(2, uint64(k)))
		alarms := 0
		for range n {
			e, xs := tenEarlier(t, rng), make([]float64, k)
			for i := range xs {
				xs[i] = rng.NormFloat64()
			}
			got, err := Against(xs, make([]float64, k), 0, e, 0.99)
			if err != nil {
				t.Fatal(err)
			}
			if got.Test.P < 0.01 {
				alarms++
			}
		}
		if share := float64(alarms) / n; math.Abs(share-0.01) > 4*math.Sqrt(0.01*0.99/n) {
			t.Errorf("%d values: %v are told apart, want 0.01", k, share)
		}
	}
}

// tenEarlier are ten independent earlier values.
func tenEarlier(t *testing.T, rng *rand.Rand) Earlier {
	const n = 10
	t.Helper()
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = rng.NormFloat64()
	}
	e, err := EarlierOf(xs, make([]float64, n))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestAgainstOfTooLittle(t *testing.T) {
	if _, err := EarlierOf([]float64{1, 2}, []float64{1}); !errors.Is(err, ErrUnpaired) {
		t.Error(err)
	}
	if _, err := EarlierOf([]float64{1}, []float64{1}); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	for name, c := range map[string]struct {
		x    float64
		e    Earlier
		want error
	}{
		"none":     {1, Earlier{}, ErrTooFew},
		"NaN":      {math.NaN(), Earlier{N: 5, DF: 4, SD: 1}, ErrNotFinite},
		"negative": {1, Earlier{N: 5, DF: 4, SD: -1}, errSpread},
	} {
		if _, err := Against([]float64{c.x}, []float64{0}, 0, c.e, 0.95); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := Against([]float64{1, 2}, []float64{0}, 0, Earlier{N: 5, DF: 4, SD: 1}, 0.9); !errors.Is(err, ErrUnpaired) {
		t.Error(err)
	}
	if _, err := Against([]float64{1}, []float64{0}, 0, Earlier{N: 5, DF: 4, SD: 1}, 1); !errors.Is(err, errLevel) {
		t.Error(err)
	}
	// Nights that never vary: any difference is one, and there is no test.
	if e, err := Against([]float64{2}, []float64{0}, 0, Earlier{Mean: 1, N: 5, DF: 4}, 0.95); err != nil || e.Test != nil || e.Value != 1 {
		t.Error(e, err)
	}
}
