package config

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"moobench/harness/pattern"
	"moobench/harness/strict"
	"moobench/results"
)

// Scenario is one [[scenario]].
type Scenario struct {
	Use      string // name of the scenario
	Label    string // unique in the file
	Variants []string

	Blocks      int           // timing blocks; blocks of the pilot if a precision is asked for
	Resources   int           // blocks of the resources profile
	Timeout     time.Duration // limit of one invocation; 0: derived from the parameters
	MaxFailures int           // failed invocations after which a variant is given up

	Auto   results.Parameter // the parameter that a pilot finds; Name == "": none
	Within time.Duration     // time limit for the calls of one invocation of that pilot
	Sizing results.Sizing    // Decision is nil; the zero value means a fixed number of blocks
	Window results.Window
	Pool   string // results.PoolCalls or ""

	// Parameters maps each parameter of the scenario to its values, with defaults filled in,
	// and each factor of the environment (see Known) that the file sets; these have no
	// defaults. Values are canonical text: integers without underscores, durations in whole ns
	// without the unit. Only factors have more than one value.
	Parameters map[string][]string
}

const maxBlocks = 10_000

// Limits of an invocation's timeout, and of a scenario's max_time.
const minSpan, maxSpan = time.Second, 30 * 24 * time.Hour

// span is the kind of a time limit.
func span[T ~int64](dst *T) strict.Kind {
	return strict.Func("time", dst, func(v strict.Value) (T, bool) {
		d, ok := v.Duration()
		if ok && (d < minSpan || d > maxSpan) {
			v.Fail(`from "1s" to "720h"`, "%s: %s is out of range", v.Name(), d)
		}
		return T(d), ok
	})
}

// percent is the kind of a percentage up to most, stored as a share.
func percent(dst *float64, most float64) strict.Kind {
	return strict.Func("percentage", dst, func(v strict.Value) (float64, bool) { return v.Percent(most) })
}

// schemaNamed returns the schema of the scenario that a [[scenario]] names. An unknown scenario
// gets the parameters of all scenarios, so that its other mistakes can be reported at once,
// except for the generated reference (Raw == nil), which shows none.
func (r *reader) schemaNamed(v strict.Value) (s Schema, known bool) {
	for _, one := range r.known.Scenarios {
		if one.Name == v.Key("use").Raw {
			return one, true
		}
		if v.Raw != nil {
			s.Parameters = slices.Concat(s.Parameters, one.Parameters)
		}
	}
	return s, false
}

// scenario describes one [[scenario]]: its own keys, the factors of the environment, and the
// parameters of the scenario that it uses.
func (r *reader) scenario(s *Scenario, v strict.Value) strict.Table {
	names := results.Each(r.known.Scenarios, func(s Schema) string { return s.Name })
	schema, known := r.schemaNamed(v)
	window := string(cmp.Or(schema.Window, results.WindowSteady))
	t := strict.NewTable("What is measured: variants under a scenario.",
		strict.NewKey("use", strict.Among(&s.Use, "scenario", names, strict.Value.Line), "name of the scenario").Must(),
		strict.NewKey("label", strict.String(&s.Label),
			"name of this section, which tells it from others about the same scenario; "+
				"by default the scenario's own").
			Like("deep"),
		strict.NewKey("variants", strict.Distinct(&s.Variants, strict.Value.Line),
			"what is compared: framework/mode/stage, or as much of it as names only one; the first is the baseline").
			Must().Like([]string{"none", "kieker/bci/tcp"}),
		strict.NewKey("blocks", strict.Int(&s.Blocks, 1, maxBlocks),
			"timing blocks, each of which starts every cell once; not together with precision").Or(10).In("blocks"),
		strict.NewKey("resources", strict.Int(&s.Resources, 0, maxBlocks),
			"blocks of further runs in which memory is measured; 0: none").Or(3).In("blocks"),
		strict.NewKey("max_failures", strict.Int(&s.MaxFailures, 1, maxBlocks),
			"failed invocations until a variant is given up").Or(3).In("invocations"),
		strict.NewKey("timeout", span(&s.Timeout),
			"how long an invocation may take before it is killed; by default derived from its parameters").
			Like("10min"),
		strict.NewKey("window", strict.OneOf(&s.Window, results.WindowSteady, results.WindowHalf, results.WindowAll),
			"samples of an invocation behind its means: the steady state, the second half, or all").
			Or(window),
		strict.NewKey("pool", strict.OneOf(&s.Pool, results.PoolCalls),
			"print beside our answers what papers do with the calls of all invocations, "+
				"as if each were an independent observation"),
		strict.NewKey("precision", percent(&s.Sizing.Precision, 100),
			"wanted half-width of each interval, of the cell's own mean: "+
				"a pilot of 10 blocks decides once how many there are").
			Like("2%"),
		strict.NewKey("max_blocks", strict.Int(&s.Sizing.MaxBlocks, results.PilotBlocks, maxBlocks),
			"timing blocks at most, those of the pilot included; only with precision").In("blocks").Like(100),
		strict.NewKey("max_time", span(&s.Sizing.MaxTimeNS), "how long the timing blocks may take").Like("2h"),
		strict.NewKey("strict", strict.Bool(&s.Sizing.Strict),
			"let a cell that needs far more blocks than the others decide, instead of setting it aside; "+
				"only with precision").
			Or(false),
	)
	s.Parameters = map[string][]string{}
	for i, p := range slices.Concat(r.known.Environment, schema.Parameters) {
		if slices.ContainsFunc(t.Keys, func(k strict.Key) bool { return k.Name == p.Name }) {
			continue
		}
		key := parameter(p, func(values []string) { s.Parameters[p.Name] = values })
		key.Required = known && key.Default == nil && i >= len(r.known.Environment)
		t.Keys = append(t.Keys, key)
		if p.Auto != "" {
			t.Keys = append(t.Keys, strict.NewKey("settle_within", span(&s.Within), fmt.Sprintf(
				"how long the calls of one invocation may take to settle; a cell that needs longer is named; "+
					"only with %s = %q", p.Name, results.Auto)).Or("10s"))
		}
	}
	if v.Raw == nil {
		t.Cases = r.cases(t.Keys)
	}
	return t.Checked(func(v strict.Value) {
		if v.Has("precision") {
			if v.Has("blocks") {
				v.Key("blocks").Fail(
					"take one of them out: precision finds the number of blocks, and max_blocks bounds it",
					"blocks and precision contradict each other")
			}
			s.Blocks, s.Sizing.Pilot = results.PilotBlocks, results.PilotBlocks
		} else {
			for _, key := range []string{"max_blocks", "strict"} {
				if v.Has(key) {
					v.Key(key).Fail(`add precision = "2%", or take it out`, "%s means nothing without precision", key)
				}
			}
		}
		for _, p := range schema.Parameters {
			if p.Auto != "" && slices.Contains(s.Parameters[p.Name], results.Auto) {
				s.Auto = p
			}
		}
		if s.Auto.Name == "" && v.Has("settle_within") {
			v.Key("settle_within").Fail(`add calls = "auto", or take it out`,
				"settle_within means nothing where the number of calls is given")
		}
		s.Label = cmp.Or(s.Label, s.Use)
		if s.Label != "" && slices.Contains(r.labels(), s.Label) {
			v.Key("label").Fail(`tell them apart: label = "…"`, "a second scenario is called %q", s.Label)
		}
	})
}

// cases returns, per scenario, the keys that only this scenario has, and those common to every
// [[scenario]] that have a different default.
func (r *reader) cases(common []strict.Key) (all []strict.Case) {
	for _, s := range r.known.Scenarios {
		t := r.scenario(&Scenario{}, strict.Value{Raw: map[string]any{"use": s.Name}})
		t.Text = "What scenario " + s.Name + " lets a [[scenario]] set as well, or has another default for."
		t.Keys = slices.DeleteFunc(t.Keys, func(k strict.Key) bool {
			return slices.ContainsFunc(common, func(c strict.Key) bool {
				return c.Name == k.Name && c.Default == k.Default
			})
		})
		all = append(all, strict.Case{Key: "use", Value: s.Name, Table: t})
	}
	return all
}

// parameter returns the key of a scenario's parameter; set receives its value, or all values of
// a factor, in canonical form.
func parameter(p results.Parameter, set func(values []string)) strict.Key {
	one := func(v strict.Value) (string, bool) { return canonical(p, v) }
	read := func(v strict.Value) {
		switch _, several := v.Raw.([]any); {
		case !several:
			if s, ok := one(v); ok {
				set([]string{s})
			}
		case !p.Factor:
			v.Fail("only factors cross into cells", "%s takes one value, not a list", p.Name)
		default:
			all, _ := strict.Each(v, one)
			v.Distinct(all)
			set(all)
		}
	}
	types := map[results.ParameterType]string{
		results.TypeInt:      "integer",
		results.TypeBool:     "true or false",
		results.TypeDuration: "time",
		results.TypeOptions:  "string of options",
	}
	k := strict.Key{Name: p.Name, Unit: p.Unit, Text: p.About}
	k.Kind = strict.Kind{Type: cmp.Or(types[p.Type], "string"), Values: p.Values, Read: read}
	if p.Factor {
		k.Kind.Type += ", or a list of them"
	}
	if p.Auto != "" {
		k.Kind.Type += `, or "auto"`
	}
	if p.Type == results.TypeInt {
		k.Kind.Limits = &strict.Limits{Least: p.Min, Most: math.MaxInt64}
	}
	switch {
	case p.Default == "":
	case p.Type == results.TypeInt:
		k.Default, _ = strconv.ParseInt(p.Default, 0, 64)
	case p.Type == results.TypeBool:
		k.Default = p.Default == "true"
	default:
		k.Default = p.Default
	}
	return k
}

// canonical reads one value of a parameter as canonical text.
func canonical(p results.Parameter, v strict.Value) (s string, ok bool) {
	switch p.Type {
	case results.TypeInt:
		if p.Auto != "" && v.Raw == results.Auto {
			return results.Auto, true
		}
		n, ok := v.Int(p.Min, math.MaxInt64)
		return strconv.FormatInt(n, 10), ok
	case results.TypeDuration:
		d, ok := v.Duration()
		if ok && int64(d) < p.Min {
			v.Fail(fmt.Sprintf("at least %s", time.Duration(p.Min)), "%s: %s is too short", v.Name(), d)
			ok = false
		}
		return strconv.FormatInt(int64(d), 10), ok
	case results.TypeBool:
		b, ok := v.Bool()
		return strconv.FormatBool(b), ok
	case results.TypeOptions:
		return options(v)
	case results.TypePattern:
		s, ok := v.Line()
		if err := pattern.Check(s); ok && s != p.Default && err != nil {
			v.Fail(`such as "com.acme..*.*(..)"`, "%v", err)
		}
		return pattern.Canonical(s), ok
	case results.TypeEnum:
		return v.OneOf(p.Values)
	}
	return v.Line()
}
