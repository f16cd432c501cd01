package facts

import (
	"fmt"
	"io/fs"
	"slices"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
	"moobench/results"
)

// The kinds of cores of a CPU that has two kinds.
const (
	performance = "performance"
	efficiency  = "efficiency"
)

// Core returns the kind of these CPUs' cores on a machine with two kinds, or results.MixedCores if there are both;
// "" on a machine whose cores are all alike. On Intel the kernel lists the CPUs of each kind; on Arm it gives each
// CPU a capacity.
func Core(root fs.FS, cpus cpu.Set) string {
	kinds := map[string]bool{}
	fast, errFast := cpu.Parse(kernel.Line(root, "sys/devices/cpu_core/cpus"))
	slow, errSlow := cpu.Parse(kernel.Line(root, "sys/devices/cpu_atom/cpus"))
	if errFast != nil || errSlow != nil || len(fast) == 0 || len(slow) == 0 {
		fast, slow = byCapacity(root)
	}
	for _, id := range cpus {
		switch {
		case slices.Contains(slow, id):
			kinds[efficiency] = true
		case slices.Contains(fast, id):
			kinds[performance] = true
		}
	}
	switch {
	case len(slow) == 0 || len(kinds) == 0:
		return ""
	case len(kinds) > 1:
		return results.MixedCores
	case kinds[efficiency]:
		return efficiency
	}
	return performance
}

// byCapacity returns the CPUs of the largest capacity, and the others; both are nil if capacities are unknown.
func byCapacity(root fs.FS) (largest, others cpu.Set) {
	capacities, most := map[int]int{}, 0
	t, _ := cpu.ReadTopology(root) // without a topology nothing is known
	for _, id := range t.CPUs() {
		n := kernel.Int(kernel.Line(root, fmt.Sprintf("%s/cpu%d/cpu_capacity", cpu.Dir, id)), 0)
		capacities[id], most = n, max(most, n)
	}
	for _, id := range t.CPUs() {
		if capacities[id] == most {
			largest = append(largest, id)
		} else if capacities[id] > 0 {
			others = append(others, id)
		}
	}
	return largest, others
}
