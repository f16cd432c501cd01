package knob

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
	"moobench/results"
)

// domains returns the cpufreq folders of the online CPUs, with a trailing slash: one per set of CPUs that share a
// frequency.
func domains(root fs.FS) ([]string, error) {
	t, _ := cpu.ReadTopology(root) // without a topology there are no CPUs, and no folders
	var dirs []string
	for _, n := range t.CPUs() {
		dir := fmt.Sprintf("%s/cpu%d/cpufreq/", cpu.Dir, n)
		first, _, _ := strings.Cut(kernel.Line(root, dir+"affected_cpus"), " ")
		if kernel.Line(root, dir+"scaling_governor") != "" && kernel.Int(first, n) == n {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return nil, errors.New("there is no cpufreq here: " +
			"the firmware, or the host of this virtual machine, decides the frequency")
	}
	return dirs, nil
}

// ofDomains returns patterns of files in the folders that domains returns.
func ofDomains(files ...string) []string {
	return results.Each(files, func(file string) string { return cpu.Dir + "/cpu[0-9]*/cpufreq/" + file })
}

// different returns a function that joins the distinct values of a file over all domains; "" means that no domain
// has the file.
func different(file string) func(root fs.FS, on cpu.Placement) (string, error) {
	return func(root fs.FS, _ cpu.Placement) (string, error) {
		dirs, err := domains(root)
		for i := range dirs {
			dirs[i] += file
		}
		return joined(lines(root, dirs...)), err
	}
}

// lines returns the contents of the non-empty files that match a pattern.
func lines(root fs.FS, patterns ...string) (held []string) {
	for _, pattern := range patterns {
		for _, path := range kernel.Glob(root, pattern) {
			if v := kernel.Line(root, path); v != "" {
				held = append(held, v)
			}
		}
	}
	return held
}

// lostWith returns the files whose values the kernel forgets when a governor is replaced: the frequency set by
// hand, the preference that "performance" overrides, and the governor's tunables, in a folder of one domain or of
// all.
func lostWith(root fs.FS, dir, governor string) []string {
	paths := []string{dir + "scaling_setspeed", dir + "energy_performance_preference"}
	paths = append(paths, kernel.Glob(root, dir+governor+"/*")...)
	return append(paths, kernel.Glob(root, cpu.Dir+"/cpufreq/"+governor+"/*")...)
}

// lostFiles returns patterns for lostWith. Tunables shared by all domains lie beside the domains' folders, whose
// names end in a number.
func lostFiles() []string {
	return append(ofDomains("scaling_setspeed", "energy_performance_preference", "*/*"), cpu.Dir+"/cpufreq/*[^0-9]/*")
}

// resolveGovernor resolves "scaling" to the first available governor that follows the load.
func resolveGovernor(root fs.FS, _ cpu.Placement, value string) (string, error) {
	if value != "scaling" {
		return value, nil
	}
	dirs, err := domains(root)
	if err != nil {
		return "", err
	}
	there := strings.Fields(kernel.Line(root, dirs[0]+"scaling_available_governors"))
	follow := []string{"schedutil", "ondemand", "conservative"}
	if driver := kernel.Line(root, dirs[0]+"scaling_driver"); driver == "intel_pstate" || driver == "amd-pstate-epp" {
		follow = []string{"powersave"} // their powersave follows the load, and is not the lowest frequency
	}
	i := slices.IndexFunc(follow, func(g string) bool { return slices.Contains(there, g) })
	if i < 0 {
		return "", fmt.Errorf("no governor here follows the load (there are: %s)", strings.Join(there, ", "))
	}
	return follow[i], nil
}

func changeGovernor(root fs.FS, on cpu.Placement, value string) ([]Change, error) {
	value, err := resolveGovernor(root, on, value)
	if err != nil {
		return nil, err
	}
	changes, err := chooseWord(root, "scaling_governor", "scaling_available_governors", "governor", value)
	var lost []string
	for _, c := range changes {
		governor, dir := kernel.Line(root, c.Path), strings.TrimSuffix(c.Path, "scaling_governor")
		lost = append(lost, lostWith(root, dir, governor)...)
	}
	return append(guards(root, lost...), changes...), err
}

// chooseWord sets a file, in each domain that has it, to one of the words listed in another file of the domain.
// Messages call these words kind.
func chooseWord(root fs.FS, file, list, kind, word string) ([]Change, error) {
	dirs, err := domains(root)
	var changes []Change
	for _, dir := range dirs {
		found := kernel.Line(root, dir+file)
		if found == "" || found == word {
			continue
		}
		if there := strings.Fields(kernel.Line(root, dir+list)); !slices.Contains(there, word) {
			return nil, fmt.Errorf("there is no %s %s here (there are: %s)", kind, word, strings.Join(there, ", "))
		}
		changes = append(changes, Change{Path: dir + file, Value: word})
	}
	return changes, err
}

func observeEnergyPreference(root fs.FS, on cpu.Placement) (string, error) {
	v, err := different("energy_performance_preference")(root, on)
	if err == nil && v == "" {
		err = errors.New("this cpufreq driver has none: only intel_pstate and amd_pstate have, " +
			"where the processor decides its frequency itself")
	}
	return v, err
}

func changeEnergyPreference(root fs.FS, _ cpu.Placement, value string) ([]Change, error) {
	const file = "energy_performance_preference"
	dirs, _ := domains(root)
	for _, dir := range dirs {
		found := kernel.Line(root, dir+file)
		other := found != "" && found != value && value != "performance"
		if other && kernel.Line(root, dir+"scaling_governor") == "performance" {
			return nil, errors.New("governor performance allows no other preference than performance")
		}
	}
	return chooseWord(root, file, "energy_performance_available_preferences", "preference", value)
}

const (
	noTurbo  = cpu.Dir + "/intel_pstate/no_turbo"
	boostAll = cpu.Dir + "/cpufreq/boost"
	// leastPerf is the lowest frequency, in percent of the highest.
	leastPerf = cpu.Dir + "/intel_pstate/min_perf_pct"
)

func observeTurbo(root fs.FS, _ cpu.Placement) (string, error) {
	if v := kernel.Line(root, noTurbo); v != "" {
		return inWords(v, map[string]string{"0": "on", "1": "off"}), nil
	}
	v, all := joined(lines(root, ofDomains("boost")...)), kernel.Line(root, boostAll)
	switch {
	case all == "0" || all != "" && v == "":
		v = all
	case v == "":
		return "", errors.New("the kernel shows no switch for it here " +
			"(neither intel_pstate/no_turbo nor cpufreq/boost)")
	}
	return inWords(v, map[string]string{"0": "off", "1": "on", "0, 1": "off, on"}), nil
}

func changeTurbo(root fs.FS, _ cpu.Placement, value string) ([]Change, error) {
	dirs, _ := domains(root) // without cpufreq there is no limit to keep, and one switch for all
	kept := guards(root, leastPerf)
	for _, dir := range dirs {
		kept = append(kept, guards(root, dir+"scaling_max_freq", dir+"scaling_min_freq")...)
	}
	boost, all := zeroOne(value == "on"), kernel.Line(root, boostAll)
	if kernel.Line(root, noTurbo) != "" {
		// intel_pstate refuses to switch it on if the firmware has switched turbo off, which clears the flag.
		flags := kernel.Value(kernel.Text(root, "proc/cpuinfo"), "flags")
		if value == "on" && flags != "" && !kernel.Has(flags, "ida") {
			return nil, errors.New("the firmware has switched it off, or this CPU has none " +
				"(/proc/cpuinfo has no flag ida)")
		}
		return append(kept, Change{Path: noTurbo, Value: zeroOne(value == "off")}), nil
	}
	for _, dir := range dirs {
		v := kernel.Line(root, dir+"boost")
		switch {
		case all != "" && all != boost: // the global switch changes the domains'
			kept = append(kept, guards(root, dir+"boost")...)
		case v != "" && v != boost:
			kept = append(kept, Change{Path: dir + "boost", Value: boost})
		}
	}
	if all != "" && all != boost {
		kept = append(kept, Change{Path: boostAll, Value: boost})
	}
	return kept, nil
}
