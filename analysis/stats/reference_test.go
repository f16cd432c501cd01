package stats

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"moobench/analysis/internal/testnumber"
)

// reference is testdata/reference.json, made by testdata/reference.py.
type reference struct {
	Tails, Quantiles []struct{ T, DF, P float64 }
	Binomial         []struct {
		N, K int
		P    float64
	}
}

var sleep2 = []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}

func load(t *testing.T) reference {
	t.Helper()
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestStudentAgainstReference(t *testing.T) {
	ref := load(t)
	for _, c := range ref.Tails {
		testnumber.Check(t, "TTail", TTail(c.T, c.DF), c.P, 1e-9)
	}
	for _, c := range ref.Quantiles {
		testnumber.Check(t, "TQuantile", TQuantile(c.P, c.DF), c.T, 1e-9)
	}
	for _, c := range ref.Binomial {
		testnumber.Check(t, "halfBinomial", halfBinomial(c.K, c.N), c.P, 1e-9)
	}
}

// Tables of Student's t: two-sided 95 % and 99 %.
func TestStudentAgainstTextbook(t *testing.T) {
	for _, c := range []struct{ upper, df, want float64 }{
		{0.025, 9, 2.262}, {0.025, 1, 12.706}, {0.005, 4, 4.604}, {0.025, 29, 2.045}, {0.05, 18, 1.734},
	} {
		if got := TQuantile(c.upper, c.df); math.Abs(got-c.want) > 5e-4 {
			t.Errorf("TQuantile(%v, %v) = %v, want %v", c.upper, c.df, got, c.want)
		}
	}
}

func TestTailsReachFarDown(t *testing.T) {
	// A closed form: one degree of freedom is Cauchy, atan(1/t)/π.
	testnumber.Check(t, "Cauchy tail", TTail(1e30, 1), math.Atan(1e-30)/math.Pi, 1e-9)
	// And two: 1/2 - t/(2 sqrt(2+t²)), by series 1/(2t²) far out.
	testnumber.Check(t, "tail of df 2", TTail(1e16, 2), 0.5e-32, 1e-9)
}

// NIST StRD: certified mean and standard deviation of NumAcc1 and NumAcc3.
func TestDescriptionAgainstNIST(t *testing.T) {
	numAcc3 := []float64{1000000.2}
	for range 500 {
		numAcc3 = append(numAcc3, 1000000.1, 1000000.3)
	}
	for _, c := range []struct {
		xs       []float64
		mean, sd float64
	}{
		{[]float64{10000001, 10000003, 10000002}, 10000002, 1},
		{numAcc3, 1000000.2, 0.1},
	} {
		mean, err := Mean(c.xs)
		testnumber.Check(t, "mean", mean, c.mean, 1e-12)
		sd, err2 := SD(c.xs)
		testnumber.Check(t, "sd", sd, c.sd, 2e-9) // the data are not representable more exactly
		if err != nil || err2 != nil {
			t.Error(err, err2)
		}
	}
}

func TestHolm(t *testing.T) {
	// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		testnumber.Check(t, "holm", got[i], want, 1e-12)
	}
	if got := Holm([]float64{0.9, 0.8}); got[0] != 1 || got[1] != 1 {
		t.Errorf("Holm(0.9, 0.8) = %v, want 1, 1", got)
	}
}

func TestMedianInterval(t *testing.T) {
	e, err := MedianInterval([]float64{9, 1, 8, 2, 7, 3}, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Interval{1, 9, 0.96875}); e.Value != 5 || math.Abs(e.Interval.Level-want.Level) > 1e-12 || e.Interval.Low != 1 || e.Interval.High != 9 {
		t.Errorf("median of six = %v in %v, want 5 in %v", e.Value, e.Interval, want)
	}
	// n = 10: x(2) … x(9), exact level 97.85 %.
	e, err = MedianInterval(sleep2, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	if e.Interval.Low != 0.1 || e.Interval.High != 4.6 {
		t.Errorf("interval of ten = %v", e.Interval)
	}
	testnumber.Check(t, "exact level", e.Interval.Level, 0.978515625, 1e-12)
}
