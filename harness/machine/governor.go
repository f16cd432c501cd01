package machine

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// governor decides the frequency by the load, unless it is "performance".
type governor struct{}

func (governor) Name() string { return "governor" }

func (governor) About() About {
	return About{
		Title: "frequency governor",
		Does:  "decides the frequency by the load",
		Cost:  "a CPU that has just woken up is slow, and the first calls of every invocation are too dear",
		Fixed: "performance",
	}
}

func (governor) Observe(root fs.FS, _ Placement) (State, error) {
	dirs, err := domains(root)
	return State{Value: different(root, dirs, "scaling_governor")}, err
}

// Values are "scaling", which is one that follows the load, and the kernel's.
func (governor) Values() []string {
	return []string{"performance", "scaling", "powersave", "schedutil", "ondemand", "conservative"}
}

func (k governor) Check(value string) (string, error) { return oneOf(value, k.Values()) }

// Resolve says which one "scaling" is here: the first that there is.
func (governor) Resolve(root fs.FS, _ Placement, value string) (string, error) {
	if value != "scaling" {
		return value, nil
	}
	dirs, err := domains(root)
	if err != nil {
		return "", err
	}
	there := strings.Fields(line(root, dirs[0]+"scaling_available_governors"))
	follow := []string{"schedutil", "ondemand", "conservative"}
	if driver := line(root, dirs[0]+"scaling_driver"); driver == "intel_pstate" || driver == "amd-pstate-epp" {
		follow = []string{"powersave"} // theirs follows the load, and is not the slowest frequency
	}
	for _, g := range follow {
		if slices.Contains(there, g) {
			return g, nil
		}
	}
	return "", fmt.Errorf("no governor here follows the load (there are: %s)", strings.Join(there, ", "))
}

func (k governor) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	dirs, err := domains(root)
	if err != nil {
		return nil, err
	}
	value, err = k.Resolve(root, on, value)
	if err != nil {
		return nil, err
	}
	var lost []string
	var changes []Change
	for _, dir := range dirs {
		found := line(root, dir+"scaling_governor")
		if found == value {
			continue
		}
		there := strings.Fields(line(root, dir+"scaling_available_governors"))
		if !slices.Contains(there, value) {
			return nil, fmt.Errorf("there is no governor %s here (there are: %s)", value, strings.Join(there, ", "))
		}
		lost = append(lost, lostWith(root, dir, found)...)
		changes = append(changes, Change{Path: dir + "scaling_governor", Value: value})
	}
	return append(guards(root, lost...), changes...), nil
}

// Files implements Setter.
func (governor) Files() []string { return append(ofDomains("scaling_governor"), lostFiles()...) }

// lostWith are the files that the kernel forgets with a governor: the frequency
// that was set by hand, the preference that "performance" overrides, and its
// tunables, whose folder is that of one domain or of all.
func lostWith(root fs.FS, dir, governor string) []string {
	paths := []string{dir + "scaling_setspeed", dir + "energy_performance_preference"}
	paths = append(paths, matches(root, dir+governor+"/*")...)
	return append(paths, matches(root, cpuDir+"/cpufreq/"+governor+"/*")...)
}

// lostFiles are patterns of what lostWith names. Beside the tunables that all domains
// share lie the folders of the domains, which end in their numbers.
func lostFiles() []string {
	return append(ofDomains("scaling_setspeed", "energy_performance_preference", "*/*"), cpuDir+"/cpufreq/*[^0-9]/*")
}
