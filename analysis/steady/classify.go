// Package steady finds warm-up and steady state in one invocation's series of
// batch means: change points by PELT, and a guard against slow trends.
package steady

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Class is the course of an invocation.
type Class string

const (
	Flat     Class = "flat"            // no segment differs from the last
	Warmup   Class = "warmup"          // all differing segments are slower
	Slowdown Class = "slowdown"        // a differing segment is faster
	Unsteady Class = "no steady state" // a late change, or a trend to the end
)

const (
	least = 50   // least number of values
	delta = 0.01 // segments differ if their means differ by more than this share of the last one's
)

var (
	// errTooFew means that the series is too short to classify.
	errTooFew = errors.New("too few batches to find a steady state in")
	// errValue means that a batch mean is negative, NaN or infinite.
	errValue = errors.New("a batch mean is negative or not finite")
)

// segment is a run of batches, [From, To), between two change points.
type segment struct {
	From, To int
	Mean     float64 // of the filtered batch means, in the series' unit
}

// Finding is the class of an invocation, with its segments.
type Finding struct {
	Class Class
	// From is the first batch of the steady part, which extends to the last batch: 0 if flat; for
	// an Unsteady invocation the start of the second half.
	From     int
	segments []segment
}

// Classify classifies one invocation by the means of its batches, ideally 500 to 2,000 of equal
// size, in order of time and in any unit.
//
// Segments come from PELT on the Hampel-filtered series. A segment differs if its mean is more than
// 1 % away from the last segment's; the steady part begins after the last one that differs, or
// after a tail of the warm-up that fades too slowly to differ: then From lies inside a segment. If
// it begins in the last quarter, or the guard sees a trend in the steady part, there is no steady
// state (Barrett et al. 2017 require the last 500 of 2,000 iterations to be steady). The filtered
// values are only for detection: compute means of the steady part from the samples themselves,
// because the collector's pauses are part of the cost.
//
// Fewer than 50 values return errTooFew; negative values, NaN and infinities return errValue.
func Classify(x []float64) (Finding, error) {
	if len(x) < least {
		return Finding{}, fmt.Errorf("%w: %d, and %d are needed", errTooFew, len(x), least)
	}
	for i, v := range x {
		if !(v >= 0) || math.IsInf(v, 1) {
			return Finding{}, fmt.Errorf("%w: batch %d is %v", errValue, i, v)
		}
	}
	n := len(x)
	unit, quantum := scale(x)
	filtered := hampel(x, quantum)
	y := relative(filtered, unit)
	var f Finding
	c, from := newCost(y, quantum/unit), 0
	changes, total := c.pelt(15 * math.Log(float64(n)))
	for _, to := range append(changes, n) {
		f.segments = append(f.segments, segment{From: from, To: to, Mean: mean(filtered[from:to])})
		from = to
	}
	f.Class, f.From = judge(f.segments)
	if tail := f.From; f.Class != Unsteady {
		f.From = pastTail(y, tail)
		switch {
		case f.From == tail:
		case mean(y[tail:f.From]) < mean(y[f.From:]): // the opposite of a warm-up
			f.Class = Slowdown
		case f.Class == Flat:
			f.Class = Warmup
		}
	}
	if f.Class != Unsteady && c.leans(y, f.From, total) {
		f.Class = Unsteady
	}
	if f.Class == Unsteady {
		f.From = n / 2
	}
	return f, nil
}

// judge finds the last segment that differs. If it ends in the last quarter, too little is left to
// call steady.
func judge(all []segment) (Class, int) {
	last := all[len(all)-1]
	class, from := Flat, 0
	for _, s := range all {
		if math.Abs(s.Mean-last.Mean) <= delta*last.Mean {
			continue
		}
		from = s.To
		if s.Mean < last.Mean {
			class = Slowdown
		} else if class == Flat {
			class = Warmup
		}
	}
	if 4*from > 3*last.To {
		return Unsteady, from
	}
	return class, from
}

const (
	reach = 25         // values on each side: a window of 51
	far   = 5 * 1.4826 // MADs; 1.4826 MAD estimates the standard deviation of normal values
)

// scale returns the working unit, which is the median (the largest value if the median is 0, 1 if
// all are 0), and the quantum: the smallest step between two values, at most the unit. For a coarse
// clock that is its resolution; otherwise it is nearly 0.
func scale(x []float64) (unit, quantum float64) {
	sorted := slices.Sorted(slices.Values(x))
	unit = middle(sorted)
	if top := sorted[len(sorted)-1]; unit == 0 {
		unit = top
	}
	if unit == 0 {
		return 1, 0
	}
	for i := 1; i < len(sorted); i++ {
		// Steps below 1e-9 of the median are rounding of a mean.
		if step := sorted[i] - sorted[i-1]; step > 1e-9*unit && (quantum == 0 || step < quantum) {
			quantum = step
		}
	}
	return unit, min(quantum, unit)
}

// relative returns the series in multiples of unit. Values are capped at 1,000 units: their squares
// would dominate all others.
func relative(x []float64, unit float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = min(v/unit, 1000)
	}
	return y
}

// Filter returns a series without single spikes, as used for change detection; nil if it is empty.
func Filter(x []float64) []float64 {
	if len(x) == 0 {
		return nil
	}
	_, quantum := scale(x)
	return hampel(x, quantum)
}

// hampel replaces each value more than 5 x 1.4826 MAD from the median of the 51 values around it by
// that median (Hampel 1974; Davies and Gather 1993): single spikes, such as collections, are not
// changes. At the ends the window is truncated.
//
// On a coarse clock most values of a window may be equal, and the MAD 0. It counts as at least half
// a quantum, because no value is known more precisely.
//
// Outliers in an unbroken run from the first value on stay: nothing before them makes them spikes,
// and the first batches of a JVM are slow.
func hampel(x []float64, quantum float64) []float64 {
	y := slices.Clone(x)
	w := slices.Sorted(slices.Values(x[:min(reach, len(x))]))
	beginning := true
	for i, v := range x {
		if i+reach < len(x) {
			at, _ := slices.BinarySearch(w, x[i+reach])
			w = slices.Insert(w, at, x[i+reach])
		}
		if i > reach {
			at, _ := slices.BinarySearch(w, x[i-reach-1])
			w = slices.Delete(w, at, at+1)
		}
		m := middle(w)
		spike := math.Abs(v-m) > far*max(spread(w, m), quantum/2)
		beginning = beginning && spike
		if spike && !beginning {
			y[i] = m
		}
	}
	return y
}

// middle is the median of sorted values.
func middle(sorted []float64) float64 {
	n := len(sorted)
	// Halve first: a sum could overflow.
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// spread is the MAD: the (lower) median of the distances from m. In sorted values, distances grow
// outwards from m, so the next smallest is always at one of two ends.
func spread(sorted []float64, m float64) float64 {
	right, _ := slices.BinarySearch(sorted, m)
	left := right - 1
	var d float64
	for range (len(sorted) + 1) / 2 {
		if right >= len(sorted) || left >= 0 && m-sorted[left] <= sorted[right]-m {
			d = m - sorted[left]
			left--
		} else {
			d = sorted[right] - m
			right++
		}
	}
	return d
}
