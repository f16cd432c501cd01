package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

const smtControl = cpuDir + "/smt/control"

// smt lets two logical CPUs share a core.
type smt struct{}

func (smt) Name() string { return "smt" }

func (smt) About() About {
	return About{
		Title: "simultaneous multithreading",
		Does:  "lets two logical CPUs share a core",
		Cost:  "what runs on the sibling slows the measured CPU by up to a half",
		Fixed: "off",
	}
}

// Observe says "off" also where the kernel has no switch and no two CPUs share a
// core.
func (smt) Observe(root fs.FS, _ Placement) (State, error) {
	v, err := read(root, smtControl, "/sys does not tell it here")
	switch v {
	case "forceoff":
		v = "off"
	case "notsupported", "notimplemented":
		v = "off"
		if len(secondThreads(root)) > 0 {
			v = "on"
		}
	}
	return State{Value: v}, err
}

func (smt) Values() []string { return []string{"on", "off"} }

func (k smt) Check(value string) (string, error) { return oneOf(value, k.Values()) }

func (k smt) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	found, err := k.Observe(root, on)
	if err != nil || found.Value == value {
		return nil, err
	}
	switch control := line(root, smtControl); control {
	case "forceoff":
		return nil, errors.New("it was switched off for good when the machine was started (smt/control says forceoff)")
	case "notsupported", "notimplemented":
		return nil, fmt.Errorf("there is nothing that the kernel could switch (smt/control says %s)", control)
	}
	var kept []Change
	if value == "off" {
		kept = guards(root, goingWith(root, secondThreads(root))...)
	}
	return append(kept, Change{Path: smtControl, Value: value}), nil
}

// Files are also what goes with the CPUs that go.
func (smt) Files() []string {
	files := append(ofDomains("scaling_max_freq", "scaling_min_freq", "boost", "scaling_governor"), lostFiles()...)
	return append(files, smtControl, idleFiles, irqFiles, cpuDir+"/cpu[0-9]*/online")
}

// secondThreads are the CPUs that go when it is switched off: all of a core but
// its first.
func secondThreads(root fs.FS) []int {
	t, _ := ReadTopology(root) // what is not known does not go
	var cpus []int
	for _, c := range t {
		if c.ID != slices.Min(c.Siblings) {
			cpus = append(cpus, c.ID)
		}
	}
	return cpus
}

// goingWith are the files that the kernel may change when these CPUs go and come
// back: their own settings, the interrupts that had no other CPU, and CPUs that
// were offline by themselves, because all come back. What moves another file
// comes after it, and so is put back before it.
func goingWith(root fs.FS, cpus []int) []string {
	var paths []string
	for _, cpu := range cpus {
		dir := fmt.Sprintf("%s/cpu%d/", cpuDir, cpu)
		cpufreq := dir + "cpufreq/"
		paths = append(paths, lostWith(root, cpufreq, line(root, cpufreq+"scaling_governor"))...)
		paths = append(paths, cpufreq+"scaling_max_freq", cpufreq+"scaling_min_freq", cpufreq+"boost", cpufreq+"scaling_governor")
		paths = append(paths, matches(root, dir+"cpuidle/state*/disable")...)
	}
	for _, path := range matches(root, "proc/irq/*/smp_affinity_list") {
		mine, err := ParseCPUs(line(root, path))
		elsewhere := func(cpu int) bool { return !slices.Contains(cpus, cpu) }
		if err == nil && len(mine) > 0 && !slices.ContainsFunc(mine, elsewhere) {
			paths = append(paths, path)
		}
	}
	for _, path := range matches(root, cpuDir+"/cpu[0-9]*/online") {
		if line(root, path) == "0" {
			paths = append(paths, path)
		}
	}
	return paths
}

// matches are the files of a pattern that is known to be well-formed.
func matches(root fs.FS, pattern string) []string {
	paths, err := fs.Glob(root, pattern)
	if err != nil {
		return nil
	}
	return paths
}
