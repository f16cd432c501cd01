// Package plot draws SVG: axes, and on them lines, bands, intervals, dots, boxes and bars. The same description
// becomes the options of an interactive chart. The style sheet determines the look of a mark by its class.
package plot

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// Axis maps values to places. The numbers at its ticks are divided by Factor, which gives the unit that Title
// names.
type Axis struct {
	Title     string
	Low, High float64 // values at the ends
	Step      float64 // between the ticks of a linear axis
	Log       bool
	Factor    float64 // of the printed unit; 0 is 1
	// Text formats a tick; nil: as a number.
	Text func(v float64) string
	// Labels is the way in which an interactive chart formats ticks that are no plain numbers, by the name of a
	// function of the page's script: "quantity ns", "share", or "ratio" of logarithms.
	Labels string
	// Names label the whole values from 0 on, the only ones: nights.
	Names []string
	// Whole says that values are whole numbers: an interactive chart has no ticks between.
	Whole bool
	// Values are the ticks, if they are not to be round ones.
	Values []float64

	from, to float64 // places
}

// SpansDecades reports whether all values are positive, and span more than so many powers of ten.
func SpansDecades(vs []float64, decades float64) bool {
	low := slices.Min(vs)
	return low > 0 && math.Log10(slices.Max(vs))-math.Log10(low) > decades
}

// NewAxis spans all values. A linear axis includes 0, and its ends lie on ticks.
func NewAxis(vs []float64, log bool) Axis {
	a := Axis{Low: slices.Min(vs), High: slices.Max(vs), Log: log}
	if log {
		a.Low, a.High = a.Low/1.3, min(a.High*1.3, math.MaxFloat64)
		return a
	}
	a.Low, a.High = min(0, a.Low), max(0, a.High)
	if a.High-a.Low < leastSpan {
		a.High = a.Low + 1
	}
	a.Step = niceStep(a.High - a.Low)
	a.Low, a.High = math.Floor(a.Low/a.Step)*a.Step, math.Ceil(a.High/a.Step)*a.Step
	return a
}

// leastSpan is the least span of an axis: a fifth of less has no logarithm, or no exact one, and so no round
// step.
const leastSpan = 1e-300

// CloseAxis ends at the least and the largest value, and has at least this span.
func CloseAxis(vs []float64, least float64) Axis {
	low, high := 0.0, 0.0
	infinite := func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }
	if finite := slices.DeleteFunc(slices.Clone(vs), infinite); len(finite) > 0 {
		low, high = slices.Min(finite), slices.Max(finite)
	}
	if lack := least - (high - low); lack > 0 {
		low, high = low-lack/2, high+lack/2
	}
	if high-low < leastSpan {
		room := max(1, math.Abs(low)/100)
		low, high = low-room, high+room
	}
	return Axis{Low: low, High: high, Step: niceStep(high - low)}
}

// At is the position of a value on the axis, from 0 to 1; values outside are at its ends.
func (a *Axis) At(v float64) float64 {
	low, high := a.Low, a.High
	if math.IsNaN(v) {
		v = low
	}
	v = max(low, min(high, v))
	if a.Log {
		low, high, v = math.Log10(low), math.Log10(high), math.Log10(v)
	}
	return (v - low) / (high - low)
}

// place is the position of a value in the drawing.
func (a *Axis) place(v float64) float64 { return a.from + (a.to-a.from)*a.At(v) }

// between gives the axis its place in a drawing.
func (a Axis) between(from, to float64) Axis {
	a.from, a.to = from, to
	return a
}

// ticks are a handful of round values; on a logarithmic axis powers of ten, and 2 and 5 times these if there
// are few.
func (a *Axis) ticks() []float64 {
	if a.Values != nil {
		return a.Values
	}
	var all []float64
	if !a.Log {
		for i := range 12 {
			v := (math.Ceil(a.Low/a.Step-1e-9) + float64(i)) * a.Step
			if v <= a.High+a.Step*1e-9 && math.Abs(v) <= math.MaxFloat64 {
				all = append(all, v)
			}
		}
		return all
	}
	first, last := math.Floor(math.Log10(a.Low)), math.Ceil(math.Log10(a.High))
	few := math.Log10(a.High)-math.Log10(a.Low) < 3.5
	every := max(1, math.Round((last-first)/7))
	for e := first; e <= last; e += every {
		for _, k := range []float64{1, 2, 5} {
			v := k * math.Pow(10, e)
			if v >= a.Low && v <= a.High && (k == 1 || few) {
				all = append(all, v)
			}
		}
	}
	return all
}

// text is the label of a tick.
func (a *Axis) text(v float64) string {
	switch {
	case a.Text != nil:
		return a.Text(v)
	case a.Names != nil:
		return a.Names[int(v)]
	}
	return Number(v / cmp.Or(a.Factor, 1))
}

// Number formats a round number at a tick.
func Number(v float64) string {
	if math.Abs(v) >= 1e9 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	return strconv.FormatFloat(math.Round(v*1e6)/1e6, 'f', -1, 64)
}

// niceStep is 1, 2 or 5 times a power of ten, for about five steps.
func niceStep(span float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(span/5)))
	for _, k := range []float64{1, 2, 5} {
		if span/(k*p) <= 6 {
			return k * p
		}
	}
	return 10 * p
}
