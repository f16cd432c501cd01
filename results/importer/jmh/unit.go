package jmh

import (
	"strings"

	"moobench/results"
)

// nanoseconds of JMH's units of time, by the names that it prints.
var nanoseconds = map[string]float64{
	"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "hr": 3600e9, "day": 86400e9,
}

// quantity is the meaning of a score: multiplied by factor it is in unit.
type quantity struct {
	unit   string
	factor float64
	better results.Better
}

// quantityOf parses the unit of a score. Times of an operation become ns, rates operations
// per second; a unit that is not JMH's own is kept as it is.
func quantityOf(unit string) quantity {
	unit = strings.TrimSpace(unit)
	over, under, isRatio := strings.Cut(unit, "/")
	switch ns := nanoseconds[over]; {
	case isRatio && under == "op" && ns > 0:
		return quantity{"ns", ns, results.Lower}
	case isRatio && over == "ops" && nanoseconds[under] > 0:
		return quantity{"ops/s", 1e9 / nanoseconds[under], results.Higher}
	case unit == "B/op":
		return quantity{"B", 1, results.Lower}
	case !isRatio && ns > 0:
		return quantity{"ns", ns, results.Lower}
	case unit == "counts" || unit == "#" || unit == "#/op" || unit == "":
		return quantity{"1", 1, results.Neither}
	}
	return quantity{unit, 1, results.Neither}
}
