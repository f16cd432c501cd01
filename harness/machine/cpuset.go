package machine

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

const (
	groupName      = "moobench.fixture"
	cpusetIsolated = "isolated"
	cpusetNone     = "none"
)

// Grouper is a Setter whose setting is a control group that the subject has to
// be started in, before it is bound to its CPUs: outside of the group, the
// kernel doesn't let it have them.
type Grouper interface {
	// Group is the rooted path of its folder, "" when it is not set.
	Group(root fs.FS) string
}

// cpuset is a control group that has the measured CPUs for itself: no process
// outside of it runs there, those included that start later.
type cpuset struct{}

func (cpuset) Name() string { return "cpuset" }

func (cpuset) About() About {
	return About{
		Title: "CPU partition",
		Does:  "takes the measured CPUs, and those that share a core with them, away from everybody but the subject",
		Cost:  "any process of the machine may run on the measured CPUs",
		Fixed: cpusetIsolated,
	}
}

// cpusetRoot is the root of the control groups of version 2, if these have the
// CPUs: version 1 can't isolate what is there already.
func cpusetRoot(root fs.FS) (string, error) {
	const dir = "sys/fs/cgroup"
	for _, base := range cpusetRoots() {
		if has(line(root, base+"/cgroup.controllers"), "cpuset") {
			return base, nil
		}
	}
	if _, err := fs.Stat(root, dir+"/cpuset"); err == nil {
		return "", errors.New("control groups of version 1 have the CPUs here: boot with systemd.unified_cgroup_hierarchy=1, or cgroup_no_v1=cpuset")
	}
	return "", errors.New("there are no control groups of version 2 with cpuset here")
}

// cpusetRoots are where it may be: alone, or beside control groups of version 1.
func cpusetRoots() []string { return []string{"sys/fs/cgroup", "sys/fs/cgroup/unified"} }

func has(words, word string) bool { return slices.Contains(strings.Fields(words), word) }

func (cpuset) Observe(root fs.FS, on Placement) (State, error) {
	base, err := cpusetRoot(root)
	if err != nil {
		return State{}, err
	}
	dir := base + "/" + groupName
	if !there(root, dir) {
		return State{Value: cpusetNone}, nil
	}
	partition := line(root, dir+"/cpuset.cpus.partition")
	switch partition {
	case "", "member":
		return State{Value: "not isolated"}, nil
	case "isolated", "root":
	default: // invalid, with the kernel's reason
		return State{Value: partition}, nil
	}
	cpus := cmp.Or(line(root, dir+"/cpuset.cpus.effective"), line(root, dir+"/cpuset.cpus"))
	if want := FormatCPUs(cpusetCPUs(root, on)); want != "" && cpus != want {
		return State{Value: "isolated with CPU " + cpus}, nil
	}
	return State{Value: cpusetIsolated}, nil
}

func there(root fs.FS, path string) bool {
	_, err := fs.Stat(root, path)
	return err == nil
}

// cpusetCPUs are the measured CPUs and those that have to be kept empty,
// because they share a core with them.
func cpusetCPUs(root fs.FS, on Placement) []int {
	return without(withSiblings(root, on.Fixture), on.Housekeeping)
}

func (cpuset) Values() []string { return []string{cpusetIsolated, cpusetNone} }

func (k cpuset) Check(value string) (string, error) { return among(value, k.Values()) }

func (k cpuset) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	base, err := cpusetRoot(root)
	if err != nil {
		return nil, err
	}
	dir := base + "/" + groupName
	switch {
	case value == cpusetNone && there(root, dir):
		return nil, fmt.Errorf("/%s is there, but not by this run: remove it with rmdir", dir)
	case value == cpusetNone:
		return nil, nil
	case on.Shared:
		return nil, errors.New("there is one CPU for everything")
	case len(on.Fixture) == 0:
		return nil, errors.New("it is not known which CPUs are measured")
	}
	var changes []Change
	if !has(line(root, base+"/cgroup.subtree_control"), "cpuset") {
		changes = append(changes, Change{Path: base + "/cgroup.subtree_control", Value: "+cpuset", Undo: "-cpuset"})
	}
	if !there(root, dir) {
		changes = append(changes, Change{Path: dir, Kind: ChangeMake})
	}
	changes = append(changes,
		Change{Path: dir + "/cpuset.cpus", Value: FormatCPUs(cpusetCPUs(root, on))},
		Change{Path: dir + "/cpuset.cpus.partition", Value: cpusetPartition(root, on)})
	return unlessSo(k, root, on, value, changes...)
}

// Files implements Setter.
func (cpuset) Files() []string {
	var files []string
	for _, base := range cpusetRoots() {
		dir := base + "/" + groupName
		files = append(files, base+"/cgroup.subtree_control", dir, dir+"/cpuset.cpus", dir+"/cpuset.cpus.partition")
	}
	return files
}

// cpusetPartition is the kind of partition. On several CPUs it must be one whose
// load the kernel balances: in one that is "isolated", all threads of a JVM
// would stay on the CPU that it was started on. Kernels before 6.1 have no
// other kind.
func cpusetPartition(root fs.FS, on Placement) string {
	var major, minor int
	fmt.Sscanf(line(root, "proc/sys/kernel/osrelease"), "%d.%d", &major, &minor)
	if len(on.Fixture) > 1 || major < 6 || major == 6 && minor < 1 {
		return "root"
	}
	return "isolated"
}

// Group implements Grouper.
func (cpuset) Group(root fs.FS) string {
	base, err := cpusetRoot(root)
	if err != nil || line(root, base+"/"+groupName+"/cpuset.cpus") == "" {
		return ""
	}
	return base + "/" + groupName
}
