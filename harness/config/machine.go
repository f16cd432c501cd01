package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/harness/suggest"
	"moobench/results"
)

// What [machine] may choose from. Who says which CPUs means it, so a pin is
// never only observed.
var (
	profiles    = []string{results.ProfileAsIs, results.ProfileFixedHardware}
	policies    = []results.Policy{results.PolicyRequire, results.PolicyTry, results.PolicyObserve}
	pinPolicies = []results.Policy{results.PolicyRequire, results.PolicyTry}
)

// machine reads the section [machine].
func (r *reader) machine(v any, at []any) Machine {
	m := Machine{Profile: results.ProfileAsIs}
	keys := fields{
		"profile":          func(v any, at []any) { m.Profile = oneOf(r, v, at, profiles) },
		"host":             func(v any, at []any) { m.Host = r.text(v, at) },
		"pin":              func(v any, at []any) { r.pin(&m, v, at) },
		"wait_until_quiet": func(v any, at []any) { m.WaitUntilQuiet = r.wait(v, at) },
	}
	for _, k := range r.known.Knobs {
		keys[k.Name] = func(v any, at []any) { m.Knobs = append(m.Knobs, r.knob(k, v, at)) }
	}
	r.table(v, at, keys)
	return m
}

// pin reads who runs on which CPUs.
func (r *reader) pin(m *Machine, v any, at []any) {
	m.PinPolicy = results.PolicyRequire
	given := r.table(v, at, fields{
		"cpus":         func(v any, at []any) { m.CPUs = r.cpus(v, at) },
		"housekeeping": func(v any, at []any) { m.Housekeeping = r.cpus(v, at) },
		"policy":       func(v any, at []any) { m.PinPolicy = oneOf(r, v, at, pinPolicies) },
	})
	_, cpus := given["cpus"]
	_, housekeeping := given["housekeeping"]
	if given != nil && !cpus && !housekeeping {
		r.fail(at, `add cpus = "2-3", those of the fixture`, "pin names no CPUs")
	}
	if cpu, ok := both(m.CPUs, m.Housekeeping); ok {
		r.fail(under(at, "housekeeping"), "what is measured needs CPUs of its own", "CPU %d stands in cpus and in housekeeping", cpu)
	}
}

// cpus is a list of CPUs in canonical form, or "".
func (r *reader) cpus(v any, at []any) string {
	text := r.text(v, at)
	if text == "" {
		return ""
	}
	list, err := r.known.CPUs(text)
	if err != nil {
		r.fail(at, "", "%s: %v", nameOf(at), err)
	}
	return list
}

// both finds a CPU that stands in two canonical lists.
func both(a, b string) (cpu int, found bool) {
	for x := range strings.SplitSeq(a, ",") {
		for y := range strings.SplitSeq(b, ",") {
			fromX, toX := ends(x)
			fromY, toY := ends(y)
			if first := max(fromX, fromY); first >= 0 && first <= min(toX, toY) {
				return first, true
			}
		}
	}
	return 0, false
}

// ends are the first and the last CPU of "2-3"; -1 when it is none.
func ends(part string) (first, last int) {
	from, to, isRange := strings.Cut(part, "-")
	if !isRange {
		to = from
	}
	first, errFirst := strconv.Atoi(from)
	last, errLast := strconv.Atoi(to)
	if errFirst != nil || errLast != nil {
		return -1, -1
	}
	return first, last
}

// wait is how long to wait at most; 0 is not at all.
func (r *reader) wait(v any, at []any) *time.Duration {
	d, ok := r.duration(v, at)
	if ok && (d < 0 || d > maxSpan) {
		r.fail(at, `from "0s", which is not to wait, to "720h"`, "%s: %s is out of range", nameOf(at), d)
	}
	return &d
}

// knob reads what is wanted of a knob: a value, which is tried, or a table.
func (r *reader) knob(k Knob, v any, at []any) results.KnobState {
	s := results.KnobState{Name: k.Name, Policy: results.PolicyTry}
	if _, isTable := v.(map[string]any); !isTable {
		s.Wanted = r.setting(k, v, at)
		return s
	}
	given := r.table(v, at, fields{
		"set":    func(v any, at []any) { s.Wanted = r.setting(k, v, at) },
		"policy": func(v any, at []any) { s.Policy = oneOf(r, v, at, policies) },
	})
	_, set := given["set"]
	observed := s.Policy == results.PolicyObserve
	switch {
	case set && observed:
		r.fail(under(at, "policy"), "take one of them out", "%s: set and policy observe contradict each other", k.Name)
	case !set && !observed && k.Check == nil:
		r.onlyObserved(k, at)
	case !set && !observed && s.Policy != "":
		r.fail(at, `add set = …, or write { policy = "observe" }`, "%s: it does not say what to set", k.Name)
	}
	return s
}

// setting is a value of a knob in canonical form, or "" when it is wrong.
func (r *reader) setting(k Knob, v any, at []any) string {
	if k.Check == nil {
		r.onlyObserved(k, at)
		return ""
	}
	text, ok := v.(string)
	if n, isInteger := v.(int64); isInteger && k.isNumber() {
		text, ok = strconv.FormatInt(n, 10), true
	}
	if !ok {
		r.fail(at, k.examples(), "%s: want a string, got %s", k.Name, describe(v))
		return ""
	}
	value, err := k.Check(text)
	if err == nil {
		return value
	}
	hint := k.examples()
	if near := suggest.Nearest(text, k.Values); near != "" && !k.isNumber() {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	r.fail(at, hint, "%s: %v", k.Name, err)
	return ""
}

func (r *reader) onlyObserved(k Knob, at []any) {
	r.fail(at, `write { policy = "observe" }, or take it out`, "%s can only be observed", k.Name)
}

// isNumber says whether a knob takes numbers, which need no quotes.
func (k Knob) isNumber() bool {
	return slices.ContainsFunc(k.Values, func(s string) bool {
		_, err := strconv.Atoi(s)
		return err == nil
	})
}

// examples is a hint at a knob's values, "" when none are known.
func (k Knob) examples() string {
	if len(k.Values) == 0 {
		return ""
	}
	quoted := make([]string, len(k.Values))
	for i, v := range k.Values {
		quoted[i] = strconv.Quote(v)
	}
	return "such as " + strings.Join(quoted, ", ")
}
