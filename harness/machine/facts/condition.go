package facts

import (
	"compress/gzip"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"moobench/harness/machine/internal/kernel"
)

// power returns the machine's power source, or "" if unknown.
func power(root fs.FS) string {
	found := ""
	for _, supply := range kernel.Glob(root, "sys/class/power_supply/*") {
		if kernel.Line(root, supply+"/scope") == "Device" {
			continue // the battery of a mouse
		}
		switch kernel.Line(root, supply+"/type") {
		case "Battery":
			if found == "" && kernel.Line(root, supply+"/status") == "Discharging" {
				found = "battery"
			}
		case "Mains", "USB":
			if kernel.Line(root, supply+"/online") == "1" {
				found = "mains"
			}
		}
	}
	return found
}

// Load describes how busy a machine is; NaN: unknown.
type Load struct {
	Tasks          float64 // running or waiting for a disk, on average over the last minute
	WaitingPercent float64 // of the last 10 s in which some task waited for a CPU
}

// ReadLoad reads averages that the kernel keeps anyway.
func ReadLoad(root fs.FS) Load {
	minute, _, _ := strings.Cut(kernel.Line(root, "proc/loadavg"), " ")
	_, averages, _ := strings.Cut(kernel.After(kernel.Text(root, "proc/pressure/cpu"), "some "), "avg10=")
	share, _, _ := strings.Cut(averages, " ")
	return Load{Tasks: kernel.Number(minute), WaitingPercent: kernel.Number(share)}
}

// Temperature returns the temperature in °C of the hottest CPU sensor, else of the hottest sensor in ACPI, which
// may be anywhere on the board; NaN: unknown.
func Temperature(root fs.FS) float64 {
	const zones = "sys/class/thermal/thermal_zone*/type"
	// Drivers of Intel's and AMD's sensors, and thermal zones of a CPU's package or, on Arm, of its clusters.
	ofCPU := func(name string) bool {
		known := []string{"coretemp", "k10temp", "zenpower", "x86_pkg_temp"}
		return slices.Contains(known, name) || strings.HasPrefix(name, "cpu") || strings.HasPrefix(name, "soc")
	}
	sensors := hottestOf(root, "sys/class/hwmon/hwmon*/name", "temp*_input", ofCPU)
	hottest := max(sensors, hottestOf(root, zones, "temp", ofCPU))
	if hottest == 0 {
		hottest = hottestOf(root, zones, "temp", func(name string) bool { return name == "acpitz" })
	}
	if hottest == 0 {
		return math.NaN()
	}
	return hottest
}

// hottestOf returns the highest reading in °C of the sensors with a suitable name, converted from thousandths. 0:
// no reading, since a sensor that is off shows 0 or less.
func hottestOf(root fs.FS, names, readings string, suits func(string) bool) float64 {
	hottest := 0.0
	for _, name := range kernel.Glob(root, names) {
		if !suits(kernel.Line(root, name)) {
			continue
		}
		for _, s := range kernel.Glob(root, path.Join(path.Dir(name), readings)) {
			if c := kernel.Number(kernel.Line(root, s)) / 1e3; c > hottest {
				hottest = c
			}
		}
	}
	return hottest
}

// kibibytes returns a value of /proc/meminfo, or -1 if unknown.
func kibibytes(meminfo, key string) int {
	n, _, _ := strings.Cut(kernel.Value(meminfo, key), " ")
	return kernel.Int(n, -1)
}

// kernelConfig returns the kernel's build configuration, or "" if unknown.
func kernelConfig(root fs.FS) config {
	if built := kernel.Text(root, "boot/config-"+kernel.Line(root, "proc/sys/kernel/osrelease")); built != "" {
		return config(built)
	}
	z, err := gzip.NewReader(strings.NewReader(kernel.Text(root, "proc/config.gz")))
	if err != nil {
		return ""
	}
	const most = 4 << 20 // ten times the usual size
	b, err := io.ReadAll(io.LimitReader(z, most))
	if err != nil {
		return ""
	}
	return config(b)
}

// config has a line NAME=value for each option that a kernel was built with.
type config string

func (c config) option(name string) string { return kernel.After(string(c), name+"=") }

// preemption returns the kernel's preemption model. A kernel that can switch models shows its choice only to root;
// otherwise the boot option decides, then the build configuration.
func preemption(root fs.FS, built config) string {
	if _, choice, ok := strings.Cut(kernel.Line(root, "sys/kernel/debug/sched/preempt"), "("); ok {
		choice, _, _ = strings.Cut(choice, ")")
		return choice
	}
	if built.option("CONFIG_PREEMPT_RT") == "y" || kernel.Line(root, "sys/kernel/realtime") == "1" {
		return "real time"
	}
	if asked := bootOption(root, "preempt"); asked != "" {
		return asked
	}
	for _, model := range []string{"NONE", "VOLUNTARY", "LAZY"} {
		if built.option("CONFIG_PREEMPT_"+model) == "y" {
			return strings.ToLower(model)
		}
	}
	if built.option("CONFIG_PREEMPT") == "y" || kernel.Has(kernel.Line(root, "proc/sys/kernel/version"), "PREEMPT") {
		return "full"
	}
	return ""
}
