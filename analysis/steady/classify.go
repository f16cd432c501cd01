// Package steady finds warm-up and steady state in one invocation's series of
// batch means: change points by PELT, and a guard against slow trends.
package steady

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Class is what an invocation does over time.
type Class string

const (
	Flat     Class = "flat"            // no segment differs from the last one
	Warmup   Class = "warmup"          // all segments that differ are slower
	Slowdown Class = "slowdown"        // a segment that differs is faster
	Unsteady Class = "no steady state" // a change late in the invocation, or a trend to its end
)

const (
	least = 50   // values
	delta = 0.01 // segments whose means differ by less, relative to the last one's, are alike
)

var (
	// errTooFew means that the series is too short to tell a class from.
	errTooFew = errors.New("too few batches to find a steady state in")
	// errValue means that a batch mean is negative, NaN or infinite.
	errValue = errors.New("a batch mean is negative or not finite")
)

// segment is a run of batches, [From, To), between two changes.
type segment struct {
	From, To int
	Mean     float64 // of the filtered batch means, in the series' unit
}

// Finding is the class of an invocation, and what it follows from.
type Finding struct {
	Class Class
	// From is the first batch of the steady part, which ends with the last
	// batch: 0 when flat; of an Unsteady invocation the second half's first.
	From     int
	segments []segment
}

// Classify tells the class of one invocation from the means of its batches,
// best 500 to 2,000 of equal size, in the order of time and in any unit.
//
// Segments come from PELT on the Hampel-filtered series. A segment differs when
// its mean is more than 1 % away from the last segment's; the steady part begins
// after the last one that differs, or after a tail of the warm-up that fades too
// slowly to differ: then From lies inside a segment. When it lies in the last
// quarter, or the guard sees a trend in the steady part, there is no steady state
// (Barrett et al. 2017 ask for the last 500 of 2,000 iterations to be at rest).
// The filtered values serve detection only: a mean of the steady part is to be
// taken from the samples themselves, since the collector's pauses are part of
// the cost.
//
// Fewer than 50 values are errTooFew; negative ones, NaN and infinities are
// errValue.
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
		case mean(y[tail:f.From]) < mean(y[f.From:]): // the contrary of a warm-up
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

// judge walks back from the last segment. A segment that differs and ends in
// the last quarter leaves too little to call steady.
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
	far   = 5 * 1.4826 // MADs; 1.4826 MAD is a standard deviation of normal values
)

// scale finds the unit to work in, which is the median (the largest value when
// the median is 0, 1 when all are 0), and the quantum: the smallest step between
// two values, at most the unit. Of a coarse clock that is its resolution; else
// it is next to 0.
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
		// What is below 1e-9 of the median is the rounding of a mean.
		if step := sorted[i] - sorted[i-1]; step > 1e-9*unit && (quantum == 0 || step < quantum) {
			quantum = step
		}
	}
	return unit, min(quantum, unit)
}

// relative is the series in multiples of unit. What lies above 1,000 of them
// counts as that: their squares would drown all others.
func relative(x []float64, unit float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = min(v/unit, 1000)
	}
	return y
}

// Filter is a series without its single spikes, as they are kept from the detection of
// changes; too short a one as it is.
func Filter(x []float64) []float64 {
	if len(x) == 0 {
		return nil
	}
	_, quantum := scale(x)
	return hampel(x, quantum)
}

// hampel replaces each value that lies more than 5 x 1.4826 MAD from the median
// of the 51 values around it by that median (Hampel 1974; Davies and Gather
// 1993): single spikes, such as collections, are not changes. At the ends the
// window is cut off.
//
// On a coarse clock most values of a window may be equal, and the MAD 0. It
// counts as half a quantum at least, since no value is known better.
//
// Values that are far off from the first one on stay: there is nothing before
// them that they could be spikes of, and the first batches of a JVM are slow.
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
	// Halves first: a sum could overflow.
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// spread is the MAD: the (lower) median of the distances from m. Sorted values
// become more distant from the middle outwards, so the next one is always at
// one of two ends.
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
