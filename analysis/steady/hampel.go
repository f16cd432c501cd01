package steady

import (
	"math"
	"slices"
)

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
