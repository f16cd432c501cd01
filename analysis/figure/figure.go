// Package figure formats quantities for people: four significant digits, scaled units, and shares
// that read 0 % or 100 % only if exact.
package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Scale is a unit for a set of values: a value divided by Factor is in Unit.
type Scale struct {
	Factor   float64
	Unit     string
	decimals int
}

const (
	// most is the largest number of decimals; smaller values get an exponent.
	most = 6
	// huge is the least value that gets an exponent.
	huge = 1e15
)

// unknown replaces NaN and Inf in all figures.
const unknown = "–"

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// larger lists the larger scales of a unit, by rising factor.
var larger = map[string][]Scale{
	"ns": {{1e3, "µs", 0}, {1e6, "ms", 0}, {1e9, "s", 0}},
	"B":  {{1 << 10, "KiB", 0}, {1 << 20, "MiB", 0}, {1 << 30, "GiB", 0}},
}

// Fit chooses the unit and the decimals in which the largest value has four significant digits. If
// all are zero, there are no decimals: 0 ns.
func Fit(unit string, values ...float64) Scale {
	top := 0.0
	for _, v := range values {
		if finite(v) {
			top = max(top, math.Abs(v))
		}
	}
	at := Scale{Factor: 1, Unit: unit}
	if unit == "1" {
		at.Unit = ""
	}
	for _, s := range larger[unit] {
		if top/s.Factor >= 0.99995 {
			at = s
		}
	}
	scaled, decimals := top/at.Factor, 0
	if scaled > 0 {
		decimals = max(0, 3-int(math.Floor(math.Log10(scaled)*(1+1e-15))))
	}
	// Rounding may have added a digit: 9.9999 would become 10.000; make it 10.00.
	if p := math.Pow10(decimals); decimals > 0 && decimals <= most+1 && math.Round(scaled*p)/p >= math.Pow10(4-decimals) {
		decimals--
	}
	at.decimals = decimals
	return at
}

// Coarser returns the scale with fewer significant digits.
func (s Scale) Coarser(digits int) Scale {
	s.decimals = max(0, s.decimals-digits)
	return s
}

// Number formats the value in the scale, without its unit.
func (s Scale) Number(v float64) string {
	if !finite(v) {
		return unknown
	}
	if s.decimals > most && v != 0 || math.Abs(v/s.Factor) >= huge {
		return minus(strconv.FormatFloat(v/s.Factor, 'e', 3, 64))
	}
	text := strconv.FormatFloat(v/s.Factor, 'f', min(s.decimals, most), 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return minus(text)
}

// Up formats an upper bound in the scale, rounded up so that it remains a bound.
func (s Scale) Up(v float64) string { return s.Number(s.rounded(v, math.Ceil)) }

// Down formats a lower bound in the scale, rounded down.
func (s Scale) Down(v float64) string { return s.Number(s.rounded(v, math.Floor)) }

// rounded rounds the last decimal of a value in one direction. A value that is exact up to
// floating-point error stays.
func (s Scale) rounded(v float64, to func(float64) float64) float64 {
	p := math.Pow10(min(s.decimals, most)) / s.Factor
	if whole := math.Round(v * p); !finite(v*p) || math.Abs(whole-v*p) <= 1e-9*math.Abs(whole) {
		return v
	}
	return to(v*p) / p
}

// Signed is Number with a sign, plus included.
func (s Scale) Signed(v float64) string {
	n := s.Number(v)
	if strings.HasPrefix(n, "−") || strings.Trim(n, "0.") == "" || n == unknown {
		return n
	}
	return "+" + n
}

// WithUnit appends the unit to a number.
func (s Scale) WithUnit(number string) string {
	return strings.TrimSuffix(number+" "+s.Unit, " ")
}

// Quantity formats a value with its unit: 2.072 µs.
func Quantity(v float64, unit string) string {
	s := Fit(unit, v)
	return s.WithUnit(s.Number(v))
}

// Exactly formats a value that was chosen, not measured, with its unit, without trailing zeros,
// which would suggest precision: 2 µs.
func Exactly(v float64, unit string) string {
	s := Fit(unit, v)
	number := s.Number(v)
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	return s.WithUnit(number)
}

// Range formats an interval with its unit: 1.981 … 2.052 µs.
func Range(low, high float64, unit string) string {
	s := Fit(unit, low, high)
	return s.WithUnit(s.Number(low) + " … " + s.Number(high))
}

// Percent formats a fraction in per cent, to two significant digits or whole: 0.4 %, 1.7 %, 12 %,
// 158,862 %.
func Percent(fraction float64) string {
	p := 100 * fraction
	switch a := math.Abs(p); {
	case !finite(p):
		return unknown
	case a >= huge:
		return minus(strconv.FormatFloat(p, 'e', 1, 64)) + " %"
	case a == 0:
		return "0 %"
	case a < 0.001:
		return "< 0.001 %"
	case a < 0.0995:
		return minus(strconv.FormatFloat(p, 'g', 1, 64)) + " %"
	case a < 9.95:
		return minus(strconv.FormatFloat(p, 'f', 1, 64)) + " %"
	case a >= 10_000:
		return Count(int64(math.Round(p))) + " %"
	}
	return minus(strconv.FormatFloat(p, 'f', 0, 64)) + " %"
}

// SignedPercent is Percent with a sign, plus included.
func SignedPercent(fraction float64) string {
	if fraction > 0 {
		return "+" + Percent(fraction)
	}
	return Percent(fraction)
}

// minus replaces a leading hyphen by a minus sign; an exponent keeps its hyphen.
func minus(s string) string {
	if rest, negative := strings.CutPrefix(s, "-"); negative {
		return "−" + rest
	}
	return s
}

// Share formats part of whole in per cent. It says 100 % only if nothing is missing, and 0 % only
// if everything is.
func Share(part, whole int64) string {
	p := 100 * float64(part) / float64(whole)
	switch {
	case whole <= 0:
		return unknown
	case part == whole:
		return "100 %"
	case part < whole && p >= 99.99:
		return "> 99.99 %"
	case part > 0 && p < 0.01:
		return "< 0.01 %"
	case p >= 99 && p < 101:
		return strconv.FormatFloat(math.Floor(p*100)/100, 'f', 2, 64) + " %"
	case p == 0:
		return "0 %"
	case p < 1:
		return strconv.FormatFloat(p, 'f', 2, 64) + " %"
	}
	return strconv.FormatFloat(p, 'f', 1, 64) + " %"
}

// Ratio formats a factor: 36.94.
func Ratio(r float64) string {
	return Fit("", r).Number(r)
}

// P formats a p value: p = 0.031, p = 3.1e-12; below 1e-300 as p < 1e-300, never 0.
func P(p float64) string {
	switch {
	case !finite(p):
		return "p = " + unknown
	case p < 1e-300:
		return "p < 1e-300"
	case p < 0.001:
		return "p = " + strconv.FormatFloat(p, 'e', 1, 64)
	}
	return "p = " + strconv.FormatFloat(p, 'f', 3, 64)
}

// Count formats a count with thousands separators: 2,000,000.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return minus(s)
}

// Level formats a confidence level in per cent: 95 %, 98.75 %.
func Level(level float64) string {
	p := math.Round(level*1e4) / 100
	switch {
	case !finite(p):
		return unknown
	case p >= 100 && level < 1:
		return "> 99.99 %"
	}
	return strconv.FormatFloat(p, 'f', -1, 64) + " %"
}

// Plural formats a count with its noun: 1 pair, 3 pairs.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%s %s", Count(int64(n)), many)
}

// Roughly formats a duration in everyday precision.
func Roughly(d time.Duration) string {
	switch {
	case d < 90*time.Second:
		return fmt.Sprintf("%.0f s", math.Ceil(d.Seconds()))
	case d < 90*time.Minute:
		return fmt.Sprintf("%.0f min", math.Ceil(d.Minutes()))
	}
	return fmt.Sprintf("%d h %02d min", int(d.Hours()), int(d.Minutes())%60)
}
