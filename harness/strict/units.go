package strict

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
)

// TimeUnits are the units of a time.
const TimeUnits = "ns, us, ms, s, min, h"

// Nanoseconds returns the length of a unit of time in ns; ok is false if the unit is unknown.
func Nanoseconds(unit string) (ns int64, ok bool) {
	ns, ok = map[string]int64{
		"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6,
		"s": 1e9, "min": 60e9, "h": 3600e9,
	}[unit]
	return ns, ok
}

// quantity names a number with a unit for messages, and holds the hints for invalid values: a
// bare NUMBER, an unparsable string, and a value of another type.
type quantity struct{ want, bare, wrong, other string }

const bareTime = `write e.g. "NUMBERus"; units: ` + TimeUnits

// read reads a string with parse.
func read[T any](v Value, q quantity, parse func(string) (T, error)) (x T, ok bool) {
	switch raw := v.Raw.(type) {
	case int64, float64:
		v.Fail(strings.ReplaceAll(q.bare, "NUMBER", fmt.Sprint(raw)), "%s: %v has no unit", v.Name(), raw)
	case string:
		x, err := parse(raw)
		if err == nil {
			return x, true
		}
		v.Fail(q.wrong, "%s: %v", v.Name(), err)
	default:
		v.WrongType(q.other, q.want)
	}
	return x, false
}

// Duration reads a time with its unit.
func (v Value) Duration() (time.Duration, bool) {
	return read(v, quantity{"a time in quotes", bareTime, "units: " + TimeUnits, `such as "10us"`}, parseDuration)
}

// ExactTime reads a time in ns, and keeps digits below 1 ns.
func (v Value) ExactTime() (ns float64, ok bool) {
	const such = `such as "38984.74us"`
	return read(v, quantity{"a time in quotes", bareTime, such + "; units: " + TimeUnits, such}, ParseExactTime)
}

// Percent reads a share written as a percentage, such as "2%": more than 0 and at most most %.
func (v Value) Percent(most float64) (share float64, ok bool) {
	const such = `such as "2%"`
	parse := func(s string) (float64, error) { return ParsePercent(s, most) }
	return read(v, quantity{"a percentage in quotes", "a percentage in quotes, " + such, such, such}, parse)
}

// parseDuration parses times such as "10us", "10 µs", "1.5s", "2 min" and "1h30m".
func parseDuration(s string) (time.Duration, error) {
	compact := strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	if _, err := strconv.ParseFloat(compact, 64); err == nil {
		return 0, fmt.Errorf("%q has no unit", s)
	}
	d, err := time.ParseDuration(strings.ReplaceAll(compact, "min", "m"))
	if err != nil {
		return 0, fmt.Errorf("%q is not a time", s)
	}
	return d, nil
}

// ParseExactTime parses times such as "38984.74us" and "0.13 ms", in ns. Unlike a
// time.Duration, the result is not rounded to whole ns.
func ParseExactTime(s string) (float64, error) {
	compact := strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	number := strings.TrimRight(compact, "abcdefghijklmnopqrstuvwxyzµμ")
	if number == compact {
		return 0, fmt.Errorf("%q has no unit", s)
	}
	scale, known := Nanoseconds(compact[len(number):])
	x := new(big.Rat)
	ok := known && len(number) <= 30 && strings.Trim(number, "+0123456789.") == ""
	if ok {
		x, ok = x.SetString(number)
	}
	if !ok {
		return 0, fmt.Errorf("%q is not a time", s)
	}
	ns, _ := x.Mul(x, new(big.Rat).SetInt64(scale)).Float64()
	return ns, nil
}

// ParsePercent parses a percentage such as "2%" or "0.5 %" as a share: more than 0 and at most most %.
func ParsePercent(s string, most float64) (share float64, err error) {
	number, found := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case err != nil || math.IsNaN(x):
		return 0, fmt.Errorf("%q is not a percentage", s)
	case !found:
		return 0, fmt.Errorf("%q has no unit", s)
	case x <= 0 || x > most:
		return 0, fmt.Errorf("%q is out of range: more than 0 and at most %v %%", s, most)
	}
	return x / 100, nil
}
