package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

const (
	irqDir         = "proc/irq"
	defaultIRQFile = irqDir + "/default_smp_affinity"
	irqFiles       = irqDir + "/*/smp_affinity_list"
	irqsAway       = "housekeeping"
)

// irqs is where devices may interrupt.
type irqs struct{}

func (irqs) Name() string { return "irqs" }

func (irqs) About() About {
	return About{
		Title:  "interrupts of devices",
		Does:   "decides which CPUs are interrupted by disks, network cards and the like",
		Cost:   "each one stops the subject, evicts some of its cache, and comes when others cause it",
		Fixed:  irqsAway,
		Drifts: true, // irqbalance moves them
	}
}

// interrupt is one that some driver handles.
type interrupt struct {
	dir     string
	allowed []int // where the kernel may have it run
	runs    []int // where of these it has it run
}

// readInterrupts leaves out those that nobody handles: they never come.
func readInterrupts(root fs.FS) []interrupt {
	entries, err := fs.ReadDir(root, irqDir)
	if err != nil {
		return nil
	}
	var all []interrupt
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		handlers, err := fs.ReadFile(root, "sys/kernel/irq/"+e.Name()+"/actions")
		if err == nil && strings.TrimSpace(string(handlers)) == "" {
			continue
		}
		dir := irqDir + "/" + e.Name()
		allowed, err := ParseCPUs(line(root, dir+"/smp_affinity_list"))
		if err != nil || len(allowed) == 0 {
			continue
		}
		// One that was moved says so here only when it has come the next time.
		effective, err := ParseCPUs(line(root, dir+"/effective_affinity_list"))
		if err != nil || !meet(effective, allowed) {
			effective = allowed
		}
		all = append(all, interrupt{dir, allowed, effective})
	}
	return all
}

func (irqs) Observe(root fs.FS, on Placement) (State, error) {
	all := readInterrupts(root)
	if len(all) == 0 {
		return State{}, errors.New("/proc/irq does not tell it here")
	}
	if len(on.Fixture) == 0 {
		return State{}, errors.New("it is not known which CPUs are measured")
	}
	measured := withSiblings(root, on.Fixture)
	near := 0
	for _, i := range all {
		if meet(i.runs, measured) {
			near++
		}
	}
	switch near {
	case 0:
		return State{Value: irqsAway}, nil
	case len(all):
		return State{Value: "anywhere"}, nil
	}
	return State{Value: fmt.Sprintf("%d of %d may run on CPU %s", near, len(all), FormatCPUs(measured))}, nil
}

func (irqs) Values() []string { return []string{irqsAway} }

func (k irqs) Check(value string) (string, error) { return among(value, k.Values()) }

// Changes moves all that may run on the measured CPUs. The kernel keeps some
// where they are, such as those of a disk that has one for each CPU.
func (k irqs) Changes(root fs.FS, on Placement, value string) ([]Change, error) {
	measured := withSiblings(root, on.Fixture)
	to := without(on.Housekeeping, measured)
	var changes []Change
	if there(root, defaultIRQFile) { // those to come; and it says best why nothing can be moved
		changes = append(changes, Change{Path: defaultIRQFile, Value: formatMask(to)})
	}
	for _, i := range readInterrupts(root) {
		if meet(i.allowed, measured) {
			changes = append(changes, Change{Path: i.dir + "/smp_affinity_list", Value: FormatCPUs(to), Optional: true})
		}
	}
	changes, err := unlessSo(k, root, on, value, changes...)
	if len(changes) > 0 && len(to) == 0 {
		return nil, errors.New("they have nowhere else to go: moobench's own CPUs are measured, or share a core with those that are")
	}
	return changes, err
}

// Files implements Setter.
func (irqs) Files() []string { return []string{defaultIRQFile, irqFiles} }

// withSiblings are CPUs and all that share a core with them.
func withSiblings(root fs.FS, cpus []int) []int {
	t, _ := ReadTopology(root) // siblings that are not known are not assumed
	return t.cores(cpus)
}

// meet reports that the two have a CPU in common.
func meet(a, b []int) bool {
	return slices.ContainsFunc(a, func(cpu int) bool { return slices.Contains(b, cpu) })
}

// common are those of cpus that are among others.
func common(cpus, others []int) []int { return without(cpus, without(cpus, others)) }

func without(cpus, others []int) []int {
	return slices.DeleteFunc(slices.Clone(cpus), func(cpu int) bool { return slices.Contains(others, cpu) })
}

// formatMask writes a set of CPUs as hexadecimal digits, with a comma between
// every 32 bits.
func formatMask(cpus []int) string {
	groups := make([]uint32, 1)
	for _, cpu := range cpus {
		for cpu/32 >= len(groups) {
			groups = append(groups, 0)
		}
		groups[cpu/32] |= 1 << (cpu % 32)
	}
	slices.Reverse(groups)
	mask := strconv.FormatUint(uint64(groups[0]), 16)
	for _, group := range groups[1:] {
		mask += fmt.Sprintf(",%08x", group)
	}
	return mask
}
