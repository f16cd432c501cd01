package knob

import (
	"testing"

	"moobench/harness/machine/cpu"
)

func TestCStates(t *testing.T) {
	checkChanges(t, knob("cstates"), cpu.Placement{Fixture: cpu.Set{1, 3}}, "all", "shallow")
}

func TestCStatesInUse(t *testing.T) {
	disabled := func(states ...string) []string {
		for i, s := range states {
			states[i] = s + "/disable = 1"
		}
		return states
	}
	for _, test := range []struct {
		files        []string
		on           []int
		found, value string
		writes       string
	}{
		{disabled("cpu1/cpuidle/state3", "cpu1/cpuidle/state4"), cpu.Set{1}, "shallow", "shallow", ""},
		{disabled("cpu1/cpuidle/state3", "cpu1/cpuidle/state4"), cpu.Set{1}, "shallow", "all", "00"},
		{disabled("cpu1/cpuidle/state3", "cpu1/cpuidle/state4"), cpu.Set{0}, "all", "all", ""},
		{disabled("cpu1/cpuidle/state3", "cpu1/cpuidle/state4"), nil, "all, shallow", "shallow", "111111"},
		{disabled("cpu1/cpuidle/state2", "cpu1/cpuidle/state4"), cpu.Set{1}, "all but C1E and C6", "shallow", "01"},
		{disabled("cpu1/cpuidle/state4"), cpu.Set{1}, "all but C6", "all", "0"},
	} {
		tree, on := with(t, "laptop", test.files...), cpu.Placement{Fixture: test.on}
		found, err := knob("cstates").Observe(tree, on)
		if err != nil || found != test.found {
			t.Errorf("%v: found %q, %v; want %s", test.files, found, err, test.found)
		}
		changes, err := knob("cstates").Changes(tree, on, test.value)
		if got := written(changes); err != nil || got != test.writes {
			t.Errorf("%v: %s writes %q, %v; want %q", test.files, test.value, got, err, test.writes)
		}
		checkSet(t, knob("cstates"), "laptop", tree, on, test.value, changes)
	}
}

// TestNoDeepState: where no state is deep, as on many virtual machines, all are
// shallow.
func TestNoDeepState(t *testing.T) {
	tree := with(t, "vm", "cpu1/cpuidle/state0/name = POLL", "cpu1/cpuidle/state0/disable = 0", "cpu1/cpuidle/state1/name = haltpoll", "cpu1/cpuidle/state1/latency = 1")
	on := cpu.Placement{Fixture: cpu.Set{0, 1}} // CPU 0 has none
	changes, err := knob("cstates").Changes(tree, on, "shallow")
	if err != nil || len(changes) > 0 {
		t.Errorf("%v, %v", changes, err)
	}
	checkSet(t, knob("cstates"), "vm", tree, on, "shallow", changes)
}
