package stats

import "math"

// negligible is the standard error, relative to the value, that rounding alone
// can make; the limit is that of R's t.test.
const negligible = 10 * 0x1p-52

// IsRounding says whether a standard error is no more than rounding makes of
// values of a size.
func IsRounding(se, size float64) bool { return !(se > negligible*math.Abs(size)) }

// Studentised is value ± t(df; level) se with the test of the value 0; one-sided
// ones leave out one bound. The arguments must be finite, se at least 0, df
// positive and the level inside (0, 1). N and SD are left to the caller.
func Studentised(value, se, df float64, alt Alternative, level float64) Estimate {
	h := TQuantile(alt.tail(level), df) * se
	if se == 0 {
		h = 0
	}
	e := Estimate{Value: value, SE: se, DF: df, Interval: Interval{value - h, value + h, level}}
	switch alt {
	case Less:
		e.Interval.Low = math.Inf(-1)
	case Greater:
		e.Interval.High = math.Inf(1)
	}
	if t := value / se; !IsRounding(se, value) && !math.IsInf(t, 0) {
		e.Test = &Test{T: t, DF: df, P: alt.p(TTail(-t, df), TTail(t, df))}
	}
	return e
}
