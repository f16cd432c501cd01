package knob

import (
	"slices"
	"testing"

	"moobench/harness/machine/cpu"
)

func TestSMT(t *testing.T) { checkChanges(t, knob("smt"), cpu.Placement{}, "on", "off") }

func TestSMTControl(t *testing.T) {
	alone := []string{
		"smt/control = notsupported", "cpu0/topology/core_cpus_list = 0", "cpu1/topology/core_cpus_list = 1",
		"cpu2/topology/core_cpus_list = 2", "cpu3/topology/core_cpus_list = 3",
	}
	const nothing = "there is nothing that the kernel could switch (smt/control says notsupported)"
	for _, test := range []struct {
		files              []string
		found, value, want string // what is written, or the error
	}{
		{files: []string{"smt/control = forceoff", "online = 0,2"}, found: "off", value: "off"},
		{files: []string{"smt/control = forceoff", "online = 0,2"}, found: "off", value: "on", want: "error: it was switched off for good when the machine was started (smt/control says forceoff)"},
		{files: []string{"smt/control = off", "online = 0,2"}, found: "off", value: "on", want: "on"},
		{files: []string{"smt/control = notimplemented"}, found: "on", value: "off", want: "error: there is nothing that the kernel could switch (smt/control says notimplemented)"},
		{files: alone, found: "off", value: "off"},
		{files: alone, found: "off", value: "on", want: "error: " + nothing},
	} {
		tree := with(t, "laptop", test.files...)
		found, err := knob("smt").Observe(tree, cpu.Placement{})
		if err != nil || found != test.found {
			t.Errorf("%v: found %q, %v; want %s", test.files, found, err, test.found)
		}
		changes, err := knob("smt").Changes(tree, cpu.Placement{}, test.value)
		if got := orError(written(changes), err); got != test.want {
			t.Errorf("%v: %s: %q, want %q", test.files, test.value, got, test.want)
		}
	}
}

func written(changes []Change) string {
	var values string
	for _, c := range changes {
		if c.Kind == ChangeWrite {
			values += c.Value
		}
	}
	return values
}

// TestSMTKeeps makes sure of what comes back with the second threads: their
// settings, a CPU that was offline by itself, and interrupts of theirs alone.
func TestSMTKeeps(t *testing.T) {
	tree := with(t, "laptop", "online = 0,2-3", "cpu1/online = 0", "cpu3/cpufreq/energy_performance_preference = power")
	changes, err := knob("smt").Changes(tree, cpu.Placement{}, "off")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"cpu1/online",
		"cpu3/cpufreq/energy_performance_preference", "cpu3/cpufreq/scaling_governor", "cpu3/cpufreq/scaling_max_freq", "cpu3/cpufreq/scaling_min_freq",
		"cpu3/cpuidle/state0/disable", "cpu3/cpuidle/state1/disable", "cpu3/cpuidle/state2/disable", "cpu3/cpuidle/state3/disable", "cpu3/cpuidle/state4/disable",
		"cpufreq/ondemand/sampling_rate", "cpufreq/ondemand/up_threshold",
	}
	if got := paths(changes, ChangeGuard); !slices.Equal(got, want) {
		t.Errorf("keeps %q, want %q", got, want)
	}
	if last := changes[len(changes)-1]; last.Kind != ChangeWrite || last.Path != smtControl {
		t.Errorf("the last change is %s", last)
	}
}
