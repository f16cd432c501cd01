package machine

import (
	"cmp"
	"slices"

	"moobench/results"
)

// Wish is what is wanted of a knob.
type Wish struct {
	Knob   string
	Value  string // canonical; "" wants nothing: the knob is only observed
	Policy results.Policy
}

// Wishes are those of a profile, where own does not say otherwise, in the order
// of Knobs. "fixed-hardware" tries what About.Fixed says.
func Wishes(profile string, own []Wish) []Wish {
	all := slices.Clone(own)
	named := func(name string) bool {
		return slices.ContainsFunc(own, func(w Wish) bool { return w.Knob == name })
	}
	for _, k := range Knobs() {
		if fixed := k.About().Fixed; profile == results.ProfileFixedHardware && fixed != "" && !named(k.Name()) {
			all = append(all, Wish{k.Name(), fixed, results.PolicyTry})
		}
	}
	slices.SortStableFunc(all, func(a, b Wish) int { return cmp.Compare(order(a.Knob), order(b.Knob)) })
	return all
}

// order is a knob's place among Knobs, after all of them when it is none.
func order(name string) int {
	i := slices.IndexFunc(Knobs(), func(k Knob) bool { return k.Name() == name })
	if i < 0 {
		return len(Knobs())
	}
	return i
}

// The values of the factor frequency.
const (
	FrequencyScaling = "scaling" // follows the load, turbo included
	FrequencyFixed   = "fixed"   // the base frequency, whatever the load
)

// Frequency is what a value of the factor frequency wants of the knobs.
func Frequency(value string) []Wish {
	const require, try = results.PolicyRequire, results.PolicyTry
	if value == FrequencyFixed {
		return []Wish{
			{"turbo", "off", try},
			{"governor", "performance", require},
			{"max_frequency", "base", require},
			{"min_frequency", "base", require},
		}
	}
	return []Wish{
		{"turbo", "on", try},
		{"governor", "scaling", require},
		{"max_frequency", "highest", require},
		{"min_frequency", "lowest", require},
	}
}
