package config

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"moobench/harness/suggest"
	"moobench/results"
)

// publishedTimes are the keys of a paper's figures, as they are printed.
var publishedTimes = []string{"mean", "median", "sd", "min", "max", "ci95"}

func (r *reader) publishedAll(v any, at []any) []results.Published {
	if _, single := v.(map[string]any); single {
		r.fail(at, "write [[published]]", "[published] is one table, a campaign has a list of them")
		return nil
	}
	var all []results.Published
	for i, raw := range r.list(v, at) {
		all = append(all, r.published(raw, under(at, i)))
	}
	return all
}

// published reads one [[published]]. Whether its variant exists is for those to
// say who know the variants.
func (r *reader) published(v any, path []any) results.Published {
	var p results.Published
	values := map[string]results.PublishedValue{}
	keys := fields{
		"scenario": func(v any, at []any) { p.Scenario = r.text(v, at) },
		"variant":  func(v any, at []any) { p.Variant = r.text(v, at) },
		"source":   func(v any, at []any) { p.Source = r.text(v, at) },
		"note":     func(v any, at []any) { p.Note = r.text(v, at) },
		"n": func(v any, at []any) {
			values["n"] = results.PublishedValue{Name: "n", Value: float64(r.integer(v, at, 1, maxInt)), Unit: "1"}
		},
	}
	for _, name := range publishedTimes {
		keys[name] = func(v any, at []any) {
			values[name] = results.PublishedValue{Name: name, Value: r.exactTime(v, at), Unit: "ns"}
		}
	}
	given := r.table(v, path, keys, "variant", "source")
	for _, name := range append(slices.Clone(publishedTimes), "n") {
		if value, ok := values[name]; ok {
			p.Values = append(p.Values, value)
		}
	}
	if given == nil {
		return p
	}
	if len(p.Values) == 0 || len(p.Values) == 1 && p.Values[0].Name == "n" {
		r.fail(path, `such as mean = "38984.74us"`, "no figure is given: one of %s", strings.Join(publishedTimes, ", "))
	}
	p.Scenario = r.labelOf(p.Scenario, given, "the published figures do not say which scenario they stand beside", path)
	return p
}

// labelOf is the label of the scenario that a section names, of the only one
// when it names none; "" when there is no such, which is told.
func (r *reader) labelOf(label string, given map[string]any, unsaid string, path []any) string {
	var labels []string
	for _, s := range r.file.Scenarios {
		labels = append(labels, s.Label)
	}
	_, said := given["scenario"]
	switch {
	case given == nil || len(labels) == 0 || said && label == "":
		return ""
	case !said && len(labels) > 1:
		r.fail(path, fmt.Sprintf("add scenario = …, one of: %s", strings.Join(labels, ", ")), "%s", unsaid)
		return ""
	case !said:
		return labels[0]
	case !slices.Contains(labels, label):
		r.fail(under(path, "scenario"), suggest.Hint(label, labels), "no scenario is called %q", label)
		return ""
	}
	return label
}

// exactTime is a time in ns as it was printed: digits of a ns are kept.
func (r *reader) exactTime(v any, path []any) float64 {
	switch v := v.(type) {
	case int64, float64:
		r.fail(path, fmt.Sprintf(`write e.g. "%vus"; units: %s`, v, units), "%s: %v has no unit", nameOf(path), v)
	case string:
		ns, err := parseExactTime(v)
		if err == nil {
			return ns
		}
		r.fail(path, `such as "38984.74us"; units: `+units, "%s: %v", nameOf(path), err)
	default:
		r.wrongType(path, `such as "38984.74us"`, "a time in quotes", v)
	}
	return 0
}

// parseExactTime reads "38984.74us" and "0.13 ms" as ns, without the rounding to
// whole ns that a time.Duration needs.
func parseExactTime(s string) (float64, error) {
	compact := strings.ReplaceAll(strings.TrimSpace(s), " ", "")
	number := strings.TrimRight(compact, "abcdefghijklmnopqrstuvwxyzµμ")
	unit := compact[len(number):]
	if unit == "" {
		return 0, fmt.Errorf("%q has no unit", s)
	}
	scale, known := map[string]int64{"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9}[unit]
	if !known || len(number) > 30 || strings.Trim(number, "+0123456789.") != "" {
		return 0, fmt.Errorf("%q is no time", s)
	}
	x, ok := new(big.Rat).SetString(number)
	if !ok {
		return 0, fmt.Errorf("%q is no time", s)
	}
	ns, _ := x.Mul(x, new(big.Rat).SetInt64(scale)).Float64()
	return ns, nil
}
