package watch

import (
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"

	"moobench/harness/machine/cpu"
	"moobench/harness/machine/internal/kernel"
)

// cycles are two registers of a CPU that stop while it is idle: one counts at its actual frequency, the other at
// its base frequency.
type cycles struct{ actual, reference uint64 }

// Register numbers of IA32_MPERF and IA32_APERF in Intel's manual; AMD's are the same.
const mperf, aperf = 0xe7, 0xe8

// readCycles also returns the mean frequency that cpufreq shows, in MHz.
func readCycles(root fs.FS, cpus cpu.Set) (all map[int]cycles, mhz float64) {
	all = map[int]cycles{}
	for _, n := range cpus {
		mhz += kernel.Number(kernel.Line(root, fmt.Sprintf("%s/cpu%d/cpufreq/scaling_cur_freq", cpu.Dir, n))) / 1e3
		if c, ok := readRegisters(root, n); ok {
			all[n] = c
		}
	}
	return all, mhz / float64(len(cpus))
}

func readRegisters(root fs.FS, cpu int) (c cycles, ok bool) {
	f, err := root.Open(fmt.Sprintf("dev/cpu/%d/msr", cpu))
	if err != nil {
		return c, false
	}
	defer f.Close()
	at, ok := f.(io.ReaderAt)
	for register, n := range map[int64]*uint64{mperf: &c.reference, aperf: &c.actual} {
		ok = ok && binary.Read(io.NewSectionReader(at, register, 8), binary.LittleEndian, n) == nil
	}
	return c, ok
}

// meanRatio is the ratio of actual to base frequency over all CPUs while not idle. The differences stay correct
// when a register wraps.
func meanRatio(begin, end map[int]cycles) float64 {
	var actual, reference float64
	for cpu, from := range begin {
		if to, ok := end[cpu]; ok {
			actual += float64(to.actual - from.actual)
			reference += float64(to.reference - from.reference)
		}
	}
	if reference == 0 {
		return math.NaN()
	}
	return actual / reference
}

// baseMHz is the rate at which MPERF counts.
func baseMHz(root fs.FS) float64 {
	const first = cpu.Dir + "/cpu0/"
	if kHz := kernel.Number(kernel.Line(root, first+"cpufreq/base_frequency")); !math.IsNaN(kHz) {
		return kHz / 1e3
	}
	if mhz := kernel.Number(kernel.Line(root, first+"acpi_cppc/nominal_freq")); mhz > 0 {
		return mhz
	}
	// Intel's names end in "@ 2.40GHz".
	_, named, _ := strings.Cut(kernel.Value(kernel.Text(root, "proc/cpuinfo"), "model name"), "@ ")
	ghz, _ := strings.CutSuffix(named, "GHz")
	return kernel.Number(ghz) * 1e3
}
