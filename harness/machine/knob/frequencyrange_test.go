package knob

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moobench/harness/machine/cpu"
)

func TestMaxFrequency(t *testing.T) {
	checkChanges(t, knob("max_frequency"), cpu.Placement{}, "lowest", "base", "highest", "1800MHz", "2900MHz", "9000MHz")
}

func TestMinFrequency(t *testing.T) {
	checkChanges(t, knob("min_frequency"), cpu.Placement{}, "lowest", "base", "highest", "1800MHz", "300MHz")
}

func TestFrequencyAmounts(t *testing.T) {
	for value, want := range map[string]string{
		"2400MHz": "2400MHz", "2.4GHz": "2400MHz", "2.4 GHz": "2400MHz", "3711.47MHz": "3711.47MHz", "0.0000004GHz": "", "2400": "", "GHz": "", "2400000kHz": "", "base": "base",
	} {
		got, err := knob("max_frequency").Check(value)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v; want %q", value, got, err, want)
		}
	}
}

func TestFrequencyMeanings(t *testing.T) {
	const noRange = "error: cpufreq does not show the range of frequencies here"
	const unknown = `error: the base frequency is not known here (there is neither cpufreq/base_frequency nor acpi_cppc/nominal_freq nor a list of frequencies): name it, as "2400MHz"`
	for _, test := range []struct {
		name, file, value, want string
	}{
		{"desktop", "intel_pstate/no_turbo = 1", "highest", "3400MHz, 4000MHz"}, // CPU 7 has no base frequency
		{"desktop", "cpu0/cpufreq/base_frequency", "base", unknown},
		{"desktop", "cpu0/acpi_cppc/nominal_freq = 0", "base", unknown},
		{"desktop", "cpu0/cpufreq/cpuinfo_max_freq", "base", "error: cpufreq does not show the range of frequencies here"},
		{"desktop", "cpu0/cpufreq/cpuinfo_max_freq = 3800000", "highest", "3800MHz, 4000MHz"},
		{"server", "cpu0/cpufreq/base_frequency = 2900000", "base", "2900MHz, 3000MHz"},
		{"server", "cpu0/acpi_cppc/nominal_freq = 3900", "base", "error: 3900MHz is not between 400MHz and 3700MHz, which is what the CPU may do now"},
		{"desktop", "cpu0/cpufreq/cpuinfo_min_freq = 0", "lowest", noRange},
		{"desktop", "cpu0/cpufreq/cpuinfo_max_freq = 0", "highest", noRange},
		{"laptop", "cpu0/cpufreq/bios_limit = 1800000", "highest", "1800MHz, 2501MHz"},
		{"laptop", "cpu0/cpufreq/bios_limit = 1800000", "base", "error: 2500MHz is not between 800MHz and 1800MHz, which is what the CPU may do now"},
		{"laptop", "cpu0/cpufreq/cpuinfo_max_freq = 3200000", "highest", "2501MHz"},
		{"laptop", "cpu0/cpufreq/scaling_available_frequencies = 2300000 2500000 1000000", "base", "2500MHz"},
	} {
		files := []string{test.file}
		if test.name == "desktop" { // where not all CPUs say the same, they are not all taken for the first
			files = append(files, "cpu7/cpufreq/base_frequency")
		}
		got, err := knob("max_frequency").resolve(with(t, test.name, files...), cpu.Placement{}, test.value)
		if got = orError(got, err); got != test.want {
			t.Errorf("%s with %s: %s is %s, want %s", test.name, test.file, test.value, got, test.want)
		}
	}
}

// TestFrequencyOrder: whatever range is found and wanted, the lowest is never
// above the highest, as old kernels refuse that and new ones cut the other.
func TestFrequencyOrder(t *testing.T) {
	steps := strings.Fields("800000 1000000 1400000 1800000 2200000 2500000 2501000")
	rapid.Check(t, func(r *rapid.T) {
		tree := with(t, "laptop")
		const dir = cpu.Dir + "/cpu2/cpufreq/"
		low := rapid.IntRange(0, len(steps)-1).Draw(r, "low")
		high := rapid.IntRange(low, len(steps)-1).Draw(r, "high")
		tree.Put(dir+"scaling_min_freq", steps[low])
		tree.Put(dir+"scaling_max_freq", steps[high])
		k := knob(rapid.SampledFrom([]string{"min_frequency", "max_frequency"}).Draw(r, "limit"))
		kHz, err := strconv.Atoi(rapid.SampledFrom(steps).Draw(r, "wanted"))
		if err != nil {
			r.Fatal(err)
		}
		value := megahertz(kHz)
		changes, err := k.Changes(tree, cpu.Placement{}, value)
		if err != nil {
			r.Fatal(err)
		}
		for _, c := range changes {
			if err := apply(tree, c); err != nil { // the lowest above the highest is EINVAL
				r.Fatalf("%s: %v", c, err)
			}
		}
		if got, err := k.Observe(tree, cpu.Placement{}); err != nil || got != value {
			r.Fatalf("says %q, %v; want %s", got, err, value)
		}
	})
}

// TestFixedFrequency: the factor frequency goes there and back.
func TestFixedFrequency(t *testing.T) {
	for _, name := range []string{"desktop", "server", "laptop"} {
		tree := with(t, name)
		for _, value := range []string{FrequencyFixed, FrequencyScaling, FrequencyFixed} {
			for _, w := range Frequency(value) {
				k := knob(w.Knob)
				changes, err := k.Changes(tree, cpu.Placement{}, w.Value)
				if err != nil {
					t.Fatalf("%s, %s: %s: %v", name, value, w.Knob, err)
				}
				checkSet(t, k, name, tree, cpu.Placement{}, w.Value, changes)
			}
			low, _ := knob("min_frequency").Observe(tree, cpu.Placement{})
			high, _ := knob("max_frequency").Observe(tree, cpu.Placement{})
			if fixed := low == high; fixed != (value == FrequencyFixed) || slices.Contains([]string{low, high}, "") {
				t.Errorf("%s, %s: from %s to %s", name, value, low, high)
			}
		}
	}
}

// Limits are of the governor, the kernel lowers them, and a CPU that has none has no part in them.
func TestLimitsOfTheGovernor(t *testing.T) {
	for _, limit := range []string{"max", "min"} {
		name, file := limit+"_frequency", "scaling_"+limit+"_freq"
		k := knob(name)
		if !k.Drifts || k.Chief != "governor" {
			t.Errorf("%s drifts: %t; its chief is %q", name, k.Drifts, k.Chief)
		}
		for value, want := range map[string]string{" = 1000000": "1000MHz", " = 0": "", "": ""} {
			tree := with(t, "laptop", "cpu0/cpufreq/"+file+value)
			got, err := k.Observe(tree, cpu.Placement{})
			if err != nil || strings.HasPrefix(got, "0MHz") || !strings.Contains(got, want) {
				t.Errorf("%s%s: %q, %v", file, value, got, err)
			}
		}
	}
}
