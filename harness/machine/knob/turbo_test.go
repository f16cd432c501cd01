package knob

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
)

func TestTurboChanges(t *testing.T) { checkChanges(t, knob("turbo"), cpu.Placement{}, "on", "off") }

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
		found, err := knob("turbo").Observe(tree, cpu.Placement{})
		if err != nil || found != test.found {
			t.Errorf("%v: found %q, %v; want %s", test.files, found, err, test.found)
		}
		changes, err := knob("turbo").Changes(tree, cpu.Placement{}, test.value)
		if got := paths(changes, ChangeWrite); err != nil || !slices.Equal(got, test.writes) {
			t.Errorf("%v: %s writes %q, %v; want %q", test.files, test.value, got, err, test.writes)
		}
	}
}

// TestTurboOfTheFirmware: intel_pstate lets nobody switch on what the firmware
// has switched off.
func TestTurboOfTheFirmware(t *testing.T) {
	tree := with(t, "desktop", "intel_pstate/no_turbo = 1")
	if changes, err := knob("turbo").Changes(tree, cpu.Placement{}, "on"); err != nil || written(changes) != "0" {
		t.Errorf("%v, %v", changes, err)
	}
	tree.Put("proc/cpuinfo", strings.ReplaceAll(kernel.Text(tree, "proc/cpuinfo"), " ida", ""))
	changes, err := knob("turbo").Changes(tree, cpu.Placement{}, "on")
	if err == nil || !strings.Contains(err.Error(), "the firmware has switched it off") || len(changes) > 0 {
		t.Errorf("%v, %v", changes, err)
	}
}

func TestTurbo(t *testing.T) {
	for path, want := range map[string]string{
		"intel_pstate/no_turbo 1": "off", "intel_pstate/no_turbo 0": "on", "cpufreq/boost 1": "on", "cpu3/cpufreq/boost 0": "off",
	} {
		name, content, _ := strings.Cut(path, " ")
		root := fstest.MapFS{cpu.Dir + "/" + name: &fstest.MapFile{Data: []byte(content + "\n")}}
		if got, err := knob("turbo").Observe(root, cpu.Placement{}); got != want || err != nil {
			t.Errorf("%s: %v, %v, want %s", path, got, err, want)
		}
	}
}
