package session

import (
	"slices"
	"testing"

	"moobench/harness/machine/knob"
	"moobench/harness/plan"
	"moobench/results"
)

// TestFrequenciesAreKnown holds the values that a benchmarks.toml may name
// against those that the machine knows how to set.
func TestFrequenciesAreKnown(t *testing.T) {
	for _, p := range plan.Environment() {
		if want := []string{knob.FrequencyScaling, knob.FrequencyFixed}; p.Name == results.FactorFrequency && !slices.Equal(p.Values, want) {
			t.Errorf("frequency may be %v, and the machine knows %v", p.Values, want)
		}
	}
}

// TestKnobsTakeTheirOwnValues reads every value that a knob names, as a
// benchmarks.toml would hold it: what is canonical stays as it is.
func TestKnobsTakeTheirOwnValues(t *testing.T) {
	settable := 0
	for _, k := range (&Lab{}).Known().Knobs {
		if k.Check == nil {
			continue
		}
		settable++
		if len(k.Values) == 0 {
			t.Errorf("%s names no values", k.Name)
		}
		for _, v := range k.Values {
			canonical, err := k.Check(v)
			if err != nil {
				t.Errorf("%s = %q: %v", k.Name, v, err)
			} else if again, err := k.Check(canonical); err != nil || again != canonical {
				t.Errorf("%s: %q becomes %q, and that becomes %q, %v", k.Name, v, canonical, again, err)
			}
		}
		if v, err := k.Check("\x00 no value at all"); err == nil {
			t.Errorf("%s takes anything: %q", k.Name, v)
		}
	}
	if settable < 5 {
		t.Errorf("only %d knobs can be set", settable)
	}
}
