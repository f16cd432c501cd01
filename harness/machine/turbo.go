package machine

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
)

const (
	noTurbo  = cpuDir + "/intel_pstate/no_turbo"
	boostAll = cpuDir + "/cpufreq/boost"
)

// turbo raises the frequency above the nominal one for as long as temperature
// and the other cores allow it.
type turbo struct{}

func (turbo) Name() string { return "turbo" }

func (turbo) About() About {
	return About{
		Title: "turbo",
		Does:  "raises the frequency for as long as heat and the other cores allow",
		Cost:  "what is measured first runs faster than what is measured hot",
		Fixed: "off",
	}
}

func (turbo) Observe(root fs.FS, _ Placement) (State, error) {
	if v := line(root, noTurbo); v != "" {
		return named(v, map[string]string{"0": "on", "1": "off"}), nil
	}
	v, err := readEach(root, cpuDir+"/cpu[0-9]*/cpufreq/boost",
		"the kernel shows no switch for it here (neither intel_pstate/no_turbo nor cpufreq/boost)")
	if all := line(root, boostAll); all == "0" || all != "" && err != nil {
		v, err = all, nil
	}
	return named(v, map[string]string{"0": "off", "1": "on", "0, 1": "off, on"}), err
}

func (turbo) Values() []string { return []string{"on", "off"} }

func (k turbo) Check(value string) (string, error) { return oneOf(value, k.Values()) }

func (k turbo) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	found, err := k.Observe(root, on)
	if err != nil || found.Value == value {
		return nil, err
	}
	dirs, _ := domains(root) // without cpufreq there is nothing to keep, and one switch for all
	kept := turboMoves(root, dirs)
	boost := zeroOne(value == "on")
	switch {
	case line(root, noTurbo) != "":
		if value == "on" && !canTurbo(root) {
			return nil, errors.New("the firmware has switched it off, or this CPU has none (/proc/cpuinfo has no flag ida)")
		}
		return append(kept, Change{Path: noTurbo, Value: zeroOne(value == "off")}), nil
	case line(root, boostAll) != "" && line(root, boostAll) != boost:
		for _, dir := range dirs {
			kept = append(kept, guards(root, dir+"boost")...)
		}
		return append(kept, Change{Path: boostAll, Value: boost}), nil
	}
	for _, dir := range dirs {
		if v := line(root, dir+"boost"); v != "" && v != boost {
			kept = append(kept, Change{Path: dir + "boost", Value: boost})
		}
	}
	return kept, nil
}

// Files implements Setter.
func (turbo) Files() []string {
	return append(ofDomains("boost", "scaling_max_freq", "scaling_min_freq"), noTurbo, boostAll, cpuDir+"/intel_pstate/min_perf_pct")
}

// turboMoves keeps the limits, which the kernel cuts to what is left without
// turbo, and does not always widen again.
func turboMoves(root fs.FS, dirs []string) []Change {
	kept := guards(root, cpuDir+"/intel_pstate/min_perf_pct")
	for _, dir := range dirs {
		kept = append(kept, guards(root, dir+"scaling_max_freq", dir+"scaling_min_freq")...)
	}
	return kept
}

// canTurbo is false where intel_pstate refuses to switch it on: the flag goes
// when the firmware switches turbo off.
func canTurbo(root fs.FS) bool {
	flags := strings.Fields(value(text(root, "proc/cpuinfo"), "flags"))
	return len(flags) == 0 || slices.Contains(flags, "ida")
}
