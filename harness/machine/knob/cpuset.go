package knob

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
	"moobench/refusal"
)

const groupName, cpusetIsolated, cpusetNone = "moobench.fixture", "isolated", "none"

// cpusetRoot returns the root of the version 2 control groups, if these control the CPUs, and the folder of our
// group. Version 1 can't isolate CPUs from existing processes.
func cpusetRoot(root fs.FS) (base, dir string, err error) {
	for _, base := range cpusetRoots() {
		if kernel.Has(kernel.Line(root, base+"/cgroup.controllers"), "cpuset") {
			return base, base + "/" + groupName, nil
		}
	}
	if kernel.Exists(root, "sys/fs/cgroup/cpuset") {
		return "", "", refusal.New(errors.New("control groups of version 1 have the CPUs here"),
			"boot with systemd.unified_cgroup_hierarchy=1, or cgroup_no_v1=cpuset")
	}
	return "", "", errors.New("there are no control groups of version 2 with cpuset here")
}

// cpusetRoots returns the possible roots: version 2 alone, or alongside version 1.
func cpusetRoots() []string { return []string{"sys/fs/cgroup", "sys/fs/cgroup/unified"} }

func observeCpuset(root fs.FS, on cpu.Placement) (string, error) {
	_, dir, err := cpusetRoot(root)
	if err != nil {
		return "", err
	}
	if !kernel.Exists(root, dir) {
		return cpusetNone, nil
	}
	partition := kernel.Line(root, dir+"/cpuset.cpus.partition")
	switch partition {
	case "", "member":
		return "not isolated", nil
	case "isolated", "root":
	default: // invalid, with the kernel's reason
		return partition, nil
	}
	cpus := cmp.Or(kernel.Line(root, dir+"/cpuset.cpus.effective"), kernel.Line(root, dir+"/cpuset.cpus"))
	if want := cpusetCPUs(root, on).String(); want != "" && cpus != want {
		return "isolated with CPU " + cpus, nil
	}
	return cpusetIsolated, nil
}

// cpusetCPUs returns the measured CPUs, and those that must stay empty because they share a core with them.
func cpusetCPUs(root fs.FS, on cpu.Placement) cpu.Set {
	return withSiblings(root, on.Fixture).Without(on.Housekeeping)
}

func changeCpuset(root fs.FS, on cpu.Placement, value string) ([]Change, error) {
	base, dir, err := cpusetRoot(root)
	if err != nil {
		return nil, err
	}
	switch {
	case value == cpusetNone:
		return nil, refusal.New(fmt.Errorf("/%s is there, but not by this run", dir), "remove it with rmdir")
	case on.Shared:
		return nil, errors.New("there is one CPU for everything")
	case len(on.Fixture) == 0:
		return nil, errors.New("it is not known which CPUs are measured")
	}
	var changes []Change
	if !kernel.Has(kernel.Line(root, base+"/cgroup.subtree_control"), "cpuset") {
		changes = append(changes, Change{Path: base + "/cgroup.subtree_control", Value: "+cpuset", Undo: "-cpuset"})
	}
	if !kernel.Exists(root, dir) {
		changes = append(changes, Change{Path: dir, Kind: ChangeMake})
	}
	// Several CPUs need a partition with load balancing: in an "isolated" one, all threads of a JVM would stay on
	// the CPU that it was started on. Kernels before 6.1 only have partitions with load balancing.
	partition, major, minor := "isolated", 0, 0
	fmt.Sscanf(kernel.Line(root, "proc/sys/kernel/osrelease"), "%d.%d", &major, &minor)
	if len(on.Fixture) > 1 || major < 6 || major == 6 && minor < 1 {
		partition = "root"
	}
	return append(changes,
		Change{Path: dir + "/cpuset.cpus", Value: cpusetCPUs(root, on).String()},
		Change{Path: dir + "/cpuset.cpus.partition", Value: partition}), nil
}

func cpusetFiles() []string {
	var files []string
	for _, base := range cpusetRoots() {
		dir := base + "/" + groupName
		files = append(files, base+"/cgroup.subtree_control", dir, dir+"/cpuset.cpus", dir+"/cpuset.cpus.partition")
	}
	return files
}

// cpusetGroup returns the folder of the group that has the measured CPUs to itself: no process outside it, not
// even one started later, runs there.
func cpusetGroup(root fs.FS) string {
	_, dir, err := cpusetRoot(root)
	if err != nil || kernel.Line(root, dir+"/cpuset.cpus") == "" {
		return ""
	}
	return dir
}
