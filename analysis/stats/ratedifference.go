package stats

import "math"

// RateDifference is the interval of the difference of two independent rates x - y
// from their own intervals at the same level (the method of variance estimates
// recovery): the distances of the bounds from their rates add up as squares do.
// The rates' bounds are not negative. Source: Zou and Donner 2008.
func RateDifference(x float64, ix Interval, y float64, iy Interval) (Interval, error) {
	d := Interval{
		Low:   x - y - math.Hypot(x-ix.Low, iy.High-y),
		High:  x - y + math.Hypot(ix.High-x, y-iy.Low),
		Level: ix.Level,
	}
	return d, finite(d.Low, d.High)
}
