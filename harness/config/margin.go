package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"moobench/harness/strict"
	"moobench/results"
)

// unitScale returns the factor that converts an amount from unit to the metric's unit, of. ok
// is false if the metric cannot have an amount in unit.
func unitScale(of, unit string) (scale float64, ok bool) {
	switch of {
	case "ns":
		ns, ok := strict.Nanoseconds(unit)
		return float64(ns), ok
	case "B":
		scale, ok = map[string]float64{
			"B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9,
			"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30,
		}[unit]
		return scale, ok
	}
	return 1, unit == ""
}

func marginHint(m *results.Metric) string {
	switch m.Unit {
	case "ns":
		return `such as "1%" or "5ns"; units: ` + strict.TimeUnits
	case "B":
		return `such as "1%" or "2kB"; units: B, kB, MB, GB, KiB, MiB, GiB`
	}
	return fmt.Sprintf(`such as "1%%", or a number of %s such as "2"`, m.Name)
}

// parseMargin reads a percentage such as "1%", or an amount in a unit that fits the metric's.
func parseMargin(s, unit string) (*results.Margin, error) {
	if strings.HasSuffix(strings.TrimSpace(s), "%") {
		share, err := strict.ParsePercent(s, 100)
		if err != nil {
			return nil, err
		}
		return &results.Margin{Share: share}, nil
	}
	number, suffix := strings.TrimSpace(s), ""
	if i := strings.IndexFunc(number, unicode.IsLetter); i >= 0 {
		number, suffix = strings.TrimSpace(number[:i]), number[i:]
	}
	x, err := strconv.ParseFloat(number, 64)
	scale, known := unitScale(unit, suffix)
	switch {
	case err != nil || math.IsInf(x*scale, 0):
		return nil, fmt.Errorf("%q is not an amount", s)
	case !known && suffix == "":
		return nil, fmt.Errorf("%q has no unit", s)
	case !known && unit == "1":
		return nil, fmt.Errorf("%q is not a plain number", s)
	case !known:
		return nil, fmt.Errorf("%q is not an amount of a metric in %s", s, unit)
	case x <= 0:
		return nil, errors.New("it must be more than 0")
	}
	return &results.Margin{Amount: x * scale}, nil
}
