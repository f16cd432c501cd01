package evidence_test

import (
	"math"
	"testing"

	"moobench/analysis/evidence"
	"moobench/analysis/internal/testcampaign"
	"moobench/analysis/stats"
	"moobench/results"
	"moobench/results/summary"
)

// samples is a column of so many samples.
func samples(t *testing.T, series string, n int, value func(i int) float64) summary.Column {
	t.Helper()
	all := make([]int64, n)
	for i := range all {
		all[i] = int64(math.Round(value(i)))
	}
	b := summary.NewBuilder(int64(n))
	b.Add(all)
	c, err := b.Column()
	if err != nil {
		t.Fatal(err)
	}
	c.Series, c.Name = series, "t"
	return c
}

// The picture of a JVM and its value agree: the course of an invocation, over the window,
// has the mean that stands as its value, however the speed of the CPU changed meanwhile.
func TestCourseHasTheMeanOfItsValue(t *testing.T) {
	const n, calls = 2000, 1_000_000
	cells := append(testcampaign.Baselines(), testcampaign.Variant(2, "kieker/bci/collect", results.ProofPlan{Kind: results.ProofNone}))
	var values []testcampaign.Value
	for b := range 8 {
		for i := range cells {
			values = append(values, testcampaign.Value{Block: b + 1, Slot: i, Cell: cells[i].ID, NS: 1, ReferenceNS: 1})
		}
	}
	s := testcampaign.FromValues(cells, values)
	for k, inv := range s.Runs {
		mean := []float64{50, 50, 700}[k%3]
		speed := func(i int) float64 { // others take the core in a fifth of the time
			slower := 1 + 0.1*math.Sin(float64(5*k))
			if i/100%5 == 0 {
				slower *= 1.5
			}
			return slower
		}
		s.Summaries[inv.Identity].Columns = []summary.Column{
			samples(t, "duration", n, func(i int) float64 { return calls * mean * speed(i) }),
			samples(t, results.SeriesReference, n, func(i int) float64 { return 2000 * speed(i) }),
		}
	}
	all := evidence.Gather(s)
	if len(all.Problems) > 0 || len(all.Invocations) != len(values) {
		t.Fatalf("%d invocations, %q", len(all.Invocations), all.Problems)
	}
	for i := range all.Invocations {
		e := &all.Invocations[i]
		c, ok := e.CarriedOf("duration")
		from := int(math.Round(e.WindowFrom * float64(len(e.Samples.Trace))))
		mean, err := stats.Mean(e.Samples.Trace[from:])
		if !ok || err != nil || math.Abs(mean/e.Value("duration")-1) > 0.001 {
			t.Errorf("%s: the course has the mean %v, its value is %v (%v as measured; carried: %v, %v)", e.Identity, mean, e.Value("duration"), c.Measured, ok, err)
		}
		if math.Abs(c.Measured/e.Value("duration")-1) > 0.3 {
			t.Errorf("%s: %v of %v", e.Identity, e.Value("duration"), c.Measured)
		}
	}
}

// What the JVM's compilers bring late is left out of the window; what slows calls down just as
// much without them is a cost, and so is what goes with compilations all the time.
func TestCompilationsAreLeftOut(t *testing.T) {
	const n, calls, usual = 4000, 1_000_000, 400_000 // a batch of the summary is 4 samples, and the loop 1.6 s
	slow := func(i int) bool { return i >= 3400 && i < 3600 }
	for name, c := range map[string]struct {
		compiled func(i int) float64 // ns that ended at sample i
		want     float64
		leftOut  float64
	}{
		"a compilation ends": {func(i int) float64 {
			if i == 3599 {
				return 160e6
			}
			return 0
		}, usual, 0.1},
		"none ends": {func(int) float64 { return 0 }, 1.1 * usual, 0},
		"short ones": {func(i int) float64 {
			if slow(i) {
				return 1e6
			}
			return 0
		}, 1.1 * usual, 0},
		"all the time": {func(i int) float64 {
			if i%20 == 0 {
				return 10e6
			}
			return 0
		}, 1.1 * usual, 0},
	} {
		cells := testcampaign.Baselines()
		s := testcampaign.FromValues(cells, []testcampaign.Value{{Block: 1, Cell: cells[0].ID, NS: 1, ReferenceNS: 1}})
		s.Summaries[s.Runs[0].Identity].Columns = []summary.Column{
			samples(t, "duration", n, func(i int) float64 {
				if slow(i) {
					return 2 * usual
				}
				return usual + float64(i%7)
			}),
			samples(t, results.SeriesReference, n, func(int) float64 { return 2000 }),
			samples(t, results.SeriesCompiling, n, c.compiled),
		}
		all := evidence.Gather(s)
		if len(all.Invocations) != 1 || len(all.Problems) > 0 {
			t.Fatalf("%s: %d invocations, %q", name, len(all.Invocations), all.Problems)
		}
		e := &all.Invocations[0]
		got := e.Value("duration") * calls
		if want := c.want; math.Abs(got/want-1) > 0.001 || math.Abs(e.Samples.LeftOut-c.leftOut) > 1e-9 {
			t.Errorf("%s: %v ns, %v left out; want %v and %v (%s)", name, got, e.Samples.LeftOut, want, c.leftOut, e.Class)
		}
	}
}

// A toggle costs what calls right after it take longer than the others until the next one, as the
// median over toggles; the last toggle has no next one, and steps without an answer say nothing.
func TestToggleEffect(t *testing.T) {
	const step = 50e6 // ns: right after a toggle are its next 100 ms
	course := func(stepNS float64, after []float64, apart int) *evidence.Course {
		c := &evidence.Course{StepNS: stepNS}
		for i, excess := range after {
			c.Toggles = append(c.Toggles, evidence.Toggle{SinceNS: float64(i*apart) * stepNS, On: i%2 == 0})
			for k := range apart {
				row := evidence.TimelineRow{SinceNS: float64(i*apart+k) * stepNS, P50NS: 10}
				switch k {
				case 0, 1:
					row.P50NS += excess
				case 3:
					row.P50NS = 0
				}
				c.Rows = append(c.Rows, row)
			}
		}
		return c
	}
	for _, test := range []struct {
		what string
		c    *evidence.Course
		want float64
	}{
		{"the median of three", course(step, []float64{7, 2, 3, 99}, 8), 3},
		{"a mean of two", course(step, []float64{2, 6, 99}, 8), 4},
		{"one, and its end", course(step, []float64{5, 99}, 8), 5},
		{"the rest is as long, and has one step with an answer", course(step, []float64{5, 99}, 4), math.NaN()},
		{"the rest is longer by a step", course(step, []float64{5, 99}, 5), 5},
		{"less time is left", course(step, []float64{5, 99}, 3), math.NaN()},
		{"longer steps: two of them are right after", course(8*step, []float64{5, 99}, 8), 5},
		{"no next one", course(step, []float64{5}, 8), math.NaN()},
		{"never", course(step, nil, 8), math.NaN()},
	} {
		got := test.c.Effect(func(row evidence.TimelineRow) float64 { return row.P50NS })
		if got != test.want && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("%s: %v, want %v", test.what, got, test.want)
		}
	}
}
