package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"moobench/results"
)

// scales are the units that an amount may have, by the unit of its metric.
func scales(unit string) map[string]float64 {
	switch unit {
	case "ns":
		return map[string]float64{"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9}
	case "B":
		return map[string]float64{"B": 1, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
	}
	return map[string]float64{"": 1}
}

func marginHint(m *results.Metric) string {
	switch m.Unit {
	case "ns":
		return `such as "1%" or "5ns"; units: ` + units
	case "B":
		return `such as "1%" or "2kB"; units: B, kB, MB, GB, KiB, MiB, GiB`
	}
	return fmt.Sprintf(`such as "1%%", or a number of %s such as "2"`, m.Name)
}

// parseMargin reads "1%", or an amount in a unit that fits the metric's.
func parseMargin(s, unit string) (*results.Margin, error) {
	if strings.HasSuffix(strings.TrimSpace(s), "%") {
		share, err := parsePercent(s)
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
	scale, known := scales(unit)[suffix]
	switch {
	case err != nil || math.IsInf(x*scale, 0):
		return nil, fmt.Errorf("%q is no amount", s)
	case !known && suffix == "":
		return nil, fmt.Errorf("%q has no unit", s)
	case !known && unit == "1":
		return nil, fmt.Errorf("%q is no plain number", s)
	case !known:
		return nil, fmt.Errorf("%q is no amount of a metric in %s", s, unit)
	case x <= 0:
		return nil, errors.New("it must be more than 0")
	}
	return &results.Margin{Amount: x * scale}, nil
}
