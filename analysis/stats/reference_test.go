package stats

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// reference is testdata/reference.json, made by testdata/reference.py.
type reference struct {
	Tails, Quantiles []struct{ T, DF, P float64 }
	Binomial         []struct {
		N, K int
		P    float64
	}
	Mean, Mean99, Sleep, Paired, Ratio, Welch, WelchSleep expected
}

type expected struct {
	N                              int
	Value, SD, Low, High, T, DF, P float64
}

var (
	michelson = []float64{299.85, 299.74, 299.90, 300.07, 299.93, 299.85, 299.95, 299.98, 299.98, 299.88}
	sleep1    = []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	sleep2    = []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	base      = []float64{56.1, 55.9, 56.4, 57.0, 56.2, 55.8}
	cost      = []float64{2072.0, 2051.3, 2090.8, 2110.4, 2066.6, 2049.9}
	short     = []float64{12.0, 13.5, 11.8, 12.2}
)

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

// near allows a relative error.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s = %.17g, want %.17g", what, got, want)
	}
}

func TestStudentAgainstReference(t *testing.T) {
	ref := load(t)
	for _, c := range ref.Tails {
		near(t, "TTail", TTail(c.T, c.DF), c.P, 1e-9)
	}
	for _, c := range ref.Quantiles {
		near(t, "TQuantile", TQuantile(c.P, c.DF), c.T, 1e-9)
	}
	for _, c := range ref.Binomial {
		near(t, "halfBinomial", halfBinomial(c.K, c.N), c.P, 1e-9)
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
	near(t, "Cauchy tail", TTail(1e30, 1), math.Atan(1e-30)/math.Pi, 1e-9)
	// And two: 1/2 - t/(2 sqrt(2+t²)), by series 1/(2t²) far out.
	near(t, "tail of df 2", TTail(1e16, 2), 0.5e-32, 1e-9)
}

func TestEstimatesAgainstReference(t *testing.T) {
	ref := load(t)
	for _, c := range []struct {
		name string
		made func() (Estimate, error)
		want expected
	}{
		{"mean", func() (Estimate, error) { return MeanInterval(michelson, 0.95) }, ref.Mean},
		{"mean at 99 %", func() (Estimate, error) { return MeanInterval(michelson, 0.99) }, ref.Mean99},
		{"sleep", func() (Estimate, error) { return PairedDifference(sleep1, sleep2, 0.95) }, ref.Sleep},
		{"paired", func() (Estimate, error) { return PairedDifference(cost, base, Bonferroni(0.95, 4)) }, ref.Paired},
		{"ratio", func() (Estimate, error) { return PairedLogRatio(cost, base, 0.9) }, ref.Ratio},
		{"welch", func() (Estimate, error) { return WelchDifference(cost, short, 0.95) }, ref.Welch},
		{"welch sleep", func() (Estimate, error) { return WelchDifference(sleep1, sleep2, 0.95) }, ref.WelchSleep},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.made()
			if err != nil {
				t.Fatal(err)
			}
			if got.N != c.want.N {
				t.Errorf("n = %d, want %d", got.N, c.want.N)
			}
			near(t, "value", got.Value, c.want.Value, 1e-9)
			near(t, "sd", got.SD, c.want.SD, 1e-9)
			near(t, "low", got.Interval.Low, c.want.Low, 1e-9)
			near(t, "high", got.Interval.High, c.want.High, 1e-9)
			near(t, "t", got.Test.T, c.want.T, 1e-9)
			near(t, "df", got.Test.DF, c.want.DF, 1e-9)
			near(t, "p", got.Test.P, c.want.P, 1e-8)
		})
	}
}

// What R prints for t.test(extra ~ group, paired = TRUE) on its data set sleep.
func TestSleepAsRPrintsIt(t *testing.T) {
	e, err := PairedDifference(sleep1, sleep2, 0.95)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string][2]float64{
		"t": {e.Test.T, -4.0621}, "p": {e.Test.P, 0.002833}, "low": {e.Interval.Low, -2.4598858}, "high": {e.Interval.High, -0.7001142},
	} {
		near(t, what, c[0], c[1], 1e-4)
	}
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
		near(t, "mean", mean, c.mean, 1e-12)
		sd, err2 := SD(c.xs)
		near(t, "sd", sd, c.sd, 2e-9) // the data are not representable more exactly
		if err != nil || err2 != nil {
			t.Error(err, err2)
		}
	}
}

func TestHolm(t *testing.T) {
	// R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		near(t, "holm", got[i], want, 1e-12)
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
	near(t, "exact level", e.Interval.Level, 0.978515625, 1e-12)
}
