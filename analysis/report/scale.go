package report

import (
	"math"
	"slices"
)

// scale maps values to places on an axis.
type scale struct {
	low, high, step float64 // values at the ends; between ticks of a linear one
	from, to        float64 // places
	log             bool
}

// spansDecades says whether all values are positive and the largest is more
// than so many powers of ten above the smallest.
func spansDecades(vs []float64, decades float64) bool {
	low := slices.Min(vs)
	return low > 0 && math.Log10(slices.Max(vs))-math.Log10(low) > decades
}

// newScale holds all values, and 0 where it is linear.
func newScale(vs []float64, log bool, from, to float64) scale {
	s := scale{low: slices.Min(vs), high: slices.Max(vs), from: from, to: to, log: log}
	if log {
		s.low, s.high = s.low/1.3, min(s.high*1.3, math.MaxFloat64)
		return s
	}
	s.low, s.high = min(0, s.low), max(0, s.high)
	if s.low == s.high {
		s.high = 1
	}
	s.step = niceStep(s.high - s.low)
	s.low, s.high = math.Floor(s.low/s.step)*s.step, math.Ceil(s.high/s.step)*s.step
	return s
}

// at is the place of a value; what lies outside is at the edge.
func (s scale) at(v float64) float64 {
	low, high := s.low, s.high
	v = max(low, min(high, v))
	if s.log {
		low, high, v = math.Log10(low), math.Log10(high), math.Log10(v)
	}
	return s.from + (s.to-s.from)*(v-low)/(high-low)
}

// ticks are a handful of round values: powers of ten, and 2 and 5 times these
// where there are few.
func (s scale) ticks() []float64 {
	var all []float64
	if !s.log {
		for i := range 12 {
			if v := s.low + float64(i)*s.step; v <= s.high+s.step/2 && math.Abs(v) <= math.MaxFloat64 {
				all = append(all, v)
			}
		}
		return all
	}
	first, last := math.Floor(math.Log10(s.low)), math.Ceil(math.Log10(s.high))
	few := math.Log10(s.high)-math.Log10(s.low) < 3.5
	every := math.Max(1, math.Round((last-first)/7))
	for e := first; e <= last; e += every {
		for _, k := range []float64{1, 2, 5} {
			v := k * math.Pow(10, e)
			if v >= s.low && v <= s.high && (k == 1 || few) {
				all = append(all, v)
			}
		}
	}
	return all
}

// remark says when an axis is logarithmic.
func (s scale) remark() string {
	if s.log {
		return " (log)"
	}
	return ""
}
