package knob

import (
	"slices"
	"testing"

	"moobench/harness/machine/cpu"
)

func TestGovernor(t *testing.T) {
	checkChanges(t, knob("governor"), cpu.Placement{}, "performance", "scaling", "powersave", "schedutil", "conservative")
}

func TestScaling(t *testing.T) {
	const there = "cpu0/cpufreq/scaling_available_governors = "
	for _, test := range []struct{ name, governors, want string }{
		{"desktop", there + "performance powersave", "powersave"},
		{"server", there + "performance powersave", "powersave"},
		{"laptop", there + "conservative ondemand schedutil performance", "schedutil"},
		{"laptop", there + "conservative ondemand performance", "ondemand"},
		{"laptop", there + "performance conservative", "conservative"},
		{"laptop", there + "performance powersave", "error: no governor here follows the load (there are: performance, powersave)"},
		{"vm", there + "performance", "error: there is no cpufreq here: the firmware, or the host of this virtual machine, decides the frequency"},
	} {
		got, err := knob("governor").resolve(with(t, test.name, test.governors), cpu.Placement{}, "scaling")
		if got = orError(got, err); got != test.want {
			t.Errorf("%s with %s: %s, want %s", test.name, test.governors, got, test.want)
		}
	}
}

// TestGovernorKeeps: the frequency that was set by hand goes with the governor
// userspace, tunables go with theirs.
func TestGovernorKeeps(t *testing.T) {
	tree := with(t, "laptop", "cpu1/cpufreq/scaling_governor = userspace", "cpu1/cpufreq/scaling_setspeed = 1400000", "cpu2/cpufreq/ondemand/up_threshold = 80")
	changes, err := knob("governor").Changes(tree, cpu.Placement{}, "performance")
	want := []string{"cpu1/cpufreq/scaling_setspeed", "cpu2/cpufreq/ondemand/up_threshold", "cpufreq/ondemand/sampling_rate", "cpufreq/ondemand/up_threshold"}
	if got := paths(changes, ChangeGuard); err != nil || !slices.Equal(got, want) {
		t.Errorf("keeps %q, %v; want %q", got, err, want)
	}
	if found, err := knob("governor").Observe(tree, cpu.Placement{}); err != nil || found != "ondemand, userspace" {
		t.Errorf("found %q, %v", found, err)
	}
}
