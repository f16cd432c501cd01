package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/harness/suggest"
	"moobench/results"
)

const maxInt = math.MaxInt64

// Limits of an invocation's timeout, and of a scenario's time.
const (
	minSpan = time.Second
	maxSpan = 30 * 24 * time.Hour
)

// units is what stands behind a time.
const units = "ns, us, ms, s, min, h"

func (r *reader) integer(v any, path []any, least, most int64) int64 {
	n, ok := v.(int64)
	switch hint := ""; {
	case !ok:
		if s, quoted := v.(string); quoted {
			if n, err := strconv.ParseInt(s, 10, 64); err == nil {
				hint = fmt.Sprintf("without quotes: %d", n)
			}
		}
		if x, number := v.(float64); number && x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			hint = fmt.Sprintf("write %d", int64(x))
		}
		r.wrongType(path, hint, "an integer", v)
	case n < least && most == maxInt:
		r.fail(path, fmt.Sprintf("at least %d", least), "%s: %d is too small", nameOf(path), n)
	case n < least || n > most:
		r.fail(path, fmt.Sprintf("%d to %d", least, most), "%s: %d is out of range", nameOf(path), n)
	default:
		return n
	}
	return least
}

// span is a time that something may take.
func (r *reader) span(v any, path []any) time.Duration {
	d, ok := r.duration(v, path)
	if ok && (d < minSpan || d > maxSpan) {
		r.fail(path, `from "1s" to "720h"`, "%s: %s is out of range", nameOf(path), d)
	}
	return d
}

// duration is a time with its unit.
func (r *reader) duration(v any, path []any) (time.Duration, bool) {
	switch v := v.(type) {
	case int64, float64:
		r.fail(path, fmt.Sprintf(`write e.g. "%vus"; units: %s`, v, units), "%s: %v has no unit", nameOf(path), v)
	case string:
		d, err := parseDuration(v)
		if err == nil {
			return d, true
		}
		r.fail(path, "units: "+units, "%s: %v", nameOf(path), err)
	default:
		r.wrongType(path, `such as "10us"`, "a time in quotes", v)
	}
	return 0, false
}

// parseDuration reads "10us", "10 µs", "1.5s", "2 min" and "1h30m".
func parseDuration(s string) (time.Duration, error) {
	compact := strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	if _, err := strconv.ParseFloat(compact, 64); err == nil {
		return 0, fmt.Errorf("%q has no unit", s)
	}
	d, err := time.ParseDuration(strings.ReplaceAll(compact, "min", "m"))
	if err != nil {
		return 0, fmt.Errorf("%q is no time", s)
	}
	return d, nil
}

// boolean is true or false.
func (r *reader) boolean(v any, path []any) bool {
	b, ok := v.(bool)
	if !ok {
		r.wrongType(path, "without quotes", "true or false", v)
	}
	return b
}

// oneOf is one of the allowed words.
func oneOf[S ~string](r *reader, v any, path []any, allowed []S) S {
	s := r.text(v, path)
	if s == "" || slices.Contains(allowed, S(s)) {
		return S(s)
	}
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	r.fail(path, suggest.Hint(s, names), "%s: unknown value %q", nameOf(path), s)
	return ""
}

// percent is a share between 0 and 1 that stands as a percentage, "2%".
func (r *reader) percent(v any, path []any) float64 { return r.percentUpTo(v, path, 100) }

// percentUpTo is a share that stands as a percentage of at most so many per cent.
func (r *reader) percentUpTo(v any, path []any, most float64) float64 {
	switch v := v.(type) {
	case int64, float64:
		r.fail(path, `a percentage in quotes, such as "2%"`, "%s: %v has no unit", nameOf(path), v)
	case string:
		share, err := parsePercentUpTo(v, most)
		if err == nil {
			return share
		}
		r.fail(path, `such as "2%"`, "%s: %v", nameOf(path), err)
	default:
		r.wrongType(path, `such as "2%"`, "a percentage in quotes", v)
	}
	return 0
}

// parsePercent reads "2%" and "0.5 %": more than 0, at most 100 %.
func parsePercent(s string) (float64, error) { return parsePercentUpTo(s, 100) }

// parsePercentUpTo is parsePercent with another end, in per cent.
func parsePercentUpTo(s string, most float64) (float64, error) {
	number, found := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	switch {
	case err != nil || math.IsNaN(x):
		return 0, fmt.Errorf("%q is no percentage", s)
	case !found:
		return 0, fmt.Errorf("%q has no unit", s)
	case x <= 0 || x > most:
		return 0, fmt.Errorf("%q is out of range: more than 0 and at most %v %%", s, most)
	}
	return x / 100, nil
}

// parameter reads the value or, for a factor, the values of a scenario's
// parameter in canonical form.
func (r *reader) parameter(p results.Parameter, v any, path []any) []string {
	list, several := v.([]any)
	if !several {
		return []string{r.canonical(p, v, path)}
	}
	if !p.Factor {
		r.fail(path, "only factors cross into cells", "%s takes one value, not a list", p.Name)
		return nil
	}
	var all []string
	for i, e := range list {
		all = append(all, r.canonical(p, e, under(path, i)))
	}
	r.distinct(v, all, path)
	return all
}

// canonical is one value as text, or "" when it is wrong.
func (r *reader) canonical(p results.Parameter, v any, path []any) string {
	before := len(r.errs)
	s := ""
	switch p.Type {
	case results.TypeInt:
		s = strconv.FormatInt(r.integer(v, path, p.Min, maxInt), 10)
	case results.TypeDuration:
		d, ok := r.duration(v, path)
		if ok && int64(d) < p.Min {
			r.fail(path, fmt.Sprintf("at least %s", time.Duration(p.Min)), "%s: %s is too short", nameOf(path), d)
		}
		s = strconv.FormatInt(int64(d), 10)
	case results.TypeBool:
		s = strconv.FormatBool(r.boolean(v, path))
	case results.TypeOptions:
		s = r.options(v, path)
	default:
		s = r.text(v, path)
		if p.Type == results.TypeEnum && s != "" && !slices.Contains(p.Values, s) {
			r.fail(path, suggest.Hint(s, p.Values), "%s: unknown value %q", nameOf(path), s)
		}
	}
	if len(r.errs) > before {
		return ""
	}
	return s
}

// defaultOf is a parameter's default in canonical form.
func (r *reader) defaultOf(p results.Parameter, path []any) string {
	var v any = p.Default
	switch p.Type {
	case results.TypeInt:
		if n, err := strconv.ParseInt(strings.ReplaceAll(p.Default, "_", ""), 10, 64); err == nil {
			v = n
		}
	case results.TypeBool:
		if b, err := strconv.ParseBool(p.Default); err == nil {
			v = b
		}
	}
	return r.canonical(p, v, under(path, p.Name))
}
