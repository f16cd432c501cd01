package knob

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
	"moobench/refusal"
	"moobench/results"
)

// frequencyLimit is the upper or the lower limit of the governor's frequencies.
type frequencyLimit struct {
	file, other string // file names in the domains' folders
	lowest      bool
}

// setting adds the common parts of both limits. The kernel lowers both against heat.
func (l frequencyLimit) setting(k Knob) Knob {
	k.Drifts, k.Chief = true, "governor"
	k.Values, k.Check = []string{"lowest", "base", "highest", "2400MHz", "2.4GHz"}, checkFrequency
	k.Observe, k.resolve, k.Changes = l.observe, resolveFrequency, l.changes
	k.Files = ofDomains(l.file, l.other)
	return k
}

// observe returns the limit of each CPU in MHz.
func (l frequencyLimit) observe(root fs.FS, _ cpu.Placement) (string, error) {
	dirs, err := domains(root)
	var kHz []int
	for _, dir := range dirs {
		if n := kernel.Int(kernel.Line(root, dir+l.file), 0); n > 0 {
			kHz = append(kHz, n)
		}
	}
	if err == nil && len(kHz) == 0 {
		err = fmt.Errorf("cpufreq does not show it here (no %s)", l.file)
	}
	return megahertz(kHz...), err
}

func checkFrequency(value string) (string, error) {
	if value == "lowest" || value == "base" || value == "highest" {
		return value, nil
	}
	return canonical(parseFrequency, func(kHz int) string { return megahertz(kHz) })(value)
}

// resolveFrequency resolves "lowest", "base" and "highest" under current conditions.
func resolveFrequency(root fs.FS, _ cpu.Placement, value string) (string, error) {
	dirs, err := domains(root)
	var kHz []int
	for _, dir := range dirs {
		n, err := frequencyOf(root, dir, value)
		if err != nil {
			return "", err
		}
		kHz = append(kHz, n)
	}
	return megahertz(kHz...), err
}

// changes first moves the other limit out of the way: the lower one may never exceed the upper one.
func (l frequencyLimit) changes(root fs.FS, _ cpu.Placement, value string) ([]Change, error) {
	dirs, err := domains(root)
	var changes []Change
	for _, dir := range dirs {
		want, err := frequencyOf(root, dir, value)
		if err != nil {
			return nil, err
		}
		file, other := dir+l.file, dir+l.other
		if kernel.Int(kernel.Line(root, file), 0) == want {
			continue
		}
		limit := kernel.Int(kernel.Line(root, other), want)
		if l.lowest && limit < want || !l.lowest && limit > want {
			changes = append(changes, Change{Path: other, Value: strconv.Itoa(want)})
		}
		changes = append(changes, Change{Path: file, Value: strconv.Itoa(want)})
	}
	return changes, err
}

// frequencyOf returns a value for the CPUs of a domain, in kHz.
func frequencyOf(root fs.FS, dir, value string) (int, error) {
	tells := func(file string, otherwise int) int { return kernel.Int(kernel.Line(root, dir+file), otherwise) }
	lowest, highest, steps := tells("cpuinfo_min_freq", 0), tells("cpuinfo_max_freq", 0), frequencySteps(root, dir)
	// The highest that the kernel accepts: a step, if there are steps; at most the firmware's limit; and only the
	// base frequency without turbo.
	if len(steps) > 0 {
		highest = slices.Max(steps)
	}
	if kernel.Line(root, noTurbo) == "1" {
		highest = min(highest, tells("base_frequency", highest))
	}
	highest = min(highest, tells("bios_limit", highest))
	if lowest <= 0 || highest <= 0 {
		return 0, errors.New("cpufreq does not show the range of frequencies here")
	}
	var want int
	var err error
	switch value {
	case "lowest":
		return lowest, nil
	case "highest":
		return highest, nil
	case "base":
		want, err = baseFrequency(root, dir)
	default:
		want, err = parseFrequency(value)
	}
	if err != nil {
		return 0, err
	}
	if want < lowest || want > highest {
		return 0, fmt.Errorf("%s is not between %s and %s, which is what the CPU may do now",
			megahertz(want), megahertz(lowest), megahertz(highest))
	}
	if len(steps) > 0 && !slices.Contains(steps, want) {
		return 0, fmt.Errorf("there is no %s here (there are: %s)", megahertz(want), megahertz(steps...))
	}
	return want, nil
}

// baseFrequency returns the frequency that the processor can sustain, in kHz.
func baseFrequency(root fs.FS, dir string) (int, error) {
	if kHz := kernel.Int(kernel.Line(root, dir+"base_frequency"), 0); kHz > 0 {
		return kHz, nil
	}
	if steps := frequencySteps(root, dir); len(steps) > 0 {
		// ACPI indicates turbo by a step 1 MHz above the base frequency.
		if n := len(steps); n > 1 && steps[n-1]-steps[n-2] == 1000 {
			return steps[n-2], nil
		}
		return slices.Max(steps), nil
	}
	nominal := kernel.Line(root, strings.TrimSuffix(dir, "cpufreq/")+"acpi_cppc/nominal_freq")
	if mHz := kernel.Int(nominal, 0); mHz > 0 {
		return mHz * 1000, nil
	}
	return 0, refusal.New(errors.New("the base frequency is not known here "+
		"(there is neither cpufreq/base_frequency nor acpi_cppc/nominal_freq nor a list of frequencies)"),
		`name it, as "2400MHz"`)
}

// frequencySteps returns the possible frequencies in kHz, ascending; nil: any frequency is possible.
func frequencySteps(root fs.FS, dir string) []int {
	var steps []int
	for _, f := range strings.Fields(kernel.Line(root, dir+"scaling_available_frequencies")) {
		if kHz := kernel.Int(f, 0); kHz > 0 {
			steps = append(steps, kHz)
		}
	}
	slices.Sort(steps)
	return steps
}

// parseFrequency parses "2400MHz" or "2.4GHz", and returns kHz.
func parseFrequency(s string) (int, error) {
	number, known := strings.CutSuffix(s, "GHz")
	unit := 1e6
	if !known {
		number, known = strings.CutSuffix(s, "MHz")
		unit = 1e3
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !known || err != nil || !(f*unit >= 1 && f*unit < 1e9) {
		return 0, fmt.Errorf("%q is not a frequency (want lowest, base, highest, or e.g. 2400MHz or 2.4GHz)", s)
	}
	return int(math.Round(f * unit)), nil
}

// megahertz formats frequencies as "800MHz, 3737.89MHz", distinct and ascending.
func megahertz(kHz ...int) string {
	once := slices.Compact(slices.Sorted(slices.Values(kHz)))
	inMHz := func(n int) string { return strconv.FormatFloat(float64(n)/1000, 'f', -1, 64) + "MHz" }
	return strings.Join(results.Each(once, inMHz), ", ")
}
