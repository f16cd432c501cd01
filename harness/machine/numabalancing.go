package machine

import "io/fs"

const numaFile = "proc/sys/kernel/numa_balancing"

// numaBalancing moves memory to the processors that use it. Its file is a mask
// of bits: 1 is what "on" means, 2 moves cold memory to slow memory.
type numaBalancing struct{}

func (numaBalancing) Name() string { return "numa_balancing" }

func (numaBalancing) About() About {
	return About{
		Title: "NUMA balancing",
		Does:  "takes pages away from programs for a moment to see who uses them, and moves them there",
		Cost:  "page faults that the program did not cause, at times of the kernel's choosing",
		Fixed: "off",
	}
}

func (numaBalancing) Observe(root fs.FS, _ Placement) (State, error) {
	v, err := read(root, numaFile, "the kernel has none, or /proc does not tell it here")
	return named(v, map[string]string{"0": "off", "1": "on", "2": "memory tiering", "3": "on, with memory tiering"}), err
}

func (numaBalancing) Values() []string { return []string{"on", "off"} }

func (k numaBalancing) Check(value string) (string, error) { return among(value, k.Values()) }

func (k numaBalancing) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	return unlessSo(k, root, on, value, Change{Path: numaFile, Value: zeroOne(value == "on")})
}

// Files implements Setter.
func (numaBalancing) Files() []string { return []string{numaFile} }
