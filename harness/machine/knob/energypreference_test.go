package knob

import (
	"testing"

	"moobench/harness/machine/cpu"
)

func TestEnergyPreference(t *testing.T) {
	checkChanges(t, knob("energy_preference"), cpu.Placement{}, "performance", "balance_performance", "power")
}

func TestEnergyPreferenceThatIsNone(t *testing.T) {
	tree := with(t, "desktop", "cpu0/cpufreq/energy_performance_available_preferences = default performance power")
	_, err := knob("energy_preference").Changes(tree, cpu.Placement{}, "balance_power")
	if err == nil || err.Error() != "there is no preference balance_power here (there are: default, performance, power)" {
		t.Errorf("got %v", err)
	}
	if _, err := knob("energy_preference").Check("default"); err == nil {
		t.Error("what can't be read back is allowed")
	}
}
