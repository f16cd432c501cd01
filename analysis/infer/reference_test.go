package infer

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"moobench/analysis/internal/testnumber"
	"moobench/analysis/stats"
	"moobench/results"
)

// byR is what R says of one test; testdata/inference.R of stats makes it.
type byR struct {
	Value, T, DF, P, Statistic float64
	Low, High                  float
	Level                      float64
	Exact                      bool
	Bounded, Exclusive         bool
	PLow, PHigh                float64
	Equivalent                 bool
}

// float reads numbers, and the strings that stand for those JSON has not.
type float float64

func (f *float) UnmarshalJSON(data []byte) error {
	_, err := fmt.Sscan(strings.Trim(string(data), `"`), (*float64)(f))
	return err
}

// inferenceCase is two samples with what R says of them.
type inferenceCase struct {
	X, Y                   []float64
	Level, Margin          float64
	Student, Welch, Paired map[stats.Alternative]byR
	MannWhitney            map[stats.Alternative]byR
	SignedRank, Sign       map[stats.Alternative]byR
	Fieller                byR
	PairedFieller          *byR
	LogRatio, PairedRatio  *byR
	WelchTOST              byR
	PairedTOST, RatioTOST  *byR
}

func TestCompareAgainstR(t *testing.T) {
	var ref struct{ Cases []inferenceCase }
	readReference(t, "inference.json", &ref)
	for i, c := range ref.Cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			c.means(t)
			c.ranks(t)
			c.ratios(t)
			c.equivalences(t)
		})
	}
}

func readReference(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("../stats/testdata/" + name)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (c inferenceCase) question(kind results.Comparison) Question {
	return Question{Kind: kind, Alpha: 1 - c.Level}
}

// pairs are the data by pairs, independent those without an order.
func (c inferenceCase) pairs() Data { return pairsOf(c.X, c.Y) }

func (c inferenceCase) independent() Data {
	return Data{X: Sample{Values: c.X}, Y: Sample{Values: c.Y}}
}

// summaries are all that a paper prints of the samples.
func (c inferenceCase) summaries(t *testing.T) Data {
	x, err := stats.SampleOf(c.X)
	y, err2 := stats.SampleOf(c.Y)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return Data{X: Sample{Summary: &x}, Y: Sample{Summary: &y}}
}

func (c inferenceCase) means(t *testing.T) {
	for _, test := range []struct {
		kind results.Comparison
		want map[stats.Alternative]byR
		data Data
	}{
		{results.TestStudent, c.Student, c.independent()},
		{results.TestStudent, c.Student, c.summaries(t)},
		{results.TestWelch, c.Welch, c.independent()},
		{results.TestWelch, c.Welch, c.summaries(t)},
		{results.TestPaired, c.Paired, c.pairs()},
	} {
		for alt, want := range test.want {
			q := c.question(test.kind)
			q.Alternative = alt
			a := Solver{}.Compare(q, test.data)
			want.estimate(t, fmt.Sprintf("%s, %s", test.kind, alt), a.Difference, alt)
		}
	}
}

func (c inferenceCase) ranks(t *testing.T) {
	for _, test := range []struct {
		kind results.Comparison
		want map[stats.Alternative]byR
		data Data
	}{
		{results.TestMannWhitney, c.MannWhitney, c.independent()},
		{results.TestSignedRank, c.SignedRank, c.pairs()},
		{results.TestSign, c.Sign, c.pairs()},
	} {
		for alt, want := range test.want {
			q := c.question(test.kind)
			q.Alternative = alt
			want.rank(t, fmt.Sprintf("%s, %s", test.kind, alt), Solver{}.Compare(q, test.data), alt)
		}
	}
}

func (c inferenceCase) ratios(t *testing.T) {
	c.Fieller.ratio(t, "fieller", Solver{}.Compare(c.question(Fieller), c.independent()))
	c.Fieller.ratio(t, "fieller of summaries", Solver{}.Compare(c.question(Fieller), c.summaries(t)))
	if c.PairedFieller != nil {
		c.PairedFieller.ratio(t, "fieller of pairs", Solver{}.Compare(c.question(Fieller), c.pairs()))
	}
	if c.LogRatio != nil {
		c.LogRatio.estimate(t, "log ratio", Solver{}.Compare(c.question(LogRatio), c.independent()).Ratio, stats.TwoSided)
	}
	if c.PairedRatio != nil {
		c.PairedRatio.estimate(t, "log ratio of pairs", Solver{}.Compare(c.question(LogRatio), c.pairs()).Ratio, stats.TwoSided)
	}
}

func (c inferenceCase) equivalences(t *testing.T) {
	amount, share := &results.Margin{Amount: c.Margin}, &results.Margin{Share: 0.25}
	for _, test := range []struct {
		name   string
		want   *byR
		margin *results.Margin
		data   Data
	}{
		{"of independent samples", &c.WelchTOST, amount, c.independent()},
		{"of pairs", c.PairedTOST, amount, c.pairs()},
		{"of ratios", c.RatioTOST, share, c.pairs()},
	} {
		if test.want == nil {
			continue
		}
		q := c.question(results.TestTOST)
		q.Margin = test.margin
		got := Solver{}.Compare(q, test.data).Equivalence
		if got == nil || got.Within != test.want.Equivalent {
			t.Errorf("equivalence %s: %+v, want %+v", test.name, got, test.want)
			continue
		}
		testnumber.Check(t, test.name+", low: p", got.PLow, test.want.PLow, 1e-8)
		testnumber.Check(t, test.name+", high: p", got.PHigh, test.want.PHigh, 1e-8)
		testnumber.Check(t, test.name+": p", got.P, max(test.want.PLow, test.want.PHigh), 1e-8)
		test.want.bounds(t, test.name, &got.Interval, stats.TwoSided)
	}
}

func (want byR) estimate(t *testing.T, name string, got *Estimate, alt stats.Alternative) {
	t.Helper()
	if got == nil || got.Test == nil {
		t.Errorf("%s: %+v", name, got)
		return
	}
	testnumber.Check(t, name+": value", got.Value, want.Value, 1e-9)
	testnumber.Check(t, name+": t", got.Test.T, want.T, 1e-9)
	testnumber.Check(t, name+": df", got.Test.DF, want.DF, 1e-9)
	testnumber.Check(t, name+": p", got.Test.P, max(want.P, math.SmallestNonzeroFloat64), 1e-8)
	want.bounds(t, name, got.Interval, alt)
}

// bounds holds an interval against R's, which has one bound only where the
// question has a direction; the other is what the opposite question has.
func (want byR) bounds(t *testing.T, name string, got *Interval, alt stats.Alternative) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: no interval, want %v to %v", name, want.Low, want.High)
		return
	}
	if alt != stats.Less {
		testnumber.Check(t, name+": low", got.Low, float64(want.Low), 1e-9)
	}
	if alt != stats.Greater {
		testnumber.Check(t, name+": high", got.High, float64(want.High), 1e-9)
	}
}

func (want byR) rank(t *testing.T, name string, got Answer, alt stats.Alternative) {
	t.Helper()
	d := got.Difference
	if d == nil || d.Test == nil || d.Test.T != want.Statistic || got.Exact != want.Exact {
		t.Errorf("%s: %+v, want %+v", name, d, want)
		return
	}
	testnumber.Check(t, name+": p", d.Test.P, max(want.P, math.SmallestNonzeroFloat64), 1e-8)
	testnumber.Check(t, name+": shift", d.Value, want.Value, 1e-9)
	if want.Level == 1 {
		if d.Interval != nil || d.NoInterval != tooFewRanks {
			t.Errorf("%s: %+v, and no interval has the level", name, *d)
		}
		return
	}
	want.bounds(t, name, d.Interval, alt)
	level := want.Level
	if alt != stats.TwoSided {
		level = 1 - 2*(1-level)
	}
	if d.Interval != nil {
		testnumber.Check(t, name+": level", d.Interval.Level, level, 1e-9)
	}
}

func (want byR) ratio(t *testing.T, name string, a Answer) {
	t.Helper()
	got := a.Fieller
	if got == nil || got.Bounded != want.Bounded || got.Exclusive != want.Exclusive {
		t.Errorf("%s: %+v, want %+v", name, got, want)
		return
	}
	testnumber.Check(t, name+": value", got.Value, want.Value, 1e-9)
	testnumber.Check(t, name+": df", got.DF, want.DF, 1e-9)
	want.bounds(t, name, &Interval{Low: got.Interval.Low, High: got.Interval.High}, stats.TwoSided)
}

var (
	michelson = []float64{299.85, 299.74, 299.90, 300.07, 299.93, 299.85, 299.95, 299.98, 299.98, 299.88}
	sleep1    = []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	sleep2    = []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
	base      = []float64{56.1, 55.9, 56.4, 57.0, 56.2, 55.8}
	cost      = []float64{2072.0, 2051.3, 2090.8, 2110.4, 2066.6, 2049.9}
	few       = []float64{12.0, 13.5, 11.8, 12.2}
)

// expected is an estimate of testdata/reference.json of stats, which reference.py
// makes of the data above.
type expected struct {
	N                              int
	Value, SD, Low, High, T, DF, P float64
}

func TestEstimatesAgainstReference(t *testing.T) {
	var ref struct{ Mean, Mean99, Sleep, Paired, Ratio, Welch, WelchSleep expected }
	readReference(t, "reference.json", &ref)
	mean := func(xs []float64, level float64) *Estimate {
		e, why := Mean(xs, level)
		if e == nil {
			t.Fatal(why)
		}
		return e
	}
	compare := func(q Question, d Data) Answer { return Solver{}.Compare(q, d) }
	welch := Question{Kind: results.TestWelch, Alpha: 0.05}
	for _, c := range []struct {
		name   string
		got    *Estimate
		want   expected
		tested bool
	}{
		{"mean", mean(michelson, 0.95), ref.Mean, false},
		{"mean at 99 %", mean(michelson, 0.99), ref.Mean99, false},
		{"sleep", compare(Question{Alpha: 0.05}, pairsOf(sleep1, sleep2)).Difference, ref.Sleep, true},
		{"paired", compare(Question{Alpha: 0.05, Family: 4}, pairsOf(cost, base)).Difference, ref.Paired, true},
		{"ratio", compare(Question{Kind: LogRatio, Alpha: 0.1}, pairsOf(cost, base)).Ratio, ref.Ratio, true},
		{"welch", compare(welch, Data{X: Sample{Values: cost}, Y: Sample{Values: few}}).Difference, ref.Welch, true},
		{"welch sleep", compare(welch, Data{X: Sample{Values: sleep1}, Y: Sample{Values: sleep2}}).Difference, ref.WelchSleep, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.got
			if got == nil || got.N != c.want.N || got.Interval == nil || (got.Test != nil) != c.tested {
				t.Fatalf("%+v, want %+v", got, c.want)
			}
			testnumber.Check(t, "value", got.Value, c.want.Value, 1e-9)
			testnumber.Check(t, "sd", *got.SD, c.want.SD, 1e-9)
			testnumber.Check(t, "low", got.Interval.Low, c.want.Low, 1e-9)
			testnumber.Check(t, "high", got.Interval.High, c.want.High, 1e-9)
			testnumber.Check(t, "df", *got.DF, c.want.DF, 1e-9)
			if c.tested {
				testnumber.Check(t, "t", got.Test.T, c.want.T, 1e-9)
				testnumber.Check(t, c.name+": p", got.Test.P, c.want.P, 1e-8)
			}
		})
	}
}

// What R prints for t.test(extra ~ group, paired = TRUE) on its data set sleep.
func TestSleepAsRPrintsIt(t *testing.T) {
	e := Solver{}.Compare(Question{Alpha: 0.05}, pairsOf(sleep1, sleep2)).Difference
	for what, c := range map[string][2]float64{
		"t": {e.Test.T, -4.0621}, "p": {e.Test.P, 0.002833}, "low": {e.Interval.Low, -2.4598858}, "high": {e.Interval.High, -0.7001142},
	} {
		testnumber.Check(t, what, c[0], c[1], 1e-4)
	}
}
