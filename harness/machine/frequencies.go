package machine

import (
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strings"
)

// Frequencies are of the measured CPUs, in MHz; NaN is not known.
type Frequencies struct {
	// MeanMHz is that of the window while the CPUs were not idle: the ratio of
	// the counters APERF and MPERF times the base frequency.
	MeanMHz float64
	// BeginMHz and EndMHz are those of cpufreq, averaged over the CPUs.
	BeginMHz, EndMHz float64
}

// cycles are the registers of all measured CPUs, NaN when one can't be read.
type cycles struct {
	actual, reference map[int]uint64
	currentMHz        float64
}

// Numbers of the registers: IA32_MPERF and IA32_APERF of Intel's manual, and
// the same in AMD's.
const (
	mperf = 0xe7
	aperf = 0xe8
)

func readCycles(root fs.FS, cpus []int) cycles {
	c := cycles{actual: map[int]uint64{}, reference: map[int]uint64{}}
	sum := 0.0
	for _, cpu := range cpus {
		sum += number(line(root, fmt.Sprintf("%s/cpu%d/cpufreq/scaling_cur_freq", cpuDir, cpu))) / 1e3
		c.addRegisters(root, cpu)
	}
	c.currentMHz = sum / float64(len(cpus))
	return c
}

func (c *cycles) addRegisters(root fs.FS, cpu int) {
	f, err := root.Open(fmt.Sprintf("dev/cpu/%d/msr", cpu))
	if err != nil {
		return
	}
	defer f.Close()
	at, ok := f.(io.ReaderAt)
	if !ok {
		return
	}
	var actual, reference [8]byte
	if _, err := at.ReadAt(reference[:], mperf); err != nil {
		return
	}
	if _, err := at.ReadAt(actual[:], aperf); err != nil {
		return
	}
	c.reference[cpu], c.actual[cpu] = binary.LittleEndian.Uint64(reference[:]), binary.LittleEndian.Uint64(actual[:])
}

func frequencies(root fs.FS, a, b cycles) Frequencies {
	return Frequencies{MeanMHz: mean(a, b) * baseMHz(root), BeginMHz: a.currentMHz, EndMHz: b.currentMHz}
}

// mean is the ratio of both counters over all CPUs: both stand still in idle
// CPUs. Differences are right even when a counter has wrapped.
func mean(a, b cycles) float64 {
	var actual, reference float64
	for cpu, from := range a.actual {
		if to, ok := b.actual[cpu]; ok {
			actual += float64(to - from)
			reference += float64(b.reference[cpu] - a.reference[cpu])
		}
	}
	if reference == 0 {
		return math.NaN()
	}
	return actual / reference
}

// baseMHz is the frequency at which MPERF counts.
func baseMHz(root fs.FS) float64 {
	first := cpuDir + "/cpu0/"
	if kHz := number(line(root, first+"cpufreq/base_frequency")); !math.IsNaN(kHz) {
		return kHz / 1e3
	}
	if mhz := number(line(root, first+"acpi_cppc/nominal_freq")); mhz > 0 {
		return mhz
	}
	// Intel's names end in "@ 2.40GHz".
	_, named, _ := strings.Cut(value(text(root, "proc/cpuinfo"), "model name"), "@ ")
	ghz, _ := strings.CutSuffix(named, "GHz")
	return number(ghz) * 1e3
}
