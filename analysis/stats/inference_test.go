package stats

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moobench/analysis/internal/testnumber"
)

// inference is testdata/inference.json, made by testdata/inference.R.
type inference struct {
	Cases            []inferenceCase
	Tails, Quantiles []struct{ T, DF, P float64 }
	Binomial         []struct{ N, K, P float64 }
	PS               []float
	Holm, BH         []float
}

type inferenceCase struct {
	X, Y             []float64
	Level            float64
	Student, Welch   map[Alternative]byR
	MannWhitney      map[Alternative]byR
	SignedRank, Sign map[Alternative]byR
	Fieller, Delta   byR
	PairedFieller    *byR
	PairedDelta      *byR
	Effects          struct{ Hedges, Cliff, A12 float64 }
	Probs            []float64
	Type6, Type7     []float64
}

// byR is what R says of one test.
type byR struct {
	Value, T, DF, P, Statistic float64
	Low, High                  float
	Level                      float64
	Exact                      bool
	NX, NY                     int
	Bounded, Exclusive         bool
}

// float reads numbers, and the strings that stand for those JSON has not.
type float float64

func (f *float) UnmarshalJSON(data []byte) error {
	_, err := fmt.Sscan(strings.Trim(string(data), `"`), (*float64)(f))
	return err
}

func readInference(t *testing.T, data []byte) inference {
	t.Helper()
	var ref inference
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	return ref
}

func TestInferenceAgainstR(t *testing.T) {
	data, err := os.ReadFile("testdata/inference.json")
	if err != nil {
		t.Fatal(err)
	}
	ref := readInference(t, data)
	for i, c := range ref.Cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) { c.compare(t) })
	}
	for _, c := range ref.Tails {
		testnumber.Check(t, fmt.Sprintf("TTail(%v, %v)", c.T, c.DF), TTail(c.T, c.DF), c.P, 1e-8)
	}
	for _, c := range ref.Quantiles {
		testnumber.Check(t, fmt.Sprintf("TQuantile(%v, %v)", c.P, c.DF), TQuantile(c.P, c.DF), c.T, 1e-9)
	}
	for _, c := range ref.Binomial {
		testnumber.Check(t, fmt.Sprintf("halfBinomial(%v, %v)", c.K, c.N), halfBinomial(int(c.K), int(c.N)), c.P, 1e-8)
	}
}

func TestAdjustedAgainstR(t *testing.T) {
	data, err := os.ReadFile("testdata/inference.json")
	if err != nil {
		t.Fatal(err)
	}
	ref := readInference(t, data)
	ps := make([]float64, len(ref.PS))
	for i, p := range ref.PS {
		ps[i] = float64(p)
	}
	for _, c := range []struct {
		name   string
		adjust func([]float64) []float64
		want   []float
	}{
		{"Holm", Holm, ref.Holm},
		{"BenjaminiHochberg", BenjaminiHochberg, ref.BH},
	} {
		for i, got := range c.adjust(ps) {
			if want := float64(c.want[i]); !math.IsNaN(want) || !math.IsNaN(got) {
				testnumber.Check(t, c.name, got, want, 1e-12)
			}
		}
	}
}

// Data that nobody looked at while the code was written, asked of the R that is
// installed.
func TestInferenceAgainstFreshR(t *testing.T) {
	if _, err := exec.LookPath("Rscript"); err != nil {
		t.Skip("needs Rscript: R is not installed")
	}
	const seed = 20261122
	t.Logf("seed %d", seed)
	file := filepath.Join(t.TempDir(), "data.txt")
	if err := os.WriteFile(file, freshCases(rand.New(rand.NewPCG(seed, 1))), 0o644); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	r := exec.Command("Rscript", "testdata/inference.R", file)
	r.Stderr = &said
	data, err := r.Output()
	if err != nil {
		t.Fatalf("R: %v\n%s", err, &said)
	}
	for i, c := range readInference(t, data).Cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) { c.compare(t) })
	}
}

func freshCases(rng *rand.Rand) []byte {
	var text bytes.Buffer
	sample := func(n int, draw func() float64) {
		for i := range n {
			if i > 0 {
				text.WriteByte(' ')
			}
			fmt.Fprintf(&text, "%.17g", draw())
		}
		text.WriteByte('\n')
	}
	normal := func(mean, sd float64) func() float64 {
		return func() float64 { return mean + sd*rng.NormFloat64() }
	}
	skewed := func() float64 { return math.Exp(rng.NormFloat64()) }
	coarse := func() float64 { return float64(rng.IntN(6)) + 1 }
	for range 3 {
		n, m := 2+rng.IntN(14), 2+rng.IntN(14)
		sample(n, normal(100, 3))
		sample(m, normal(103, 8))
		sample(n, skewed)
		sample(n, skewed)
		sample(6, coarse)
		sample(6+m%3, coarse)
		sample(15, coarse)
		sample(15, coarse)
		sample(20, normal(20000*rng.Float64(), 1))
		sample(20, normal(0.5, 1))
	}
	sample(230, normal(50, 5))
	sample(230, normal(51, 5))
	return text.Bytes()
}

func (c inferenceCase) compare(t *testing.T) {
	x, err := SampleOf(c.X)
	y, err2 := SampleOf(c.Y)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	estimates := func(name string, want map[Alternative]byR, made func(Alternative) (Estimate, error)) {
		for alt, want := range want {
			got, err := made(alt)
			want.estimate(t, name+" "+string(alt), got, err)
		}
	}
	estimates("Student", c.Student, func(alt Alternative) (Estimate, error) { return Student(x, y, alt, c.Level) })
	estimates("Welch", c.Welch, func(alt Alternative) (Estimate, error) { return Welch(x, y, alt, c.Level) })
	for name, test := range map[string]struct {
		want map[Alternative]byR
		made func(x, y []float64, alt Alternative, level float64) (RankTest, error)
	}{"MannWhitney": {c.MannWhitney, MannWhitney}, "SignedRank": {c.SignedRank, SignedRank}, "Sign": {c.Sign, Sign}} {
		for alt, want := range test.want {
			got, err := test.made(c.X, c.Y, alt, c.Level)
			want.rank(t, name+" "+string(alt), got, err)
		}
	}
	c.compareRatios(t, x, y)
	c.compareEffects(t)
	c.compareQuantiles(t)
}

func (c inferenceCase) compareRatios(t *testing.T, x, y Sample) {
	got, err := Fieller(c.X, c.Y, false, c.Level)
	c.Fieller.ratio(t, "Fieller", got, err)
	got, err = FiellerSummary(x, y, c.Level)
	c.Fieller.ratio(t, "FiellerSummary", got, err)
	e, err := DeltaRatio(c.X, c.Y, false, c.Level)
	c.Delta.estimate(t, "DeltaRatio", e, err)
	if c.PairedFieller != nil {
		got, err = Fieller(c.X, c.Y, true, c.Level)
		c.PairedFieller.ratio(t, "Fieller of pairs", got, err)
		e, err = DeltaRatio(c.X, c.Y, true, c.Level)
		c.PairedDelta.estimate(t, "DeltaRatio of pairs", e, err)
	}
}

func (c inferenceCase) compareEffects(t *testing.T) {
	for name, e := range map[string]struct {
		made func(x, y []float64) (float64, error)
		want float64
	}{
		"HedgesG":    {HedgesG, c.Effects.Hedges},
		"CliffDelta": {CliffDelta, c.Effects.Cliff}, "A12": {A12, c.Effects.A12},
	} {
		got, err := e.made(c.X, c.Y)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		nearZero(t, name, got, e.want)
	}
}

func (c inferenceCase) compareQuantiles(t *testing.T) {
	sorted := slices.Sorted(slices.Values(c.X))
	for kind, want := range map[int][]float64{6: c.Type6, 7: c.Type7} {
		for i, p := range c.Probs {
			got, err := quantile(sorted, p, kind)
			if err != nil {
				t.Error(err)
			}
			testnumber.Check(t, fmt.Sprintf("quantile(%v, %d)", p, kind), got, want[i], 1e-9)
		}
	}
}

// nearZero is near, for what may be 0 but for rounding.
func nearZero(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12 {
		testnumber.Check(t, what, got, want, 1e-9)
	}
}

func (want byR) estimate(t *testing.T, name string, got Estimate, err error) {
	t.Helper()
	if err != nil || got.Test == nil {
		t.Errorf("%s: %+v, %v", name, got, err)
		return
	}
	nearZero(t, name+": value", got.Value, want.Value)
	nearZero(t, name+": t", got.Test.T, want.T)
	testnumber.Check(t, name+": df", got.Test.DF, want.DF, 1e-9)
	testnumber.Check(t, name+": p", got.Test.P, want.P, 1e-8)
	want.interval(t, name, got.Interval)
}

func (want byR) interval(t *testing.T, name string, got Interval) {
	t.Helper()
	if got.Low != float64(want.Low) {
		testnumber.Check(t, name+": low", got.Low, float64(want.Low), 1e-9)
	}
	if got.High != float64(want.High) {
		testnumber.Check(t, name+": high", got.High, float64(want.High), 1e-9)
	}
}

func (want byR) rank(t *testing.T, name string, got RankTest, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got.Statistic != want.Statistic || got.Exact != want.Exact || got.NX != want.NX || got.NY != want.NY {
		t.Errorf("%s: %+v, want %+v", name, got, want)
	}
	testnumber.Check(t, name+": p", got.P, want.P, 1e-8)
	testnumber.Check(t, name+": shift", got.Shift.Value, want.Value, 1e-9)
	testnumber.Check(t, name+": level", got.Shift.Interval.Level, want.Level, 1e-9)
	want.interval(t, name, got.Shift.Interval)
}

func (want byR) ratio(t *testing.T, name string, got Ratio, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if got.Bounded != want.Bounded || got.Exclusive != want.Exclusive {
		t.Errorf("%s: %+v, want %+v", name, got, want)
	}
	testnumber.Check(t, name+": value", got.Value, want.Value, 1e-9)
	testnumber.Check(t, name+": df", got.DF, want.DF, 1e-9)
	want.interval(t, name, got.Interval)
}
