package knob

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
)

const smtControl = cpu.Dir + "/smt/control"

// observeSMT returns "off" also if the kernel has no switch and no two CPUs share a core.
func observeSMT(root fs.FS, _ cpu.Placement) (string, error) {
	v, err := read(root, smtControl, "/sys does not show it here")
	switch v {
	case "forceoff":
		v = "off"
	case "notsupported", "notimplemented":
		v = "off"
		if len(secondThreads(root)) > 0 {
			v = "on"
		}
	}
	return v, err
}

func changeSMT(root fs.FS, _ cpu.Placement, value string) ([]Change, error) {
	switch control := kernel.Line(root, smtControl); control {
	case "forceoff":
		return nil, errors.New("it was switched off for good when the machine was started (smt/control says forceoff)")
	case "notsupported", "notimplemented":
		return nil, fmt.Errorf("there is nothing that the kernel could switch (smt/control says %s)", control)
	}
	change := Change{Path: smtControl, Value: value}
	if value != "off" {
		return []Change{change}, nil
	}
	// When CPUs go and come back, the kernel may change these files: the CPUs' own settings, interrupts that had
	// no other CPU, and CPUs that were already offline, since all of them come back. A file that affects others
	// comes after them, since guards are restored in reverse order.
	var paths []string
	cpus := secondThreads(root)
	for _, n := range cpus {
		dir := fmt.Sprintf("%s/cpu%d/", cpu.Dir, n)
		cpufreq := dir + "cpufreq/"
		paths = append(paths, lostWith(root, cpufreq, kernel.Line(root, cpufreq+"scaling_governor"))...)
		paths = append(paths,
			cpufreq+"scaling_max_freq", cpufreq+"scaling_min_freq", cpufreq+"boost", cpufreq+"scaling_governor")
		paths = append(paths, kernel.Glob(root, dir+"cpuidle/state*/disable")...)
	}
	irqs := slices.DeleteFunc(kernel.Glob(root, irqFiles), func(path string) bool {
		mine, _ := cpu.Parse(kernel.Line(root, path))
		return len(mine) == 0 || len(mine.Without(cpus)) > 0
	})
	offline := kernel.Glob(root, cpu.Dir+"/cpu[0-9]*/online")
	offline = slices.DeleteFunc(offline, func(path string) bool { return kernel.Line(root, path) != "0" })
	return append(guards(root, slices.Concat(paths, irqs, offline)...), change), nil
}

// secondThreads returns the CPUs that go offline without SMT: all but the first of each core.
func secondThreads(root fs.FS) cpu.Set {
	t, _ := cpu.ReadTopology(root) // CPUs with unknown siblings stay
	return slices.DeleteFunc(t.CPUs(), func(n int) bool { return n == slices.Min(t.Siblings(n)) })
}
