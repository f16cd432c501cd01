package numbers

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/analysis/infer"
	"moobench/analysis/stats"
	"moobench/refusal"
)

// The kinds that tests name.
const (
	Student     Kind = "student"
	Welch       Kind = "welch"
	Paired      Kind = "paired"
	MannWhitney Kind = "mann-whitney"
	SignedRank  Kind = "signed-rank"
	Sign        Kind = "sign"
	TOST        Kind = "tost"
	Fieller     Kind = "fieller"
	LogRatio    Kind = "log-ratio"
	Poisson     Kind = "poisson"
)

// thesis is the table of collecting with injected and with manual probes.
func thesis() []Sample {
	return []Sample{
		{Name: "C+M", Summary: &Summary{Mean: 2.0718, SD: 18.0090, N: 1_000_000}},
		{Name: "I+C+M", Summary: &Summary{Mean: 2.3389, SD: 19.4660, N: 1_000_000}},
	}
}

func options(kind Kind) Options {
	return Options{Kind: kind, Alternative: stats.TwoSided, Alpha: 0.05}
}

func TestThesis(t *testing.T) {
	o := options(Student)
	o.Alternative = stats.Less
	r, err := Compare(o, thesis())
	if err != nil {
		t.Fatal(err)
	}
	c := r.Comparisons[0]
	if s := c.Statistic; math.Abs(s.Value+10.0721) > 5e-5 || *s.DF != 1_999_998 || math.Abs(*s.RejectBelow+1.6449) > 5e-5 || s.RejectAbove != nil {
		t.Errorf("statistic %+v", s)
	}
	if c.Verdict != infer.Lower || *c.P > 1e-23 || *c.P <= 0 {
		t.Errorf("%s, p = %v", c.Verdict, *c.P)
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "the number of JVMs") {
		t.Errorf("a million calls and no warning: %q", r.Warnings)
	}
}

func TestEachAgainstTheFirst(t *testing.T) {
	a := Sample{Name: "a", Values: []float64{1, 2, 3, 4, 5, 6}}
	r, err := Compare(options(Welch), []Sample{a, shifted(a, "b", 10), shifted(a, "c", 1)})
	if err != nil {
		t.Fatal(err)
	}
	b, c := r.Comparisons[0], r.Comparisons[1]
	if b.Verdict != infer.Lower || c.Verdict != infer.Undecided {
		t.Errorf("verdicts %s and %s", b.Verdict, c.Verdict)
	}
	if b.Estimate.Level != infer.Level(0.05, 2) {
		t.Errorf("the intervals don't hold together: level %v", b.Estimate.Level)
	}
	if *b.PHolm != 2**b.P || *c.PHolm != *c.P {
		t.Errorf("Holm: %v of %v, %v of %v", *b.PHolm, *b.P, *c.PHolm, *c.P)
	}
}

func shifted(s Sample, name string, by float64) Sample {
	moved := Sample{Name: name}
	for _, v := range s.Values {
		moved.Values = append(moved.Values, v+by)
	}
	return moved
}

// TestNothingVaries: equal differences have neither a t nor an interval, also
// where rounding leaves a speck.
func TestNothingVaries(t *testing.T) {
	a := Sample{Name: "a", Values: []float64{0.1, 0.2, 0.7, 1.3}}
	for _, kind := range []Kind{Paired, SignedRank} {
		by := 0.3
		if kind == SignedRank {
			by = 0
		}
		r, err := Compare(options(kind), []Sample{a, shifted(a, "b", by)})
		if err != nil {
			t.Fatal(err)
		}
		if c := r.Comparisons[0]; c.Verdict != infer.NoAnswer || c.P != nil || !strings.HasPrefix(c.Sentence, "no answer") {
			t.Errorf("%s: %s: %s", kind, c.Verdict, c.Sentence)
		}
	}
}

func TestUnfit(t *testing.T) {
	six := Sample{Name: "six", File: "six", Values: []float64{1, 2, 3, 4, 5, -6}, Lines: []int{1, 2, 3, 4, 5, 6}}
	two := Sample{Name: "two", File: "two", Values: []float64{1, 2}, Lines: []int{1, 2}}
	one := Sample{Name: "one", File: "one", Values: []float64{1}, Lines: []int{1}}
	none := Sample{Name: "none", File: "none", Values: []float64{3, 0}, Lines: []int{1, 2}}
	tost := options(TOST)
	for name, c := range map[string]struct {
		options Options
		samples []Sample
		want    string
	}{
		"no sample":        {options(Welch), nil, "comparing samples: there is none"},
		"one sample":       {options(Welch), []Sample{six}, "compares two samples"},
		"unequal pairs":    {options(Paired), []Sample{six, two}, "pairs need as many"},
		"a single value":   {options(Student), []Sample{six, one}, "needs 2 or more"},
		"ranks of a table": {options(MannWhitney), thesis(), "a summary doesn't say enough"},
		"log of minus six": {options(LogRatio), []Sample{two, six}, "six:6: -6 has no logarithm"},
		"log of zero":      {options(LogRatio), []Sample{two, none}, "none:2: 0 has no logarithm"},
		"no margin":        {tost, []Sample{six, two}, "needs a margin"},
		"unknown":          {options("anova"), []Sample{six, two}, "unknown kind"},
	} {
		_, err := Compare(c.options, c.samples)
		var ms *refusal.Mistakes
		if !errors.As(err, &ms) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := CompareRates(options(Poisson), nil); err == nil || !strings.Contains(err.Error(), "comparing rates: there is none") {
		t.Errorf("no arms: %v", err)
	}
}

// TestFewRuns: where no outcome at all is below alpha, the report says so.
func TestFewRuns(t *testing.T) {
	a := Sample{Name: "a", Values: []float64{1, 2, 3}}
	r, err := Compare(options(MannWhitney), []Sample{a, shifted(a, "b", 10)})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "can't show anything") || r.Comparisons[0].Verdict != infer.NoAnswer {
		t.Errorf("%s, warnings %q", r.Comparisons[0].Verdict, r.Warnings)
	}
}

// TestSwapped: B against A says the opposite of A against B.
func TestSwapped(t *testing.T) {
	opposite := map[infer.Verdict]infer.Verdict{infer.Lower: infer.Higher, infer.Higher: infer.Lower}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		value := rapid.Float64Range(1, 100)
		a := Sample{Name: "a", Values: rapid.SliceOfN(value, n, n).Draw(t, "a"), Lines: make([]int, n)}
		b := Sample{Name: "b", Values: rapid.SliceOfN(value, n, n).Draw(t, "b"), Lines: make([]int, n)}
		o := options(rapid.SampledFrom([]Kind{Student, Welch, Paired, MannWhitney, SignedRank, Sign, LogRatio}).Draw(t, "kind"))
		r, err := Compare(o, []Sample{a, b})
		s, err2 := Compare(o, []Sample{b, a})
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		want, ok := opposite[r.Comparisons[0].Verdict]
		if got := s.Comparisons[0].Verdict; ok && got != want || !ok && got != r.Comparisons[0].Verdict {
			t.Errorf("%s: %s, and swapped %s", o.Kind, r.Comparisons[0].Sentence, s.Comparisons[0].Sentence)
		}
	})
}

// TestHostileNumbers: whatever finite numbers come, there are mistakes, or a
// report that JSON can hold and that names neither NaN nor infinity.
func TestHostileNumbers(t *testing.T) {
	answered := 0
	rapid.Check(t, func(t *rapid.T) {
		o := hostileOptions(t)
		n := rapid.IntRange(0, 8).Draw(t, "n")
		var samples []Sample
		for range rapid.IntRange(1, 3).Draw(t, "samples") {
			samples = append(samples, hostile(t, n))
		}
		r, err := Compare(o, samples)
		if judge(t, r, err); err == nil {
			answered++
		}
	})
	if answered < 10 {
		t.Errorf("only %d of the draws were answered: the others show nothing", answered)
	}
}

// hostileOptions fit together mostly.
func hostileOptions(t *rapid.T) Options {
	o := options(rapid.SampledFrom(Kinds()[:9]).Draw(t, "kind"))
	o.Alpha = rapid.SampledFrom([]float64{0.05, 0.05, 0.1, 0.4, 1e-9, 0.999999999, 0, math.NaN()}).Draw(t, "alpha")
	switch o.Kind {
	case TOST:
		o.Margin.Size = rapid.SampledFrom([]float64{0, 0.01, 1, 1e300, 1e-300}).Draw(t, "margin")
		o.Paired = rapid.Bool().Draw(t, "paired")
		o.Margin.Relative = o.Paired && rapid.Bool().Draw(t, "relative")
	case Fieller:
		o.Paired = rapid.Bool().Draw(t, "paired")
	default:
		o.Paired = o.Kind == LogRatio && rapid.Bool().Draw(t, "paired")
		o.Alternative = rapid.SampledFrom([]stats.Alternative{stats.TwoSided, stats.Less, stats.Greater}).Draw(t, "alternative")
	}
	return o
}

func hostile(t *rapid.T, n int) Sample {
	value := rapid.OneOf(rapid.Float64(), rapid.Float64Range(1, 9), rapid.SampledFrom([]float64{0, 1, 1, 2, -1, 1e308, -1e308, 5e-324, 1 + 0x1p-52}))
	if rapid.IntRange(0, 9).Draw(t, "odd length") == 0 {
		n++
	}
	if rapid.IntRange(0, 5).Draw(t, "summary") == 0 {
		return Sample{Name: "s", Summary: &Summary{Mean: value.Draw(t, "mean"), SD: math.Abs(value.Draw(t, "sd")), N: rapid.IntRange(2, 1<<40).Draw(t, "n")}}
	}
	s := Sample{Name: "v", File: "v", Values: rapid.SliceOfN(value, n, n).Draw(t, "values")}
	s.Lines = make([]int, len(s.Values))
	return s
}

func judge(t *rapid.T, r *Report, err error) {
	var ms *refusal.Mistakes
	if err != nil {
		if !errors.As(err, &ms) {
			t.Errorf("%v are not mistakes", err)
		}
		return
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	for _, c := range r.Comparisons {
		if c.Sentence == "" || strings.Contains(c.Sentence, "NaN") || strings.Contains(c.Sentence, "Inf") || c.Verdict == "" {
			t.Errorf("%s: %s", c.Verdict, c.Sentence)
		}
		if c.P != nil && !(*c.P > 0 && *c.P <= 1) {
			t.Errorf("p = %v", *c.P)
		}
	}
}

func arm(name string, counts ...int64) Counts {
	c := Counts{Name: name}
	for _, k := range counts {
		c.Events, c.Exposure = append(c.Events, k), append(c.Exposure, 1e6)
	}
	return c
}

// TestScatter: counts that scatter as Poisson's law has it keep its p value;
// others leave the decision to tests that see the scatter.
func TestScatter(t *testing.T) {
	calm, err := CompareRates(options(Poisson), []Counts{arm("a", 24, 27, 22, 30, 25), arm("b", 47, 55, 50, 44, 58)})
	if err != nil {
		t.Fatal(err)
	}
	if c := calm.Comparisons[0]; c.Verdict != infer.Lower || c.Scatter.TooScattered || c.Scatter.PPermuted != nil {
		t.Errorf("calm: %s, scatter %+v", c.Verdict, c.Scatter)
	}
	wild, err := CompareRates(options(Poisson), []Counts{arm("a", 3, 70, 12, 40, 0), arm("b", 90, 5, 30, 60, 69)})
	if err != nil {
		t.Fatal(err)
	}
	c := wild.Comparisons[0]
	if *c.P > 1e-6 {
		t.Fatalf("p = %v: no example of a Poisson test that is too sure", *c.P)
	}
	if s := c.Scatter; !s.TooScattered || !s.Exact || s.PPermuted == nil || c.Verdict != infer.Undecided {
		t.Errorf("wild: %s, scatter %+v", c.Verdict, s)
	}
	if len(wild.Warnings) != 1 || !strings.Contains(wild.Warnings[0], "not valid here") {
		t.Errorf("warnings %q", wild.Warnings)
	}
}

func TestNothingLost(t *testing.T) {
	r, err := CompareRates(options(Poisson), []Counts{{"a", stats.EventRuns{Events: []int64{0}, Exposure: []float64{1000}}}})
	if err != nil {
		t.Fatal(err)
	}
	if e := r.Comparisons[0].Estimate; math.Abs(*e.High+math.Log(0.025)/1000) > 1e-12 {
		t.Errorf("upper bound %v", *e.High)
	}
	r, err = CompareRates(options(Poisson), []Counts{arm("a", 9, 10, 11), arm("b", 0, 0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Comparisons[0]; c.Estimate.Value != nil || c.Estimate.High != nil || c.Verdict != infer.Higher || !strings.Contains(c.Sentence, "infinitely many") {
		t.Errorf("%s: %s", c.Verdict, c.Sentence)
	}
}

// One count an arm, as of a paper's table, has a ratio and no verdict.
func TestOneCountAnArm(t *testing.T) {
	r, err := CompareRates(options(Poisson), []Counts{arm("a", 120), arm("b", 30)})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Comparisons[0]
	if c.Verdict != infer.NoAnswer || *c.Estimate.Value != 4 || c.Estimate.Low != nil || c.Estimate.High != nil || c.Detectable != nil || !strings.Contains(c.Sentence, "one complete pair") || len(r.Warnings) != 1 {
		t.Errorf("%s: %s, %+v, %q", c.Verdict, c.Sentence, c.Estimate, r.Warnings)
	}
}

// A ratio that such counts would show, but that no float64 holds, is not told.
func TestDetectableRatioThatIsTooLarge(t *testing.T) {
	r, err := CompareRates(options(Poisson), []Counts{{"a", stats.EventRuns{Events: []int64{0, 0, 1 << 20}, Exposure: []float64{1, 1, 1}}}, {"b", stats.EventRuns{Events: []int64{0, 0, 1}, Exposure: []float64{1, 1, 1e308}}}})
	if err != nil || r.Comparisons[0].Detectable != nil {
		t.Errorf("%v, %+v", err, r.Comparisons[0].Detectable)
	}
}

func TestHostileRates(t *testing.T) {
	answered := 0
	rapid.Check(t, func(t *rapid.T) {
		o := options(Poisson)
		o.Paired = rapid.Bool().Draw(t, "paired")
		o.Alternative = rapid.SampledFrom([]stats.Alternative{stats.TwoSided, stats.Less, stats.Greater}).Draw(t, "alternative")
		count, exposure, least := rapid.Int64Range(0, 20), rapid.Float64Range(1, 1000), 2
		if rapid.Bool().Draw(t, "hostile") { // else some of the draws must have an answer
			count = rapid.OneOf(count, rapid.SampledFrom([]int64{0, 1 << 20, 1 << 53}))
			exposure = rapid.OneOf(exposure, rapid.SampledFrom([]float64{1, 1, 5e-324, 1e308}))
			least = 0
		}
		var arms []Counts
		n := rapid.IntRange(least, 4).Draw(t, "n")
		for range rapid.IntRange(1, 3).Draw(t, "arms") {
			arms = append(arms, Counts{"a", stats.EventRuns{Events: rapid.SliceOfN(count, n, n).Draw(t, "counts"), Exposure: rapid.SliceOfN(exposure, n, n).Draw(t, "exposures")}})
		}
		r, err := CompareRates(o, arms)
		if judge(t, r, err); err == nil {
			answered++
		}
	})
	if answered < 10 {
		t.Errorf("only %d of the draws were answered: the others show nothing", answered)
	}
}

// One question has one answer: what is the same in both samples is equivalent where there are enough
// of it, and else no answer, by whatever test.
func TestDegenerateSamplesHaveOneAnswer(t *testing.T) {
	same := func(n int) []Sample {
		values := make([]float64, n)
		for i := range values {
			values[i] = 5 + float64(i%3)
		}
		return []Sample{{Name: "a", Values: values}, {Name: "b", Values: values}}
	}
	constant := func(n int) []Sample {
		values := make([]float64, n)
		for i := range values {
			values[i] = 7
		}
		return []Sample{{Name: "a", Values: values}, {Name: "b", Values: values}}
	}
	margin := options(TOST)
	margin.Paired, margin.Margin = true, Margin{Size: 0.01, Relative: true}
	for name, c := range map[string]struct {
		o       Options
		samples []Sample
		want    infer.Verdict
		says    string
	}{
		"tost of five":        {margin, same(5), infer.Equivalent, "a and b are equivalent within 1.0 %"},
		"tost of three":       {margin, same(3), infer.NoAnswer, "no answer"},
		"paired, six":         {options(Paired), same(6), infer.Equivalent, "all values are the same"},
		"paired, five":        {options(Paired), same(5), infer.NoAnswer, "no answer"},
		"welch of a constant": {options(Welch), constant(8), infer.Equivalent, "all values are the same"},
		"welch of a few":      {options(Welch), constant(4), infer.NoAnswer, "no answer"},
		"student":             {options(Student), constant(8), infer.Equivalent, "all values are the same"},
		"Mann-Whitney, tied":  {options(MannWhitney), constant(20), infer.Equivalent, "all values are the same"},
		"log ratio":           {options(LogRatio), constant(8), infer.Equivalent, "all values are the same"},
	} {
		r, err := Compare(c.o, c.samples)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		x := r.Comparisons[0]
		if x.Verdict != c.want || !strings.Contains(x.Sentence, c.says) || strings.Contains(x.Sentence, "less than") || strings.Contains(x.Sentence, "0 … 0") {
			t.Errorf("%s: %s, %q", name, x.Verdict, x.Sentence)
		}
		if q := x.Equivalence; q != nil && q.Equivalent != (x.Verdict == infer.Equivalent) {
			t.Errorf("%s: %s, and equivalent is %v", name, x.Verdict, q.Equivalent)
		}
	}
	zero := []Sample{{Name: "a", Values: []float64{1, 2, 3}}, {Name: "b", Values: []float64{-1, 0, 1}}}
	if _, err := Compare(options(Fieller), zero); err == nil || !strings.Contains(err.Error(), "is 0 on average") {
		t.Errorf("a ratio to 0: %v", err)
	}
	huge := []Sample{{Name: "a", Summary: &Summary{Mean: 1e308, SD: 1e308, N: 5}}, {Name: "b", Summary: &Summary{Mean: -1e308, SD: 1e308, N: 5}}}
	if _, err := Compare(options(Fieller), huge); err != nil && strings.Count(err.Error(), "overflow") > 1 {
		t.Errorf("two reasons in one: %v", err)
	}
}
