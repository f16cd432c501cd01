package machine

import (
	"slices"
	"strings"
	"testing"
)

func TestTurboChanges(t *testing.T) { checkChanges(t, turbo{}, Placement{}, "on", "off") }

func TestTurboSwitches(t *testing.T) {
	some := []string{"cpu1/cpufreq/boost = 0", "cpu2/cpufreq/boost = 0"}
	for _, test := range []struct {
		name         string
		files        []string
		found, value string
		writes       []string
	}{
		{"server", some, "off, on", "on", []string{"cpu1/cpufreq/boost", "cpu2/cpufreq/boost"}},
		{"server", some, "off, on", "off", []string{"cpufreq/boost"}},
		{"server", append(some, "cpufreq/boost = 0"), "off", "on", []string{"cpufreq/boost"}},
		{"server", append(some, "cpufreq/boost"), "off, on", "on", []string{"cpu1/cpufreq/boost", "cpu2/cpufreq/boost"}},
		{"laptop", []string{"cpufreq/boost = 0"}, "off", "on", []string{"cpufreq/boost"}},
	} {
		tree := with(t, test.name, test.files...)
		found, err := turbo{}.Observe(tree, Placement{})
		if err != nil || found.Value != test.found {
			t.Errorf("%v: found %q, %v; want %s", test.files, found.Value, err, test.found)
		}
		changes, err := turbo{}.Changes(tree, Placement{}, test.value)
		if got := paths(changes, ChangeWrite); err != nil || !slices.Equal(got, test.writes) {
			t.Errorf("%v: %s writes %q, %v; want %q", test.files, test.value, got, err, test.writes)
		}
	}
}

// TestTurboOfTheFirmware: intel_pstate lets nobody switch on what the firmware
// has switched off.
func TestTurboOfTheFirmware(t *testing.T) {
	tree := with(t, "desktop", "intel_pstate/no_turbo = 1")
	if changes, err := (turbo{}).Changes(tree, Placement{}, "on"); err != nil || written(changes) != "0" {
		t.Errorf("%v, %v", changes, err)
	}
	tree.Put("proc/cpuinfo", strings.ReplaceAll(text(tree, "proc/cpuinfo"), " ida", ""))
	changes, err := turbo{}.Changes(tree, Placement{}, "on")
	if err == nil || !strings.Contains(err.Error(), "the firmware has switched it off") || len(changes) > 0 {
		t.Errorf("%v, %v", changes, err)
	}
}
