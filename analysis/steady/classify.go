// Package steady finds warm-up and steady state in one invocation's series of
// batch means: change points by PELT, and a guard against slow trends.
package steady

import (
	"errors"
	"fmt"
	"math"
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
