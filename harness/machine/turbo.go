package machine

import "io/fs"

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
	if v := line(root, cpuDir+"/intel_pstate/no_turbo"); v != "" {
		return named(v, map[string]string{"0": "on", "1": "off"}), nil
	}
	onOff := map[string]string{"0": "off", "1": "on"}
	if v := line(root, cpuDir+"/cpufreq/boost"); v != "" {
		return named(v, onOff), nil
	}
	v, err := readEach(root, cpuDir+"/cpu[0-9]*/cpufreq/boost", "the kernel shows no switch for it here (neither intel_pstate/no_turbo nor cpufreq/boost)")
	return named(v, onOff), err
}
