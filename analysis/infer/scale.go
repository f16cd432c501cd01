package infer

import (
	"math"

	"moobench/analysis/stats"
)

// Scale is an estimate on the scale on which it is compared with 0: a difference,
// or the logarithm of a ratio. From it follow interval, test, detectable effect
// and equivalence.
type Scale struct {
	N             int // pairs, or invocations of the smaller sample
	Value, SE, DF float64
	SD            float64 // of what was averaged
	// Size is how large the values are that Value is a difference of. A standard
	// error that is small against it is rounding, and no variation.
	Size float64
}

// ScaleOf averages independent values; one alone has a value and no spread. The
// reason says why there is none.
func ScaleOf(xs []float64) (Scale, string) {
	if len(xs) == 1 && stats.Finite(xs[0]) {
		return Scale{N: 1, Value: xs[0], Size: math.Abs(xs[0])}, ""
	}
	s, err := stats.SampleOf(xs)
	if err != nil {
		return Scale{}, Reason(err)
	}
	return scaleOfSample(s), ""
}

func scaleOfSample(s stats.Sample) Scale {
	n := float64(s.N)
	return Scale{s.N, s.Mean, s.SD / math.Sqrt(n), n - 1, s.SD, math.Abs(s.Mean)}
}

// ScaleFrom is an estimate that is known with its standard error. Of a ratio it
// is the scale of its logarithm. False when it carries none.
func (e *Estimate) ScaleFrom(ratio bool) (Scale, bool) {
	if e == nil {
		return Scale{}, false
	}
	s := Scale{N: e.N, Value: e.Value}
	if ratio {
		if !(e.Value > 0) {
			return Scale{}, false
		}
		s.Value = math.Log(e.Value)
	}
	s.Size = math.Abs(s.Value)
	if e.SD != nil {
		s.SD = *e.SD
	}
	if e.SE == nil || e.DF == nil {
		s.N = 1 // no spread is known
		return s, true
	}
	s.SE, s.DF = *e.SE, *e.DF
	return s, true
}

// Spread says whether the standard error is known.
func (s Scale) Spread() bool { return s.N > 1 && s.DF > 0 }

// Still says that the values do not vary, or by no more than rounding.
func (s Scale) Still() bool { return s.Spread() && stats.IsRounding(s.SE, s.Size) }

// withPilot takes the larger of the pilot's standard deviation and that of all
// values, with the pilot's degrees of freedom. The pilot's alone is exact of
// normal values (Stein 1945) and too small where the values are skewed, or where
// a slow mode did not occur in the pilot; the larger one never covers less.
func (s Scale) withPilot(pilot Scale) Scale {
	if !pilot.Spread() || !s.Spread() {
		return s
	}
	s.SD = max(s.SD, pilot.SD)
	s.SE, s.DF = s.SD/math.Sqrt(float64(s.N)), pilot.DF
	return s
}

// Minus is the difference of two independent estimates; the degrees of freedom of
// its standard error are Satterthwaite's.
func (s Scale) Minus(other Scale) Scale {
	d := Scale{N: min(s.N, other.N), Value: s.Value - other.Value, Size: max(s.Size, other.Size)}
	if !s.Spread() || !other.Spread() {
		d.N = min(d.N, 1)
		return d
	}
	v := stats.SumOfVariances(stats.VarianceOf(s.SE, s.DF), stats.VarianceOf(other.SE, other.DF))
	d.SE, d.DF = v.SE(), v.DF
	return d
}

// Known is the estimate without what it was made of, which is all that Fieller
// needs to know of it.
func (s Scale) Known() stats.Known { return stats.Known{Value: s.Value, SE: s.SE, DF: s.DF} }

// Estimate is the estimate with its interval at a level, and the two-sided test.
// Values that do not vary have an interval of no width where so many alike values
// make one by order statistics: n of them cover the median with 1 - 2/2^n.
func (s Scale) Estimate(level float64) (*Estimate, string) {
	return s.reported(level, stats.TwoSided, itself)
}

// Ratio is the estimate of the ratio, of a scale that is one of logarithms.
func (s Scale) Ratio(level float64) (*Estimate, string) {
	return s.reported(level, stats.TwoSided, math.Exp)
}

func itself(v float64) float64 { return v }

// reported is the estimate on the scale that readers see. The interval is
// two-sided whatever the alternative of the test.
func (s Scale) reported(level float64, alt stats.Alternative, on func(float64) float64) (*Estimate, string) {
	e := &Estimate{N: s.N, Value: on(s.Value)}
	if !stats.Finite(e.Value, s.SE, s.SD) {
		return nil, overflow
	}
	if !s.Spread() {
		e.NoInterval = OnePair
		return e, ""
	}
	sd, se, df := s.SD, s.SE, s.DF
	e.SE, e.DF = &se, &df
	if s.SD > 0 || s.SE == 0 {
		e.SD = &sd
	}
	if s.Still() {
		if covers := 1 - AlikeP(s.N); !(covers >= level) {
			e.NoInterval = noVariation
			return e, ""
		}
		e.Interval = &Interval{e.Value, e.Value, level}
		return e, ""
	}
	i := s.Interval(level)
	e.Interval = &Interval{on(i.Low), on(i.High), level}
	if !stats.Finite(e.Interval.Low, e.Interval.High) {
		return nil, overflow
	}
	e.Test = s.test(alt, level)
	return e, ""
}

// Interval is the two-sided interval at a level, of what has a spread.
func (s Scale) Interval(level float64) Interval {
	i := stats.Studentised(s.Value, s.SE, s.DF, stats.TwoSided, level).Interval
	return Interval{i.Low, i.High, i.Level}
}

// test is the t test of 0; nil without spread. The level is of no matter to it.
func (s Scale) test(alt stats.Alternative, level float64) *Test {
	if !s.Spread() || s.Still() {
		return nil
	}
	t := stats.Studentised(s.Value, s.SE, s.DF, alt, level).Test
	if t == nil {
		return nil
	}
	x := &Test{T: t.T, DF: t.DF, P: max(t.P, math.SmallestNonzeroFloat64)}
	if alt != stats.TwoSided {
		x.Alternative = string(alt)
	}
	return x
}
