package machine

import "io/fs"

// governor decides the frequency by the load, unless it is "performance".
type governor struct{}

func (governor) Name() string { return "governor" }

func (governor) Observe(root fs.FS) (State, error) {
	v, err := readEach(root, cpuDir+"/cpu[0-9]*/cpufreq/scaling_governor",
		"there is no cpufreq here: the firmware, or the host of this virtual machine, decides the frequency")
	return State{Value: v}, err
}
