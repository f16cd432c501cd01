package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"moobench/harness/strict"
	"moobench/results"
)

// Machine is the section [machine].
type Machine struct {
	Profile string // results.ProfileAsIs by default
	Host    string // the only machine whose figures a gate may judge; "": any
	Pool    string // any machine of this pool may be used; "": no pool
	// CPUs and Housekeeping are CPU lists in canonical form, such as "2-3"; "": moobench
	// chooses. PinPolicy is "" if the file has no pin.
	CPUs, Housekeeping string
	PinPolicy          results.Policy
	// Knobs are the knobs that the file sets, sorted by name. Only Name, Wanted (canonical, ""
	// under policy observe) and Policy are filled in.
	Knobs []results.KnobState
	// Standards are the CPU speeds that costs are converted to, one per CPU model ("": any),
	// sorted by model.
	Standards []results.Standard
	// WaitUntilQuiet is the longest wait for the machine to calm down. nil: not set; 0: don't wait.
	WaitUntilQuiet *time.Duration
}

// machine describes the section [machine].
func (r *reader) machine(m *Machine) strict.Table {
	wait := func(v strict.Value) (*time.Duration, bool) {
		d, ok := v.Duration()
		if ok && (d < 0 || d > maxSpan) {
			v.Fail(`from "0s", which is not to wait, to "720h"`, "%s: %s is out of range", v.Name(), d)
		}
		return &d, ok
	}
	t := strict.NewTable(
		"How the machine is set for as long as the campaign runs. It is put back as it was found.",
		strict.NewKey("profile", strict.OneOf(&m.Profile, results.ProfileAsIs, results.ProfileFixedHardware),
			"what else is set: nothing, or all that quietens a machine which does nothing else").
			Or(results.ProfileAsIs),
		strict.NewKey("host", strict.String(&m.Host),
			"the only machine whose figures a gate may judge").Like("bench-01"),
		strict.NewKey("pool", strict.String(&m.Pool),
			"any machine of this pool will do, such as one of a hosted runner: "+
				"nights and campaigns are compared by CPU model, "+
				"and no longer by machine").Like("ubuntu-latest"),
		strict.NewKey("pin", strict.Sub(m, r.pin), "who runs on which CPUs"),
		strict.NewKey("wait_until_quiet", strict.Func("time", &m.WaitUntilQuiet, wait),
			"how long to wait at most for pressure and temperature to come back to where they were; "+
				"2 min with profile fixed-hardware, else not at all").Like("2min"),
		strict.NewKey("standard", standards(&m.Standards),
			"the speed of the CPU at which costs are reported: what the reference takes there, as reports print it, "+
				"or a table of such times by model of CPU; by default the one that is kept").Like("2373ns"),
	)
	t = t.Checked(func(v strict.Value) {
		if v.Has("host") && v.Has("pool") {
			v.Key("pool").Fail("take one of them out",
				"[machine] names the only host, %q, and a pool of which any machine will do, %q", m.Host, m.Pool)
		}
	})
	order := func(a, b Knob) int { return strings.Compare(a.Name, b.Name) }
	knobs := slices.SortedFunc(slices.Values(r.known.Knobs), order)
	for _, k := range knobs {
		key := strict.NewKey(k.Name, k.kind(&m.Knobs), k.About)
		switch {
		case k.Check == nil:
			key = key.Like(map[string]any{"policy": string(results.PolicyObserve)})
		case k.Fixed != "":
			key = key.Like(k.Fixed)
		}
		t.Keys = append(t.Keys, key)
	}
	return t
}

// standards reads a single time for all machines, or a table of times by CPU model.
func standards(dst *[]results.Standard) strict.Kind {
	one := func(v strict.Value, model string) {
		ns, ok := v.ExactTime()
		if !ok {
			return
		}
		if err := results.CheckStandard(ns); err != nil {
			v.Fail("moobench report says what the reference took", "%s: %v", v.Name(), err)
			return
		}
		*dst = append(*dst, results.Standard{NS: ns, CPU: model})
	}
	return strict.Kind{Type: "time, or table of strings", Read: func(v strict.Value) {
		models, several := v.Raw.(map[string]any)
		if !several {
			one(v, "")
			return
		}
		for _, model := range slices.Sorted(maps.Keys(models)) {
			one(v.Key(model), model)
		}
	}}
}

// pin describes which CPUs the fixture and moobench run on. It has no policy observe: whoever
// names CPUs wants them used.
func (r *reader) pin(m *Machine) strict.Table {
	cpus := strict.Parsed(strict.Value.Line, "", r.known.CPUs)
	return strict.NewTable("Who runs on which CPUs. What is not named is chosen.",
		strict.NewKey("cpus", strict.Func("list of CPUs", &m.CPUs, cpus), "CPUs of the fixture").Like("2-3"),
		strict.NewKey("housekeeping", strict.Func("list of CPUs", &m.Housekeeping, cpus),
			"CPUs for moobench itself, and for everything else that can be moved there").Like("0-1"),
		strict.NewKey("policy", strict.OneOf(&m.PinPolicy, results.PolicyRequire, results.PolicyTry),
			"if that is impossible, start nothing, or warn").Or(string(results.PolicyRequire)),
	).Checked(func(v strict.Value) {
		if !v.Has("cpus") && !v.Has("housekeeping") {
			v.Fail(`add cpus = "2-3", those of the fixture`, "pin names no CPUs")
		}
		if cpu, ok := overlap(m.CPUs, m.Housekeeping); ok {
			v.Key("housekeeping").Fail("the measured program needs CPUs of its own",
				"CPU %d is in both cpus and housekeeping", cpu)
		}
	})
}

// overlap finds a CPU that two canonical lists share.
func overlap(a, b string) (cpu int, found bool) {
	// ends returns the first and the last CPU of a part such as "2-3"; both are -1 for "".
	ends := func(part string) (first, last int) {
		first, last = -1, -1
		if n, _ := fmt.Sscanf(part, "%d-%d", &first, &last); n == 1 {
			last = first
		}
		return first, last
	}
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

// kind reads a knob's setting: a value, which has policy try, or a table.
func (k Knob) kind(dst *[]results.KnobState) strict.Kind {
	table := func(s *results.KnobState) strict.Table {
		t := strict.NewTable("What to do with a knob, as a table after its name: "+
			"turbo = { set = \"off\", policy = \"require\" }.",
			strict.NewKey("set", strict.Func("string, or integer", &s.Wanted, k.value), "the value").Like("off"),
			strict.NewKey("policy",
				strict.OneOf(&s.Policy, results.PolicyRequire, results.PolicyTry, results.PolicyObserve),
				"if it can't be set, start nothing, or warn; observe only records its value").
				Or(string(results.PolicyTry)),
		).Checked(func(v strict.Value) {
			policy := v.Key("policy")
			observed := s.Policy == results.PolicyObserve
			switch {
			case v.Has("set") && observed:
				policy.Fail("take one of them out", "%s: set and policy observe contradict each other", k.Name)
			case v.Has("set") || observed: // complete
			case k.Check == nil:
				k.onlyObserved(v)
			case policy.Raw == nil || policy.Raw == string(s.Policy): // otherwise the policy is wrong: already reported
				v.Fail(`add set = …, or write { policy = "observe" }`, "%s: it does not say what to set", k.Name)
			}
		})
		t.Shared = "KNOB"
		return t
	}
	typ := "string, or a table"
	if k.isNumber() {
		typ = "integer, or " + typ
	}
	return strict.Kind{
		Type: typ, Values: k.Values, Open: true,
		Section: func() strict.Table { return table(&results.KnobState{}) },
		Read: func(v strict.Value) {
			s := results.KnobState{Name: k.Name, Policy: results.PolicyTry}
			if _, isTable := v.Raw.(map[string]any); isTable {
				v.Table(table(&s))
			} else {
				s.Wanted, _ = k.value(v)
			}
			*dst = append(*dst, s)
		},
	}
}

// value reads a value of the knob and returns its canonical form.
func (k Knob) value(v strict.Value) (string, bool) {
	if k.Check == nil {
		k.onlyObserved(v)
		return "", false
	}
	hint := ""
	if len(k.Values) > 0 {
		hint = `such as "` + strings.Join(k.Values, `", "`) + `"`
	}
	text, ok := v.Raw.(string)
	if n, isInteger := v.Raw.(int64); isInteger && k.isNumber() {
		text, ok = strconv.FormatInt(n, 10), true // numbers need no quotes
	}
	if !ok {
		v.Fail(hint, "%s: want a string, got %s", k.Name, v.Describe())
		return "", false
	}
	value, err := k.Check(text)
	if err != nil {
		if !k.isNumber() {
			hint = strict.Suggest(text, k.Values, hint)
		}
		v.Fail(hint, "%s: %v", k.Name, err)
	}
	return value, err == nil
}

// isNumber reports whether the knob takes numbers, which need no quotes.
func (k Knob) isNumber() bool {
	return slices.ContainsFunc(k.Values, func(s string) bool {
		_, err := strconv.Atoi(s)
		return err == nil
	})
}

func (k Knob) onlyObserved(v strict.Value) {
	v.Fail(`write { policy = "observe" }, or take it out`, "%s can only be observed", k.Name)
}
