package stats

import "math"

// negligible is the largest relative standard error that rounding alone can cause;
// the limit is that of R's t.test.
const negligible = 10 * 0x1p-52

// IsRounding reports whether a standard error is no larger than rounding causes in
// values of this size.
func IsRounding(se, size float64) bool { return !(se > negligible*math.Abs(size)) }

// Studentised returns value ± t(df; level) se with the test of the value 0; a
// one-sided interval is unbounded on the other side. The arguments must be finite,
// se at least 0, df positive and the level inside (0, 1). The caller sets N and SD.
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
