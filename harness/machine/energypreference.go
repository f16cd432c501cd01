package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// energyPreference is what a processor that decides its frequency itself is
// told to prefer.
type energyPreference struct{}

func (energyPreference) Name() string { return "energy_preference" }

func (energyPreference) About() About {
	return About{
		Title: "energy preference",
		Does:  "tells a processor that decides its frequency itself to prefer speed or saving",
		Cost:  "a processor that saves is slow to speed up after every pause",
		Fixed: "performance",
	}
}

func (energyPreference) Observe(root fs.FS, _ Placement) (State, error) {
	dirs, err := domains(root)
	if err != nil {
		return State{}, err
	}
	v := different(root, dirs, "energy_performance_preference")
	if v == "" {
		err = errors.New("this cpufreq driver has none: only intel_pstate and amd_pstate have, where the processor decides its frequency itself")
	}
	return State{Value: v}, err
}

// Values are the kernel's, without "default": what that stands for can't be
// read back.
func (energyPreference) Values() []string {
	return []string{"performance", "balance_performance", "balance_power", "power"}
}

func (k energyPreference) Check(value string) (string, error) { return oneOf(value, k.Values()) }

func (k energyPreference) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	if _, err := k.Observe(root, on); err != nil {
		return nil, err
	}
	dirs, err := domains(root)
	var changes []Change
	for _, dir := range dirs {
		file := dir + "energy_performance_preference"
		found := line(root, file)
		if found == "" || found == value {
			continue
		}
		if value != "performance" && line(root, dir+"scaling_governor") == "performance" {
			return nil, errors.New("governor performance allows no other preference than performance")
		}
		there := strings.Fields(line(root, dir+"energy_performance_available_preferences"))
		if !slices.Contains(there, value) {
			return nil, fmt.Errorf("there is no preference %s here (there are: %s)", value, strings.Join(there, ", "))
		}
		changes = append(changes, Change{Path: file, Value: value})
	}
	return changes, err
}

// Files implements Setter.
func (energyPreference) Files() []string { return ofDomains("energy_performance_preference") }
