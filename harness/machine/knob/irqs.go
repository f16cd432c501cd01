package knob

import (
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"path"
	"strings"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
)

const (
	defaultIRQFile = "proc/irq/default_smp_affinity"
	irqFiles       = "proc/irq/*/smp_affinity_list"
	irqsAway       = "housekeeping"
)

// interrupt is an interrupt that some driver handles.
type interrupt struct {
	file    string  // its affinity file
	allowed cpu.Set // where the kernel may deliver it
	runs    cpu.Set // where the kernel delivers it
}

// readInterrupts omits interrupts without a handler: they never occur.
func readInterrupts(root fs.FS) []interrupt {
	var all []interrupt
	for _, file := range kernel.Glob(root, irqFiles) {
		dir := path.Dir(file)
		handlers, err := fs.ReadFile(root, "sys/kernel/irq/"+path.Base(dir)+"/actions")
		allowed, _ := cpu.Parse(kernel.Line(root, file))
		if err == nil && strings.TrimSpace(string(handlers)) == "" || len(allowed) == 0 {
			continue
		}
		// After a move, this file changes only when the interrupt next occurs.
		effective, _ := cpu.Parse(kernel.Line(root, dir+"/effective_affinity_list"))
		if !effective.Meets(allowed) {
			effective = allowed
		}
		all = append(all, interrupt{file, allowed, effective})
	}
	return all
}

func observeIRQs(root fs.FS, on cpu.Placement) (string, error) {
	all := readInterrupts(root)
	switch {
	case len(all) == 0:
		return "", errors.New("/proc/irq does not show it here")
	case len(on.Fixture) == 0:
		return "", errors.New("it is not known which CPUs are measured")
	}
	measured := withSiblings(root, on.Fixture)
	near := 0
	for _, i := range all {
		if i.runs.Meets(measured) {
			near++
		}
	}
	switch near {
	case 0:
		return irqsAway, nil
	case len(all):
		return "anywhere", nil
	}
	return fmt.Sprintf("%d of %d may run on CPU %s", near, len(all), measured), nil
}

// changeIRQs moves all interrupts that may be delivered to the measured CPUs. The kernel pins some, such as those
// of a disk with one interrupt per CPU.
func changeIRQs(root fs.FS, on cpu.Placement, _ string) ([]Change, error) {
	measured := withSiblings(root, on.Fixture)
	to := on.Housekeeping.Without(measured)
	if len(to) == 0 {
		return nil, errors.New("they have nowhere else to go: " +
			"moobench's own CPUs are measured, or share a core with those that are")
	}
	var changes []Change
	if kernel.Exists(root, defaultIRQFile) { // for future interrupts; its error explains best why nothing can be moved
		changes = append(changes, Change{Path: defaultIRQFile, Value: formatMask(to)})
	}
	for _, i := range readInterrupts(root) {
		if i.allowed.Meets(measured) {
			changes = append(changes, Change{Path: i.file, Value: to.String(), Optional: true})
		}
	}
	return changes, nil
}

// withSiblings returns CPUs and all that share a core with them.
func withSiblings(root fs.FS, cpus cpu.Set) cpu.Set {
	t, _ := cpu.ReadTopology(root) // unknown siblings are not assumed
	return t.Cores(cpus)
}

// formatMask formats a set of CPUs as a hexadecimal mask with a comma after every 32 bits.
func formatMask(cpus cpu.Set) string {
	mask := new(big.Int)
	for _, cpu := range cpus {
		mask.SetBit(mask, cpu, 1)
	}
	text := mask.Text(16)
	for i := len(text) - 8; i > 0; i -= 8 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
