package stats

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// small draws few values on a coarse grid, so that there are ties and zeros.
func small(t *rapid.T, name string, least, most int) []float64 {
	whole := rapid.SliceOfN(rapid.IntRange(1, 12), least, most).Draw(t, name)
	xs := make([]float64, len(whole))
	for i, v := range whole {
		xs[i] = float64(v) / 2
	}
	return xs
}

type rankFunc func(x, y []float64, alt Alternative, level float64) (RankTest, error)

// Swapping the samples swaps the alternatives, and turns the shift round.
func TestRankTestsSwap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := small(t, "x", 2, 9)
		y := small(t, "y", len(x), len(x))
		for name, test := range map[string]rankFunc{"MannWhitney": MannWhitney, "SignedRank": SignedRank, "Sign": Sign} {
			for alt, other := range map[Alternative]Alternative{TwoSided: TwoSided, Less: Greater, Greater: Less} {
				a, err := test(x, y, alt, 0.9)
				b, err2 := test(y, x, other, 0.9)
				if errors.Is(err, ErrTooFew) && errors.Is(err2, ErrTooFew) {
					continue
				}
				if err != nil || err2 != nil {
					t.Fatal(err, err2)
				}
				nearly(t, name+" p", a.P, b.P, 1)
				nearly(t, name+" shift", a.Shift.Value, -b.Shift.Value, 1)
				if a.Shift.Interval.Low != -b.Shift.Interval.High || a.Shift.Interval.High != -b.Shift.Interval.Low {
					t.Fatalf("%s: %v and %v", name, a.Shift.Interval, b.Shift.Interval)
				}
			}
		}
	})
}

// Every split counted out, on data with ties: the definition of the p.
func TestMannWhitneyByCounting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := small(t, "x", 1, 5), small(t, "y", 1, 6)
		all := append(slices.Clone(x), y...)
		seen := statisticW(all, (1<<len(x))-1)
		var below, above, splits float64
		for set := range 1 << len(all) {
			if ones(set) != len(x) {
				continue
			}
			w := statisticW(all, set)
			splits++
			if w <= seen {
				below++
			}
			if w >= seen {
				above++
			}
		}
		for alt, want := range map[Alternative]float64{Less: below / splits, Greater: above / splits, TwoSided: min(1, 2*min(below, above)/splits)} {
			got, err := MannWhitney(x, y, alt, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			if got.Statistic != seen {
				t.Fatalf("W = %v, want %v", got.Statistic, seen)
			}
			nearly(t, string(alt), got.P, want, 1)
		}
	})
}

// statisticW compares each value of the set with each outside it.
func statisticW(all []float64, set int) float64 {
	w := 0.0
	for i := range all {
		for j := range all {
			if set>>i&1 == 0 || set>>j&1 == 1 {
				continue
			}
			if all[i] > all[j] {
				w++
			} else if all[i] == all[j] {
				w += 0.5
			}
		}
	}
	return w
}

func ones(set int) int {
	n := 0
	for ; set > 0; set &= set - 1 {
		n++
	}
	return n
}

// With ties on a coarse grid, intervals still cover the true shift as they say:
// both samples have the same distribution, so that it is 0.
func TestRankIntervalsCoverWithTies(t *testing.T) {
	x := []float64{1, 1, 2, 3}
	var hits, all float64
	var level float64
	// All 4^8 pairs of samples of four from the same four values.
	for code := range 1 << 16 {
		a, b := make([]float64, 4), make([]float64, 4)
		for i := range 4 {
			a[i], b[i] = x[code>>(2*i)&3], x[code>>(2*i+8)&3]
		}
		if code%7 != 0 { // a seventh of them will do
			continue
		}
		r, err := MannWhitney(a, b, TwoSided, 0.9)
		if err != nil {
			t.Fatal(err)
		}
		all++
		level = r.Shift.Interval.Level
		if r.Shift.Interval.Low <= 0 && 0 <= r.Shift.Interval.High {
			hits++
		}
	}
	if hits/all < level {
		t.Errorf("covers %.4f, and says %.4f", hits/all, level)
	}
}

// A higher level never makes an interval narrower.
func TestLevelsNest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := small(t, "x", 2, 12)
		y := small(t, "y", len(x), len(x))
		low := rapid.Float64Range(0.01, 0.98).Draw(t, "level")
		high := rapid.Float64Range(low, 0.999).Draw(t, "higher level")
		for name, of := range map[string]func(level float64) (Interval, error){
			"MannWhitney": func(level float64) (Interval, error) {
				r, err := MannWhitney(x, y, TwoSided, level)
				return r.Shift.Interval, err
			},
			"SignedRank": func(level float64) (Interval, error) {
				r, err := SignedRank(x, y, TwoSided, level)
				return r.Shift.Interval, err
			},
			"Welch": func(level float64) (Interval, error) {
				e, err := WelchDifference(x, y, level)
				return e.Interval, err
			},
		} {
			a, err := of(low)
			b, err2 := of(high)
			if err != nil || err2 != nil {
				continue // no differences, or an overflow
			}
			if b.Low > a.Low || b.High < a.High {
				t.Fatalf("%s: %v at %v, %v at %v", name, a, low, b, high)
			}
		}
	})
}

// Fieller's bounds are where the t test of mean x - r mean y turns; scales of x
// and y go into the ratio.
func TestFiellerBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(50, 60), 3, 10).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Float64Range(5, 6), len(x), len(x)).Draw(t, "y")
		r, err := Fieller(x, y, true, 0.95)
		if err != nil || !r.Bounded {
			t.Fatal(r, err)
		}
		for _, bound := range []float64{r.Interval.Low, r.Interval.High} {
			scaled := make([]float64, len(y))
			for i := range y {
				scaled[i] = bound * y[i]
			}
			d, err := Differences(x, scaled)
			if err != nil {
				t.Fatal(err)
			}
			s, err := SampleOf(d)
			if err != nil {
				t.Fatal(err)
			}
			i := studentised(s.Mean, s.se(), float64(s.N-1), TwoSided, 0.95).Interval
			limit := 1e-7
			if s.SD < 1e-6*60 { // nearly collinear: the root of a difference of nearly equal numbers keeps half of the digits
				limit = 1e-6
			}
			if gap := min(math.Abs(i.Low), math.Abs(i.High)); gap > limit {
				t.Fatalf("at %v the interval is %v", bound, i)
			}
		}
		for i := range x {
			x[i], y[i] = math.Ldexp(x[i], 700), math.Ldexp(y[i], 680)
		}
		s, err := Fieller(x, y, true, 0.95)
		if err != nil {
			t.Fatal(err)
		}
		nearly(t, "scaled low", math.Ldexp(s.Interval.Low, -20), r.Interval.Low, 1e2)
	})
}

// Equivalence by p and by interval are one decision.
func TestEquivalenceIsItsInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Float64Range(-2, 2).Draw(t, "value")
		se := rapid.Float64Range(0, 1).Draw(t, "se")
		alpha := rapid.Float64Range(0.001, 0.49).Draw(t, "alpha")
		e, err := EquivalenceT(value, se, 7, -1, 1, alpha)
		if err != nil {
			t.Fatal(err)
		}
		if e.Within != (e.P < alpha) && math.Abs(e.P-alpha) > 1e-9 {
			t.Fatalf("%+v at %v", e, alpha)
		}
	})
}

func TestBadInference(t *testing.T) {
	two, one := []float64{1, 2}, []float64{1}
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"alternative":    {second(ParseAlternative("two.sided")), errAlternative},
		"no alternative": {second(Student(Sample{1, 1, 5}, Sample{2, 1, 5}, "", 0.95)), errAlternative},
		"one run":        {second(Welch(Sample{1, 1, 1}, Sample{2, 1, 5}, Less, 0.95)), ErrTooFew},
		"negative sd":    {second(Student(Sample{1, -1, 5}, Sample{2, 1, 5}, Less, 0.95)), errSpread},
		"NaN sd":         {second(Student(Sample{1, math.NaN(), 5}, Sample{2, 1, 5}, Less, 0.95)), ErrNotFinite},
		"level":          {second(Student(Sample{1, 1, 5}, Sample{2, 1, 5}, Less, 1)), errLevel},
		"unpaired":       {second(SignedRank(two, one, Less, 0.95)), ErrUnpaired},
		"no ranks":       {second(MannWhitney(nil, two, Less, 0.95)), ErrTooFew},
		"equal pairs":    {second(Sign(two, two, Less, 0.95)), ErrTooFew},
		"zero below":     {second(Fieller(two, []float64{-1, 1}, false, 0.95)), ErrNotFinite},
		"no logarithm":   {second(LogRatios(two, []float64{0, 1})), ErrNotPositive},
		"no spread":      {second(HedgesG([]float64{1, 1}, []float64{2, 2})), errSpread},
		"margin":         {second(EquivalenceT(0, 1, 5, 1, 1, 0.05)), errMargin},
		"alpha":          {second(EquivalenceT(0, 1, 5, -1, 1, 0.5)), errAlpha},
		"no values":      {second(quantile(nil, 0.5, 7)), ErrTooFew},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// Whatever comes in, there is an error or a result without NaN, and no panic.
func FuzzInference(f *testing.F) {
	f.Add([]byte{}, 0.95, 0.01, uint8(0))
	f.Add(packed(1, 2, 3, 4, 5, 6, 7, 8), 0.95, 0.01, uint8(4))
	f.Add(packed(1e308, -1e308, 5e-324, 0), 0.5, 1e300, uint8(2))
	f.Add(packed(math.NaN(), math.Inf(1), 1, 1), 1e-300, -1.0, uint8(2))
	f.Add(packed(3, 3, 3, 3), 0.9999999999999999, 0.1, uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, level, margin float64, cut uint8) {
		values := unpacked(data)
		split := min(int(cut), len(values))
		x, y := values[:split], values[split:]
		for name, got := range everything(x, y, level, margin) {
			if err := got[len(got)-1]; err != nil {
				continue
			}
			for _, v := range got[:len(got)-1] {
				if hasNaN(reflect.ValueOf(v)) {
					t.Errorf("%s(%v, %v) at %v: %+v", name, x, y, level, v)
				}
			}
		}
	})
}

// everything calls each statistic; the last of each list is the error.
func everything(x, y []float64, level, margin float64) map[string][]any {
	list := func(vs ...any) []any { return vs }
	sx, sy := Sample{level, margin, len(x)}, Sample{margin, level, len(y)}
	all := map[string][]any{
		"Student": list(Student(sx, sy, Less, level)), "Welch": list(Welch(sx, sy, Greater, level)),
		"FiellerSummary": list(FiellerSummary(sx, sy, level)), "Logs": list(Logs(x)),
		"HedgesG": list(HedgesG(x, y)), "A12": list(A12(x, y)),
		"MedianInterval": list(MedianInterval(x, level)),
		"EquivalenceT":   list(EquivalenceT(level, margin, level, -1, 1, 0.05)),
		"Quantile":       list(quantile(slices.Sorted(slices.Values(x)), margin, 6)),
	}
	n := min(len(x), len(y))
	all["LogRatios"] = list(LogRatios(x[:n], y[:n]))
	for _, paired := range []bool{false, true} {
		x, y := x, y
		if paired {
			x, y = x[:n], y[:n]
		}
		name := map[bool]string{true: " of pairs"}[paired]
		all["Fieller"+name] = list(Fieller(x, y, paired, level))
		all["DeltaRatio"+name] = list(DeltaRatio(x, y, paired, level))
	}
	for _, alt := range []Alternative{TwoSided, Less, Greater} {
		all["MannWhitney "+string(alt)] = list(MannWhitney(x, y, alt, level))
		all["SignedRank "+string(alt)] = list(SignedRank(x[:n], y[:n], alt, level))
		all["Sign "+string(alt)] = list(Sign(x[:n], y[:n], alt, level))
	}
	return all
}

func hasNaN(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Float64:
		return math.IsNaN(v.Float())
	case reflect.Pointer:
		return !v.IsNil() && hasNaN(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if hasNaN(v.Field(i)) {
				return true
			}
		}
	}
	return false
}

func packed(xs ...float64) []byte {
	var data []byte
	for _, x := range xs {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return data
}

// unpacked takes at most 64 values.
func unpacked(data []byte) []float64 {
	xs := make([]float64, min(64, len(data)/8))
	for i := range xs {
		xs[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return xs
}

// Tails and quantiles of any arguments end, and are NaN only where they say so.
func FuzzStudent(f *testing.F) {
	f.Add(2.2, 9.0)
	f.Add(1e300, 1.0)
	f.Add(-37.0, 1e15)
	f.Add(math.Inf(1), math.Inf(1))
	f.Add(5e-324, 0.001)
	f.Add(1e300, 24650.0)
	f.Add(1e153, 1e300)
	f.Fuzz(func(t *testing.T, v, df float64) {
		p := TTail(v, df)
		if math.IsNaN(v) || !(df > 0) {
			if !math.IsNaN(p) {
				t.Errorf("TTail(%v, %v) = %v", v, df, p)
			}
			return
		}
		if !(p >= 0 && p <= 1) {
			t.Errorf("TTail(%v, %v) = %v", v, df, p)
		}
		if q := TQuantile(v, df); math.IsNaN(q) {
			t.Errorf("TQuantile(%v, %v) = %v", v, df, q)
		}
	})
}
