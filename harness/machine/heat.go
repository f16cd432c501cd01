package machine

import (
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
)

// Heat is how hot the CPUs were, in °C, and how often they were throttled for
// it; NaN is not known.
type Heat struct {
	BeginC, EndC float64
	Throttled    float64
}

// heat is one look. Throttling is counted by each CPU for its core, and by each
// CPU again for its package.
type heat struct{ temperatureC, coreThrottled, packageThrottled float64 }

func readHeat(root fs.FS, cpus []int) heat {
	h := heat{temperatureC: temperature(root), packageThrottled: math.NaN()}
	for _, cpu := range cpus {
		dir := fmt.Sprintf("%s/cpu%d/thermal_throttle/", cpuDir, cpu)
		h.coreThrottled += number(line(root, dir+"core_throttle_count"))
		h.packageThrottled = larger(h.packageThrottled, number(line(root, dir+"package_throttle_count")))
	}
	return h
}

func (h heat) until(end heat) Heat {
	throttled := end.coreThrottled - h.coreThrottled
	if packages := end.packageThrottled - h.packageThrottled; !math.IsNaN(packages) {
		throttled += packages
	}
	return Heat{BeginC: h.temperatureC, EndC: end.temperatureC, Throttled: throttled}
}

// larger ignores NaN.
func larger(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}

// temperature is that of the hottest sensor of a CPU, else the hottest that
// ACPI tells, which may be somewhere on the board.
func temperature(root fs.FS) float64 {
	hottest := math.NaN()
	for _, sensor := range []struct{ names, readings string }{
		{"sys/class/hwmon/hwmon*/name", "temp*_input"},
		{"sys/class/thermal/thermal_zone*/type", "temp"},
	} {
		hottest = larger(hottest, hottestOf(root, sensor.names, sensor.readings, ofCPU))
	}
	if !math.IsNaN(hottest) {
		return hottest
	}
	return hottestOf(root, "sys/class/thermal/thermal_zone*/type", "temp", func(name string) bool { return name == "acpitz" })
}

// hottestOf reads sensors whose name suits: the kernel tells thousandths of °C.
func hottestOf(root fs.FS, names, readings string, suits func(string) bool) float64 {
	hottest := math.NaN()
	found, _ := fs.Glob(root, names) // the patterns are ours, and right
	for _, name := range found {
		if !suits(line(root, name)) {
			continue
		}
		sensors, _ := fs.Glob(root, path.Join(path.Dir(name), readings))
		for _, s := range sensors {
			if c := number(line(root, s)) / 1e3; c > 0 { // a sensor that is off tells 0 or less
				hottest = larger(hottest, c)
			}
		}
	}
	return hottest
}

// ofCPU knows the drivers of Intel's and AMD's sensors, and the zones of a
// CPU's package or, on Arm, of its clusters.
func ofCPU(name string) bool {
	known := []string{"coretemp", "k10temp", "zenpower", "x86_pkg_temp"}
	return slices.Contains(known, name) || strings.HasPrefix(name, "cpu") || strings.HasPrefix(name, "soc")
}
