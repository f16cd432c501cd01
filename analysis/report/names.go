package report

import (
	"strconv"
	"strings"
	"unicode"

	"moobench/results"
)

// oneLine is a text on one line, of signs that print.
func oneLine(s string) string { return Clean(strings.Join(strings.Fields(s), " ")) }

// slug is a text as names of other tools may be: small letters, digits, and
// single hyphens between them.
func slug(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

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
	return slug(strings.ReplaceAll(unit, "/", "-per-"))
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
