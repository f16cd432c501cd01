package machine

import "io/fs"

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
	v, err := readEach(root, cpuDir+"/cpu[0-9]*/cpufreq/scaling_governor",
		"there is no cpufreq here: the firmware, or the host of this virtual machine, decides the frequency")
	return State{Value: v}, err
}
