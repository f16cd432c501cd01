package report

import (
	"strconv"
	"strings"

	"moobench/analysis/report/doc"
	"moobench/results"
)

// unitSlug is a unit as part of a slug, "" of a bare number.
func unitSlug(unit string) string {
	switch unit {
	case "1", "":
		return ""
	case "B":
		return "bytes"
	case "%":
		return "percent"
	case "1/s":
		return "per-second"
	}
	return doc.Slug(strings.ReplaceAll(unit, "/", "-per-"))
}

// bareName is a metric's name without the unit that it may end with.
func bareName(m results.Metric) string {
	for unit, end := range map[string]string{"ns": "_ns", "B": "_bytes", "%": "_percent"} {
		if bare := strings.TrimSuffix(m.Name, end); m.Unit == unit && bare != "" {
			return bare
		}
	}
	return m.Name
}

// distinct gives texts that would be the same a number behind them, from 2 on.
type distinct map[string]bool

func (d distinct) name(s, separator string) string {
	name := s
	for i := 2; d[name]; i++ {
		name = s + separator + strconv.Itoa(i)
	}
	d[name] = true
	return name
}
