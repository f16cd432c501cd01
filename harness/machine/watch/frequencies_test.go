package watch

import (
	"encoding/binary"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"moobench/harness/machine/cpu"
)

// registers is a tree with dev/cpu/N/msr: reading 8 bytes at an offset reads
// the register of that number.
type registers struct {
	fstest.MapFS
	values map[int64]uint64
}

func (r registers) Open(name string) (fs.File, error) {
	if !strings.HasSuffix(name, "/msr") {
		return r.MapFS.Open(name)
	}
	f, err := r.MapFS.Open(name)
	return register{f, r.values}, err
}

type register struct {
	fs.File
	values map[int64]uint64
}

func (r register) ReadAt(p []byte, number int64) (int, error) {
	x, ok := r.values[number]
	if !ok || len(p) != 8 {
		return 0, fs.ErrInvalid
	}
	binary.LittleEndian.PutUint64(p, x)
	return 8, nil
}

func TestMeanFrequency(t *testing.T) {
	tree := files(map[string]string{"dev/cpu/3/msr": "", cpu.Dir + "/cpu3/cpufreq/scaling_cur_freq": "2500000"})
	at := func(actual, reference uint64) map[int]cycles {
		all, mhz := readCycles(registers{tree, map[int64]uint64{mperf: reference, aperf: actual}}, cpu.Set{3})
		if mhz != 2500 {
			t.Errorf("cpufreq tells %v MHz", mhz)
		}
		return all
	}
	if got := meanRatio(at(math.MaxUint64-99, 500), at(1400, 1500)); got != 1.5 { // APERF wraps
		t.Errorf("%v times the base frequency, want 1.5", got)
	}
	if got := meanRatio(at(100, 500), at(100, 500)); !math.IsNaN(got) {
		t.Errorf("registers that stand still tell %v", got)
	}
	if got, _ := readCycles(files(nil), cpu.Set{3}); len(got) > 0 {
		t.Errorf("without registers: %v", got)
	}
	none, _ := readCycles(registers{tree, nil}, cpu.Set{3})
	if got := meanRatio(none, none); !math.IsNaN(got) {
		t.Errorf("registers that can't be read tell %v", got)
	}
}

// What cpufreq shows is the mean of all measured CPUs.
func TestShownFrequency(t *testing.T) {
	tree := files(map[string]string{
		cpu.Dir + "/cpu3/cpufreq/scaling_cur_freq": "2500000", cpu.Dir + "/cpu4/cpufreq/scaling_cur_freq": "1500000",
	})
	if _, mhz := readCycles(tree, cpu.Set{3, 4}); mhz != 2000 {
		t.Errorf("%v MHz, want 2000", mhz)
	}
}

func TestBaseFrequency(t *testing.T) {
	for want, contents := range map[float64]map[string]string{
		2100: {cpu.Dir + "/cpu0/cpufreq/base_frequency": "2100000", cpu.Dir + "/cpu0/acpi_cppc/nominal_freq": "1"},
		2450: {cpu.Dir + "/cpu0/acpi_cppc/nominal_freq": "2450", "proc/cpuinfo": "model name : x @ 2.40GHz"},
		2400: {"proc/cpuinfo": "model name\t: Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz"},
	} {
		if got := baseMHz(files(contents)); got != want {
			t.Errorf("%v MHz, want %v", got, want)
		}
	}
	if got := baseMHz(files(map[string]string{"proc/cpuinfo": "model name : AMD EPYC 7402P"})); !math.IsNaN(got) {
		t.Errorf("%v MHz, out of nothing", got)
	}
}
