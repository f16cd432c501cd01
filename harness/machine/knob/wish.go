package knob

import (
	"cmp"
	"slices"

	"moobench/results"
)

// Wish is a request for a knob's value.
type Wish struct {
	Knob   string
	Value  string // canonical; "": the knob is only observed
	Policy results.Policy
}

// Wishes returns the wishes of a profile, overridden by own, in the order of All. "fixed-hardware" tries each
// Knob.Fixed.
func Wishes(profile string, own []Wish) []Wish {
	all, knobs, place := slices.Clone(own), All(), map[string]int{}
	for i, k := range knobs {
		place[k.Name] = i - len(knobs)
		named := slices.ContainsFunc(own, func(w Wish) bool { return w.Knob == k.Name })
		if profile == results.ProfileFixedHardware && k.Fixed != "" && !named {
			all = append(all, Wish{k.Name, k.Fixed, results.PolicyTry})
		}
	}
	// Unknown names have place 0, after all knobs.
	slices.SortStableFunc(all, func(a, b Wish) int { return cmp.Compare(place[a.Knob], place[b.Knob]) })
	return all
}

// The values of the factor frequency.
const (
	FrequencyScaling = "scaling" // follows the load, turbo and deep C-states included
	FrequencyFixed   = "fixed"   // the base frequency, whatever the load, and no deep C-states
)

// Frequency returns the wishes for a value of the factor frequency.
func Frequency(value string) []Wish {
	const require, try = results.PolicyRequire, results.PolicyTry
	turbo, cstates, governor, highest, lowest := "on", "all", "scaling", "highest", "lowest"
	if value == FrequencyFixed {
		turbo, cstates, governor, highest, lowest = "off", "shallow", "performance", "base", "base"
	}
	return []Wish{
		{"turbo", turbo, try},
		{"cstates", cstates, try},
		{"governor", governor, require},
		{"max_frequency", highest, require},
		{"min_frequency", lowest, require},
	}
}
